# SPDX-License-Identifier: BSD-3-Clause
"""Loops of the kernels in a plugin for CUDA, from nvdisasm: which instructions they consist of, and what bounds them."""
import dataclasses
import collections
import math
import pathlib
import re
import subprocess
import tempfile

# Bytes that the 32 threads of a warp move, by the width in the instruction's name.
WIDTH = {"U8": 1, "S8": 1, "U16": 2, "S16": 2, "64": 8, "128": 16}
CLASSES = {
    "FP64": "DFMA DMUL DADD DSETP DMNMX",
    "DMMA": "DMMA",
    "special": "MUFU",
    "FP32": "FFMA FMUL FADD FSETP FMNMX FSEL FCHK FRND",
    "shared": "LDS STS LDSM ATOMS SHFL",
    "global": "LDG STG LD ST LDGSTS ATOM ATOMG RED",
    "local": "LDL STL",
    "constant": "LDC ULDC",
    "control": "BRA BSSY BSYNC WARPSYNC EXIT CALL RET BRX YIELD NOP BREAK BMOV BAR MEMBAR DEPBAR",
    "convert": "I2F F2I F2F I2FP",
}
CLASS_OF = {word: name for name, words in CLASSES.items() for word in words.split()}


@dataclasses.dataclass
class Loop:
    """One innermost loop, or the whole code of a kernel; counts are of a warp in one iteration, or in one pass."""
    mix: dict  # class of CLASSES or "integer" to instructions
    flops: int  # of a thread in double precision, an FMA counting 2 and a DMMA.8x8x4 2 * 8*8*4 / 32
    flops32: int  # in single precision
    matrix_fmas: int  # of a thread, by DMMA
    shared_bytes: int  # of a thread
    global_bytes: int  # of a thread
    around: "Loop | None" = None
    whole: bool = False

    def with_surroundings(self, turns):
        """One iteration of the next loop outside, in which this one has so many."""
        out, more = self.around, turns - 1
        mix = collections.Counter(out.mix)
        for kind, count in self.mix.items():
            mix[kind] += more * count
        return Loop(dict(mix), out.flops + more * self.flops, out.flops32 + more * self.flops32, out.matrix_fmas + more * self.matrix_fmas,
                    out.shared_bytes + more * self.shared_bytes, out.global_bytes + more * self.global_bytes)

    @property
    def issue(self):
        return sum(self.mix.values())


def operation(text):
    return re.sub(r"^@!?U?P\w+\s+", "", text).split()[0].rstrip(";")


def measure(texts):
    mix, flops, flops32, matrix, shared, memory = collections.Counter(), 0, 0, 0, 0, 0
    for text in texts:
        parts = operation(text).split(".")
        kind = CLASS_OF.get(parts[0], "integer")
        mix[kind] += 1
        flops += {"DFMA": 2, "DMUL": 1, "DADD": 1}.get(parts[0], 0)
        flops32 += {"FFMA": 2, "FMUL": 1, "FADD": 1}.get(parts[0], 0)
        if parts[0] == "DMMA":
            shape = next((part for part in parts[1:] if re.fullmatch(r"\d+x\d+x\d+", part)), "8x8x4")
            fmas = math.prod(map(int, shape.split("x"))) // 32
            matrix += fmas
            flops += 2 * fmas
        width = next((WIDTH[part] for part in parts[1:] if part in WIDTH), 4)
        if parts[0] in ("LDS", "STS"):
            shared += width
        elif kind == "global":
            memory += width
    return Loop(dict(mix), flops, flops32, matrix, shared, memory)


def innermost(lines):
    """[Loop] of the lines of one kernel: backward branches without another within, and the whole code, each of its instructions once.
    around: the next loop outside."""
    labels, texts, branches = {}, [], []
    for line in lines:
        if label := re.match(r"\s*(\.L_x?\w+):", line):
            labels[label[1]] = len(texts)
        elif found := re.match(r"\s+/\*[0-9a-f]{4,}\*/\s+(.*?);", line):
            texts.append(found[1])
            target = re.search(r"BRA(?:\.\w+)*\s.*`\((\.L_x?\w+)\)", found[1])
            if target and target[1] in labels:
                branches.append((labels[target[1]], len(texts) - 1))
    spans = sorted(set(branches))
    loops = []
    for a, b in spans:
        if any((c, d) != (a, b) and c >= a and d <= b for c, d in spans):
            continue
        loops.append(measure(texts[a:b + 1]))
        around = min(((d - c, c, d) for c, d in spans if c <= a and b <= d and (c, d) != (a, b)), default=None)
        if around:
            loops[-1].around = measure(texts[around[1]:around[2] + 1])
    return [*loops, dataclasses.replace(measure(texts), whole=True)]


def of_plugin(plugin, cuobjdump, nvdisasm):
    """{symbol: [Loop]} of the kernels of a plugin for CUDA, of its first architecture."""
    loops = {}
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([cuobjdump, "-xelf", "all", str(pathlib.Path(plugin).resolve())], cwd=folder, check=True, capture_output=True)
        files = sorted(pathlib.Path(folder).glob("*.cubin"))
        targets = sorted({re.search(r"sm_\d+", file.name)[0] for file in files}, key=lambda name: int(name[3:]))
        for file in (file for file in files if targets[0] in file.name):
            said = subprocess.run([nvdisasm, "-c", file], capture_output=True, text=True, check=True).stdout
            symbol, lines = None, []
            for line in said.splitlines() + [".text.end:"]:
                if begin := re.match(r"\.text\.(\S+):", line):
                    if symbol:
                        loops[symbol] = innermost(lines)
                    symbol, lines = begin[1], []
                else:
                    lines.append(line)
    return loops
