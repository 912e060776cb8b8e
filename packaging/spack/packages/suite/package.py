# SPDX-License-Identifier: BSD-3-Clause
import pathlib

from spack.package import *


class Suite(CMakePackage, CudaPackage, ROCmPackage):
    """Hot loops of electronic-structure codes (GW, real-time TDDFT, quantum Monte Carlo,
    all-electron perturbation theory) as kernels that can be swapped at run time, with
    mini-apps made of them and bindings for C, C++ and Fortran."""

    # This recipe lies in the repository that it builds.
    git = pathlib.Path(__file__).resolve().parents[4].as_uri()
    homepage = git

    license("BSD-3-Clause")

    version("main", branch="main")

    variant("fortran", default=True, description="Fortran modules")
    variant("hdf5", default=True, description="All apps and captures of calls")
    variant("lapack", default=True, description="Faster eigenvalues in the app dfpt")
    variant("mpi", default=True, description="Apps on several processes")
    variant("opencl", default=False, description="Kernels for OpenCL devices")
    variant("emulated", default=False, description="GPU kernels on the CPU, for tests")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("fmt@9:")
    depends_on("yaml-cpp@0.7:")
    depends_on("nlohmann-json@3.10:")
    depends_on("eigen@3.4:3", type="build")
    depends_on("fftw@3.3: ~mpi")
    depends_on("libxc@5:6")
    depends_on("zlib-api")
    depends_on("hdf5@1.10: ~mpi", when="+hdf5")
    depends_on("lapack", when="+lapack")
    depends_on("mpi", when="+mpi")
    depends_on("opencl@1.2:", when="+opencl")
    depends_on("boost@1.74: +context", type=("build", "link"), when="+emulated")
    depends_on("cuda@12:", when="+cuda")

    conflicts("%gcc@:11", msg="suite is written in C++20: g++ 12 or newer")
    conflicts("platform=darwin", msg="suite runs on Linux")

    generator("ninja")

    def cmake_args(self):
        args = [
            self.define("BUILD_TESTING", False),
            # Spack edits RPATHs of binaries from a cache, which a sealed plugin takes for damage.
            self.define("SUITE_SEAL", False),
            self.define("SUITE_WITH_CUDA", self.spec.satisfies("+cuda")),
            self.define("SUITE_WITH_HIP", self.spec.satisfies("+rocm")),
        ]
        for feature in ("fortran", "hdf5", "lapack", "mpi", "opencl", "emulated"):
            args.append(self.define_from_variant(f"SUITE_WITH_{feature.upper()}", feature))
        for variant, name, language in (
            ("+cuda", "cuda_arch", "CUDA"),
            ("+rocm", "amdgpu_target", "HIP"),
        ):
            if self.spec.satisfies(variant) and "none" not in self.spec.variants[name].value:
                architectures = self.spec.variants[name].value
                args.append(self.define(f"CMAKE_{language}_ARCHITECTURES", architectures))
        return args

    sanity_check_is_file = ["bin/suite", "include/suite/suite.h", "share/suite/inputs/gpp.yaml"]

    def test_kernels_agree(self):
        """the CPU kernel of an installed input agrees with the reference"""
        suite = which(self.prefix.bin.suite)
        suite("compare", "gpp.yaml", "--implementations", "reference,cpu")
