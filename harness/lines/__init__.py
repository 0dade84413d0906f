"""Bots that read a line of JSON and write one action a line: the harness's own adapter between them and gRPC.

The adapter is the process that a keeper starts, and a bot like any other; it starts the author's program as its
child, with the child's stdin and stdout as the two ends of the conversation. `docs/lines.md` tells that conversation.
"""
