# SPDX-License-Identifier: BSD-3-Clause
"""Runs the program ``suite`` and returns its results as objects."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import warnings
from typing import Any, Iterator, Mapping, Sequence, Union

import numpy as np

from . import _library, errors
from ._results import Comparison, Result, Run, StoredComparison, load, of_document
from ._units import Quantity

Input = Union[str, "os.PathLike[str]", Mapping[str, Any]]


def run(input: Input, *, set: Mapping[str, Any] | None = None, implementation: str | None = None, backend: str | None = None,  # noqa: A002
        plugin: str | None = None, variant: str | None = None, parameters: Mapping[str, Any] | None = None, threads: int | None = None,
        deterministic: bool = False, output: str | os.PathLike[str] | None = None, ranks: int | None = None, launcher: str = "mpirun -n",
        progress: bool = False) -> Run:
    """Runs an app, or a captured call, as ``suite run`` does.

    :param input: a file ("gpp.yaml" is also looked for among the installed inputs; "captures/gpp.sigma-1.h5" is replayed), or its content
        as a dictionary: ``{"app": "dfpt", "molecule": {...}}``. File names in a dictionary are relative to the current folder.
    :param set: keys of the input to override: ``{"system.nbands": 14}``
    :param implementation: of the kernels: "cpu", "reference", "cuda:1", or the path of a plugin
    :param output: a new folder for the results; by default ``results/<name>-<time>`` in the current folder
    :param ranks: runs that many MPI processes
    :param progress: shows the program's progress and warnings on standard error
    :raises suite.InputError: with every mistake of the input; :mod:`suite.errors` has the other exceptions
    :warns suite.RunWarning: of what the program warns of; the result has them in ``warnings``, too
    """
    options = _options(set=set, implementation=implementation, backend=backend, plugin=plugin, variant=variant, parameter=parameters,
                       threads=threads, deterministic=deterministic, output=output)
    with _input_file(input) as file:
        result = _call(["run", str(file), *options], progress, prefix=[*launcher.split(), str(ranks)] if ranks else [])
    assert isinstance(result, Run)
    return result


def check(input: Input, *, set: Mapping[str, Any] | None = None) -> str:  # noqa: A002
    """Checks an input as ``suite check`` does and returns what it forecasts. Raises :class:`suite.InputError` with every mistake."""
    with _input_file(input) as file:
        done = subprocess.run([_library.program(), "check", str(file), *_options(set=set)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise errors.of_exit_code.get(done.returncode, errors.InternalError)(done.stderr.strip())
    return done.stdout


def compare(*inputs: Input | Result, implementations: Sequence[str] | None = None, variants: Sequence[str] | str | None = None,
            set: Mapping[str, Any] | None = None, backend: str | None = None, parameters: Mapping[str, Any] | None = None,  # noqa: A002
            repeat: int | None = None, threads: int | None = None, deterministic: bool = False, output: str | os.PathLike[str] | None = None,
            fail_on: Sequence[str] | str | None = None, progress: bool = False) -> Comparison | StoredComparison:
    """Compares implementations on the data of one input, or two stored results, as ``suite compare`` does.

    ::

        suite.compare("gpp.yaml", implementations=["reference", "cpu"])
        suite.compare(old, new, fail_on=["physics", "slower:5%"])     # results, or their files

    All implementations are verified against the reference before they are ranked; a wrong one raises
    :class:`suite.VerificationFailed`, whose ``result`` has all rows.
    """
    if len(inputs) == 2:
        stored = [str(one.folder if isinstance(one, Result) else one) for one in inputs]
        found = _call(["compare", *stored, *_options(fail_on=fail_on)], progress)
        assert isinstance(found, StoredComparison)
        return found
    if len(inputs) != 1 or isinstance(inputs[0], Result):
        raise errors.InvalidArgument("compare takes one input, or two results")
    options = _options(implementations=implementations, variants=variants, set=set, backend=backend, parameter=parameters, repeat=repeat,
                       threads=threads, deterministic=deterministic, output=output)
    with _input_file(inputs[0]) as file:
        result = _call(["compare", str(file), *options], progress)
    assert isinstance(result, Comparison)
    return result


def bench(*what: str, size: str | Sequence[str] | None = None, implementations: Sequence[str] | None = None,
          variants: Sequence[str] | str | None = None, backend: str | None = None, parameters: Mapping[str, Any] | None = None,
          preset: str | None = None, repeat: int | None = None, seed: int | None = None, threads: int | Sequence[int] | None = None,
          time_limit: float | None = None, deterministic: bool = False, output: str | os.PathLike[str] | None = None,
          progress: bool = False) -> Comparison:
    """Times kernels on generated data, as ``suite bench`` does: ``suite.bench("gpp.sigma", size="small")``."""
    threads_text = threads if threads is None or isinstance(threads, int) else ",".join(map(str, threads))
    options = _options(size=size, implementations=implementations, variants=variants, backend=backend, parameter=parameters, preset=preset,
                       repeat=repeat, seed=seed, threads=threads_text, time_limit=time_limit, deterministic=deterministic, output=output)
    result = _call(["bench", *what, *options], progress)
    assert isinstance(result, Comparison)
    return result


def report(*results: Result | str | os.PathLike[str], file: str | os.PathLike[str] | None = None) -> pathlib.Path:
    """Writes the page of ``suite report`` about results, and returns its path."""
    folders = [str(one.folder if isinstance(one, Result) else one) for one in results]
    page = pathlib.Path(file) if file is not None else pathlib.Path(folders[0] if len(folders) == 1 else ".") / "report.html"
    done = subprocess.run([_library.program(), "report", *folders, "--output", str(page), "--quiet"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise errors.of_exit_code.get(done.returncode, errors.InternalError)(_sentence(done.stderr))
    return page.absolute()


def version() -> dict[str, Any]:
    """Version and features of the program, as ``suite version --json`` prints them."""
    done = subprocess.run([_library.program(), "version", "--json"], capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


# --- inputs and options


@contextlib.contextmanager
def _input_file(input: Input) -> Iterator[str | os.PathLike[str]]:  # noqa: A002
    if not isinstance(input, Mapping):
        yield input
        return
    # JSON is YAML. The name becomes that of the results.
    with tempfile.TemporaryDirectory(prefix="suite-") as folder:
        path = pathlib.Path(folder, f"{input.get('app', 'input')}.yaml")
        path.write_text(json.dumps(_plain(input), indent=1, ensure_ascii=False) + "\n")
        yield path


def _plain(value: Any) -> Any:
    """A value of an input as JSON has it."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Quantity):
        return str(value)
    if isinstance(value, os.PathLike):
        return str(pathlib.Path(value).absolute())
    if isinstance(value, str):
        return str(pathlib.Path(value).absolute()) if ("." in value or "/" in value) and os.path.isfile(value) else value
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    return [_plain(item) for item in value] if isinstance(value, (list, tuple)) else value


def _set_words(values: Mapping[str, Any], section: str = "") -> Iterator[str]:
    for key, value in values.items():
        if isinstance(value, Mapping):
            yield from _set_words(value, f"{section}{key}.")
        else:
            plain = _plain(value)
            yield f"{section}{key}={plain if isinstance(plain, str) else json.dumps(plain)}"


def _options(**given: Any) -> list[str]:
    """Keyword arguments as options of the program."""
    words = []
    for key, value in given.items():
        name = "--" + key.replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(name)
        elif key == "set":
            words += [word for text in _set_words(value) for word in (name, text)]
        elif isinstance(value, Mapping):
            words += [word for k, v in value.items() for word in (name, f"{k}={v}")]
        elif key == "size" and not isinstance(value, str):
            words += [word for size in value for word in (name, size)]
        else:
            words += [name, ",".join(map(str, value)) if isinstance(value, (list, tuple)) else os.fspath(value) if isinstance(value, os.PathLike) else str(value)]
    return words


# --- the process


def _call(words: Sequence[str], progress: bool, prefix: Sequence[str] = ()) -> Result:
    """Runs the program with --json. Raises what its exit code means, with its sentence and, where there is one, the partial result."""
    # In a group of its own the process gets no Ctrl-C of the terminal: it is interrupted once, below, and stores what it has.
    process = subprocess.Popen([*prefix, str(_library.program()), *words, "--json"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=None if progress else subprocess.PIPE, text=True, errors="replace", start_new_session=True)
    interrupted = False
    while True:
        try:
            out, err = process.communicate()
            break
        except KeyboardInterrupt:
            process.send_signal(signal.SIGKILL if interrupted else signal.SIGINT)
            interrupted = True
        except BaseException:
            process.kill()
            process.wait()
            raise
    document = _document(out)
    if process.returncode == 0 and document is not None:
        done = of_document(document)
        for text in done.warnings if not progress else ():  # else the program has printed them
            warnings.warn(text, errors.RunWarning, stacklevel=3)
        return done
    message = (document or {}).get("error", {}).get("message") or _sentence(err or "")
    code = process.returncode
    if not message:
        message = {1: "a kernel differs from the reference", 7: "a regression was found"}.get(code, "")
    error = errors.of_exit_code.get(code, errors.InternalError)(message or f"suite {words[0]} ended with exit code {code}")
    # The folder of an interrupted run, which prints no object.
    partial = re.search(r"(?:partial results are in |to continue: --set [\w.]+=(?=.*/))(.+?)(?:/[^/]+\.\w+)?$", err or "", re.MULTILINE)
    if document is not None and document.get("schema") != "suite-error-1":
        error.result = of_document(document)
    elif partial and (pathlib.Path(partial[1]) / "result.json").exists():
        error.result = load(partial[1])
    if interrupted:
        raise KeyboardInterrupt(str(error)) from error
    raise error


def _document(out: str) -> dict[str, Any] | None:
    with contextlib.suppress(json.JSONDecodeError):
        found = json.loads(out)
        return found if isinstance(found, dict) else None
    return None


def _sentence(text: str) -> str:
    """A message on standard error without what a shell's user reads around it."""
    lines = [line for line in text.strip().splitlines() if not line.startswith("see: suite ")]
    return re.sub(r"(?m)^suite: (error: |regression: )?", "", "\n".join(lines))
