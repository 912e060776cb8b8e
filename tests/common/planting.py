# SPDX-License-Identifier: BSD-3-Clause
"""Texts of planted errors, found however the sources are broken into lines and spaced."""
import re

TOKEN = re.compile(r"\w+|[^\w\s]")


def places(text, old):
    """(begin, end) of each place where the words and signs of `old` follow each other."""
    tokens = TOKEN.findall(old)
    parts = [re.escape(tokens[0])]
    for before, token in zip(tokens, tokens[1:]):
        parts.append((r"\s+" if re.match(r"\w", token) and re.match(r"\w", before) else r"\s*") + re.escape(token))
    pattern = (r"(?<!\w)" if re.match(r"\w", tokens[0]) and not old[0].isspace() else "") + "".join(parts)
    return [found.span() for found in re.finditer(pattern, text)]


def planted(text, old, new):
    """The text with `new` in the one place of `old`; spaces around `old` are those of the text."""
    begin, end = places(text, old)[0]
    return text[:begin] + new.strip() + text[end:]
