"""The checks: each a name, what it proves, how far the bot must have come, and a judgement of what was seen."""

import shlex
from collections.abc import Iterator

from harness.errors import HarnessError
from harness.games import GAME_NAMES
from harness.printable import printable
from harness.roster import check_playable
from harness.workshop.check import measures, play
from harness.workshop.check.facts import UNREACHED, Check, Facts, Stage, evidence_of
from harness.workshop.check.mends import mend_for
from harness.workshop.check.traffic import shown_request
from harness.workshop.check.verdict import Evidence, Status, Verdict, advice, failed, ok, skipped

# What stands in the folder --------------------------------------------------------------------------


def _manifest(facts: Facts) -> Verdict:
    manifest, limits = facts.manifest, facts.conditions.limits
    for game, _ in facts.conditions.games:
        try:
            check_playable(manifest, game.name)
        except HarnessError as error:
            return failed(str(error))
    says = f"{manifest.name} {manifest.version} plays {' and '.join(manifest.bot.games)}"
    needs = manifest.needs.memory_mb
    if needs is not None and needs > limits.memory_mb:
        return advice(f"{says}; it asks for {needs} MB of memory, {facts.conditions.source} grant {limits.memory_mb}")
    return ok(says)


def _build(facts: Facts) -> Verdict:
    manifest, unbuilt = facts.manifest, facts.unbuilt
    if manifest.build is None:
        return skipped("nothing to build")
    if unbuilt is None:
        steps = ", ".join(shlex.join(step) for step in manifest.build.argv)
        return ok(f"{printable(steps)}: done in {facts.build_s:.1f} s, and kept for these files")
    return failed(
        unbuilt.detail,
        Evidence(
            expected="every step ends with code 0, without network, and leaves files and folders only",
            mend=f"install {printable(unbuilt.argv[0])} here, or hand in what it makes"
            if "No such file" in unbuilt.detail
            else mend_for(unbuilt.last_lines),
            last_lines=unbuilt.last_lines,
        ),
    )


def _runtime(facts: Facts) -> Verdict:
    program = facts.program
    assert program is not None
    if program.path is None:
        return failed(program.problem, Evidence(expected="a program that this machine can run", mend=program.mend))
    if program.hides:
        return advice(
            f"{facts.interpreter}; {', '.join(program.hides)} in the folder hide modules that others import",
            Evidence(mend="give them other names"),
        )
    return ok(facts.interpreter)


# The start ------------------------------------------------------------------------------------------


def _start(facts: Facts) -> Verdict:
    seen = facts.first
    for end in seen.ends:
        if end.fault is not None and end.fault.detail.startswith(f"{end.how} before it said Hello"):
            evidence = evidence_of(facts, seen, sent="", came_back=end.how, expected="a Hello on the stream")
            return failed(f"its process {end.fault.detail}", evidence)
    return ok("its process starts")


def _hello(facts: Facts) -> Verdict:
    seen = facts.first
    if seen.hello_s is None or seen.turned_away is not None:
        if _start(facts).status is Status.FAILED:
            return UNREACHED
        detail = next((end.fault.detail for end in seen.ends if end.fault is not None), "no Hello came")
        evidence = evidence_of(
            facts,
            seen,
            sent="CARDARENA_ADDRESS and CARDARENA_TOKEN, in its environment",
            came_back=shown_request(seen.traffic.first),
            expected="one stream with `authorization: Bearer TOKEN`, and Hello as its first message",
        )
        return failed(detail, evidence)
    says = f"Hello after {seen.hello_s:.2f} s of {facts.start_s:g} s"
    figures = {"hello_s": round(seen.hello_s, 3)}
    if seen.hello_s > facts.start_s / 2:
        evidence = Evidence(mend="load less before Hello")
        return advice(f"{says}: on a busy machine that may be too late", evidence, figures)
    return ok(says, figures)


def _goodbye(facts: Facts) -> Verdict:
    ends = [end for seen in facts.phases for end in seen.ends if end.fault is None]
    if not ends:
        return UNREACHED
    for end in ends:
        if end.how == "exited with code 0":
            continue
        seen = facts.first
        evidence = evidence_of(
            facts, seen, sent="Goodbye", came_back=end.how, expected="an exit with code 0 within 2 s", known_mend=False
        )
        if end.how.startswith("exited"):
            return advice(f"at Goodbye it {end.how}", evidence)
        return failed("it did not end within 2 s after Goodbye, and was killed", evidence)
    return ok("it ends at Goodbye")


def _folder(facts: Facts) -> Verdict:
    if not facts.phases:
        return UNREACHED
    if facts.tree_changed:
        return failed(
            "it writes into its own folder", Evidence(expected="a folder that stays as it is", mend="write to $TMPDIR")
        )
    return ok("its folder is as it was")


def _games() -> Iterator[Check]:
    for name in GAME_NAMES:
        yield Check(name, f"it plays {name} to the end, where it says that it plays it", Stage.ALONE, play.plays(name))


CHECKS: tuple[Check, ...] = (
    Check("manifest", "bot.toml can be used, and asks for nothing that is not granted", Stage.MANIFEST, _manifest),
    Check("build", "the steps of [build] leave a tree to play from", Stage.BUILD, _build),
    Check("runtime", "the program that argv names is here and can run", Stage.RUNTIME, _runtime),
    Check("start", "its process starts and stays", Stage.ALONE, _start),
    Check("hello", "it dials in and says Hello, in time", Stage.ALONE, _hello),
    *_games(),
    Check("legal", "it chooses among the actions that are offered", Stage.ALONE, play.legal),
    Check(
        "protocol", "it sends what the protocol allows at that moment, and nothing twice", Stage.ALONE, play.protocol
    ),
    Check("alive", "its process and its stream last as long as its matches", Stage.ALONE, play.alive),
    Check("in-time", "its answers come in time and are not held back", Stage.TOGETHER, play.in_time),
    Check("snapshots", "the snapshots that it asks for agree with the events", Stage.ALONE, play.snapshots),
    Check("others-fault", "it plays on when another seat is at fault", Stage.ALONE, play.others_fault),
    Check("at-once", "many matches at once do not disturb each other", Stage.TOGETHER, play.at_once),
    Check("told-again", "a new process of it goes on with its matches", Stage.TOGETHER, play.told_again),
    Check("repeats", "the same seed gives the same play, in a second process", Stage.TOGETHER, play.repeats),
    Check("goodbye", "it ends when all is over", Stage.ALONE, _goodbye),
    Check("folder", "it leaves its own folder as it is", Stage.ALONE, _folder),
    Check("think-time", "how long it thinks, and what that leads to expect", Stage.ALONE, measures.think_time),
    Check("memory", "it stays within the memory that it is granted", Stage.ALONE, measures.memory),
    Check("output", "how much it writes to stdout and stderr", Stage.ALONE, measures.output),
)
