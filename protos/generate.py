"""Makes harness/wire/arena_pb2.py and its types from the protocol: python protos/generate.py [FOLDER].

FOLDER (default: the checkout) is where harness/wire/ lies or shall lie.
"""

import subprocess
import sys
from pathlib import Path

PROTOS = Path(__file__).parent / "cardarena" / "v1"


def generate(folder: Path) -> None:
    """Writes the generated files below `folder`; CalledProcessError where the compiler refuses the protocol."""
    plugin = Path(sys.executable).parent / "protoc-gen-mypy"
    command = [
        *(sys.executable, "-m", "grpc_tools.protoc"),
        f"--plugin=protoc-gen-mypy={plugin}",
        f"-Iharness/wire={PROTOS}",  # the generated code calls itself harness.wire.arena_pb2
        f"--python_out={folder}",
        f"--mypy_out=quiet:{folder}",
        str(PROTOS / "arena.proto"),
    ]
    subprocess.run(command, check=True)


if __name__ == "__main__":
    generate(Path(sys.argv[1]) if len(sys.argv) > 1 else PROTOS.parents[2])
