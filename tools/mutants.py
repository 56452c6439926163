#!/usr/bin/env python3
"""Changes one sign, constant or comparison of the sources at a time and lists the changes that no test sees.

    mutants.py run BUILD [--room ROOM] [--many N|all] [--seed N] [--jobs N] [--seconds N]     `make mutants`
    mutants.py list FILE...     every change that it would make to these files

A mutant is src/ROOM/*.c, *.h or *.def with one change. BUILD is a CMake build (Unix Makefiles) with
CMAKE_EXPORT_COMPILE_COMMANDS. `run` compiles the objects that read the file once more, from a changed copy in a scratch
folder of BUILD, and links them into the test programs in place of the built ones. It never writes to the sources.
First it runs the tests of the mutant's own room, then the quickest test programs of the rooms that may use it
(tools/rooms.txt) and the expectations of models, as many as take SECONDS together. It runs each list by time and stops
at the first failure.

A mutant is killed if a program fails twice (some tests measure time), loses a test or takes far too long. Mutants that
do not compile, or compile to the same code, do not count. Exits with 0 if it could count, whatever survived. The times
of the programs are kept in BUILD/measured.json until the build changes. The inline functions of include/drystone are
not changed: nearly every object reads them.
"""

import argparse
import collections
import concurrent.futures
import glob
import json
import os
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
KINDS = (".c", ".h", ".def")
MEMORY = 4 << 20  # of a program, KiB
OUTPUT = 1 << 20  # of a file that it writes, blocks of 512 bytes


class Mistake(Exception):
    """What the user can mend."""


# ---- changes to a text ---------------------------------------------------------------------------------------------

TOKEN = re.compile(r"""
      (?P<comment>   /\*.*?\*/ | //[^\n]* )
    | (?P<directive> ^[ \t]*\#(?: \\\n | /\*.*?\*/ | [^\n] )* )
    | (?P<string>    "(?: \\. | [^"\\\n] )*" | '(?: \\. | [^'\\\n] )*' )
    | (?P<number>    \.?\d(?: [eEpP][+-] | [\w.] )* )
    | (?P<word>      [A-Za-z_]\w* )
    | (?P<sign>      -> | \+\+ | -- | <<=? | >>=? | [-+*/%&|^<>=!]= | && | \|\| | \.\.\. | [^\s\w] )
    """, re.VERBOSE | re.MULTILINE | re.DOTALL)

ARITHMETIC = {"+": "-", "-": "+", "*": "/", "/": "*"}
SIGNS = {
    "<": ("<=", ">"), ">": (">=", "<"), "<=": ("<",), ">=": (">",), "==": ("!=",), "!=": ("==",),
    "&&": ("||",), "||": ("&&",), "+=": ("-=",), "-=": ("+=",), "*=": ("/=",), "/=": ("*=",),
}
WORDS = {"true": "false", "false": "true"}
NOT_OPERANDS = {"return", "case", "sizeof", "else", "do", "goto"}
TYPES = {"char", "short", "int", "long", "float", "double", "unsigned", "signed", "bool", "size_t"}
ASSERTS = re.compile(r"(DRY_ASSERT|assert|static_assert|_Static_assert)$")
NOTHING = {"0", "0.0", "NULL", "false"}

Token = collections.namedtuple("Token", "kind text start end")
Mutation = collections.namedtuple("Mutation", "start end old new")


def tokens_of(text):
    """The tokens that the compiler itself reads: no comments, no directives."""
    found = (Token(m.lastgroup, m.group(), m.start(), m.end()) for m in TOKEN.finditer(text))
    return [token for token in found if token.kind not in ("comment", "directive")]


def closing(tokens, first):
    """The index of the bracket that closes the one at `first`, or of the last token."""
    depth = 0
    for index in range(first, len(tokens)):
        depth += (tokens[index].text in "([{") - (tokens[index].text in ")]}")
        if depth == 0:
            return index
    return len(tokens) - 1


def left_alone(tokens):
    """The indices of all tokens in assertions and lists of enum tags."""
    alone = set()
    for index, token in enumerate(tokens):
        first = index + 1
        if token.text == "enum":
            while first < len(tokens) and tokens[first].kind == "word":
                first += 1
        wanted = "{" if token.text == "enum" else "(" if ASSERTS.match(token.text) else None
        if wanted and first < len(tokens) and tokens[first].text == wanted:
            alone.update(range(first, closing(tokens, first) + 1))
    return alone


def is_operand(token):
    return token.kind in ("number", "string", "word") and token.text not in NOT_OPERANDS or token.text in ")]"


def even(text, token):
    """A binary operator has blanks on both sides or on none; the star of a pointer has one on its left."""
    return text[token.start - 1].isspace() == text[token.end:token.end + 1].isspace()


def declares(text, tokens, bracket):
    """Whether the bracket holds the size of an array rather than an index."""
    name, before = tokens[bracket - 1], tokens[bracket - 2] if bracket > 1 else None
    if name.text == "]":
        depth, first = 1, bracket - 1
        while depth and first:
            first -= 1
            depth += (tokens[first].text == "]") - (tokens[first].text == "[")
        return declares(text, tokens, first)
    if name.text in TYPES:
        return True
    if name.kind != "word" or not before:
        return False
    if before.text == "*" and not even(text, before):
        return tokens[bracket - 3].kind == "word" and tokens[bracket - 3].text not in NOT_OPERANDS
    if before.text == ",":
        return begins_as_declaration(tokens, bracket)
    return before.kind == "word" and before.text not in NOT_OPERANDS


def begins_as_declaration(tokens, index):
    """Whether the statement around index, outside of brackets, begins with a type and a name."""
    depth = 0
    while index and tokens[index - 1].text not in ";{}":
        index -= 1
        depth += (tokens[index].text in "([") - (tokens[index].text in ")]")
    return depth <= 0 and all(token.kind == "word" or token.text == "*" for token in tokens[index:index + 2]) and \
        tokens[index].text not in NOT_OPERANDS


def array_sizes(text, tokens):
    """The indices of all tokens in sizes of arrays."""
    sizes = set()
    for index, token in enumerate(tokens):
        if token.text == "[" and index and declares(text, tokens, index):
            sizes.update(range(index, closing(tokens, index) + 1))
    return sizes


def other_numbers(literal):
    """2c, 0 and c + 1, as text; none of a literal that is no plain number."""
    found = re.match(r"(0[xX][0-9a-fA-F]+|\d+)([uUlL]*)$", literal)
    if found:
        if re.match(r"0\d", literal):
            return []
        value, suffix, show = int(found.group(1), 0), found.group(2), str
    else:
        found = re.match(r"([\d.]+(?:[eE][-+]?\d+)?)([fFlL]?)$", literal)
        if not found:
            return []
        value, suffix, show = float(found.group(1)), found.group(2), repr
    others = []
    for other in (2 * value, 0 * value, value + 1):
        if other != value and show(other) not in others:
            others.append(show(other))
    return [other + suffix for other in others if other != "inf"]


def change_of_return(text, tokens, index):
    """`return value;` -> `return 0;`"""
    last = index + 1
    while last < len(tokens) and tokens[last].text != ";":
        last = closing(tokens, last) + 1 if tokens[last].text in "([{" else last + 1
    if last >= len(tokens) or last == index + 1:
        return []
    value = text[tokens[index + 1].start:tokens[last - 1].end]
    if value in NOTHING:
        return []
    return [Mutation(tokens[index].start, tokens[last - 1].end, "return " + value, "return 0")]


def changes_of(text, tokens, index):
    """What can be put instead of one token."""
    token, before = tokens[index], tokens[index - 1] if index else None
    if token.kind == "number":
        return [Mutation(token.start, token.end, token.text, other) for other in other_numbers(token.text)]
    if token.text in SIGNS:
        return [Mutation(token.start, token.end, token.text, other) for other in SIGNS[token.text]]
    if token.text in WORDS:
        return [Mutation(token.start, token.end, token.text, WORDS[token.text])]
    if token.text == "return":
        return change_of_return(text, tokens, index)
    if token.text in ARITHMETIC and before and is_operand(before):
        return [Mutation(token.start, token.end, token.text, ARITHMETIC[token.text])] if even(text, token) else []
    if token.text == "-":
        return [Mutation(token.start, token.end, token.text, "")]
    return []


def mutations_of(text):
    """Every change, in the order of the text."""
    tokens = tokens_of(text)
    alone = left_alone(tokens) | array_sizes(text, tokens)
    return [change for index in range(len(tokens)) if index not in alone for change in changes_of(text, tokens, index)]


def line_of(path, text, change):
    """`src/rigid/prox.c:41:17  <  ->  <=   (line of code)`"""
    before = text[:change.start]
    row, column = before.count("\n") + 1, change.start - before.rfind("\n")
    old = " ".join(change.old.split())
    return f"{path}:{row}:{column}  {old}  ->  {change.new or 'nothing'}   ({text.splitlines()[row - 1].strip()})"


# ---- the house and its build ---------------------------------------------------------------------------------------


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def rooms_and_users():
    """Rooms in the order of tools/rooms.txt: {room: the rooms that may use it}."""
    lines = read(os.path.join(ROOT, "tools/rooms.txt")).splitlines()
    rows = [[cell.strip() for cell in line.split("|")] for line in lines if line[:1].isdigit()]
    users = {row[1]: [] for row in rows}
    for floor, room, _, uses in rows:
        below = [other[1] for other in rows if int(other[0]) < int(floor)]
        for used in below if uses == "below" else uses.split():
            users[used].append(room)
    return users


class Build:
    """How the objects are compiled, which files each one reads, and how programs are linked."""

    def __init__(self, folder):
        self.folder = os.path.abspath(folder)
        commands = os.path.join(self.folder, "compile_commands.json")
        if not os.path.exists(commands) or not os.path.exists(self.path("tests.txt")):
            raise Mistake(f"no build in {folder}; `make mutants` makes it")
        self.compile, self.readers, self.links = {}, collections.defaultdict(list), {}
        for entry in json.loads(read(commands)):
            words = shlex.split(entry["command"])
            self.compile[words[words.index("-o") + 1]] = words
        for thing in self.compile:
            if os.path.exists(self.path(thing + ".d")):
                for name in re.split(r"[\s\\]+", read(self.path(thing + ".d")).partition(":")[2].strip()):
                    self.readers[os.path.normpath(self.path(name))].append(thing)  # a launcher may make it relative
        for path in glob.glob(self.path("CMakeFiles/*.dir/link.txt")):
            words = shlex.split(read(path))
            if "-o" in words:
                self.links[words[words.index("-o") + 1]] = words

    def path(self, name):
        return os.path.join(self.folder, name)

    def compile_command(self, thing, room, copy, to):
        """The object with the changed copy of a room's folder, src/ROOM, instead of the folder itself."""
        words = list(self.compile[thing])
        source = words[words.index("-c") + 1]
        own = os.path.join(ROOT, "src", room) + os.sep
        if source.startswith(own):
            source = os.path.join(copy, "src", room, source[len(own):])
        words[words.index("-c") + 1] = source
        words[words.index("-o") + 1] = to
        first = next(i for i, word in enumerate(words) if word.startswith("-"))  # a launcher may stand before the compiler
        return words[:first] + ["-w", "-I" + os.path.join(copy, "src")] + words[first:]

    def link_command(self, program, objects, to):
        """The program with objects in place of built ones; those of the library go before it and so hide its own."""
        words, named = [], self.links[program]
        for word in named:
            if word == "libdrystone.a":
                words += [objects[thing] for thing in objects if thing.startswith("CMakeFiles/drystone_objects.dir")]
            words.append(objects.get(word, word))
        words[words.index(program, words.index("-o"))] = to
        return words


# ---- programs that look at a mutant --------------------------------------------------------------------------------


class Program:
    """A test program, a script, or models with their expectations, and what is linked to run it."""

    def __init__(self, name, room, targets, words):
        self.name, self.room, self.targets, self.words = name, room, targets, words
        self.seconds, self.passed = 0.0, 0


def programs_of(build, rooms):
    found = []
    for line in read(build.path("tests.txt")).split():
        name = os.path.basename(line)
        if line.endswith(".sh"):
            found.append(Program(line, line.split("/")[1], ["drystone"], [os.path.join(ROOT, line)]))
        else:
            room = name.split("_test_")[0]
            targets = ["tests/" + name] + ["drystone"] * (room == "cli")  # whose tests call the command
            found.append(Program(name, room, targets, []))
    models = [path for pattern in ("*.dry", "classics", "papers/*", "robots")
              for path in sorted(glob.glob(os.path.join(ROOT, "models", pattern)))
              if path.endswith(".dry") or os.path.isdir(path)]
    found = [program for program in found if program.room in rooms]
    found += [Program(os.path.relpath(path, ROOT), None, ["drystone"], ["test", "--quiet", path]) for path in models]
    return [program for program in found if all(target in build.links for target in program.targets)]


class Runner:
    """Starts programs, and ends those that it started."""

    def __init__(self):
        self.lock, self.alive, self.stopped = threading.Lock(), set(), False

    def start(self, words, **options):
        with self.lock:
            if self.stopped:
                raise KeyboardInterrupt
            process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT,
                                       start_new_session=True, **options)
            self.alive.add(process)
            return process

    def run(self, words, limit=3600, **options):
        """(the status, or None if it took too long; seconds of the processor, which a busy machine does not change)."""
        process = self.start(words, **options)
        last, ended = time.monotonic() + limit, os.WEXITED | os.WNOHANG | os.WNOWAIT
        try:
            while time.monotonic() < last and not os.waitid(os.P_PID, process.pid, ended):
                time.sleep(0.005)
        finally:
            with self.lock:
                self.alive.discard(process)
            kill(process)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        slow = process.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
        return None if slow else process.returncode, usage.ru_utime + usage.ru_stime

    def stop(self):
        with self.lock:
            self.stopped = True
            for process in self.alive:
                kill(process)


def kill(process):
    """Ends a process of the runner and its children. Its number stays taken until somebody waits for it."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


class Bench:
    """One mutant, or none, in a scratch folder of its own, with the programs that are linked for it."""

    def __init__(self, runner, build, folder):
        self.runner, self.build, self.folder, self.objects = runner, build, folder, {}
        for name in ("objects", "build/tests", "home", "tmp"):
            os.makedirs(os.path.join(folder, name))
        self.environment = {key: value for key, value in os.environ.items()
                            if key not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")}
        self.environment.update(DRY_BUILD=os.path.join(folder, "build"), HOME=os.path.join(folder, "home"),
                                TMPDIR=os.path.join(folder, "tmp"), CMOCKA_MESSAGE_OUTPUT="TAP")

    def command(self, words):
        return self.runner.run(words, cwd=self.build.folder, stdout=subprocess.DEVNULL)[0] == 0

    def compile(self, path, text):
        """`new`, `same` if no object differs from the built one, or `broken`."""
        room = path.split("/")[1]
        shutil.copytree(os.path.join(ROOT, "src", room), os.path.join(self.folder, "src", room))
        with open(os.path.join(self.folder, path), "w", encoding="utf-8") as file:
            file.write(text)
        for number, thing in enumerate(self.build.readers[os.path.join(ROOT, path)]):
            to = os.path.join(self.folder, "objects", f"{number}.o")
            if not self.command(self.build.compile_command(thing, room, self.folder, to)):
                return "broken"
            with open(to, "rb") as new, open(self.build.path(thing), "rb") as built:
                if new.read() != built.read():
                    self.objects[thing] = to
        return "new" if self.objects else "same"

    def look(self, program, limit):
        """(status or None, seconds, how many tests passed) of one program."""
        linked = [os.path.join(self.folder, "build", target) for target in program.targets]
        for target, path in zip(program.targets, linked):
            if not os.path.exists(path) and not self.command(self.build.link_command(target, self.objects, path)):
                return 1, 0, 0
        words = program.words if program.name.endswith(".sh") else linked[:1] + program.words
        limits = f"ulimit -c 0; ulimit -t {limit}; ulimit -v {MEMORY}; ulimit -f {OUTPUT}; exec \"$@\""
        printed = os.path.join(self.folder, "printed")
        with open(printed, "wb") as file:
            status, seconds = self.runner.run(["sh", "-c", limits, "sh"] + words, limit=10 * limit, cwd=ROOT,
                                              stdout=file, env=self.environment)
        with open(printed, "rb") as file:
            return status, seconds, sum(line.startswith(b"ok ") for line in file)

    def kills(self, program):
        """Whether the program sees the mutant: `failed`, `slow` or nothing."""
        for _ in range(2):
            status, _, passed = self.look(program, int(2 + 4 * program.seconds))
            if status is None:
                return "slow"
            if status == 0 and passed == program.passed:
                return ""
        return "failed"


# ---- counting ------------------------------------------------------------------------------------------------------


class Survey:
    """Measures the programs once, then judges mutants room by room."""

    def __init__(self, build, options):
        self.build, self.options, self.runner = build, options, Runner()
        self.rooms = rooms_and_users()
        self.programs = programs_of(build, self.rooms)
        self.scratch, self.number, self.lock = None, 0, threading.Lock()

    def bench(self):
        with self.lock:
            self.number += 1
            return Bench(self.runner, self.build, os.path.join(self.scratch, str(self.number)))

    def measure(self, program):
        """Runs it without a mutation: [seconds, how many tests passed], or [] if it fails even so."""
        bench = self.bench()
        try:
            for _ in range(2):
                status, seconds, passed = bench.look(program, 600)
                if status == 0:
                    return [seconds, passed]
        finally:
            shutil.rmtree(bench.folder, ignore_errors=True)
        return []

    def measured(self):
        """What was measured of this build: {program: [seconds, passed]}."""
        path = self.build.path("measured.json")
        files = [self.build.path(name) for name in self.build.links] + [self.build.path("tests.txt")] + \
            glob.glob(os.path.join(ROOT, "tests", "*", "*.sh"))
        newest = max(os.path.getmtime(file) for file in files if os.path.exists(file))
        return json.loads(read(path)) if os.path.exists(path) and os.path.getmtime(path) > newest else {}

    def measure_all(self, rooms, pool):
        """Keeps the programs that can see one of the rooms and pass without a mutation."""
        known = self.measured()
        wanted = [program for program in self.programs
                  if any(program.room == room or self.above(program, room) for room in rooms)]
        new = [program for program in wanted if program.name not in known]
        known.update(zip((program.name for program in new), pool.map(self.measure, new)))
        with open(self.build.path("measured.json"), "w", encoding="utf-8") as file:
            json.dump(known, file, indent=1)
        for program in wanted:
            if known[program.name]:
                program.seconds, program.passed = known[program.name]
            else:
                print(f"left out: {program.name} fails without a mutation", file=sys.stderr)
        self.programs = [program for program in wanted if known[program.name]]

    def above(self, program, room):
        """Whether a program of another room can see this one; models stand for tests that call the command (slow)."""
        return program.room is None or program.room in self.rooms[room] and "drystone" not in program.targets

    def seen_from(self, room):
        """(programs of the room itself, as many of the others as take so many seconds), each by time."""
        by_time = sorted(self.programs, key=lambda program: program.seconds)
        own = [program for program in by_time if program.room == room]
        above, left = [], self.options.seconds
        for program in by_time:
            if self.above(program, room):
                left -= program.seconds
                if left >= 0:
                    above.append(program)
        return own, above

    def judge(self, mutant):
        """`broken`, `same`, `own`, `above`, `slow` or `survived`."""
        path, text, change = mutant
        bench = self.bench()
        try:
            verdict = bench.compile(path, text[:change.start] + change.new + text[change.end:])
            if verdict != "new":
                return verdict
            for who, programs in zip(("own", "above"), self.seen_from(path.split("/")[1])):
                for program in programs:
                    killed = bench.kills(program)
                    if killed:
                        return "slow" if killed == "slow" else who
            return "survived"
        finally:
            shutil.rmtree(bench.folder, ignore_errors=True)

    def mutants(self, room):
        """All of a room, shuffled by the seed."""
        found = []
        for path in sorted(glob.glob(os.path.join(ROOT, "src", room, "*"))):
            if path.endswith(KINDS):
                text = read(path)
                found += [(os.path.relpath(path, ROOT), text, change) for change in mutations_of(text)]
        random.Random(f"{self.options.seed} {room}").shuffle(found)
        return found

    def judge_room(self, room, pool):
        """Judges mutants until as many count as were asked for: how often each verdict fell."""
        verdicts, waiting = collections.Counter(), self.mutants(room)
        many = len(waiting) if self.options.many is None else self.options.many
        while waiting and many > 0:
            lot, waiting = waiting[:many], waiting[many:]
            for mutant, verdict in zip(lot, pool.map(self.judge, lot)):
                verdicts[verdict] += 1
                many -= verdict not in ("broken", "same")
                if verdict == "survived":
                    print(line_of(*mutant), flush=True)
        if set(verdicts) == {"broken"}:
            raise Mistake(f"no mutant of {room} compiles: look at compile_commands.json in {self.build.folder}")
        if verdicts and not set(verdicts) - {"broken", "same"}:
            raise Mistake(f"no mutant of {room} counts, because {verdicts['same']} leave every object as it is and "
                          f"{verdicts['broken']} do not compile: look at the .d files in {self.build.folder}")
        return verdicts

    def run(self, rooms):
        self.scratch = tempfile.mkdtemp(prefix="scratch-", dir=self.build.folder)
        pool = concurrent.futures.ThreadPoolExecutor(self.options.jobs)
        try:
            self.measure_all(rooms, pool)
            rows = [(room, self.judge_room(room, pool)) for room in rooms]
            print_table(rows)
        finally:
            self.runner.stop()
            pool.shutdown(cancel_futures=True)
            shutil.rmtree(self.scratch, ignore_errors=True)


def print_table(rows):
    print(f"\n{'room':8} mutants  killed  by own tests  by others  too slow  survived   rate")
    for room, verdicts in rows:
        killed = verdicts["own"] + verdicts["above"] + verdicts["slow"]
        counted = killed + verdicts["survived"]
        rate = f"{100 * killed / counted:5.1f}%" if counted else "     -"
        print(f"{room:8} {counted:7} {killed:7} {verdicts['own']:13} {verdicts['above']:10} {verdicts['slow']:9} "
              f"{verdicts['survived']:9} {rate}")


# ---- the command ---------------------------------------------------------------------------------------------------


def whole(text, least, what):
    if not re.match(r"\d+$", text) or int(text) < least:
        raise Mistake(f"{what} must be a whole number from {least} on, not `{text}`")
    return int(text)


def list_files(paths):
    for path in paths:
        text = read(path)
        for change in mutations_of(text):
            print(line_of(path, text, change))


def run_survey(options):
    options.many = None if options.many == "all" else whole(options.many, 1, "MANY")
    options.jobs = whole(options.jobs, 1, "JOBS")
    options.seconds = whole(options.seconds, 0, "SECONDS")
    options.seed = whole(options.seed or str(random.SystemRandom().randrange(10**6)), 0, "SEED")
    survey = Survey(Build(options.build), options)
    rooms = options.room.split() or list(survey.rooms)
    for room in rooms:
        if room not in survey.rooms:
            raise Mistake(f"no room `{room}`; the rooms are {', '.join(survey.rooms)}")
    print(f"seed {options.seed}", flush=True)
    survey.run(rooms)


def interrupted(*_):
    raise KeyboardInterrupt


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    verbs = parser.add_subparsers(dest="verb", required=True)
    listing = verbs.add_parser("list", help="the changes that it would make to files")
    listing.add_argument("files", nargs="+")
    running = verbs.add_parser("run", help="make them, and run the tests")
    running.add_argument("build")
    running.add_argument("--room", default="", help="rooms, separated by blanks; all if empty")
    running.add_argument("--many", default="25", help="mutants of each room, or all")
    running.add_argument("--seed", default="", help="of the random choice; printed")
    running.add_argument("--jobs", default="1", help="mutants at a time")
    running.add_argument("--seconds", default="30", help="of the tests of other rooms, for each mutant")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, interrupted)
    try:
        list_files(options.files) if options.verb == "list" else run_survey(options)
    except (Mistake, OSError) as mistake:
        sys.exit(f"mutants: {mistake}")
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
