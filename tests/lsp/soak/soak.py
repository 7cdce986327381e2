#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A long session with the language server: random edits and requests in several files, and workers that are killed.

usage: soak.py [--steps N] [--kills N] [--seed N] [--grows PERCENT] PROGRAM FILE...

Fails if the server ends or sends what is no message, if diagnostics come for a version that is not the newest one known or
are older than some that came before, if a file that has its first text again does not get its first diagnostics again, or
if the memory of the server and its worker grows by more than PERCENT from the middle to the end. Prints how long answers
took after a kill; a test does not judge time.
"""
import argparse
import json
import os
import pathlib
import queue
import random
import signal
import subprocess
import sys
import threading
import time

PATIENCE = 60


class Server:
    def __init__(self, program):
        self.process = subprocess.Popen([program, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        self.messages = queue.Queue()
        self.lastId = 0
        threading.Thread(target=self.read, daemon=True).start()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def notify(self, method, params):
        self.send({"method": method, "params": params})

    def request(self, method, params):
        self.lastId += 1
        self.send({"id": self.lastId, "method": method, "params": params})
        return self.lastId

    def read(self):
        stream = self.process.stdout
        while True:
            size = 0
            while (line := stream.readline()) not in (b"\r\n", b""):
                if line.lower().startswith(b"content-length:"):
                    size = int(line.split(b":")[1])
            if not size:
                self.messages.put(None)
                return
            message = json.loads(stream.read(size))
            if "method" in message and "id" in message:
                items = message.get("params", {}).get("items", [])
                self.send({"id": message["id"], "result": [{"noToolkit": True}] * len(items)})
            else:
                self.messages.put(message)

    def worker(self):
        for task in pathlib.Path(f"/proc/{self.process.pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                return int(child)
        return None

    def memory(self):
        """Proportional set size of server and worker, in KiB."""
        total = 0
        for pid in (self.process.pid, self.worker()):
            try:
                for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
                    if line.startswith("Pss:"):
                        total += int(line.split()[1])
            except OSError:
                pass
        return total


class Document:
    def __init__(self, path):
        self.uri = path.resolve().as_uri()
        self.first = self.text = path.read_text()
        self.version = 1
        self.seen = 0
        self.diagnostics = None

    def lines(self):
        return self.text.split("\n")

    def offset(self, line, column):
        return sum(len(each) + 1 for each in self.lines()[:line]) + column

    def place(self, dice):
        lines = self.lines()
        line = dice.randrange(len(lines))
        return line, dice.randrange(len(lines[line]) + 1)

    def change(self, begin, end, new):
        """Puts `new` for what is between two places; the LSP event."""
        self.text = self.text[:self.offset(*begin)] + new + self.text[self.offset(*end):]
        self.version += 1
        position = lambda place: {"line": place[0], "character": place[1]}
        return {"range": {"start": position(begin), "end": position(end)}, "text": new}


class Soak:
    def __init__(self, server, documents, dice):
        self.server, self.documents, self.dice = server, documents, dice
        self.byUri = {document.uri: document for document in documents}
        self.waits = []

    def take(self, message):
        if message is None:
            raise SystemExit(f"FAILED: the server ended with status {self.server.process.wait()}")
        if message.get("method") != "textDocument/publishDiagnostics":
            return
        params = message["params"]
        document = self.byUri.get(params["uri"])
        if document is None:
            return
        version = params["version"]
        if version > document.version or version < document.seen:
            raise SystemExit(f"FAILED: diagnostics of version {version}, now {document.version}, before {document.seen}")
        document.seen = version
        document.diagnostics = sorted(json.dumps([each["code"], each["range"]]) for each in params["diagnostics"])

    def until(self, condition, what):
        end = time.monotonic() + PATIENCE
        while not condition():
            try:
                self.take(self.server.messages.get(timeout=max(0.01, end - time.monotonic())))
            except queue.Empty:
                raise SystemExit(f"FAILED: {what} did not come within {PATIENCE} s") from None

    def drain(self):
        while not self.server.messages.empty():
            self.take(self.server.messages.get())

    def open(self):
        self.server.request("initialize", {"capabilities": {"general": {"positionEncodings": ["utf-32"]},
                                                            "workspace": {"configuration": True}}})
        self.server.notify("initialized", {})
        for document in self.documents:
            self.server.notify("textDocument/didOpen", {"textDocument": {
                "uri": document.uri, "languageId": "cuda-cpp", "version": 1, "text": document.text}})
        self.settle()
        for document in self.documents:
            document.expected = document.diagnostics

    def changed(self, document, event):
        self.server.notify("textDocument/didChange", {
            "textDocument": {"uri": document.uri, "version": document.version}, "contentChanges": [event]})

    def restore(self, document):
        document.text = document.first
        document.version += 1
        self.changed(document, {"text": document.first})

    def settle(self):
        """Waits until every document has the last word on its version: two restored ones with fixes come later."""
        for document in self.documents:
            self.until(lambda: document.seen == document.version and document.diagnostics is not None,
                       f"an answer for {document.uri}")
        quiet = time.monotonic() + 1
        while time.monotonic() < quiet:
            try:
                self.take(self.server.messages.get(timeout=0.1))
                quiet = time.monotonic() + 1
            except queue.Empty:
                pass

    def verify(self):
        for document in self.documents:
            self.restore(document)
        for document in self.documents:
            self.until(lambda: document.seen == document.version and document.diagnostics == document.expected,
                       f"the first diagnostics of {document.uri} again")

    def edit(self):
        document, dice = self.dice.choice(self.documents), self.dice
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

    def ask(self):
        document = self.dice.choice(self.documents)
        line, column = document.place(self.dice)
        where = {"textDocument": {"uri": document.uri}}
        position = {"line": line, "character": column}
        method, params = self.dice.choice([
            ("textDocument/hover", {**where, "position": position}),
            ("textDocument/codeAction", {**where, "range": {"start": position, "end": position},
                                         "context": {"diagnostics": []}}),
            ("textDocument/documentSymbol", where)])
        number = self.server.request(method, params)
        if self.dice.random() < 0.2:
            self.server.notify("$/cancelRequest", {"id": number})

    def kill(self):
        worker = self.server.worker()
        if worker is None:
            return
        os.kill(worker, signal.SIGKILL)
        begin = time.monotonic()
        document = self.dice.choice(self.documents)
        self.restore(document)
        self.until(lambda: document.seen == document.version and document.diagnostics == document.expected,
                   f"an answer for {document.uri} after the worker was killed")
        self.waits.append(time.monotonic() - begin)

    def step(self):
        (self.edit if self.dice.random() < 0.6 else self.ask)()
        self.drain()
        time.sleep(self.dice.choice([0, 0, 0.01, 0.05, 0.3]))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--grows", type=float, default=5)
    parser.add_argument("program")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()

    server = Server(arguments.program)
    soak = Soak(server, [Document(path) for path in arguments.files], random.Random(arguments.seed))
    soak.open()
    kills = {round((i + 1) * arguments.steps / (arguments.kills + 1)) for i in range(arguments.kills)}
    memory = []
    for step in range(arguments.steps):
        soak.step()
        if step in kills:
            soak.kill()
        if step in (arguments.steps // 2, arguments.steps - 1):
            soak.verify()
            memory.append(server.memory())
    server.request("shutdown", None)
    server.notify("exit", None)
    status = server.process.wait(timeout=PATIENCE)
    slowest = f"{max(soak.waits):.2f} s" if soak.waits else "none"
    print(f"{arguments.steps} steps, {len(soak.waits)} kills, slowest answer after one: {slowest}; "
          f"memory {memory[0] // 1024} MiB, then {memory[-1] // 1024} MiB; exit status {status}")
    if status != 0 or memory[-1] > memory[0] * (1 + arguments.grows / 100):
        sys.exit("FAILED")


if __name__ == "__main__":
    main()
