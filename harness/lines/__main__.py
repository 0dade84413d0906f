"""`python -m harness.lines`: the adapter, as `harness.lines.command` writes its command line."""

import sys

from harness.lines.command import task_of
from harness.lines.player import PlayerEnded, end_as
from harness.lines.players import Players


def main() -> None:
    """Plays until the harness says goodbye, and ends as the author's program ends."""
    task = task_of(sys.argv[1:])
    try:
        players = Players(task)
        # Meanwhile the program starts: gRPC takes a while to be imported.
        from harness.bot.client import play_until_goodbye
        from harness.lines.stream import LinesStream, lines_bot

        bot = lines_bot(task.games, players)
        failure = play_until_goodbye(bot, LinesStream(bot))
        if failure is not None:
            sys.stderr.write(failure.rstrip() + "\n")
            sys.exit(1)
        end_as(players.end())
    except PlayerEnded as ended:
        if ended.says:
            sys.stderr.write(ended.says + "\n")
        end_as(ended.status)


if __name__ == "__main__":
    main()
