# SPDX-License-Identifier: BSD-3-Clause
"""The tasks of tools/gpu-check: what is done, how long a task may take, how its processes end. Nothing here knows what is checked."""
import contextlib
import dataclasses
import json
import os
import pathlib
import signal
import subprocess
import time
from typing import Callable

SHORTEST = 3  # seconds; with less time left no task is begun


class Absent(Exception):
    """This machine or this build lacks what a task or a step needs."""


class Failed(Exception):
    """What a task looked at is wrong."""


class OutOfTime(Exception):
    """A process was ended at the limit."""


@dataclasses.dataclass
class Task:
    key: str  # unique within its step: "gpp.sigma published"
    work: Callable  # takes a Runner; returns what goes on the page (a dict); raises Absent or Failed
    limit: float = 120  # seconds of its own


class Runner:
    """Runs the commands of one task, all before one point in time, into one log."""

    def __init__(self, log, ends):
        self.log, self.ends = pathlib.Path(log), ends

    def run(self, words, env=None, cwd=None, fails=True, to=os.devnull):
        """Exit status and output. With `fails` another status than 0 is a Failed with the last line of the output. `to`: a file for standard
        output, which the log then lacks."""
        words = [str(word) for word in words]
        with open(self.log, "ab") as log, open(to, "wb") as apart:
            log.write(("$ " + " ".join(words) + "\n").encode())
            log.flush()
            begin = log.tell()
            left = self.ends - time.monotonic()
            # A process group of its own, so that what it started ends with it; not a session, which would outlive a command that is killed.
            # A signal that comes before its end can be taken care of has to wait: otherwise nobody would end it.
            process, mask = None, signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGTERM, signal.SIGINT, signal.SIGHUP))
            try:
                process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log if to == os.devnull else apart, stderr=log, cwd=cwd,
                                           env=dict(os.environ, **(env or {})), process_group=0,
                                           preexec_fn=lambda: signal.pthread_sigmask(signal.SIG_SETMASK, mask))
                signal.pthread_sigmask(signal.SIG_SETMASK, mask)
                process.wait(max(left, 0.1))
            except BaseException as interruption:  # also an interrupt of the whole check
                if process:
                    self._end(process)
                if isinstance(interruption, subprocess.TimeoutExpired):
                    raise OutOfTime from None
                raise
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        with open(self.log, "rb") as log:
            log.seek(begin)
            text = log.read().decode(errors="replace")
        if fails and process.returncode != 0:
            raise Failed(f"exit status {process.returncode}: {last_line(text)}")
        return process.returncode, text

    @staticmethod
    def _end(process):
        """Ends the whole group: a child may outlive the process that was waited for."""
        for how in (signal.SIGTERM, signal.SIGKILL):
            patience = time.monotonic() + 5
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, how)
                while time.monotonic() < patience:
                    process.poll()
                    os.killpg(process.pid, 0)
                    time.sleep(0.02)
            if process.poll() is not None and time.monotonic() < patience:
                return


def last_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:300] if lines else "it printed nothing"


def end_of(file, lines=40):
    """The last lines of a log: what it takes to see why a task failed on a machine that is gone by then."""
    try:
        return "\n".join(line[:300] for line in pathlib.Path(file).read_text(errors="replace").splitlines()[-lines:])
    except OSError:
        return ""


class Store:
    """What is done, in one file that is complete at any time. It holds for one state of sources, backend and device (`identity`): what
    belongs to another is discarded."""

    def __init__(self, path, identity):
        self.path, self.identity = pathlib.Path(path), identity
        self.records, self.plans, self.discarded = {}, {}, ""
        self.begun = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        if self.path.exists():
            self.take(json.loads(self.path.read_text()), self.path)

    def take(self, kept, where):
        """Adds finished tasks of an earlier check: of this store's file, or of a page."""
        other = [key for key, value in self.identity.items() if kept["identity"].get(key) != value]
        if other:
            self.discarded = f"{len(kept['records'])} results in {where} are of another {' and '.join(other)}: not used"
            return
        for name, record in kept["records"].items():
            self.records.setdefault(name, record)
        for step, plan in kept["plans"].items():
            self.plans.setdefault(step, plan)
        self.begun = min(self.begun, kept["begun"])

    def take_page(self, page):
        """Of a page whose build folder is gone: all but what was built there."""
        kept = json.loads(pathlib.Path(page).read_text())
        kept["records"] = {name: record for name, record in kept["records"].items() if not name.startswith("build: ") and not name.endswith(": compile")}
        kept["plans"].pop("build", None)
        self.take(kept, page)

    def content(self):
        return {"identity": self.identity, "begun": self.begun, "plans": self.plans, "records": self.records}

    def save(self):
        temporary = self.path.with_suffix(".new")
        temporary.write_text(json.dumps(self.content(), indent=1) + "\n")
        temporary.replace(self.path)

    def of(self, step):
        """(key, record or None) of a step's tasks, in their order."""
        return [(key, self.records.get(f"{step}: {key}")) for key in self.plans.get(step, {}).get("keys", [])]

    def is_done(self, step, key, retry):
        """A task that was cut off by the limit of a step or call is not done, nor one that lacked something: it may be there now."""
        record = self.records.get(f"{step}: {key}")
        return record is not None and record["state"] in (("ok",) if retry else ("ok", "failed", "stopped"))


@dataclasses.dataclass
class Limits:
    step: float  # seconds of one step in this call
    call_ends: float  # by time.monotonic()
    longest: float = 0  # seconds of one task, instead of its own limit; 0: its own


def run_step(step, make_tasks, store, limits, logs, retry=False, changed=lambda: None, report=print):
    """Does what is left of a step, in order. Returns whether nothing failed and nothing is left."""
    begin = time.monotonic()
    step_ends = min(begin + limits.step, limits.call_ends)
    plan = store.plans.setdefault(step, {"keys": [], "absent": "", "seconds": 0, "left": ""})
    if step_ends - begin < SHORTEST:
        plan["left"] = "the limit of this call was near"
        report(f"{step}: left for another call")
        return False
    plan.update(absent="", left="")
    try:
        tasks = make_tasks()
    except Absent as why:
        plan.update(absent=str(why), keys=plan["keys"])
        report(f"{step}: left out: {why}")
        return True
    except Failed as why:
        store.records[f"{step}: all"] = {"state": "failed", "why": str(why), "seconds": 0}
        plan["keys"] = ["all"]
        report(f"{step}: failed: {why}")
        return False
    plan["keys"] = [task.key for task in tasks]
    logs.mkdir(parents=True, exist_ok=True)
    good, earlier = True, 0
    for task in tasks:
        name = f"{step}: {task.key}"
        if store.is_done(step, task.key, retry):
            earlier += 1
            good = good and store.records[name]["state"] == "ok"
            continue
        now = time.monotonic()
        if step_ends - now < SHORTEST:
            which = "this call" if step_ends == limits.call_ends else f"{limits.step:.0f} s for this step"
            plan["left"] = f"the limit of {which} was reached"
            good = False
            break
        own = now + (limits.longest or task.limit)
        log = logs / ("".join(letter if letter.isalnum() or letter in "._=-" else "_" for letter in name) + ".log")
        log.unlink(missing_ok=True)
        record = {"state": "ok", "why": "", "seconds": 0}
        try:
            record["found"] = task.work(Runner(log, min(own, step_ends))) or {}
        except Absent as why:
            record.update(state="absent", why=str(why))
        except Failed as why:
            record.update(state="failed", why=str(why), end_of_log=end_of(log))
        except OutOfTime:
            seconds = time.monotonic() - now
            cut = own > step_ends
            record.update(state="cut" if cut else "stopped", end_of_log=end_of(log),
                          why=f"stopped after {seconds:.0f} s, " + ("at the end of its step or call: to be done again" if cut else "the limit of one task"))
        record["seconds"] = round(time.monotonic() - now, 1)
        plan["seconds"] = round(plan["seconds"] + record["seconds"], 1)
        store.records[name] = record
        good = good and record["state"] in ("ok", "absent")
        if record["state"] != "ok" or record.get("found", {}).get("line"):
            report(f"{step}: {task.key}: " + (record.get("found", {}).get("line") or f"{record['state']}: {record['why']}") + f" ({record['seconds']:.0f} s)")
        store.save()
        changed()
    states = [record["state"] if record else "to do" for _, record in store.of(step)]
    counts = ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states))
    report(f"{step}: {counts or 'nothing to do'}" + (f" ({earlier} of an earlier call)" if earlier else "") + (f"; {plan['left']}" if plan["left"] else "")
           + f" ({time.monotonic() - begin:.0f} s)")
    store.save()
    changed()
    return good
