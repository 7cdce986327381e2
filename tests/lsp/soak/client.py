# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The client's end of a language server on pipes, and the documents that it has open."""
import json
import os
import pathlib
import queue
import signal
import subprocess
import threading


def position(place):
    return {"line": place[0], "character": place[1]}


def children_of(pid):
    found = []
    try:
        for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
            found += [int(child) for child in (task / "children").read_text().split()]
    except OSError:
        pass  # a thread that ended meanwhile
    return found


class Server:
    def __init__(self, program):
        self.process = subprocess.Popen([program, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL)
        self.messages = queue.Queue()
        self.lastId = 0
        self.sending = threading.Lock()
        threading.Thread(target=self.read, daemon=True).start()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        with self.sending:
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
                self.answer(message)
            else:
                self.messages.put(message)

    def answer(self, call):
        settings = {"noToolkit": True, "divergentCode": True}
        items = (call.get("params") or {}).get("items", [])
        self.send({"id": call["id"], "result": [settings] * len(items)})

    def children(self):
        """The checker's process, and that of a run while there is one."""
        return children_of(self.process.pid)

    def descendants(self):
        found, waiting = [], [self.process.pid]
        while waiting:
            found.append(waiting.pop())
            waiting += children_of(found[-1])
        return found

    def kill_children(self):
        for child in self.children():
            try:
                os.kill(child, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def memory(self):
        """Proportional set size of the server and its processes, in KiB, without pages of files: how much of those is
        theirs depends on who else runs the program."""
        total = 0
        for pid in self.descendants():
            try:
                for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
                    if line.startswith(("Pss_Anon:", "Pss_Shmem:")):
                        total += int(line.split()[1])
            except OSError:
                pass
        return total

    def hindered(self):
        """How long threads that are there were ready and had no processor, each in seconds: others were busy."""
        waits = {}
        for pid in self.descendants():
            for stat in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat"):
                try:
                    waits[stat] = int(stat.read_text().split()[1]) / 1e9
                except OSError:
                    pass
        return waits


class Document:
    """A file as the editor has it. The last diagnostics were about the version `seen`; of that they may have been the
    first ones known, until it is `checked`. `busy`: a check of it has begun."""

    def __init__(self, path):
        self.path = path.resolve()
        self.uri = self.path.as_uri()
        self.first = self.text = path.read_text()
        self.version = 0
        self.seen = self.checked = 0
        self.open = self.busy = False
        self.diagnostics = None

    def lines(self, text=None):
        return (self.text if text is None else text).split("\n")

    def offset(self, line, column):
        return sum(len(each) + 1 for each in self.lines()[:line]) + column

    def place(self, dice):
        lines = self.lines()
        line = dice.randrange(len(lines))
        return line, dice.randrange(len(lines[line]) + 1)

    def change(self, begin, end, new):
        """Puts `new` for what is between two places; the LSP event."""
        self.text = self.text[:self.offset(*begin)] + new + self.text[self.offset(*end):]
        return {"range": {"start": position(begin), "end": position(end)}, "text": new}

    def named(self):
        return {"textDocument": {"uri": self.uri}}

    def whole(self):
        lines = self.lines()
        return {"start": position((0, 0)), "end": position((len(lines) - 1, len(lines[-1])))}

    def questions(self):
        """What is asked whenever the text is the first one: the answers must be the first ones, too."""
        asked = [("textDocument/documentSymbol", self.named()), ("textDocument/codeLens", self.named()),
                 ("textDocument/semanticTokens/full", self.named()), ("textDocument/diagnostic", self.named()),
                 ("textDocument/inlayHint", {**self.named(), "range": self.whole()})]
        for number, line in enumerate(self.lines()):
            for word in ("sync", "__global__ void ", "__device__ "):
                if word in line:
                    where = position((number, line.index(word) + len(word)))
                    asked.append(("textDocument/hover", {**self.named(), "position": where}))
        return asked
