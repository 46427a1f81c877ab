# SPDX-License-Identifier: GPL-2.0-only
"""The rules by which a function is changed, at one place at a time.

The condition of an "if" is not negated: what notices that would notice the one of
"always" and "never" that is the same there.
"""

import collections
import re

Edit = collections.namedtuple("Edit", "start end text")

SWAPS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
    "&&": "||", "||": "&&", "|=": "=", "&=": "=",
}
STATEMENT_STARTS = (";", "{", "}", ":", "else")
ASSIGNMENTS = re.compile(r"[-+*/%&|^]?=|<<=|>>=|\+\+|--")


def changes(body):
    """Yields pairs of a rule's name and its edits."""
    for rule in (swapped, conditions, choices, constants, nots, bits, dropped):
        yield from rule(body)


def drop(body, first, last, text=""):
    return [Edit(body[first].start, body[last].end, text)]


def swapped(body):
    for i, token in enumerate(body):
        if token.kind == "op" and token.text in SWAPS and not negates(body, i):
            yield "swap", drop(body, i, i, SWAPS[token.text])


def negates(body, i):
    """Would another operator at i only negate the condition of an "if"?"""
    if body.text(i) not in ("==", "!=", "!"):
        return False
    return any(start <= i <= end and not any(
        token.text in ("&&", "||") for token in body[start:end])
        for start, end in ifs(body))


def ifs(body):
    """First and last token of each condition"""
    for i, token in enumerate(body):
        if token.text == "if":
            yield i + 2, body.other[i + 1] - 1


def forced(body, first, last, value):
    """The condition from first to last still has its side effects."""
    tail = ") || 1" if value else ") && 0"
    return [Edit(body[first].start, body[first].start, "("),
            Edit(body[last].end, body[last].end, tail)]


def conditions(body):
    for first, last in ifs(body):
        yield "never", forced(body, first, last, False)
        yield "always", forced(body, first, last, True)
    for i, token in enumerate(body):
        if token.text == "while":
            yield "never", forced(body, i + 2, body.other[i + 1] - 1, False)


def choices(body):
    """What a ? b : c chooses by begins after what can't be part of it."""
    for i, token in enumerate(body):
        if token.text != "?":
            continue
        first = body.other.get(i - 1, i - 1)
        while body.text(first - 1) not in ("(", ",", ";", "{", "return") and \
                not ASSIGNMENTS.fullmatch(body.text(first - 1)):
            first = body.other.get(first - 1, first - 1)
        yield "never", forced(body, first, i - 1, False)
        yield "always", forced(body, first, i - 1, True)


def constants(body):
    for i, token in enumerate(body):
        match = re.fullmatch(r"(\d+)([uUlL]*)", token.text)
        if not match:
            continue
        value, suffix = int(match[1]), match[2]
        yield "one more", drop(body, i, i, f"{value + 1}{suffix}")
        if value > 1:
            yield "one less", drop(body, i, i, f"{value - 1}{suffix}")


def nots(body):
    for i, token in enumerate(body):
        if token.text == "!" and not negates(body, i):
            yield "not", drop(body, i, i)


def is_binary(body, i):
    return body.kind(i - 1) in ("name", "number") or body.text(i - 1) in (")", "]")


def operand_after(body, i):
    """The last token of the operand that begins at i."""
    while body.text(i) in ("~", "!", "-", "*", "&"):
        i += 1
    i = body.other.get(i, i)
    while body.text(i + 1) in ("(", "[", "->", "."):
        i = body.other.get(i + 1, i + 2)
    return i


def operand_before(body, i):
    """The first token of the operand that ends at i."""
    while True:
        i = body.other.get(i, i)
        if body.text(i) == "[" or (body.text(i) == "(" and
                                   body.kind(i - 1) == "name"):
            i -= 1
        elif body.text(i - 1) in ("->", "."):
            i -= 2
        elif body.text(i - 1) == "~":
            i -= 1
        else:
            return i


def bits(body):
    for i, token in enumerate(body):
        if token.text == "~":
            yield "not", drop(body, i, i)
        if token.text not in ("|", "&") or not is_binary(body, i):
            continue
        yield "drop bits", drop(body, i, operand_after(body, i + 1))
        if token.text == "|":
            yield "drop bits", drop(body, operand_before(body, i - 1), i)


def statements(body):
    """First and last token of each that is an expression of its own."""
    for i, token in enumerate(body):
        if body.text(i - 1) not in STATEMENT_STARTS or \
                not (token.kind == "name" or token.text == "*"):
            continue
        end = i
        while body.text(end) not in (";", "{", "}", ""):
            end = body.other.get(end, end) + 1
        if body.text(end) == ";":
            yield i, end - 1


def dropped(body):
    """Calls, stores to memory, and what leaves a loop or a switch.

    A local variable that is not set would be a warning.
    """
    for first, last in statements(body):
        texts = [token.text for token in body[first:last + 1]]
        called = body.kind(first) == "name" and body.text(first + 1) == "(" and \
            body.other[first + 1] == last
        stored = any(ASSIGNMENTS.fullmatch(text) for text in texts) and \
            (texts[0] == "*" or texts[1] in ("->", "[", "."))
        if texts in (["break"], ["continue"], ["fallthrough"]) or called or stored:
            yield "drop", drop(body, first, last)
