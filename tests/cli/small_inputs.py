# SPDX-License-Identifier: BSD-3-Clause
"""Small inputs: for each app of this build one that is done in a second and leaves all kinds of files, and what others are made of."""
import json

from suite_program import INPUTS, SMALL_GW, suite

# The electron gas of heg14.yaml, as far as what is to be done with it.
GAS = (INPUTS / "heg14.yaml").read_text().split("vmc:\n  walkers")[0]
SMALL_VMC = GAS + """vmc:
  walkers: 4
  equilibration: 200
  steps: 40
  reinvert: 30
output:
  density: true
  interval: 2
"""
HYDROGEN = "{elements: [H, H], positions: [[0, 0, 0.7], [0, 0, -0.7]], unit: bohr}"
SMALL_DFPT = f"""app: dfpt
molecule: {HYDROGEN}
basis: {{tier: 0}}
grid: {{angular_points: 110, l_hartree: 4, knots: 128}}
"""
# A crystal with several k points; its current counts.
SMALL_TDDFT = """app: tddft
system:
  boundary: periodic
  unit: bohr
  cell: [6, 6, 6.8]
  grid: [14, 14, 16]
  elements: [Si]
  positions: [[0.3, 0.2, 0.1]]
  kpoints: [2, 2, 1]
propagation:
  time_step: 1 as
  duration: 20 as
  settling: 5 as
  interval: 5
"""
_ALL = {"gw": SMALL_GW, "vmc": SMALL_VMC, "dfpt": SMALL_DFPT, "tddft": SMALL_TDDFT}
_HERE = json.loads(suite("version", "--json").stdout)["apps"]
APPS = {name: text for name, text in _ALL.items() if name in _HERE}
