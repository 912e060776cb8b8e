# SPDX-License-Identifier: BSD-3-Clause
"""Outputs of the program held against the schemas that it has written when it was built. Without python3-jsonschema nothing is checked;
test_schemas says so."""
import functools
import json
import os
import pathlib


def _once(pairs):
    """An object whose keys stand once; Python's reader takes the last of two."""
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys)), keys
    return dict(pairs)


FOLDER = pathlib.Path(os.environ["SUITE_PROGRAM"]).absolute().parent.parent / "share" / "suite" / "schema"
SCHEMAS = {path.name: json.loads(path.read_text(), object_pairs_hook=_once) for path in sorted(FOLDER.glob("*.schema.json"))}

try:
    import jsonschema
except ImportError:
    jsonschema = None


@functools.lru_cache(maxsize=None)
def validator(name):
    return jsonschema.Draft202012Validator(SCHEMAS[name + ".schema.json"])


def no_constant(word):
    raise ValueError(word + " is no JSON")


def parse(text):
    """Strictly: Python's reader takes NaN and Infinity."""
    return json.loads(text, parse_constant=no_constant)


def problems(document):
    """What is wrong with an output, in sentences."""
    name = document.get("schema") if isinstance(document, dict) else None
    if name is None:
        return ["there is no key 'schema'"]
    if name + ".schema.json" not in SCHEMAS:
        return [f"there is no {FOLDER}/{name}.schema.json"]
    if jsonschema is None:
        return []
    return sorted(f"{name}: /{'/'.join(map(str, e.absolute_path))}: {e.message[:400]}" for e in validator(name).iter_errors(document))


def check(text):
    """Raises AssertionError unless the text is JSON as its schema describes it."""
    found = problems(parse(text))
    assert not found, "\n".join(found)
