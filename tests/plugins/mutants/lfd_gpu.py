# SPDX-License-Identifier: BSD-3-Clause
"""Errors for the GPU source of lfd, compiled for the emulation: name, file, text that occurs exactly once, what replaces
it, the kernel that refuses it."""

FAMILY, FOLDER, FLAGS, LIBRARIES = "lfd", "gpu", ["-DSUITE_GPU_EMULATED", "-x", "c++"], ["-lboost_context"]
SMALLER = [("gpu/surroundings.cu", "steps_at_once = 1024", "steps_at_once = 32")]
MUTANTS = [
    ("bond's phase the same on both ways", "gpu/kin_prop.cu", "em * conjugate(phase)", "em * phase", "lfd.kin_prop"),
    ("points of y as far apart as there are of them", "gpu/kin_prop.cu", "d_ == 1 ? g.n[2] : 1", "d_ == 1 ? g.n[1] : 1", "lfd.kin_prop"),
    ("the last partial block is not launched", "gpu/device.cuh", "(rows + rows_of_block - 1) / rows_of_block", "(rows < rows_of_block ? 1 : rows / rows_of_block)", "lfd.pot_prop"),
    ("the phase runs backwards", "gpu/points.cu", "-0.5 * c.dt", "0.5 * c.dt", "lfd.set_prop"),
    ("ghosts from their own side", "gpu/points.cu", "upper ? 1 : extent[d] - 2", "upper ? extent[d] - 2 : 1", "lfd.periodic_bc"),
    ("a launch for one of two faces", "gpu/points.cu", "rows = 2 * (d == 0", "rows = (d == 0", "lfd.periodic_bc"),
    ("orbitals beyond whole sections left out of the density", "gpu/compute_rho.cu", "n < norb; n += lane.width", "n < norb / lane.width * lane.width; n += lane.width", "lfd.compute_rho"),
    ("functionals exchanged", "gpu/points.cu", "pw92_(p[0] == 0)", "pw92_(p[0] != 0)", "lfd.compute_vxc"),
    ("exc written where it is not wanted", "gpu/points.cu", "if (exc) exc[p] = xc.exc;", "(exc ? exc : vxc)[p] = xc.exc;", "lfd.compute_vxc"),
    ("one spacing for all directions", "gpu/points.cu", "in.h[d] = g.h[d];", "in.h[d] = g.h[0];", "lfd.compute_v"),
    ("unset vxc taken for vH", "gpu/points.cu", "if (in.vxc) v += static_cast<double>(in.vxc[p]);", "v += static_cast<double>((in.vxc ? in.vxc : in.vH)[p]);", "lfd.compute_v"),
    ("density's part of the field's change with the wrong sign", "gpu/waves.cuh", "-m.wd * source", "m.wd * source", "lfd.field_prop"),
    ("powers of another number of steps kept", "gpu/field.cu", " ||\n      constants.steps != constants_.steps)", ")", "lfd.field_prop"),
    ("ghosts of the loop from the wrong point", "gpu/field.cu", "v[base + (n + 1) * stride] = v[base + stride];", "v[base + (n + 1) * stride] = v[base + n * stride];", "lfd.field_prop variant=loop"),
    ("an odd number of field steps stays in the scratch", "gpu/field.cu", "if (from != vH)", "if (false)", "lfd.field_prop variant=fused"),
    ("Laplacian of the choice forgotten", "gpu/field_kernels.cu", "Form::solution, laplacian_)", "Form::solution)", "lfd.spectral_field_solve"),
    ("half of w is not cleared in double", "gpu/field_kernels.cu", "static_cast<size_t>(g.points()) * sizeof(T));", "static_cast<size_t>(g.points()) * sizeof(float));", "lfd.spectral_field_solve"),
    ("waves of an isolated charge counted as of the cell", "gpu/waves.cuh", "static_cast<int>(axes_.waves[1] / 2 + 1)", "static_cast<int>(axes_.points[1] / 2 + 1)", "lfd.spectral_field_solve"),
    ("order of atoms ignored", "gpu/nonlocal.cu", "descending ? s.natom - 1 - i : i", "i", "lfd.nlp_prop"),
    ("projectors' phase the same on both ways", "gpu/nonlocal.cu", "conjugate(walk.factor(p)) * sum", "walk.factor(p) * sum", "lfd.nlp_prop"),
    ("phases of the first atom's points for all", "gpu/nonlocal.cu", "s.vectors + 3 * point(p)", "s.vectors + 3 * p", "lfd.nlp_prop"),
    ("exponentials of another time step kept", "gpu/nonlocal.cu", "(time_set_ && tau == tau_)", "time_set_", "lfd.nlp_prop"),
    ("missing barrier: projections read before they are there", "gpu/nonlocal.cu", "parts[walk.share][q][walk.lane] = sum[q];\n    __syncthreads();\n", "parts[walk.share][q][walk.lane] = sum[q];\n", "lfd.nlp_prop"),
    ("Hartree energy counted twice", "gpu/calc_energy.cu", "0.5 * slot[1] * volume", "slot[1] * volume", "lfd.calc_energy"),
    ("kinetic energy along a direction that does not exist", "gpu/calc_energy.cu", "g.n[d] > 1 ? g.volume_element() / (2 * g.h[d] * g.h[d]) : 0", "g.volume_element() / (2 * g.h[d] * g.h[d])", "lfd.calc_energy"),
    ("energy of no atoms is not set", "gpu/nonlocal.cu", "return queue_.set_zero(result, static_cast<size_t>(grid_.norb * (current ? 3 : 1)) * sizeof(double));", "return;", "lfd.calc_energy"),
    ("chi does not leave the A before", "gpu/best.cu", "phase.before_weight = call.choices.velocity ? -1 :", "phase.before_weight = call.choices.velocity ? 0 :", "lfd.propagate"),
    ("constant phase of the kinetic part", "gpu/best.cu", "angle_ -= 2 * theta;", "angle_ -= theta;", "lfd.propagate"),
    ("border without k where A stands still", "gpu/best.cu", "bloch_ = call.k || call.choices.velocity;", "bloch_ = call.choices.velocity;", "lfd.propagate"),
    ("dipole counted from the corner of the cell", "gpu/surroundings.cu", "sum[2] += (z - order.n[2] / 2) * all;", "sum[2] += z * all;", "lfd.propagate"),
    ("dipoles of later steps over those of the first", "gpu/surroundings.cu", "call.dipole + 4 * written_", "call.dipole", "lfd.propagate"),
    ("current of the atoms read by orbital", "gpu/surroundings.cu", "nonlocal[static_cast<int64_t>(d) * norb + n]", "nonlocal[3 * static_cast<int64_t>(n) + d]", "lfd.propagate"),
    ("ghosts' phase the same on both sides", "gpu/ladder.cu", "*ghost = conjugate(phase) * last;", "*ghost = phase * last;", "lfd.propagate variant=original"),
    ("neighbours of a line exchanged", "gpu/ladder.cu", "all + lower_[d][p], all + upper_[d][p]", "all + upper_[d][p], all + lower_[d][p]", "lfd.propagate variant=offloaded"),
]
