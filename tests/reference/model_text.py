"""Reads the text of a model: its parameters, functions, quantities, measures and expectations, as trees.

The equations of motion, the laws and the parts are read over: those are what the second programs write anew. What is
read is how a number is measured and what it is expected to be. The grammar is that of docs/language.md.

A tree is a tuple: ("number", x), ("name", n), ("member", n, [indices], m), ("index", tree, [indices]),
("call", n, [arguments]), ("list", [trees]), ("if", c, a, b), (operator, a), (operator, a, b). An argument is
(tree, window, loop) with window = (from, to) and loop = (name, first, last), or None.
"""

import math
import re

TOKEN = re.compile(r"\s*(?:(\d+\.?(?!\.)\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([A-Za-z_][A-Za-z_0-9]*)|"
                   r"(\+-|\.\.|==|!=|<=|>=|\"[^\"]*\"|.))")
SPELLINGS = {"∈": " in ", "·": "*", "×": "*", "−": "-", "²": "^2", "³": "^3", "≤": "<=", "≥": ">=", "±": "+-"}
UNITS = {"m": 1, "in": 0.0254, "ft": 0.3048, "g": 1e-3, "t": 1e3, "lb": 0.45359237, "s": 1, "min": 60, "h": 3600, "N": 1,
         "lbf": 4.4482216152605, "Pa": 1, "bar": 1e5, "J": 1, "W": 1, "Hz": 1, "rpm": 2*math.pi/60, "rad": 1,
         "deg": math.pi/180, "rev": 2*math.pi, "A": 1, "V": 1, "C": 1, "K": 1, "1": 1, "%": 0.01}
PREFIXES = {"G": 1e9, "M": 1e6, "k": 1e3, "h": 1e2, "da": 1e1, "d": 1e-1, "c": 1e-2, "m": 1e-3, "u": 1e-6, "µ": 1e-6,
            "μ": 1e-6, "n": 1e-9, "p": 1e-12}
GOES_ON = re.compile(r"([-+*/^=,<>]|\b(in|with|for|if|then|else|and|or|not|against|from|to))$")


def unit(text):
    """The factor of a unit such as `N s/um` or `1/s` to SI, or None."""
    factor = 1.0
    for sign, word, power in re.findall(r"([*/. ]?)\s*([A-Za-zµμ%]+|1)(?:\^(-?\d+))?", text.strip()):
        one = UNITS.get(word)
        for prefix, scale in PREFIXES.items():
            if one is None and word.startswith(prefix) and word[len(prefix):] in UNITS:
                one = scale*UNITS[word[len(prefix):]]
        if one is None:
            return None
        one = one**int(power or 1)
        factor = factor/one if sign == "/" else factor*one
    return factor


def statements(text):
    """The statements of a file, each in one line, without comments."""
    whole = ""
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        for old, new in SPELLINGS.items():
            line = line.replace(old, new)
        whole = (whole + " " + line).strip()
        if whole and whole.count("(") + whole.count("[") <= whole.count(")") + whole.count("]") \
           and not GOES_ON.search(whole):
            yield whole
            whole = ""


class Parser:
    """One statement, from left to right. Precedence is that of docs/language.md."""

    LEVELS = [("or",), ("and",), ("==", "!=", "<", "<=", ">", ">="), ("+", "-"), ("*", "/")]

    def __init__(self, text):
        self.text, self.tokens, self.ends, at = text, [], [], 0
        while text[at:].strip():
            match = TOKEN.match(text, at)
            self.tokens.append(match.group().strip())
            at = match.end()
            self.ends.append(at)
        self.at = 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, wanted=None):
        token = self.peek()
        if wanted is not None and token != wanted:
            raise SyntaxError(f"{wanted} expected before {token!r} in: {self.text}")
        self.at += 1
        return token

    def skip(self, token):
        if self.peek() != token:
            return False
        self.at += 1
        return True

    def so_far(self, begin):
        """The text from token `begin` to here."""
        return self.text[self.ends[begin - 1] if begin else 0:self.ends[self.at - 1]].strip()

    def expression(self, level=0):
        if level == len(self.LEVELS):
            return self.unary()
        if level == 2 and self.skip("not"):
            return ("not", self.expression(2))
        left = self.expression(level + 1)
        while self.peek() in self.LEVELS[level]:
            operator = self.take()
            left = (operator, left, self.expression(level + 1))
        return left

    def unary(self):
        if self.skip("-"):
            return ("minus", self.unary())
        if self.skip("+"):
            return self.unary()
        base = self.postfix()
        return ("^", base, self.unary()) if self.skip("^") else base

    def postfix(self):
        tree = self.primary()
        while self.peek() in ("[", "."):
            if self.skip("."):
                name, indices = (tree[1], []) if tree[0] == "name" else (tree[1][1], tree[2])
                tree = ("member", name, indices, self.take())
            else:
                tree = ("index", tree, self.indices())
        return tree

    def indices(self):
        self.take("[")
        trees = [self.expression()]
        while self.skip(","):
            trees.append(self.expression())
        self.take("]")
        return trees

    def in_unit(self, tree):
        """The tree times the unit behind it, if there is one."""
        if self.peek() == "[":
            begin = self.ends[self.at]
            end = self.text.index("]", begin)
            factor = unit(self.text[begin:end])
            if factor is not None:
                while self.take() != "]":
                    pass
                return ("*", tree, ("number", factor))
        return tree

    def primary(self):
        token = self.take()
        if token == "(":
            tree = self.expression()
            self.take(")")
            return self.in_unit(tree)
        if token == "[":
            self.at -= 1
            return self.in_unit(("list", self.indices()))
        if token == "if":
            condition = self.expression()
            self.take("then")
            yes = self.expression()
            self.take("else")
            return ("if", condition, yes, self.expression())
        if token[0].isdigit() or (token[0] == "." and len(token) > 1):
            return self.in_unit(("number", float(token)))
        return ("call", token, self.arguments()) if self.peek() == "(" else ("name", token)

    def arguments(self):
        self.take("(")
        found = []
        while not self.skip(")"):
            tree, window = self.expression(), None
            if self.skip("from"):
                start = self.expression()
                self.take("to")
                window = (start, self.expression())
            found.append((tree, window, self.loop()))
            if not self.skip(",") and self.peek() != ")":
                raise SyntaxError(f"not understood at {self.peek()!r}: {self.text}")
        return found

    def loop(self):
        if not self.skip("for"):
            return None
        name = self.take()
        self.take("in")
        first = self.expression()
        self.take("..")
        return (name, first, self.expression())


class Model:
    """What a text says about its numbers."""

    def __init__(self, text):
        self.parameters, self.functions, self.quantities, self.measures, self.expectations = {}, {}, {}, {}, []
        for statement in statements(text):
            word = statement.split()[0]
            reader = getattr(self, "read_" + word, None)
            if reader:
                reader(Parser(statement))
            elif re.match(r"\w+(\[[^]]*\])?\s*=[^=]", statement):
                self.read_quantity(statement)

    def read_param(self, parser):
        parser.take()
        while parser.peek():
            name = parser.take()
            parser.take("=")
            self.parameters[name] = parser.expression()
            parser.skip(",")

    def read_function(self, parser):
        parser.take()
        name, names = parser.take(), []
        parser.take("(")
        while not parser.skip(")"):
            names.append(parser.take())
            parser.skip(",")
        parser.take("=")
        self.functions[name] = (names, parser.expression())

    def read_quantity(self, statement):
        parser = Parser(statement)
        name = parser.take()
        index = parser.indices()[0] if parser.peek() == "[" else None
        parser.take("=")
        try:
            tree = parser.expression()
            loop = parser.loop()
        except (SyntaxError, IndexError):
            return  # an element with keys: a second program gives it
        if not parser.peek():
            self.quantities.setdefault(name, []).append((index, tree, loop))

    def read_measure(self, parser):
        parser.take()
        name = parser.take()
        parser.take("=")
        self.measures[name] = parser.expression()

    def read_expect(self, parser):
        parser.take()
        begin = parser.at
        left = parser.expression()
        text = re.sub(r"\s+", " ", parser.so_far(begin))
        right = within = None
        if parser.skip("="):
            right = parser.expression()
            parser.take("+-")
            within = parser.expression()
        if parser.peek():
            raise SyntaxError(f"not understood from {parser.peek()!r} on: {parser.text}")
        self.expectations.append((text, left, right, within))
