# SPDX-License-Identifier: BSD-3-Clause
"""Outputs of the program held against docs/schema. Without python3-jsonschema nothing is checked; test_schemas says so."""
import functools
import json
import pathlib


def _once(pairs):
    """An object whose keys stand once; Python's reader takes the last of two."""
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys)), keys
    return dict(pairs)


FOLDER = pathlib.Path(__file__).resolve().parents[2] / "docs" / "schema"
SCHEMAS = {path.name: json.loads(path.read_text(), object_pairs_hook=_once) for path in sorted(FOLDER.glob("*.schema.json"))}

try:
    import jsonschema
except ImportError:
    jsonschema = None


@functools.lru_cache(maxsize=None)
def validator(name):
    schema = SCHEMAS[name + ".schema.json"]
    try:  # jsonschema 4.18 and later
        import referencing
        resources = [(key, referencing.Resource.from_contents(value)) for key, value in SCHEMAS.items()]
        return jsonschema.Draft202012Validator(schema, registry=referencing.Registry().with_resources(resources))
    except ImportError:
        resolver = jsonschema.RefResolver(schema["$id"], schema, store=SCHEMAS)
        return jsonschema.Draft202012Validator(schema, resolver=resolver)


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
        return [f"there is no docs/schema/{name}.schema.json"]
    if jsonschema is None:
        return []
    return sorted(f"{name}: /{'/'.join(map(str, e.absolute_path))}: {e.message[:400]}" for e in validator(name).iter_errors(document))


def check(text):
    """Raises AssertionError unless the text is JSON as its schema describes it."""
    found = problems(parse(text))
    assert not found, "\n".join(found)
