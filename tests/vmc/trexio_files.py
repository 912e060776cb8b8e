# SPDX-License-Identifier: BSD-3-Clause
"""Makes inputs/data/molecules/*.h5, and the numbers that tests compare with: Hartree-Fock by PySCF, written as TREXIO.

    python3 -m venv pyscf && pyscf/bin/pip install 'numpy<2.3' pyscf trexio trexio_tools
    PATH=$PWD/pyscf/bin:$PATH python3 tests/vmc/trexio_files.py FOLDER

It is no test: PySCF is not among the packages that the tests install. Made with PySCF 2.14.0, trexio_tools 0.10.0, trexio 2.6.1.
"""
import pathlib
import subprocess
import sys

MOLECULES = {  # bohr
    "be": {"atom": "Be 0 0 0", "basis": "cc-pvtz"},
    "h2o": {"atom": "O 0 0 0.2217; H 0 1.4309 -0.8867; H 0 -1.4309 -0.8867", "basis": "cc-pvdz"},
    "h2o_ccecp": {"atom": "O 0 0 0.2217; H 0 1.4309 -0.8867; H 0 -1.4309 -0.8867", "basis": "ccecp-ccpvdz", "ecp": "ccecp"},
}


def shells(basis, element):
    """One shell for each contraction: trexio_tools takes no shell with several."""
    from pyscf import gto

    return [[shell[0]] + [[row[0], row[k]] for row in shell[1:]] for shell in gto.basis.load(basis, element)
            for k in range(1, len(shell[1]))]


def make(name, folder):
    from pyscf import gto, scf

    what = MOLECULES[name]
    elements = {line.split()[0] for line in what["atom"].split(";")}
    molecule = gto.M(unit="bohr", atom=what["atom"], basis={e: shells(what["basis"], e) for e in elements}, ecp=what.get("ecp", {}),
                     verbose=0)
    field = scf.RHF(molecule)
    field.chkfile = str(folder / f"{name}.chk")
    field.conv_tol = 1e-13
    field.kernel()
    file = folder / f"{name}.h5"
    file.unlink(missing_ok=True)
    subprocess.run(["trexio", "convert-from", "-t", "pyscf", "-i", field.chkfile, "-b", "hdf5", str(file)], check=True)
    density = field.make_rdm1()
    kinetic = (density * molecule.intor("int1e_kin")).sum()
    attraction = (density * molecule.intor("int1e_nuc")).sum()
    print(f"{name}: Hartree-Fock {field.e_tot:.8f}, kinetic {kinetic:.9f}, electrons and nuclei {attraction:.9f} Ha")


if __name__ == "__main__":
    for one in MOLECULES:
        make(one, pathlib.Path(sys.argv[1]))
