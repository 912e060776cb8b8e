# SPDX-License-Identifier: BSD-3-Clause
"""Digests, independent of addresses, of the code in the plugins of two builds (tools/turns --code):
  suite_*_cpu.so, suite_*_reference.so   the instructions of each function, by objdump
  suite_*_opencl.so                      the OpenCL sources in it
  suite_*_cuda.so                        the SASS of each kernel with its registers and memory, by cuobjdump if it is installed
Jumps are expressed by function and distance; numbers read from constant memory by their value."""
import collections
import hashlib
import pathlib
import re
import shutil
import subprocess

FUNCTION = re.compile(r"^[0-9a-f]+ <(.+)>:$")
INSTRUCTION = re.compile(r"^\s*[0-9a-f]+:\s+(.*?)\s*$")
TARGET = re.compile(r"\b[0-9a-f]+ <([^>+]+)(\+0x[0-9a-f]+)?>")
RELATIVE = re.compile(r"-?0x[0-9a-f]+\(%rip\)(.*?)\s*# ([0-9a-f]+)(?: <([^>+]+)(\+0x[0-9a-f]+)?>)?$")
PADDING = re.compile(r"^(?:(?:data16|cs|ds|rex\.W)\s+)*(?:nop[wl]?\b.*|xchg\s+%ax,%ax|int3)$")
NUMBERED = re.compile(r"(\._omp_fn|\.constprop|\.part|\.isra|\.lto_priv|\.cold)\.\d+")
FILE_HASH = re.compile(r"_[0-9a-f]{8}(?=_|\b)|(?<=_)[0-9a-f]{8}(?=E|_|\b)")


class Unreadable(Exception):
    """A sentence for the user."""


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True, errors="replace")
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["no reason"])[0]
        raise Unreadable(f"{command[0]} {command[-1]}: {said}")
    return done.stdout


def digest(text):
    return hashlib.sha256(text.encode() if isinstance(text, str) else text).hexdigest()


class Constants:
    """Memory of constants of a file, by address."""

    def __init__(self, path):
        data = path.read_bytes()
        self.parts = []
        for line in run("objdump", "-h", "-w", str(path)).splitlines():
            word = line.split()
            if len(word) > 6 and word[0].isdigit() and word[1].startswith(".rodata"):
                size, address, offset = (int(word[i], 16) for i in (2, 3, 5))
                self.parts.append((address, data[offset:offset + size]))

    def at(self, address, size):
        for start, content in self.parts:
            if start <= address < start + len(content):
                return content[address - start:address - start + size].hex()
        return None


def normal(name):
    return NUMBERED.sub(r"\1", name)


def normal_instruction(text, constants):
    def relative(match):
        rest, address, symbol, behind = match[1], int(match[2], 16), match[3], match[4]
        # A number is read; lea takes the address of a table or a text, whose contents may hold distances. What lies behind a
        # symbol need not be its own.
        value = None if text.startswith("lea") else constants.at(address, 4 if re.match(r"v?\w+ss\b", text) else 8)
        return f"[{value or (normal(symbol) if symbol and not behind else 'memory')}]{rest}"
    text = RELATIVE.sub(relative, text)
    return " ".join(TARGET.sub(lambda m: normal(m[1]) + (m[2] or ""), text).split())


def functions(path):
    """Digests of each function's instructions; several may have one name."""
    constants, found, name, lines = Constants(path), collections.defaultdict(list), None, []

    def end():
        while lines and PADDING.match(lines[-1]):
            lines.pop()
        if name and lines and not name.endswith("@plt"):
            found[normal(name)].append(digest("\n".join(lines)))
    for line in run("objdump", "-d", "-w", "--no-show-raw-insn", str(path)).splitlines():
        if start := FUNCTION.match(line):
            end()
            name, lines = start[1], []
        elif instruction := INSTRUCTION.match(line):
            lines.append(normal_instruction(instruction[1], constants))
    end()
    return {key: sorted(value) for key, value in found.items()}


def opencl_texts(path):
    """The texts of OpenCL C in a file, each by its first words that say what it is."""
    found = collections.defaultdict(list)
    for text in re.findall(rb"[\t\n\r\x20-\x7e\x80-\xff]{100,}", path.read_bytes()):
        if b"__global " in text or b"__kernel" in text:
            words = [line.strip(b"/ ") for line in text.splitlines() if not b"SPDX" in line and line.strip()]
            found[words[0].decode(errors="replace")[:80]].append(digest(text))
    return {key: sorted(value) for key, value in found.items()}


def sass(path):
    """Instructions and resources of each kernel and architecture; or why not."""
    if not shutil.which("cuobjdump"):
        return "not compared: cuobjdump was not found"
    found, name, lines, arch = collections.defaultdict(list), None, [], ""

    def end():
        if name and lines:
            found[f"{name} {arch}"].append(digest("\n".join(lines)))
    for line in run("cuobjdump", "-sass", str(path)).splitlines():
        word = line.strip()
        if word.startswith("arch ="):
            end()
            name, arch = None, word.split("=")[1].strip()
        elif word.startswith("Function :"):
            end()
            name, lines = FILE_HASH.sub("_x", word.split(":", 1)[1].strip()), []
        elif code := re.match(r"/\*[0-9a-f]{4,}\*/\s+(.*?;)", word):
            lines.append(code[1])
    end()
    name = None
    for line in run("cuobjdump", "-res-usage", str(path)).splitlines():
        if match := re.match(r"\s*Function (\S+):", line):
            name = FILE_HASH.sub("_x", match[1])
        elif name and "REG:" in line:
            found[f"{name} resources"].append(line.strip())
            name = None
    return {key: sorted(value) for key, value in found.items()}


KINDS = [("_cpu.so", functions), ("_reference.so", functions), ("_opencl.so", opencl_texts), ("_cuda.so", sass),
         ("_hip.so", lambda path: "not compared: it has code for GPUs that no tool here reads"),
         ("_emulated.so", lambda path: "not compared: it is for tests")]


def plugins(prefix):
    """Files by their place in the folder of plugins: x86-64-v4/suite_gpp_cpu.so."""
    found = {}
    for file in sorted(prefix.glob("lib*/**/suite_*_*.so")):
        if file.is_symlink() or file.name.startswith("suite_backend_"):
            continue
        level = file.parent.name + "/" if file.parent.name.startswith("x86-64-") else ""
        for end, read in KINDS:
            if file.name.endswith(end):
                found[level + file.name] = (file, read)
    if not found:
        raise Unreadable(f"{prefix} has no plugins below lib")
    return found


def readable(names):
    """C++ names as their author wrote them."""
    if not names or not shutil.which("c++filt"):
        return {n: n for n in names}
    done = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True)
    return dict(zip(names, done.stdout.splitlines()))


def share(a, b):
    """How many of those with one name differ: files may have functions of the same name in unnamed namespaces. What resources were and are."""
    if a[0].startswith("REG:"):
        return f": {'; '.join(a)} -> {'; '.join(b)}"
    most, common = max(len(a), len(b)), sum((collections.Counter(a) & collections.Counter(b)).values())
    return f" ({most - common} of {most} of this name)" if most > 1 else ""


def compare(old, new):
    """{"differs": bool, "plugins": [{"plugin", "compared", "changed", "only_old", "only_new", "left_out"?}]}"""
    if not shutil.which("objdump"):
        raise Unreadable("objdump (binutils) is needed and was not found")
    mine, its = plugins(pathlib.Path(old)), plugins(pathlib.Path(new))
    made, differs = [], False
    for name in sorted(mine.keys() | its.keys()):
        entry = {"plugin": name, "compared": 0, "changed": [], "only_old": [], "only_new": []}
        made.append(entry)
        if name not in mine or name not in its:
            entry["left_out"] = "only in NEW" if name in its else "only in OLD"
            differs = True
            continue
        (file, read), (other, _) = mine[name], its[name]
        a, b = read(file), read(other)
        if isinstance(a, str):
            entry["left_out"] = a
            continue
        words = readable(sorted(a.keys() | b.keys()))
        entry["compared"] = len(a.keys() & b.keys())
        entry["changed"] = [words[n] + share(a[n], b[n]) for n in sorted(a.keys() & b.keys()) if a[n] != b[n]]
        entry["only_old"], entry["only_new"] = [words[n] for n in sorted(a.keys() - b.keys())], [words[n] for n in sorted(b.keys() - a.keys())]
        differs = differs or bool(entry["changed"] or entry["only_old"] or entry["only_new"])
    return {"schema": "suite-code-1", "differs": differs, "plugins": made}


def text_of(found):
    lines = []
    for p in found["plugins"]:
        if "left_out" in p:
            lines.append(f"{p['plugin']}: {p['left_out']}")
            continue
        differences = [("differs", n) for n in p["changed"]] + [("only in OLD", n) for n in p["only_old"]] + [("only in NEW", n) for n in p["only_new"]]
        lines.append(f"{p['plugin']}: {p['compared'] - len(p['changed'])} the same" + (f", {len(differences)} not" if differences else ""))
        lines += [f"  {what}  {name}" for what, name in differences]
    return "\n".join(lines)
