# SPDX-License-Identifier: BSD-3-Clause
"""Results of the program: numbers with their units, tables and figures."""

from __future__ import annotations

import functools
import json
import pathlib
import re
import subprocess
import tempfile
from typing import Any, Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from . import _library, errors
from ._units import Quantity, QuantityArray


def data_frame(rows: Any, **options: Any) -> Any:
    """A pandas.DataFrame; pandas is needed from here on only."""
    try:
        import pandas
    except ImportError:
        raise ImportError("tables need pandas: pip install pandas") from None
    return pandas.DataFrame(rows, **options)


@functools.lru_cache(maxsize=None)
def _schema(name: str) -> dict[str, Any]:
    """The JSON Schema of a result: it has the units."""
    path = _library.root() / "share" / "suite" / "schema" / f"{name}.schema.json"
    if path.exists():
        loaded: dict[str, Any] = json.loads(path.read_text())
        return loaded
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([_library.program(), "help", "--schemas", folder], check=True, capture_output=True)
        written = pathlib.Path(folder, f"{name}.schema.json")
        made: dict[str, Any] = json.loads(written.read_text()) if written.exists() else {}
        return made


def _results_schema(document: Mapping[str, Any]) -> Mapping[str, Any]:
    for rule in _schema(document.get("schema", "")).get("allOf", []):
        if rule.get("if", {}).get("properties", {}).get("app", {}).get("const") == document.get("app"):
            found: dict[str, Any] = rule["then"].get("properties", {}).get("results", {})
            return found
    return {}


def _unit_of(schema: Mapping[str, Any]) -> str:
    found = re.search(r"\[([^\[\]]+)\]$", schema.get("description", ""))
    return found[1] if found else ""


def _suffix(unit: str) -> str:
    """How a key ends whose numbers have this unit: _eV, _bohr3, _Ha_per_fs, _per_s."""
    words = unit.replace("^", "").replace("/", "_per_").replace(" ", "_")
    return words.removeprefix("1") if unit.startswith("1/") else "_" + words


def _properties(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """Of an object, in whichever of its forms: a key has one unit in all of them."""
    found: dict[str, Any] = {}
    for form in [*schema.get("oneOf", []), schema]:
        found.update(form.get("properties", {}))
    return found


def _with_unit(value: Any, unit: str) -> Any:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return Quantity(value, unit) if unit not in ("", "1") else value
    if isinstance(value, list) and value:
        try:
            numbers = np.array([np.nan if v is None else v for v in value] if not isinstance(value[0], list) else
                               [[np.nan if x is None else x for x in row] for row in value], dtype=float)
        except (TypeError, ValueError):
            return value
        return QuantityArray(numbers, unit) if unit not in ("", "1") else numbers
    return value


class Section(Mapping[str, Any]):
    """A part of the results: ``results.gap`` and ``results["gap_eV"]`` are the same number with its unit."""

    def __init__(self, values: Mapping[str, Any], schema: Mapping[str, Any], path: str = "results"):
        self._values, self._path, self._schema = values, path, schema
        self._names: dict[str, str] = {}  # the keys, and the keys without their unit
        for key in values:
            self._names[key] = key
            unit = self.unit(key)
            if unit and key.endswith(_suffix(unit)):
                self._names.setdefault(key.removesuffix(_suffix(unit)), key)

    def unit(self, key: str) -> str:
        """The unit of a number, "" if it has none."""
        return _unit_of(_properties(self._schema).get(self._names.get(key, key), {}))

    def meaning(self, key: str) -> str:
        """What a number is, as in the JSON Schema."""
        described: str = _properties(self._schema).get(self._names.get(key, key), {}).get("description", "")
        return described

    def __getitem__(self, name: str) -> Any:
        if name not in self._names:
            raise KeyError(f"{self._path} has no {name!r}; it has: {', '.join(self._values)}")
        key = self._names[name]
        value, schema = self._values[key], _properties(self._schema).get(key, {})
        if isinstance(value, dict):
            return Section(value, schema, f"{self._path}.{key}")
        if isinstance(value, list) and value and isinstance(value[0], dict):
            return [Section(row, schema.get("items", {}), f"{self._path}.{key}") for row in value]
        return _with_unit(value, _unit_of(schema))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as e:
            raise AttributeError(e.args[0]) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._names]

    def __repr__(self) -> str:
        lines = []
        for key in self._values:
            value = self[key]
            short = ("{...}" if isinstance(value, Section) else f"{len(value)} rows" if isinstance(value, list) and value and isinstance(value[0], Section)
                     else " ".join(repr(value).split()))
            lines.append(f"  {key}: {short if len(short) < 100 else short[:97] + '...'}")
        return f"{self._path}\n" + "\n".join(lines)


class Result:
    """A ``result.json`` and its folder. ``json`` has all of it; docs/results.md says what each key is."""

    def __init__(self, document: Mapping[str, Any], folder: pathlib.Path | None = None):
        self.json = document
        recorded = document.get("folder")
        self.folder = folder if folder is not None else pathlib.Path(recorded).absolute() if recorded else None

    @property
    def status(self) -> str:
        """"ok"; "failed": a kernel differs from the reference; "error"; "interrupted": partial."""
        return str(self.json.get("status", ""))

    @property
    def warnings(self) -> list[str]:
        return list(self.json.get("warnings", []))

    @property
    def provenance(self) -> Section:
        return self._section("provenance")

    @property
    def times(self) -> Section:
        return self._section("times")

    def _section(self, key: str) -> Section:
        return Section(self.json.get(key, {}), _properties(_schema(self.json.get("schema", ""))).get(key, {}), key)

    # --- tables

    def _row_lists(self) -> dict[str, tuple[list[dict[str, Any]], Mapping[str, Any]]]:
        """Every list of objects, with the schema of an object."""
        found = {}
        for key, value in self.json.items():
            if isinstance(value, list) and value and isinstance(value[0], dict):
                found[key] = (value, _properties(_schema(self.json.get("schema", ""))).get(key, {}).get("items", {}))
        return found

    @property
    def tables(self) -> list[str]:
        """Names for ``table``; the first is the one that it shows without a name."""
        return list(self._row_lists())

    def table(self, name: str | None = None) -> Any:
        """A table as a pandas.DataFrame. Units are in the names, and those of columns in ``.attrs["units"]`` too."""
        lists = self._row_lists()
        if not lists:
            raise errors.NotFound("this result has no table")
        name = next(iter(lists)) if name is None else name
        if name not in lists:
            raise errors.NotFound(f"there is no table {name!r}; there are: {', '.join(lists)}")
        rows, schema = lists[name]
        if "" in rows[0]:
            return data_frame([row[""] for row in rows], columns=list("xyz"), index=list("xyz"))
        frame = data_frame(rows)
        frame.attrs["units"] = {key: _unit_of(_properties(schema).get(key, {})) for key in frame.columns}
        return frame

    # --- files and figures

    @property
    def files(self) -> list[str]:
        """Names of the files in the run's folder."""
        return sorted(p.name for p in self.folder.iterdir() if p.is_file()) if self.folder else []

    def file(self, name: str) -> pathlib.Path:
        path = self.folder / name if self.folder else None
        if path is None or not path.exists():
            raise errors.NotFound(f"the run left no file {name!r}; there are: {', '.join(self.files) or 'none'}")
        return path

    def columns(self, name: str) -> dict[str, npt.NDArray[Any]]:
        """The columns of one of the run's text files, such as ``spectrum.dat`` or ``convergence.csv``, by their headings."""
        return read_columns(self.file(name))

    def plot(self, ax: Any = None, **options: Any) -> Any:
        """A figure of the result with matplotlib. Returns the axes."""
        from . import _figures

        return _figures.plot(self, ax, **options)

    def report(self, file: str | pathlib.Path | None = None) -> pathlib.Path:
        """Writes the page of ``suite report``; by default report.html beside the result. Returns its path."""
        from ._program import report

        return report(self, file=file)

    def _title(self) -> str:
        return str(self.json.get("schema", "result"))

    def __repr__(self) -> str:
        return f"<suite.{type(self).__name__} {self._title()}: {self.status}{f', in {self.folder}' if self.folder else ''}>"

    def _repr_html_(self) -> str | None:
        try:
            frame = self.table()
        except (ImportError, errors.Error):
            return None
        html: str = frame.to_html(max_rows=20)
        return f"<p>{self._title()}: {self.status}</p>{html}"


class Run(Result):
    """What ``suite.run`` returns. The app's results are attributes: ``run.gap``, ``run.polarizability``; ``run.results`` lists them."""

    @property
    def app(self) -> str:
        return str(self.json.get("app", ""))

    @property
    def title(self) -> str:
        return str(self.json.get("title", ""))

    @property
    def results(self) -> Section:
        return Section(self.json.get("results", {}), _results_schema(self.json))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name in ("json", "folder"):
            raise AttributeError(name)
        return getattr(self.results, name)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self.results._names]

    def _row_lists(self) -> dict[str, tuple[list[dict[str, Any]], Mapping[str, Any]]]:
        found = {}
        schema = _properties(_results_schema(self.json))
        for key, value in self.json.get("results", {}).items():
            if isinstance(value, list) and value and isinstance(value[0], dict):
                found[key] = (value, schema.get(key, {}).get("items", {}))
            elif isinstance(value, list) and len(value) == 3 and all(isinstance(row, list) and len(row) == 3 for row in value):
                found[key] = ([{"": row} for row in value], {})  # a tensor
        return {**found, **super()._row_lists()}

    def _title(self) -> str:
        return f"{self.app}, {self.title}" if self.title else self.app


class Comparison(Result):
    """What ``suite.compare`` and ``suite.bench`` return: a row for each implementation, verified before it is ranked."""

    @property
    def rows(self) -> list[Section]:
        """One for each candidate: ``kernel``, ``implementation``, ``median_s``, ``low_s``, ``high_s``, ``verification``, ``verdict``, ..."""
        return [Section(row, schema, "row") for row, schema in self._candidates()]

    def _candidates(self) -> list[tuple[dict[str, Any], Mapping[str, Any]]]:
        properties = _properties(_schema(self.json.get("schema", "")))
        if "contenders" in self.json:
            found = [({"kernel": self.json.get("kernel"), **row}, properties.get("contenders", {})) for row in self.json["contenders"]]
        else:
            of_block = _properties(properties.get("blocks", {}).get("items", {})).get("contenders", {})
            found = [({"kernel": block.get("kernel"), "size": block.get("size"), "threads": block.get("threads"), **row}, of_block)
                     for block in self.json.get("blocks", []) for row in block.get("contenders", [])]
        return [(row, schema.get("items", {})) for row, schema in found]

    def _row_lists(self) -> dict[str, tuple[list[dict[str, Any]], Mapping[str, Any]]]:
        candidates = self._candidates()
        return {"candidates": ([_flat(row) for row, _ in candidates], candidates[0][1] if candidates else {}), **super()._row_lists()}

    def _title(self) -> str:
        return " ".join(filter(None, [self.json.get("schema", ""), self.json.get("kernel", "")]))


class StoredComparison(Result):
    """What ``suite.compare(old, new)`` of two results returns: ``json["physics"]``, ``json["rows"]``, ``json["regressions"]``."""


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """What a table shows of a candidate: the numbers that people compare."""
    verification, ratio = row.get("verification") or {}, row.get("ratio")
    shown = {key: row.get(key) for key in ("kernel", "size", "threads", "implementation", "variant", "median_s", "low_s", "high_s") if key in row}
    shown["max_relative_error"] = verification.get("max_relative_error")
    shown["verification"] = verification.get("status")
    shown["ratio"] = ratio.get("median") if isinstance(ratio, Mapping) else ratio
    shown["verdict"] = row.get("verdict")
    return {key: value for key, value in shown.items() if value is not None or key not in ("ratio", "verdict")}


def read_columns(path: pathlib.Path) -> dict[str, npt.NDArray[Any]]:
    """The columns of a text file by their headings: CSV, or blanks between numbers below a comment that ends in the headings."""
    lines = path.read_text().splitlines()
    comments = [line[1:].strip() for line in lines if line.startswith("#")]
    content = [line for line in lines if line.strip() and not line.startswith("#")]
    if path.suffix == ".csv":
        names, rows = [name.strip() for name in content[0].split(",")], [line.split(",") for line in content[1:]]
    else:
        rows = [line.split() for line in content]
        names = _headings(comments[-1] if comments else "", len(rows[0]) if rows else 0)
    return {name: _column([row[i] for row in rows]) for i, name in enumerate(names)}


def _headings(comment: str, width: int) -> list[str]:
    """"t (fs)  x y z (bohr)  electrons" names five columns: words in one group have the unit behind the last of them."""
    names: list[str] = []
    for group in re.split(r"\s{2,}", comment):
        words, unit = re.fullmatch(r"(.*?)\s*(\([^()]*\))?", group).groups()  # type: ignore[union-attr]
        parts = [words] if re.match(r"(Re|Im) ", words) else words.split()
        names += [f"{part} {unit}" if unit else part for part in parts]
    return names if len(names) == width else [str(i + 1) for i in range(width)]


def _column(texts: Sequence[str]) -> npt.NDArray[Any]:
    try:
        return np.array([float(text) if text.strip() else np.nan for text in texts])
    except ValueError:
        return np.array([text.strip() for text in texts])


def load(path: str | pathlib.Path) -> Result:
    """A stored result: a ``result.json`` or a folder that contains one."""
    file = pathlib.Path(path)
    file = file / "result.json" if file.is_dir() else file
    try:
        document = json.loads(file.read_text())
    except OSError as e:
        raise errors.FileError(f"cannot read {file}: {e.strerror}") from None
    except json.JSONDecodeError as e:
        raise errors.InputError(f"{file}:{e.lineno}:{e.colno}: {e.msg}") from None
    return of_document(document, file.parent)


def of_document(document: Mapping[str, Any], folder: pathlib.Path | None = None) -> Result:
    schema = str(document.get("schema", ""))
    kind = {"suite-result-1": Run, "suite-compare-1": Comparison, "suite-bench-1": Comparison, "suite-comparison-1": StoredComparison}
    return kind.get(schema, Result)(document, folder)
