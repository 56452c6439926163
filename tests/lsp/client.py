# A client of `drystone lsp` that follows a script, for tests/lsp/test_server.sh. Prints TAP.
import json
import os
import random
import subprocess
import sys

program, root, scratch = sys.argv[1:4]
checks = wrong = 0


def check(name, good, shown=None):
    global checks, wrong
    checks += 1
    wrong += not good
    print("%s %d - %s" % ("ok" if good else "not ok", checks, name))
    if not good:
        print("# " + json.dumps(shown)[:2000])


class Server:
    def __init__(self):
        self.process = subprocess.Popen([program, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)
        self.asked = 0
        self.heard = []

    def raw(self, body):
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def tell(self, method, params):
        self.raw(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode())

    def hear(self):
        length = None
        while True:
            line = self.process.stdout.readline()
            if not line:
                return None
            if line == b"\r\n":
                break
            name, value = line.split(b":")
            if name == b"Content-Length":
                length = int(value)
        return json.loads(self.process.stdout.read(length).decode("utf-8"))

    def ask(self, method, params):
        self.asked += 1
        self.raw(json.dumps({"jsonrpc": "2.0", "id": self.asked, "method": method, "params": params}).encode())
        while True:
            message = self.hear()
            if message is None or message.get("id") == self.asked:
                return message
            self.heard.append(message)

    def result(self, method, params):
        return self.ask(method, params)["result"]

    # ---- documents

    def open(self, uri, text):
        self.tell("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": "drystone", "version": 1,
                                                            "text": text}})
        return self.published(uri)

    def change(self, uri, version, changes):
        self.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": version},
                                             "contentChanges": changes})
        return self.published(uri, version)

    def published(self, uri, version=None):
        while True:
            message = self.hear()
            if message is None:
                return None
            params = message.get("params", {})
            if params.get("uri") == uri and (version is None or params.get("version") == version):
                return params["diagnostics"]
            self.heard.append(message)

    def at(self, method, uri, line, character):
        return self.result("textDocument/" + method, {"textDocument": {"uri": uri},
                                                      "position": {"line": line, "character": character}})

    def hover(self, uri, line, character):
        answer = self.at("hover", uri, line, character)
        return answer["contents"]["value"] if answer else ""

    def offers(self, uri, line, character):
        return [item["label"] for item in self.at("completion", uri, line, character)["items"]]


def span(range_):
    return (range_["start"]["line"], range_["start"]["character"], range_["end"]["line"], range_["end"]["character"])


def uri_of(path):
    return "file://" + os.path.abspath(path).replace(" ", "%20")


def units(text):
    return len(text.encode("utf-16-le")) // 2


# ---- the begin and the end

server = Server()
answer = server.ask("textDocument/hover", {})
check("nothing is answered before initialize", answer.get("error", {}).get("code") == -32002, answer)
answer = server.result("initialize", {"processId": None, "capabilities": {}, "rootUri": None})
check("initialize tells what the server can do",
      answer["capabilities"]["textDocumentSync"]["change"] == 2 and answer["capabilities"]["hoverProvider"] and
      answer["capabilities"]["positionEncoding"] == "utf-16", answer)
server.tell("initialized", {})
answer = server.ask("textDocument/rename", {})
check("a method that it does not know is refused", answer["error"]["code"] == -32601, answer)
answer = server.ask("textDocument/hover", {"textDocument": {"uri": "file:///nowhere.dry"}})
check("so is a document that is not open", answer["error"]["code"] == -32602, answer)
server.raw(b'{"jsonrpc": "2.0", "id": 7, ')
answer = server.hear()
check("a message that is no JSON is refused", answer["error"]["code"] == -32700 and answer["id"] is None, answer)

# ---- messages

hello = open(os.path.join(root, "models/hello.dry"), encoding="utf-8").read()
uri = uri_of(os.path.join(root, "models/hello.dry"))
check("a model without errors has no diagnostics", server.open(uri, hello) == [])

broken = hello.replace("M*v' = fe - f", "M*v' = fe - ff")
line = broken.split("\n").index("M*v' = fe - ff")
said = server.change(uri, 2, [{"text": broken}])
check("an unknown name is an error at its place, with its word and its way out",
      any(d["severity"] == 1 and d["code"] == "unknown-name" and span(d["range"]) == (line, 12, line, 14) and
          "did you mean" in d["message"] for d in said), said)
fixes = server.result("textDocument/codeAction", {"textDocument": {"uri": uri}, "context": {"diagnostics": said},
                                                  "range": {"start": {"line": line, "character": 12},
                                                            "end": {"line": line, "character": 13}}})
edits = [fix["edit"]["changes"][uri][0] for fix in fixes]
check("what is meant can be put in its place", any(e["newText"] in ("f", "fe") and span(e["range"]) ==
                                                   (line, 12, line, 14) for e in edits), fixes)
hover = server.hover(uri, hello.split("\n").index("p' = v"), 0)
check("with errors a unit is that of the last text without", "[m]" in hover and "last text without errors" in hover,
      hover)
said = server.change(uri, 3, [{"range": {"start": {"line": line, "character": 12},
                                         "end": {"line": line, "character": 14}}, "text": "f"}])
check("a change of some letters mends it", said == [], said)

# Two changes in one message; the second one counts in the text after the first.
said = server.change(uri, 4, [{"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}},
                               "text": "# \U0001D6FD and \u00fc\r\n"},
                              {"range": {"start": {"line": 0, "character": 2}, "end": {"line": 0, "character": 4}},
                               "text": "x"}])
check("changes follow each other, in units of UTF-16", said == [], said)
check("and lines move", server.hover(uri, line + 1, 0).startswith("**M**: parameter"))

# ---- positions: before the mistake stand letters of 1 to 4 bytes

strange = "x = 1 # \u03b2 \u00e9 \U0001F600\nmeasure \u03b2 = 2\nplot x as \"\U0001F600\U0001F600\", y_1\n"
other = uri_of(os.path.join(scratch, "a folder/strange.dry"))
said = server.open(other, strange)
want = units('plot x as "\U0001F600\U0001F600", ')
check("a place is told in units of UTF-16", any(d["code"] == "unknown-name" and
                                                 span(d["range"]) == (2, want, 2, want + 3) for d in said), said)
said = server.open(other, "x = 1\r\ny = z_1\r\n")
check("lines may end with CR LF", [span(d["range"]) for d in said if d["code"] == "unknown-name"] == [(1, 4, 1, 7)],
      said)
said = server.open(other, "x = 1\rw = z_1\r")
check("a CR alone is a line end for editors and a mistake for the compiler",
      any(d["code"] == "control-character" and d["range"]["start"] == {"line": 0, "character": 5} for d in said), said)
said = server.open(other, "state x = 0 [m]\nx' = 1 [m/s] && 2\n")
fixes = server.result("textDocument/codeAction", {"textDocument": {"uri": other}, "context": {"diagnostics": []},
                                                  "range": {"start": {"line": 1, "character": 13},
                                                            "end": {"line": 1, "character": 15}}})
check("a sign of another language can be replaced",
      [f["edit"]["changes"][other][0]["newText"] for f in fixes] == ["and"], fixes)

# ---- meanings

M = hello.split("\n").index("param M = 1 [kg], F = 0.5 [N]") + 1
hover = server.hover(uri, M, 6)
check("a parameter has its value and unit", "parameter" in hover and "value 1 [kg]" in hover, hover)
F = M + 4
hover = server.hover(uri, F, 0)
check("a force has K, beta and the mass that the compiler found",
      "K = 5000 [N/m]" in hover and "beta = 0.002 [s]" in hover and "mass at the start = 1" in hover and
      "parameters: given" in hover, hover)
hover = server.hover(uri, F, 7)
check("a set says what it is", "dry friction" in hover, hover)
hover = server.hover(uri, F, hello.split("\n")[F - 1].index("[N/m]") + 1)
check("a unit is told in SI", "1 [N/m] = 1 [kg/s^2]" in hover or "1 [N/m] = 1 [N/m]" in hover, hover)
row = next(i for i, line in enumerate(hello.split("\n")) if line.startswith("measure creep")) + 1
hover = server.hover(uri, row, hello.split("\n")[row - 1].index("at(p"))
check("a word that is also a function is the function before a bracket", hover.startswith("**at** (function)"), hover)

chosen = uri_of(os.path.join(scratch, "chosen.dry"))
server.open(chosen, "param m = 2 [kg]\nstate v = 0 [m/s]\nf in 3 [N]*sgn(v)\nm*v' = 1 [N] - f\n"
                    "run until = 1 [s], step = 1 [ms]\n")
hover = server.hover(chosen, 2, 0)
check("what the compiler chose is told: 2 m/T^2, and T", "K = 4e+06 [N/m]" in hover or "K = 4000000 [N/m]" in hover,
      hover)
check("and from what", "from the step and the effective mass" in hover and "beta = 0.001 [s]" in hover, hover)

laws = uri_of(os.path.join(scratch, "laws.dry"))
server.open(laws, "state v = 0 [m/s]\nf = lugre(v, F = 0.5 [N])\nv' = -f/(1 [kg])\n"
                  "function g(a, b) = hypot(a, b)\nh = g(1, 2)\ny = sum(i for i in 1..3)\n")
hover = server.hover(laws, 1, 5)
check("a law has its equations and keys", "LuGre" in hover and "`F`" in hover, hover)
hover = server.hover(laws, 1, 13)
check("a key of a law has its meaning and unit", "key of `lugre`" in hover and "[N]" in hover, hover)
check("a function of the language has its form", "hypot(a, b)" in server.hover(laws, 3, 20))
check("an argument is one", "an argument of this function" in server.hover(laws, 3, 25))
check("a function of the model has its text", "function g(a, b)" in server.hover(laws, 4, 4))
check("a keyword has its meaning", "a function of your own" in server.hover(laws, 3, 0))

door = open(os.path.join(root, "models/classics/door.dry"), encoding="utf-8").read()
machine = uri_of(os.path.join(root, "models/classics/door.dry"))
server.open(machine, door)
rows = door.split("\n")
part = next(i for i, row in enumerate(rows) if row.startswith("part hinge"))
hover = server.hover(machine, part, 6)
check("a part has what was chosen for it", "chosen from the step" in hover and "hinge.K" in hover, hover)
hover = server.hover(machine, part, rows[part].index("hinge()"))
check("a kind of part has its ports and keys", "kind of part" in hover and "`K`" in hover, hover)
plot = next(i for i, row in enumerate(rows) if row.startswith("plot stop.f"))
hover = server.hover(machine, plot, 10)
check("a quantity of a part has its unit", "N m" in hover, hover)

# ---- completion

check("a statement begins with a keyword or a name", {"param", "plot", "M", "include"} <=
      set(server.offers(uri, line + 1, 0)))
check("a unit follows a bracket", {"N", "kg", "mm"} & set(server.offers(uri, M, hello.split("\n")[M - 1].index("[") + 1)))
server.change(chosen, 2, [{"text": "state v = 0 [m/s]\nf in 3 [N]*sgn(v) with \nv' = -f/(1 [kg])\nrun method = \n"}])
check("keys of a set follow with", server.offers(chosen, 1, 23) == ["K", "beta", "B", "law"],
      server.offers(chosen, 1, 23))
check("methods follow method =", "rk4" in server.offers(chosen, 3, 13), server.offers(chosen, 3, 13))
server.change(machine, 2, [{"text": door.replace("plot th\n", "plot stop.\n")}])
where = next(i for i, row in enumerate(rows) if row == "plot th")
check("members follow a dot", {"f", "p"} <= set(server.offers(machine, where, 10)), server.offers(machine, where, 10))
server.change(machine, 3, [{"text": door.replace("hinge()", "hinge(")}])
check("keys of a kind follow its bracket", "K" in server.offers(machine, part, len("part hinge  = hinge(")),
      server.offers(machine, part, len("part hinge  = hinge(")))
check("nothing is offered in a comment", server.offers(machine, 0, 10) == [])

# ---- included files, definitions, symbols

os.makedirs(os.path.join(scratch, "parts of it"), exist_ok=True)
with open(os.path.join(scratch, "parts of it/motor.dry"), "w", encoding="utf-8") as file:
    file.write("# a motor\nparam F = 2 [N]\nstate w = 0 [m/s]\nw' = F/(1 [kg])\n")
main = uri_of(os.path.join(scratch, "parts of it/main.dry"))
text = 'include "motor.dry" as m\nplot m.w\n'
check("an included file is found beside the document", server.open(main, text) == [])
found = server.at("definition", main, 1, 7)
check("a name of an included file is defined there",
      found[0]["uri"].endswith("/parts%20of%20it/motor.dry") and span(found[0]["range"])[:2] == (2, 6), found)
found = server.at("definition", main, 0, 12)
check("the name of a file leads to it", found[0]["uri"].endswith("/motor.dry"), found)
check("completion knows the names of the file", {"w", "F"} <= set(server.offers(main, 1, 7)),
      server.offers(main, 1, 7))
with open(os.path.join(scratch, "parts of it/motor.dry"), "w", encoding="utf-8") as file:
    file.write("# a motor\nparam F = 2 [N]\nstate w = 0 [m/s]\nw' = G/(1 [kg])\n")
server.tell("textDocument/didSave", {"textDocument": {"uri": "file:///elsewhere"}})
said = server.published(main)
check("a mistake in an included file is at the text that includes it, and points there",
      span(said[0]["range"])[:2] == (0, 8) and
      span(said[0]["relatedInformation"][0]["location"]["range"])[:2] == (3, 5), said)
found = server.at("definition", laws, 4, 4)
check("a function is found", span(found[0]["range"]) == (3, 9, 3, 10), found)
found = server.at("definition", laws, 3, 25)
check("so is an argument", span(found[0]["range"]) == (3, 11, 3, 12), found)
symbols = server.result("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
check("symbols are what the text defines", [s["name"] for s in symbols] ==
      ["block", "M", "F", "p", "v", "fe", "f", "creep"], [s["name"] for s in symbols])
check("their names lie inside of their statements",
      all(span(s["range"])[:2] <= span(s["selectionRange"])[:2] and
          span(s["selectionRange"])[2:] <= span(s["range"])[2:] for s in symbols), symbols)

# ---- the end

server.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
check("a document that is closed has no diagnostics", server.published(uri) == [])
check("shutdown is answered", server.result("shutdown", None) is None)
answer = server.ask("textDocument/hover", {"textDocument": {"uri": laws}})
check("then only exit may follow", answer["error"]["code"] == -32600, answer)
server.tell("exit", None)
check("and it ends with 0", server.process.wait() == 0)
server.process.stdin.close()

impatient = Server()
impatient.result("initialize", {})
impatient.tell("exit", None)
check("without shutdown it ends with 1", impatient.process.wait() == 1)

# After random changes the server has the text that the editor has: it says the same about both.
def offset_of(text, line, character):
    """Where a position is in a text of UTF-16 units, as two bytes each; a place within a pair is its begin."""
    begins, i = [0], 0
    while i < len(text):
        unit = text[i:i + 2]
        i += 2
        if unit == b"\r\0" and text[i:i + 2] == b"\n\0":
            i += 2
        if unit in (b"\r\0", b"\n\0"):
            begins.append(i)
    if line >= len(begins):
        return len(text)
    end = begins[line]
    while end < len(text) and text[end:end + 2] not in (b"\r\0", b"\n\0"):
        end += 2
    at = min(begins[line] + 2 * character, end)
    inside = begins[line] < at < len(text) and 0xDC00 <= int.from_bytes(text[at:at + 2], "little") < 0xE000
    return at - 2 if inside else at


draw = random.Random(5)
typist, copy = Server(), Server()
for server in (typist, copy):
    server.result("initialize", {})
here = uri_of(os.path.join(root, "models/hello.dry"))
bits = ["x", "1 [N]", "\n", "\r\n", "\r", "\U0001F600", "\u03b2", " ", "(", "]", "plot q\n", "\u00e9", ""]
mirror, rounds, differ = b"", 0, []
while rounds < 600 and not differ:
    if rounds % 40 == 0:
        mirror = hello.encode("utf-16-le")
        typist.open(here, hello)
    line, character = draw.randrange(18), draw.randrange(45)
    wide = draw.choice([0, 0, 1, 3, 20])
    bit = draw.choice(bits)
    start, end = offset_of(mirror, line, character), offset_of(mirror, line, character + wide)
    mirror = mirror[:start] + bit.encode("utf-16-le") + mirror[end:]
    rounds += 1
    got = typist.change(here, rounds, [{"range": {"start": {"line": line, "character": character},
                                                 "end": {"line": line, "character": character + wide}}, "text": bit}])
    whole = copy.open(here, mirror.decode("utf-16-le"))
    if got != whole:
        differ = [rounds, got, whole]
check("600 random changes of a text with letters of all widths leave the text that the editor has", not differ, differ)
for server in (typist, copy):
    server.process.stdin.close()
    server.process.wait()

# A message that is too large is refused before its bytes come, and skipped; the next one is read.
large = Server()
large.result("initialize", {})
large.process.stdin.write(b"Content-Length: %d\r\n\r\n" % (65 << 20))
large.process.stdin.flush()
said = large.hear()
check("a message that is too large is refused before it came", "64 MB" in said["params"]["message"], said)
for _ in range(65):
    large.process.stdin.write(b" " * (1 << 20))
check("the next one is answered", large.result("shutdown", None) is None)
large.tell("exit", None)
check("and it ends well", large.process.wait() == 0)

# A request that is cancelled before it is read is answered all the same, once, as the protocol allows.
busy = Server()
busy.result("initialize", {})
busy.open(uri, hello)
for k in range(100):
    busy.raw(json.dumps({"jsonrpc": "2.0", "id": 1000 + k, "method": "textDocument/hover", "params": {
        "textDocument": {"uri": uri}, "position": {"line": k % 15, "character": 0}}}).encode())
    busy.tell("$/cancelRequest", {"id": 1000 + k})
answers = [busy.hear()["id"] for k in range(100)]
check("cancelled requests are answered once, in order", answers == list(range(1000, 1100)), answers)
beyond = {"line": 10**12, "character": -1}
answer = busy.ask("textDocument/codeAction", {"textDocument": {"uri": uri}, "range": {"start": beyond, "end": beyond}})
check("places beyond the text are its end", answer["result"] == [], answer)
busy.process.stdin.close()
check("an editor that is gone ends it", busy.process.wait() == 1)

# A change from behind to before cannot be made: the server says so, and does not go on with another text.
busy = Server()
busy.result("initialize", {})
busy.open(uri, hello)
busy.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [
    {"range": {"start": {"line": 3, "character": 0}, "end": {"line": 1, "character": 0}}, "text": "x"}]})
while True:
    said = busy.hear()
    if said is None or said["method"] == "window/showMessage":
        break
check("a change from behind to before is refused aloud",
      said is not None and "could not be made" in said["params"]["message"], said)
busy.process.stdin.close()
busy.process.wait()

# A heading may end in a bare newline, as simple clients write it.
body = b'{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}'
simple = subprocess.run([program, "lsp"], input=b"Content-Length: %d\n\n%s" % (len(body), body), stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE)
check("a heading may end in a bare newline", b'"capabilities"' in simple.stdout, simple.stdout[:200])

strange = subprocess.run([program, "lsp"], input=b"Content-Length: 5x\r\n\r\n{}   ", stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE)
check("a length that is no number is refused", strange.returncode == 1 and b"Content-Length" in strange.stderr,
      strange.stderr.decode())

lost = subprocess.run([program, "lsp"], input=b"run models/hello.dry\n\n", stdout=subprocess.PIPE,
                      stderr=subprocess.PIPE)
check("who types into it is told what it is for", lost.returncode == 1 and b"from an editor" in lost.stderr,
      lost.stderr.decode())

print("1..%d" % checks)
sys.exit(wrong > 0)
