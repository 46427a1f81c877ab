# SPDX-License-Identifier: GPL-2.0-only
"""C as a list of tokens, as far as the rules need to know it."""

import collections
import re

Token = collections.namedtuple("Token", "kind text start end")

PATTERN = re.compile(r"""
    (?P<space>   \s+ | /\*.*?\*/ | //[^\n]* | ^[ \t]*\#(?:\\\n|[^\n])* )
  | (?P<string>  "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' )
  | (?P<number>  \d\w* )
  | (?P<name>    [A-Za-z_]\w* )
  | (?P<op>      <<= | >>= | \.\.\. | -> | \+\+ | -- | << | >> | && | \|\|
               | [-+*/%&|^<>=!]= | . )
""", re.X | re.S | re.M)

OPENING = {")": "(", "]": "[", "}": "{"}


class Body(list):
    """Tokens, and for each bracket its other one."""

    def __init__(self, items):
        super().__init__(items)
        self.other = {}
        stack = []
        for i, token in enumerate(self):
            if token.text in ("(", "[", "{"):
                stack.append(i)
            elif token.text in OPENING:
                j = stack.pop()
                self.other[i], self.other[j] = j, i

    def text(self, i):
        return self[i].text if 0 <= i < len(self) else ""

    def kind(self, i):
        return self[i].kind if 0 <= i < len(self) else ""


def scan(text):
    return Body(Token(match.lastgroup, match.group(), *match.span())
                for match in PATTERN.finditer(text)
                if match.lastgroup != "space")


def functions(body):
    """Yields the name and the tokens, from brace to brace, of each function."""
    i = 0
    while i < len(body):
        if body.text(i) != "{":
            i += 1
            continue
        end = body.other[i]
        if body.text(i - 1) == ")":
            yield body.text(body.other[i - 1] - 1), Body(body[i:end + 1])
        i = end + 1
