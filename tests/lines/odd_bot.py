"""A bot of lines that plays its first legal action and, as its argument says, does something odd."""

import json
import os
import signal
import subprocess
import sys
import time

CONDUCT = sys.argv[1]
FILLER = "x" * 5000

if CONDUCT == "exit_at_start":
    sys.exit("nothing works")
for line in sys.stdin:
    told = json.loads(line)
    if told["type"] != "ask":
        if CONDUCT == "speaks_at_start" and told["type"] == "start":
            print("hello, I am ready")
        continue
    legal, actions = told["legal"], told["actions"]
    if told["asked"] != 2:
        print(legal[0])
        continue
    match CONDUCT:
        case "debug_before":
            print("my hand:", told["hand"])
            print(legal[0])
        case "debug_after":
            print(f"{legal[0]}\nplayed {legal[0]}")
        case "long_line":
            print(FILLER)
        case "long_line_without_end":
            sys.stdout.write(FILLER)
        case "empty_line":
            print()
        case "index":
            print(1)
        case "no_card":
            print("10S")
        case "huge_number":
            print(99999999999)
        case "not_text":
            sys.stdout.buffer.write(b"\xff\xfe\x1b[2J\n")
        case "silent":
            time.sleep(600)
        case "closes_stdout":
            os.close(1)
            time.sleep(600)
        case "exits":
            sys.exit(3)
        case "leaves_a_child":
            subprocess.Popen(["sleep", "600"])
            sys.exit(4)
        case "dies":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "killed":
            os.kill(os.getpid(), signal.SIGKILL)
        case _:
            print(legal[0])
