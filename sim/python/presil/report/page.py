"""Templates of pages, compiled once for all runs: jinja2's code of them is kept in the cache."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from jinja2 import BytecodeCache, Environment, FileSystemLoader, StrictUndefined
from jinja2.bccache import Bucket

from .. import paths
from ..atomic import write_file
from ..refusal import Refusal

HERE = Path(__file__).parent


class Compiled(BytecodeCache):
    """A file for each template and its contents. Where none can be written it is compiled anew."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError, EOFError, ValueError), self._file(bucket).open("rb") as file:
            bucket.load_bytecode(file)

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError, Refusal):
            self._folder.mkdir(parents=True, exist_ok=True)
            write_file(self._file(bucket), bucket.bytecode_to_string())

    def _file(self, bucket: Bucket) -> Path:
        return self._folder / f"{bucket.key}-{bucket.checksum}"


def template(name: str, **filters: Callable[..., Any]) -> Any:
    """A page of this folder; a name that it asks for and is not given is an error."""
    environment = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        bytecode_cache=Compiled(paths.CACHE / "pages"),
    )
    environment.filters.update(filters)
    return environment.get_template(name)
