# SPDX-License-Identifier: BSD-3-Clause
"""What the compilers say of the GPU kernels in a built plugin: registers, spills, shared memory, threads of a block.

AMD's compiler writes it into the plugin (AMDGPU code object metadata, in the notes of the code's ELF file), so it is read without
any tool. NVIDIA's needs cuobjdump, of the CUDA toolkit or of the Python package nvidia-cuda-cuobjdump.
"""
import dataclasses
import re
import shutil
import struct
import subprocess


@dataclasses.dataclass
class Code:
    """One kernel as one compiler made it for one target ("sm_80", "gfx90a"). Registers are per thread, bytes per block."""
    symbol: str
    target: str
    registers: int  # vector registers of AMD GPUs, accumulators among them
    spilled: int  # vector registers that were spilled to memory (scalar ones go to lanes of vector registers); NVIDIA: not told
    stack_bytes: int  # of a thread: spills and local arrays
    shared_bytes: int  # static
    most_threads: int  # of a block, by __launch_bounds__
    name: str = ""


def readable(symbols):
    """Names without namespaces and arguments, as the source has them: sweep_walkers<(LatticeKind)3, false>."""
    symbols = list(symbols)
    said = subprocess.run(["c++filt"], input="\n".join(symbols) + "\n", capture_output=True, text=True, check=True).stdout.splitlines()
    names = {}
    for symbol, name in zip(symbols, said):
        name = re.sub(r"\(anonymous namespace\)::|suite::(\w+::)?", "", name)
        name = re.sub(r"^void ", "", name)
        depth = 0
        for place, letter in enumerate(name):
            depth += (letter == "<") - (letter == ">")
            # A cast within <> is no list of arguments.
            if letter == "(" and depth == 0 and place > 0:
                name = name[:place]
                break
        names[symbol] = name
    return names


def message_pack(data):
    """The value that MessagePack's bytes hold, as far as code object metadata uses it."""
    at = 0

    def take(count):
        nonlocal at
        at += count
        return data[at - count:at]

    def number(form):
        return struct.unpack(form, take(struct.calcsize(form)))[0]

    def value():
        kind = number("B")
        if kind < 0x80:
            return kind
        if kind < 0x90:
            return {value(): value() for _ in range(kind & 0x0F)}
        if kind < 0xA0:
            return [value() for _ in range(kind & 0x0F)]
        if kind < 0xC0:
            return take(kind & 0x1F).decode()
        if kind in (0xC0, 0xC2, 0xC3):
            return {0xC0: None, 0xC2: False, 0xC3: True}[kind]
        if kind >= 0xE0:
            return kind - 0x100
        numbers = {0xCC: "B", 0xCD: ">H", 0xCE: ">I", 0xCF: ">Q", 0xD0: "b", 0xD1: ">h", 0xD2: ">i", 0xD3: ">q", 0xCA: ">f", 0xCB: ">d"}
        if kind in numbers:
            return number(numbers[kind])
        lengths = {0xD9: "B", 0xDA: ">H", 0xDB: ">I", 0xDC: ">H", 0xDD: ">I", 0xDE: ">H", 0xDF: ">I"}
        count = number(lengths[kind])
        if kind <= 0xDB:
            return take(count).decode()
        if kind <= 0xDD:
            return [value() for _ in range(count)]
        return {value(): value() for _ in range(count)}

    return value()


def amd_objects(plugin):
    """(target, bytes of its ELF file) of the clang offload bundles in a plugin."""
    magic = b"__CLANG_OFFLOAD_BUNDLE__"
    data = open(plugin, "rb").read()
    start = data.find(magic)
    while start >= 0:
        at = start + len(magic)
        count, = struct.unpack_from("<Q", data, at)
        at += 8
        if 0 < count < 64:  # the words alone stand in AMD's own programs
            for _ in range(count):
                offset, size, length = struct.unpack_from("<QQQ", data, at)
                target = data[at + 24:at + 24 + length].decode()
                at += 24 + length
                if size and target.startswith("hip"):
                    yield target.rsplit("-", 1)[-1], data[start + offset:start + offset + size]
        start = data.find(magic, start + 1)


def notes(elf):
    """(type, description) of the notes of a 64-bit ELF file."""
    sections, = struct.unpack_from("<Q", elf, 0x28)
    size, count = struct.unpack_from("<HH", elf, 0x3A)
    for number in range(count):
        kind, = struct.unpack_from("<I", elf, sections + number * size + 4)
        offset, length = struct.unpack_from("<QQ", elf, sections + number * size + 24)
        end = offset + length
        while kind == 7 and offset + 12 <= end:
            name, description, what = struct.unpack_from("<III", elf, offset)
            offset += 12 + (name + 3) // 4 * 4
            yield what, elf[offset:offset + description]
            offset += (description + 3) // 4 * 4


def named(found):
    names = readable(dict.fromkeys(code.symbol for code in found)) if found else {}
    for code in found:
        code.name = names[code.symbol]
    return found


def amd(plugin):
    """The Code of every kernel of a plugin for HIP."""
    found = []
    for target, elf in amd_objects(plugin):
        for what, description in notes(elf):
            if what != 32:  # NT_AMDGPU_METADATA
                continue
            for kernel in message_pack(description).get("amdhsa.kernels", []):
                found.append(Code(kernel[".name"], target, kernel[".vgpr_count"], kernel.get(".vgpr_spill_count", 0),
                                  kernel[".private_segment_fixed_size"], kernel[".group_segment_fixed_size"], kernel[".max_flat_workgroup_size"]))
    return named(found)


def nvidia(plugin, cuobjdump=None):
    """The same of a plugin for CUDA; None where cuobjdump is missing."""
    cuobjdump = cuobjdump or shutil.which("cuobjdump")
    if not cuobjdump:
        return None
    said = subprocess.run([cuobjdump, "-res-usage", plugin], capture_output=True, text=True, check=True).stdout
    found, target = [], ""
    for line in said.splitlines():
        if arch := re.match(r"arch = (\w+)", line):
            target = arch[1]
        elif name := re.match(r" Function (\S+):", line):
            symbol = name[1]
        elif "REG:" in line:
            number = {key: int(value) for key, value in re.findall(r"(\w+):(\d+)", line)}
            found.append(Code(symbol, target, number["REG"], 0, number["STACK"] + number["LOCAL"], number["SHARED"], 1024))
    return named(found)
