"""A bot of lines that draws what the sample `random` draws."""

import json
import sys

from harness.bot import SplitMix64

for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "start":
        chance = SplitMix64(int(told["seed"]))
    elif told["type"] == "ask":
        print(chance.choice(told["legal"]), "#", "one of", len(told["legal"]))
