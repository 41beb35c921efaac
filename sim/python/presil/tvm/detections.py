"""What follows a detector on the device: box decoding and suppression, as one call in Relax."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import yaml
from tvm import ir, relax

from ..network import post_text
from ..refusal import Refusal
from .read_moves import DETECTIONS

CALL = DETECTIONS
COLUMNS = 6


@dataclass(frozen=True)
class Post:
    """text: of a post file (sim/nets/README.md); most: detections that it keeps."""

    text: str = ""
    most: int = 0

    @staticmethod
    def of(file: Any) -> Post:
        if not file:
            return Post()
        text = post_text(file)
        try:
            return Post(text, int(yaml.safe_load(text)["nms"]["max"]))
        except (yaml.YAMLError, TypeError, KeyError, ValueError) as error:
            raise Refusal(
                f"tvm: post file '{file}' does not say nms: max ({error}); "
                "sim/nets/README.md has its form"
            ) from error


def with_detections(mod: ir.IRModule, post: Post, name: str = "main") -> ir.IRModule:
    """The function gives `detections` float32 [max, 6] and `count` int32 [1] besides."""
    function = mod[name]
    body = function.body
    blocks = list(body.blocks)
    if not blocks or not isinstance(blocks[-1], relax.DataflowBlock):
        raise Refusal(f"tvm: the last bindings of '{name}' must be in a dataflow block")
    last = body.body
    ends = list(last.fields) if isinstance(last, ir.Tuple) else tuple_bound_to(body, last)
    types = [relax.TensorType((post.most, COLUMNS), "float32"), relax.TensorType((1,), "int32")]
    call = relax.op.call_dps_packed(CALL, ir.Tuple(ends), types)
    whole = relax.DataflowVar("detected", relax.TupleType(types))
    parts = [relax.Var(label, kind) for label, kind in zip(("detections", "count"), types)]
    bindings = [relax.VarBinding(whole, call)]
    bindings += [relax.VarBinding(part, ir.TupleGetItem(whole, k)) for k, part in enumerate(parts)]
    blocks[-1] = relax.DataflowBlock([*blocks[-1].bindings, *bindings])
    results = [*ends, *parts]
    kind = relax.TupleType([one.ty for one in results])
    made = relax.Function(
        list(function.params),
        relax.SeqExpr(blocks, ir.Tuple(results)),
        kind,
        function.is_pure,
        function.attrs,
    )
    mod = ir.IRModule({**dict(mod.functions_items()), mod.get_global_var(name): made})
    return relax.transform.Normalize()(mod)


def tuple_bound_to(body: Any, var: Any) -> list[Any]:
    """The fields of a variable that is a tuple; itself where it is a tensor."""
    for block in body.blocks:
        for binding in block.bindings:
            if binding.var.same_as(var) and isinstance(binding.value, ir.Tuple):
                return list(binding.value.fields)
    return [var]
