"""A plan survives the way over a command line."""

from harness.sandbox.plan import Plan, plan_of


def test_a_plan_comes_back_as_it_was() -> None:
    plan = Plan()
    plan.argv = ("python", "-c", "print('a b')\n", "--", "x=1", "")
    plan.variables = ("A=b=c\n", "EMPTY=")
    plan.cwd = "/a folder/with=signs"
    plan.uid, plan.file_bytes = 61001, 0
    plan.readable = ("/usr", "/a b")
    plan.writable = ("/tmp/x",)
    plan.seccomp = "00ff"

    assert vars(plan_of(plan.words())) == vars(plan)


def test_what_is_not_said_is_the_default() -> None:
    plan = plan_of(["cwd=/", "--", "--", "true"])

    assert (plan.argv, plan.uid, plan.file_bytes, plan.readable) == (("true",), 0, -1, ())
