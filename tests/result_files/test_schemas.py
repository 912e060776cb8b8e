# SPDX-License-Identifier: BSD-3-Clause
"""Every output that is JSON is as its schema describes it, and every schema is of an output that there is.

The outputs of all other tests are checked too, where suite_program.suite() meets them."""
import copy
import json
import unittest

import schemas
from small_inputs import APPS
from suite_program import Case, SMALL_KERNEL, suite

# Of outputs that take longer to make: met by tests/bench.
ELSEWHERE = {"suite-plan-1", "suite-tuning-1", "suite-tuned-1", "suite-scaling-1", "suite-ranks-1"}

# Suffixes of keys name units (docs/results.md); the longest one counts.
UNITS = {"_s": "s", "_fs": "fs", "_B": "B", "_J": "J", "_eV": "eV", "_Ha": "Ha", "_Ha2": "Ha^2", "_bohr": "bohr", "_e_bohr": "e bohr", "_bohr3": "bohr^3",
         "_per_bohr": "1/bohr", "_per_eV": "1/eV", "_Ha_per_fs": "Ha/fs", "_Ha_per_bohr": "Ha/bohr", "flop_per_s": "flop/s", "B_per_s": "B/s", "flop_per_B": "flop/B", "/per_s": "1/s", "moves_per_s": "1/s"}


def quantities(schema, path=""):
    """Key and description of everything that is a number, or a list or group of numbers."""
    for key, value in schema.get("properties", {}).items():
        inner = value
        while "items" in inner or isinstance(inner.get("additionalProperties"), dict):
            inner = inner.get("items") or inner["additionalProperties"]
        if {"number", "integer"} & set(([inner["type"]] if isinstance(inner.get("type"), str) else inner.get("type", []))):
            yield f"{path}/{key}", value.get("description", "")
        yield from quantities(inner, f"{path}/{key}")
    for part in schema.get("oneOf", []) + [condition["then"] for condition in schema.get("allOf", [])]:
        yield from quantities(part, path)


VALIDATION = """kernel:
  checks:
    - {quantity: median_s, below: 1000, source: "right by far"}
    - {quantity: median_s, expected: 500, tolerance: 500}
"""


@unittest.skipIf(schemas.jsonschema is None, "python3-jsonschema is not installed: NO output of any test was held against its schema")
class Schemas(Case):
    """Names of the schemas that outputs have followed so far."""
    seen = {}

    def output(self, *arguments, code=0):
        done = suite(*arguments, "--json", folder=self.folder)
        self.assertEqual(done.returncode, code, done.stderr)
        document = schemas.parse(done.stdout)
        self.assertEqual(schemas.problems(document), [])
        self.seen[document["schema"]] = document
        return document

    def test_0_outputs_of_every_verb(self):
        self.write("k.yaml", SMALL_KERNEL)
        self.output("run", "k.yaml")
        for name, text in APPS.items():
            self.write(name + ".yaml", text)
            self.output("run", name + ".yaml")
        self.output("compare", "k.yaml", "--implementations", "reference,cpu", "--repeat", "6")
        self.output("bench", "gpp.sigma", "--size", "test:1", "--implementations", "cpu", "--repeat", "5", "--threads", "1,2")
        self.output("ladder", "gpp.sigma", "--size", "test:1", "--repeat", "5")
        self.write("mine.yaml", VALIDATION)
        self.write("mine/kernel.yaml", SMALL_KERNEL)
        self.output("validate", "mine.yaml")
        self.output("validate")
        self.output("roofline", "gpp.sigma", "--size", "test:1", "--repeat", "5")
        for folder in ("old", "new"):
            self.output("run", "k.yaml", "--output", folder)
        self.output("compare", "old", "new")
        self.output("bench", "gpp.sigma", "--size", "test:1", "--implementations", "cpu", "--repeat", "6", "--output", "first")
        self.output("history", "first")
        self.output("list")
        self.output("list", "gpp.sigma")
        self.output("version")

    def test_1_errors(self):
        self.write("k.yaml", SMALL_KERNEL)
        self.output("run", "absent.yaml", code=6)
        self.output("bench", "gpp.sigmas", code=3)
        self.output("compare", "k.yaml", "--implementations", "none", code=3)
        self.output("list", "absent", code=3)

    def test_2_every_schema_is_one_and_has_been_met(self):
        for name, schema in schemas.SCHEMAS.items():
            schemas.jsonschema.Draft202012Validator.check_schema(schema)
            self.assertEqual(schema["$id"], name)
        outputs = {schema["properties"]["schema"]["const"] for schema in schemas.SCHEMAS.values() if "schema" in schema.get("properties", {})}
        self.assertLessEqual(set(self.seen), outputs)
        self.assertLessEqual(outputs - set(self.seen), ELSEWHERE)

    def test_3_units_are_those_that_the_keys_name(self):
        seen = 0
        for name, schema in schemas.SCHEMAS.items():
            for path, meaning in quantities(schema):
                suffix = max((s for s in UNITS if path.endswith(s)), key=len, default=None)
                if suffix:
                    seen += 1
                    self.assertTrue(meaning.endswith(f"[{UNITS[suffix]}]"), (name, path, meaning))
        self.assertGreater(seen, 250)

    def test_4_a_wrong_output_is_found(self):
        """A key that is missing, one too many, another type: anywhere near the top of an output."""
        for document in self.seen.values():
            for key in document:
                for wrong in ([1], {"a": 1}, -7) if key != "schema" else ("suite-result-0",):
                    changed = copy.deepcopy(document)
                    changed[key] = wrong
                    if changed != document:
                        self.assertTrue(schemas.problems(changed), (document["schema"], key, wrong))
            self.assertTrue(schemas.problems({**document, "surprise": 1}), document["schema"])
        result = self.seen["suite-result-1"]
        for path, wrong in ((("kernels", 0, "samples_s", 0), -1), (("kernels", 0, "verification", "status"), "fine"), (("provenance", "utc"), "now"),
                            (("provenance", "plugins", 0, "sha256"), "ab"), (("times", "wall_s"), "1"), (("results", "surprise"), 1)):
            changed = copy.deepcopy(result)
            place = changed
            for step in path[:-1]:
                place = place[step]
            place[path[-1]] = wrong
            self.assertTrue(schemas.problems(changed), path)
        self.assertRaises(ValueError, schemas.parse, json.dumps(float("nan")))
