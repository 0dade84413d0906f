"""Writes what a terminal, a log and a decoder would stumble over."""

import os

from harness.bot import Action, Bot, View, run


class FaultBot(Bot):
    def choose(self, view: View) -> Action:
        os.write(
            1,
            b"\x1b[2J\x1b]0;owned\x07\x9b31m\x00\xff\xfe\r\n\xe2\x80\xae[red]evil[/red]<script>alert(1)</script>" * 20,
        )
        return view.actions[0]


run(FaultBot)
