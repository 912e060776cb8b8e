# SPDX-License-Identifier: BSD-3-Clause
"""The libraries that a bare machine lacks: which Debian packages they are, fetching them, unpacking them there.

No list is kept: cmake is asked. What it finds when it configures the build of tools/gpu-check belongs to packages, and so do the shared
libraries that those need to be loaded, and the headers that their headers include."""
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
# As the step build configures, with all that may be found. mpirun is no use on one machine with one GPU, nor is the site, and the app dfpt has its own code
# in place of LAPACK and libxc, half of the weight. Compilers and GPU toolkits are there.
CONFIGURE = ["-DSUITE_SPHINX_BUILD=OFF", "-DSUITE_DOXYGEN=OFF", "-DSUITE_WITH_MPI=OFF", "-DSUITE_WITH_LAPACK=OFF", "-DSUITE_LIBXC_LIBRARY=OFF", "-DSUITE_WITH_CUDA=OFF", "-DSUITE_WITH_HIP=OFF", "-DSUITE_WITH_FORTRAN=OFF", "-DSUITE_WITH_EMULATED=AUTO", "-DSUITE_WITH_OPENCL=AUTO"]
# A machine with a compiler has these, and must keep its own.
TOOLCHAIN = re.compile(r"libc6.*|libc-.*|linux-libc-dev|lib(32|x32)?gcc-.*|lib(32|x32)?stdc\+\+.*|libgomp1|libcrypt1|libcrypt-dev|libnsl.*|libtirpc.*|(g\+\+|gcc|cpp|binutils).*|perl.*|python.*")
PROGRAM = re.compile(r".*(_EXECUTABLE|COMMAND|COMPILER|_OCLGRIND)|CMAKE_.*|.*_config|pkg_config|NVTX3_.*")


def output(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, **options).stdout


def configured(folder):
    """Files that cmake found: values of its cache, and libraries of link commands."""
    folder.mkdir(parents=True, exist_ok=True)
    words = ["cmake", "-S", ROOT, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", *CONFIGURE]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"tools/gpu-check: cmake cannot configure the build: {done.stderr.strip()[-500:]}")
    found = set()
    for line in (folder / "CMakeCache.txt").read_text().splitlines():
        entry = re.fullmatch(r"([^:=/#]+):(?:PATH|FILEPATH|STRING)=(/usr/.*)", line)
        if entry and not PROGRAM.fullmatch(entry[1]):
            found |= {file for file in entry[2].split(";") if not file.startswith("/usr/bin/")}
    for line in (folder / "build.ninja").read_text().splitlines():
        if line.strip().startswith("LINK_LIBRARIES = "):
            found |= set(re.findall(r"(/usr/\S+\.(?:so|a)\S*)", line))
    return {file for file in found if os.path.exists(file) and file not in ("/usr/include", "/usr/local/include")}


def with_links(files):
    """Each file, and each link on the way to what it names."""
    for file in files:
        yield file
        for _ in range(10):
            if not os.path.islink(file):
                break
            file = os.path.normpath(os.path.join(os.path.dirname(file), os.readlink(file)))
            yield file


def loaded_with(files):
    """The shared libraries that these need to be loaded."""
    for file in files:
        if re.search(r"\.so(\.|$)", file):
            yield from re.findall(r"=> (/\S+)", output("ldd", file))


def owners(files):
    """Packages that own the files; a file may be known with or without /usr before /lib."""
    names = set()
    files = sorted(set(files) | {file[4:] for file in files if file.startswith("/usr/lib")} | {"/usr" + file for file in files if file.startswith("/lib")})
    for line in output("dpkg", "-S", *files).splitlines():
        before = line.split(": ")[0]
        if not before.startswith("diversion"):
            names |= {name.split(":")[0] for name in before.split(", ")}
    return names


def header_packages(names):
    """The packages of headers that those of headers depend on."""
    known, to_do = set(), [name for name in names if name.endswith("-dev")]
    while to_do:
        name = to_do.pop()
        if name in known or TOOLCHAIN.fullmatch(name):
            continue
        known.add(name)
        for alternatives in output("dpkg-query", "-W", "-f=${Depends}", name).split(","):
            for one in alternatives.split("|"):
                other = re.split(r"[ (:]", one.strip())[0]
                if re.search(r"-dev$|headers", other) and output("dpkg-query", "-W", "-f=${Status}", other).endswith("ok installed"):
                    to_do.append(other)
                    break
    return known


def needed(folder):
    """Sorted names of the packages that a machine with compilers alone lacks. folder: for cmake."""
    files = set(with_links(configured(folder)))
    # A folder of a package's own has the package's files alone.
    files |= set(with_links(loaded_with(files)))
    names = owners(files)
    names |= header_packages(names)
    return sorted(name for name in names if not TOOLCHAIN.fullmatch(name))


PACKED = "libraries.tar.xz"
# Of no use to a build: archives for static linking, texts, programs but those that tell where HDF5 lies.
NOT_TAKEN = ["*.a", "*.la", "./etc", "./usr/sbin", "./usr/bin/[!h]*", *(f"./usr/share/{part}" for part in ("doc", "man", "info", "locale", "lintian", "gir-1.0"))]


def pack(names, prefix):
    """Downloads packages and writes what is taken along of them as one archive in prefix; returns its bytes."""
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(["apt-get", "download", *names], cwd=folder, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"tools/gpu-check: apt-get download: {done.stderr.strip()[-500:]}")
        tree = pathlib.Path(folder, "tree")
        for deb in sorted(pathlib.Path(folder).glob("*.deb")):
            subprocess.run(["dpkg", "-x", deb, tree], check=True)
        # -1: a tenth larger than -6, six times faster.
        subprocess.run(["tar", "-C", tree, "-I", "xz -1 -T0", *(f"--exclude={pattern}" for pattern in NOT_TAKEN), "-cf", prefix / PACKED, "."], check=True)
    return (prefix / PACKED).stat().st_size


def unpack(prefix):
    """The archive, or .deb files, in prefix; once."""
    packed = sorted([*prefix.glob("*.deb"), *prefix.glob(PACKED)])
    mark = prefix / "unpacked"
    names = "\n".join(file.name for file in packed)
    if not packed or (mark.exists() and mark.read_text() == names):
        return
    for file in packed:
        if file.name == PACKED:
            with tarfile.open(file) as tar:
                tar.extractall(prefix)
        else:
            subprocess.run(["dpkg", "-x", file, prefix], check=True)
    mark.write_text(names)


def add(env, name, folders, first=True):
    """Puts folders that exist before (or after) those of a variable such as PATH."""
    own = [str(folder) for folder in folders if folder.is_dir()]
    kept = [part for part in env.get(name, "").split(":") if part]
    if own:
        env[name] = ":".join(own + kept if first else kept + own)


def use(env, prefix, multiarch):
    """What cmake, the compiler and the loader have to know of an unpacked tree."""
    usr = prefix / "usr"
    shared = usr / "lib" / multiarch
    # Some packages keep their libraries in folders of their own: hdf5/serial, openblas-pthread.
    libraries = [shared, *sorted({file.parent for pattern in ("*/*.so*", "*/*/*.so*") for file in shared.glob(pattern)}), usr / "lib", prefix / "lib"]
    headers = [usr / "include", usr / "include" / multiarch, usr / "include/hdf5/serial"]
    add(env, "CMAKE_PREFIX_PATH", [usr, prefix])
    for name in ("LD_LIBRARY_PATH", "LIBRARY_PATH", "CMAKE_LIBRARY_PATH"):
        add(env, name, libraries)
    for name in ("CPATH", "CMAKE_INCLUDE_PATH"):
        add(env, name, headers)
    add(env, "PKG_CONFIG_PATH", [shared / "pkgconfig"])
    if (shared / "pkgconfig").is_dir():
        env["PKG_CONFIG_SYSROOT_DIR"] = str(prefix)  # .pc files of packages name /usr


def main(build, prefix):
    names = needed(build / "gpu-check" / "packages")
    if prefix is None:
        print("\n".join(names))
        return 0
    prefix.mkdir(parents=True, exist_ok=True)
    size = pack(names, prefix)
    print(f"{len(names)} packages, {size / 1e6:.0f} MB: {prefix / PACKED}; take it along, and name its folder with --prefix")
    return 0
