"""Tables that fit the width there is: numbers are never cut, columns go one after another.

A column of text may be narrower than its text, but not below `least`: names are then shortened in
the middle, lists lose their last items, sentences are wrapped. When even that does not fit, whole
columns are left out, those with the highest `drop` first, until it does. Without a width (no
terminal) everything is there, a line for each row.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

GAP = 2
"""Spaces between columns."""

Cell = str | Text | Sequence[str]
"""Text, or items that are told one after another."""


@dataclass(frozen=True)
class Column:
    """What its cells are, and what may be done to them where the width is short."""

    title: str
    right: bool = False
    least: int | None = None
    """The width down to which text may be shortened; None: never."""
    wrap: bool = False
    """Sentences, which go on in a next line instead of being shortened."""
    drop: int = 0
    """Left out in this order, the highest first; 0: never."""
    between: str = ", "
    """What stands between items."""
    style: str = ""

    @property
    def of_parts(self) -> bool:
        """Its items are parts of one thing, not a list."""
        return self.between.strip() == self.between


def shortened(text: str, width: int) -> str:
    """In the middle, with more of the end, where names have their numbers: "layer…/dense_11"."""
    if cell_len(text) <= width:
        return text
    head = (width - 1) // 3
    begin, end = "", ""
    for character in text:
        if cell_len(begin + character) > head:
            break
        begin += character
    for character in reversed(text):
        if cell_len(begin + end + character) > width - 1:
            break
        end = character + end
    return f"{begin}…{end}"


def told(cell: Cell, column: Column, width: int) -> list[Text]:
    """A cell as lines of at most the width."""
    if isinstance(cell, Text):
        return [cell]
    if isinstance(cell, str):
        if column.wrap:
            lines = textwrap.wrap(cell, width, break_on_hyphens=False)
            return [Text(line, column.style) for line in lines] or [Text()]
        return [Text(shortened(cell, width), column.style)]
    for count in range(len(cell), 0, -1):
        shown = joined(cell, column, count)
        if cell_len(shown) <= width:
            return [Text(shown, column.style)]
    first = joined(cell, column, 1)
    return [Text(cut(first, width) if column.of_parts else first, column.style)]


def joined(items: Sequence[str], column: Column, count: int) -> str:
    """The first items; of a whole of parts ("conv2d+relu") a sign that some are missing."""
    missing = ["…"] if column.of_parts and count < len(items) else []
    return column.between.join([*items[:count], *missing])


def cut(text: str, width: int) -> str:
    """At the end."""
    while cell_len(text) > width:
        text = text.removesuffix("…")[:-1] + "…"
    return text


def natural(cell: Cell, column: Column) -> int:
    if isinstance(cell, Text):
        return cell.cell_len
    return cell_len(cell if isinstance(cell, str) else joined(cell, column, len(cell)))


def needed(cell: Cell, column: Column) -> int:
    """The least width of a cell: the first item of a list is never cut."""
    whole = natural(cell, column)
    if column.least is None:
        return whole
    if isinstance(cell, str | Text) or not cell or column.of_parts:
        return min(whole, column.least)
    return max(min(whole, column.least), cell_len(joined(cell, column, 1)))


def widths_of(
    columns: Sequence[Column], rows: Sequence[Sequence[Cell]], width: int | None
) -> list[int | None]:
    """Of each column; None: it is left out."""
    cells = [[row[i] for row in rows] for i in range(len(columns))]
    least = [
        max([cell_len(c.title), *(needed(cell, c) for cell in cells[i])])
        for i, c in enumerate(columns)
    ]
    expected = [
        max([cell_len(c.title), *(natural(cell, c) for cell in cells[i])])
        for i, c in enumerate(columns)
    ]
    if width is None:
        return list(expected)
    widths = list(least)
    shown = list(range(len(columns)))
    while sum(least[i] + GAP for i in shown) - GAP > width:
        droppable = [i for i in shown if columns[i].drop]
        if not droppable:
            break
        shown.remove(max(droppable, key=lambda i: columns[i].drop))
    spare = width - sum(least[i] + GAP for i in shown) + GAP
    while spare > 0:  # to the one that lacks most; what is wrapped loses nothing, and comes last
        short = [i for i in shown if widths[i] < expected[i]]
        if not short:
            break
        short = [i for i in short if not columns[i].wrap] or short
        widths[max(short, key=lambda i: expected[i] / widths[i])] += 1
        spare -= 1
    return [widths[i] if i in shown else None for i in range(len(columns))]


def table(
    columns: Sequence[Column], rows: Sequence[Sequence[Cell]], width: int | None
) -> list[Text]:
    """The lines, titles first."""
    widths = widths_of(columns, rows, width)
    titles = [replace(column, style="bold") for column in columns]
    lines = line(titles, [column.title for column in columns], widths)
    for row in rows:
        lines += line(columns, row, widths)
    return lines


def line(
    columns: Sequence[Column], row: Sequence[Cell], widths: Sequence[int | None]
) -> list[Text]:
    """A row: one line, more where a cell is wrapped."""
    cells = [
        told(cell, column, width) if width is not None else []
        for cell, column, width in zip(row, columns, widths)
    ]
    lines = []
    for part in range(max(map(len, cells))):
        text = Text()
        for column, parts, width in zip(columns, cells, widths):
            if width is None:
                continue
            cell = parts[part] if part < len(parts) else Text()
            pad = " " * (width - cell.cell_len)
            text.append(pad if column.right else "").append_text(cell)
            text.append(("" if column.right else pad) + " " * GAP)
        text.rstrip()
        lines.append(text)
    return lines


def print_table(out: Console, columns: Sequence[Column], rows: Sequence[Sequence[Cell]]) -> None:
    for text in table(columns, rows, out.width):
        out.print(text, soft_wrap=True, highlight=False)
