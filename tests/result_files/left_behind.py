# SPDX-License-Identifier: BSD-3-Clause
"""Whether what a run left behind is whole, however the run ended."""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))
import schemas  # noqa: E402

# Names that a file has before it is whole.
TEMPORARY = re.compile(r"\.part\d+$|\.interrupted$|^\.last\d+$")


def hdf5_is_whole(data):
    """By what the superblock says (version 2 and later): closed by its writer, and the file as long as it was then."""
    return data[:8] == b"\x89HDF\r\n\x1a\n" and data[8] >= 2 and data[11] & 1 == 0 and int.from_bytes(data[28:36], "little") == len(data)


def damaged(folder, temporary_too=True):
    """What is wrong with the files of a folder, in sentences."""
    found = []
    for path in sorted(folder.rglob("*")):
        if path.is_symlink():
            if not path.exists():
                found.append(f"{path.name} points nowhere")
            continue
        if path.is_dir():
            continue
        if TEMPORARY.search(path.name):
            if temporary_too:
                found.append(f"{path.name} was left behind")
            continue
        data = path.read_bytes()
        if path.suffix == ".json":
            try:
                schemas.check(data.decode())
            except (ValueError, AssertionError) as error:
                found.append(f"{path.name}: {error}")
        elif path.suffix == ".h5":
            if not hdf5_is_whole(data):
                found.append(f"{path.name} is not whole")
        elif not data.endswith(b"\n") or (path.suffix == ".svg" and not data.rstrip().endswith(b"</svg>")):
            found.append(f"{path.name} ends in the middle")
    return found
