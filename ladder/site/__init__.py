"""The static site of a ladder: plain values in, a folder of pages out.

Whoever has a ladder describes it with `ladder.site.values`; `ladder.site.pages` makes the pages, the feeds and the
replays of it, `ladder.site.folder` keeps a folder up to date with them. Nothing here knows a game: a replay is a row
of finished frames.
"""
