"""Never dials."""

import time

while True:
    time.sleep(60)
