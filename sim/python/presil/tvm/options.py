"""What a partition is asked for; it goes with each region as an attribute of its function."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from ..kernel_file import kernels_of
from ..names import instance, one_of
from ..program import DISPATCHES, USUAL_EFFORT, Program, check_options, compile
from ..refusal import Refusal
from ..soc import load_soc
from ..soc_parameters import of_text
from .reader import NUMERICS

NAMES = ("numerics", "effort", "kernels", "post", "dispatch", "decisions", "fallback")


@dataclass(frozen=True)
class Options:
    """soc: what load_soc gave; kernels: a YAML file of the user's DSP kernels, or empty."""

    soc: Any
    numerics: str = NUMERICS[0]
    effort: int = USUAL_EFFORT
    kernels: str = ""
    post: str = ""
    """What follows a detector: the text of a post file."""
    dispatch: str = DISPATCHES[0]
    """What starts the next layer, as of `presil.compile`."""
    decisions: str = "{}"
    """JSON: of the planner, by symbol of the region."""
    fallback: bool = True
    """Whether presil's host may compute, where that costs less than an engine would."""

    @staticmethod
    def of(  # noqa: PLR0913
        soc: Any,
        set: Any,  # noqa: A002
        numerics: Any,
        effort: Any,
        kernels: Any,
        engines: Any,
        post: str,
        dispatch: Any,
        decisions: Any,
        fallback: Any,
    ) -> Options:
        one_of(numerics, NUMERICS, "tvm: numerics")
        check_options(dispatch, effort)
        instance(decisions, Mapping, "tvm: decisions", "a mapping: by symbol what tune has found")
        instance(kernels, (str, Path), "tvm: kernels", "a YAML file of kernels, or ''")
        file = str(Path(kernels).absolute()) if str(kernels) else ""
        kernels_of(file or ())
        return Options(
            load_soc(soc, set, engines),
            str(numerics),
            int(effort),
            file,
            post,
            str(dispatch),
            json.dumps(dict(decisions)),
            bool(fallback),
        )

    def text(self) -> str:
        return json.dumps(
            {
                "soc": self.soc.name,
                "parameters": self.soc.complete_text,
                "numerics": self.numerics,
                "effort": self.effort,
                "kernels": self.kernels,
                "post": self.post,
                "dispatch": self.dispatch,
                "decisions": self.decisions,
                "fallback": self.fallback,
            }
        )

    @staticmethod
    def parse(text: str) -> Options:
        try:
            said = json.loads(text)
            soc = of_text(said["soc"], said["parameters"])
            named = (said[key] for key in NAMES)
            return Options(soc, *named)
        except (ValueError, KeyError, TypeError) as error:
            raise Refusal(
                f"tvm: the options of a region are not readable ({error}); "
                "partition_for_presil writes them"
            ) from error

    @cached_property
    def customs(self) -> frozenset[str]:
        """Names of functions that the user's kernels compute."""
        return frozenset(k.custom for k in kernels_of(self.kernels or ()) if k.custom)

    def compile(self, network: Any, fallback: bool = True) -> Program:
        """A region's program; fallback: whether presil's host may compute, where allowed."""
        kernels = kernels_of(self.kernels or ())
        return compile(
            network,
            self.soc,
            kernels=kernels,
            effort=self.effort,
            dispatch=self.dispatch,
            fallback=fallback or self.fallback,
            decisions=json.loads(self.decisions).get(network.name),
        )
