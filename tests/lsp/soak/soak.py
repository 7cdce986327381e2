#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A long session with the language server: random edits, requests, runs, files closed and opened, and processes of the
server that are killed.

usage: soak.py [--steps N] [--kills N] [--seed N] [--grows PERCENT] [--within SECONDS] PROGRAM FILE...

Fails
  - if the server ends, sends what is no message, answers a request twice or never, or with an error that does not say
    that it was outdated or cancelled or cannot be done (an internal one, say);
  - if something stale comes: diagnostics for a version that is not the newest one known or older than some that came
    before, edits or a run for another version than the one asked about, ranges behind the end of that text, something
    of a closed document, or other diagnostics and answers than at first when all files have their first texts again;
  - if the memory (PSS of what is no file) of the server and its processes is by more than PERCENT larger in the second half than in the
    first, on average. In each half a tenth of the steps has all its kills, and the checker lives on for 40 % of the
    steps around the middle: a leak shows in whichever process it is;
  - if a file is not answered again within SECONDS after the checker was killed, the time left out in which others had
    the processor.
"""
import argparse
import collections
import json
import pathlib
import queue
import random
import re
import shutil
import sys
import tempfile
import time

from client import Document, Server, position

PATIENCE = 300  # somebody else may have the processor; a server that hangs stays so
CAPABILITIES = {
    "general": {"positionEncodings": ["utf-32"]},
    "workspace": {"configuration": True, "workspaceEdit": {"documentChanges": True}},
    "window": {"workDoneProgress": True},
    "textDocument": {
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix", "source.fixAll"]}},
                       "dataSupport": True, "resolveSupport": {"properties": ["edit"]}},
    },
}
# RequestCancelled, ContentModified, ServerCancelled, and RequestFailed: there is no such kernel (any more), say.
EXPECTED_ERRORS = {-32800, -32801, -32802, -32803}


def fail(why):
    raise SystemExit(f"FAILED: {why}")


def brief(diagnostics):
    return sorted(json.dumps([each["code"], each["range"]]) for each in diagnostics)


def timeless(answer):
    """What does not depend on how fast the machine is: whether there was time for fixes or to try without a barrier."""
    if isinstance(answer, dict) and "items" in answer:
        answer = brief(answer["items"])
    return re.sub(r"checked in [0-9.]+ m?s|\\n\\nOnly this barrier orders:[^\"]*", "", json.dumps(answer))


def ranges_in(value):
    """All ranges in an answer about a document itself: what other documents are told of lies under other keys."""
    if isinstance(value, dict):
        if set(value) == {"start", "end"}:
            yield value
        for key, each in value.items():
            if key not in ("relatedInformation", "relatedDocuments", "changes", "documentChanges"):
                yield from ranges_in(each)
    elif isinstance(value, list):
        for each in value:
            yield from ranges_in(each)


class Asked:
    """A request without an answer, and the text it is about."""

    def __init__(self, document, method, params, then):
        self.document, self.method, self.params, self.then = document, method, params, then
        self.version, self.text = document.version, document.text
        self.cancelled = False

    def check(self, message):
        error = message.get("error")
        if error:
            if error["code"] not in EXPECTED_ERRORS:
                fail(f"{self.method} was answered with {error}")
            return
        lines = self.document.lines(self.text)
        for each in ranges_in(message["result"]):
            end = each["end"]
            if end["line"] > len(lines) or (end["line"] < len(lines) and end["character"] > len(lines[end["line"]])):
                fail(f"{self.method} of version {self.version}: {end} is behind the end of {self.document.uri}")
        self.check_versions(message["result"])

    def check_versions(self, result):
        for action in result if isinstance(result, list) else [result]:
            if not isinstance(action, dict):
                continue
            versions = [edit["textDocument"]["version"] for edit in (action.get("edit") or {}).get("documentChanges", [])
                        if edit["textDocument"]["uri"] == self.document.uri]
            if "documentVersion" in action:
                versions.append(action["documentVersion"])
            if any(version != self.version for version in versions):
                fail(f"{self.method} of version {self.version} was answered for {versions}")


class Soak:
    def __init__(self, server, documents, dice):
        self.server, self.documents, self.dice = server, documents, dice
        self.byUri = {document.uri: document for document in documents}
        self.asked, self.answers = {}, collections.Counter()
        self.waits, self.memory = [], []

    # What the server says.

    def take(self, message):
        if message is None:
            fail(f"the server ended with status {self.server.process.wait()}")
        if "id" in message:
            self.take_answer(message)
        elif message["method"] == "textDocument/publishDiagnostics":
            self.take_diagnostics(message["params"])
        elif message["method"] == "warpdrf/status":
            self.take_status(message["params"])

    def take_answer(self, message):
        asked = self.asked.pop(message["id"], None)
        if asked is None:
            fail(f"an answer that nobody waits for: {message}")
        asked.check(message)
        self.answers[asked.method, "error" if "error" in message else "result"] += 1
        if asked.then:
            asked.then(message)

    def take_diagnostics(self, params):
        document = self.byUri.get(params["uri"])
        if document is None:
            return
        version = params.get("version")
        if version is not None:  # else it is closed, or was when this was sent
            if version > document.version or version < document.seen:
                fail(f"diagnostics of version {version}, now {document.version}, before {document.seen}")
            document.seen = version
        document.diagnostics = brief(params["diagnostics"])

    def take_status(self, params):
        document = self.byUri[params["uri"]]
        document.busy = params["state"] == "checking" and document.open
        if not document.busy:
            document.checked = params["version"]

    def until(self, condition, what, patience=PATIENCE):
        end = time.monotonic() + patience
        while not condition():
            try:
                self.take(self.server.messages.get(timeout=max(0.01, end - time.monotonic())))
            except queue.Empty:
                fail(f"{what} did not come within {patience} s")

    def drain(self):
        while not self.server.messages.empty():
            self.take(self.server.messages.get())

    def settle(self):
        """Waits until nothing is said any more: of files with fixes there is a second word."""
        quiet = time.monotonic() + 1
        while time.monotonic() < quiet or any(document.busy for document in self.documents):
            try:
                self.take(self.server.messages.get(timeout=0.1))
                quiet = time.monotonic() + 1
            except queue.Empty:
                if time.monotonic() > quiet + PATIENCE:
                    fail("a check that began never ended")

    # What it is told.

    def ask(self, document, method, params, then=None):
        number = self.server.request(method, params)
        self.asked[number] = Asked(document, method, params, then)
        return number

    def begin(self):
        self.ask(self.documents[0], "initialize", {"capabilities": CAPABILITIES})
        self.server.notify("initialized", {})
        for document in self.documents:
            self.open(document)
        self.until(lambda: all(each.checked == each.version for each in self.documents), "the first diagnostics")
        self.settle()
        for document in self.documents:
            document.expected = document.diagnostics
        self.known = self.answers_to_all()

    def open(self, document):
        document.open = True
        document.version += 1
        self.server.notify("textDocument/didOpen", {"textDocument": {
            "uri": document.uri, "languageId": "cuda-cpp", "version": document.version, "text": document.text}})

    def close(self, document):
        document.open = document.busy = False
        document.text = document.first  # what is on disk
        self.server.notify("textDocument/didClose", document.named())

    def changed(self, document, event):
        document.version += 1
        self.server.notify("textDocument/didChange", {
            "textDocument": {"uri": document.uri, "version": document.version}, "contentChanges": [event]})

    def restore(self, document):
        document.text = document.first
        if document.open:
            self.changed(document, {"text": document.first})
        else:
            self.open(document)

    # What must come out.

    def restored(self, document):
        return document.checked == document.version and document.diagnostics == document.expected

    def verify(self):
        """All files have their first texts: everything is as it was in the beginning."""
        for document in self.documents:
            self.restore(document)
        for document in self.documents:
            self.until(lambda: self.restored(document), f"the first diagnostics of {document.uri} again")
        self.until(lambda: not self.asked, f"answers to {[each.method for each in self.asked.values()]}")
        self.settle()
        for each, answer in self.answers_to_all().items():
            if answer != self.known[each]:
                fail(f"{each} is now answered with {answer}, and was with {self.known[each]}")

    def answers_to_all(self):
        answers = {}
        for document in self.documents:
            for method, params in document.questions():
                key = json.dumps([method, params])
                def keep(message, key=key):
                    # Who the server has to wait for is as good as an answer, but not the same.
                    answers[key] = timeless(message["result"]) if "result" in message else None
                self.ask(document, method, params, keep)
        self.until(lambda: not self.asked, "answers to questions about texts that are known")
        return answers

    def kill(self):
        """Whoever edits a file is answered, though the checker has to begin from nothing; each file has its turn."""
        document = self.documents[len(self.waits) % len(self.documents)]
        hindered = self.server.hindered()
        self.server.kill_children()
        begin = time.monotonic()
        self.restore(document)
        self.until(lambda: self.restored(document), f"an answer for {document.uri} after the checker was killed")
        took = time.monotonic() - begin
        lost = sum(wait - hindered.get(thread, 0) for thread, wait in self.server.hindered().items())
        self.waits.append((took, max(0, took - lost)))
        print(f"  {document.path.name} after a kill: {took:.2f} s, {self.waits[-1][1]:.2f} s", file=sys.stderr)

    # Random steps.

    def edit(self, document):
        dice = self.dice
        begin = document.place(dice)
        kind = dice.randrange(4)
        if kind == 0:  # something typed
            event = document.change(begin, begin, dice.choice("abc;{}()=+ \n\"/*#0"))
        elif kind == 1:  # something deleted
            line = document.lines()[begin[0]]
            event = document.change(begin, (begin[0], min(len(line), begin[1] + dice.randrange(5))), "")
        elif kind == 2:  # a line taken out, or doubled
            line = document.lines()[begin[0]]
            event = document.change((begin[0], 0), (begin[0], len(line)), dice.choice(["", line + "\n" + line]))
        else:
            return self.restore(document)
        self.changed(document, event)

    def resolve(self, document, version):
        def then(message):
            for action in message.get("result") or []:
                if "edit" not in action and "command" not in action and document.version == version:
                    self.ask(document, "codeAction/resolve", action)
        return then

    def question(self, document):
        place = position(document.place(self.dice))
        here = {"start": place, "end": place}
        named, command = document.named(), "workspace/executeCommand"
        at = {"uri": document.uri, "position": place}
        return self.dice.choice([
            ("textDocument/hover", {**named, "position": place}),
            ("textDocument/codeAction", {**named, "range": here, "context": {"diagnostics": []}}),
            ("textDocument/codeAction", {**named, "range": document.whole(),
                                         "context": {"diagnostics": [], "only": ["source.fixAll"]}}),
            ("textDocument/inlayHint", {**named, "range": document.whole()}),
            ("textDocument/codeLens", named), ("textDocument/documentSymbol", named),
            ("textDocument/semanticTokens/full", named), ("textDocument/diagnostic", named),
            (command, {"command": "warpdrf.runInInterpreter", "arguments": [at]}),
            (command, {"command": "warpdrf.showWitness", "arguments": [at]}),
            (command, {"command": "warpdrf.explain", "arguments": ["race"]})])

    def step(self):
        dice = self.dice
        document = dice.choice(self.documents)
        if not document.open:
            self.restore(document)
        kind = dice.random()
        if kind < 0.55:
            self.edit(document)
        elif kind < 0.6:
            self.close(document)
        else:
            method, params = self.question(document)
            then = self.resolve(document, document.version) if method == "textDocument/codeAction" else None
            number = self.ask(document, method, params, then)
            if dice.random() < 0.25:
                time.sleep(dice.choice([0, 0, 0.1]))
                self.server.notify("$/cancelRequest", {"id": number})
            if dice.random() < 0.5:  # somebody who waits; the others type on
                self.until(lambda: number not in self.asked, f"an answer to {method}")
        self.drain()
        time.sleep(dice.choice([0, 0, 0.01, 0.05, 0.3]))

    def run(self, steps, kills):
        for step in range(steps):
            self.step()
            if step in kills:
                self.kill()
            if step in (steps // 2, steps - 1):
                self.verify()
            if step % 5 == 0:
                self.memory.append(self.server.memory())

    def end(self):
        self.ask(self.documents[0], "shutdown", None)
        self.until(lambda: not self.asked, "the answer to shutdown")
        self.server.notify("exit", None)
        return self.server.process.wait(timeout=PATIENCE)


def when_to_kill(steps, kills):
    """Within two tenths of the steps, as far from each other as they are from the ends."""
    half = kills // 2
    spread = lambda begin, count: {round(steps * (begin + 0.1 * i / max(1, count))) for i in range(count)}
    return spread(0.2, kills - half) | spread(0.7, half)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--grows", type=float, default=5)
    parser.add_argument("--within", type=float, default=PATIENCE)
    parser.add_argument("program")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(shutil.copy(file, folder)) for file in arguments.files]
        soak = Soak(Server(arguments.program), [Document(file) for file in files], random.Random(arguments.seed))
        soak.begin()
        soak.run(arguments.steps, when_to_kill(arguments.steps, arguments.kills))
        status = soak.end()
    half = len(soak.memory) // 2
    first, second = (sum(part) / len(part) / 1024 for part in (soak.memory[:half], soak.memory[half:]))
    tenth = max(1, len(soak.memory) // 10)
    course = [sum(part) // len(part) // 1024
              for part in (soak.memory[at:at + tenth] for at in range(0, len(soak.memory), tenth))]
    print(f"  memory in MiB, by tenths of the steps: {' '.join(map(str, course))}")
    slowest, unhindered = (max(each, default=0) for each in zip(*soak.waits or [(0, 0)]))
    for (method, outcome), count in sorted(soak.answers.items()):
        print(f"  {count:5} {outcome:6} {method}")
    print(f"{arguments.steps} steps, {len(soak.waits)} kills, a file answered again within {slowest:.2f} s, "
          f"{unhindered:.2f} s without what it waited for a processor; "
          f"memory {first:.0f} MiB on average in the first half, {second:.0f} MiB in the second; exit status {status}")
    if status != 0 or second > first * (1 + arguments.grows / 100) or unhindered > arguments.within:
        sys.exit("FAILED")


if __name__ == "__main__":
    main()
