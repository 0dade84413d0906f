"""Makes the code that is generated from the protocol: python protos/generate.py [FOLDER].

That is harness/wire/arena_pb2.py and sample_bots/raw-stub/arena_pb2.py with their types, and the copy of the protocol
that `cardarena new` puts into folders of bots, below FOLDER (default: the checkout).
"""

import shutil
import subprocess
import sys
from pathlib import Path

PROTOS = Path(__file__).parent / "cardarena" / "v1"


STUB = Path("sample_bots") / "raw-stub"
SCAFFOLDS = Path("harness") / "workshop" / "scaffolds"


def generate(folder: Path) -> None:
    """Writes the generated files below `folder`; CalledProcessError where the compiler refuses the protocol."""
    plugin = Path(sys.executable).parent / "protoc-gen-mypy"
    _compile(
        f"--plugin=protoc-gen-mypy={plugin}",
        f"-Iharness/wire={PROTOS}",  # the generated code calls itself harness.wire.arena_pb2
        f"--python_out={folder}",
        f"--mypy_out=quiet:{folder}",
    )
    stub = folder / STUB
    stub.mkdir(parents=True, exist_ok=True)
    _compile(f"-I{PROTOS}", f"--python_out={stub}", f"--pyi_out={stub}")
    scaffolds = folder / SCAFFOLDS
    scaffolds.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(PROTOS / "arena.proto", scaffolds / "arena.proto")


def _compile(*options: str) -> None:
    subprocess.run([sys.executable, "-m", "grpc_tools.protoc", *options, str(PROTOS / "arena.proto")], check=True)


if __name__ == "__main__":
    generate(Path(sys.argv[1]) if len(sys.argv) > 1 else PROTOS.parents[2])
