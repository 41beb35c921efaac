"""The operators that are tried: one line for each, or a file in operators/; see README.md."""

from __future__ import annotations

from functools import partial

from . import blocks, detection, elementwise, indexed, logic, moves, recurrent, weighted
from .entry import Operator, floats, of
from .operators import joined


def pair(code: str) -> list[Operator]:
    return of(code, partial(elementwise.pair, code=code), "i8 u8 i16")


BYTES = [("Int8", "Int8"), ("Uint8", "Uint8")]
SIGNS = [("Int8", "Uint8"), ("Uint8", "Int8")]
WIDE = [("Int16", "Int16"), ("Int16", "Int8"), ("Int8", "Int16"), ("Int16", "Int32"),
        ("Int32", "Int16"), ("Int32", "Int8")]  # fmt: skip
FROM_FLOAT, TO_U8, TO_I16 = ([("Float32", kind)] for kind in ("Int8", "Uint8", "Int16"))
TO_FLOAT = [("Int8", "Float32"), ("Uint8", "Float32")]

COMPARISONS = ("EQUAL", "NOT_EQUAL", "GREATER", "GREATER_EQUAL", "LESS", "LESS_EQUAL")
EXTREMES = ("REDUCE_MAX", "REDUCE_MIN")
SIGMOIDS = ("LOGISTIC", "TANH")

#: Types of what only moves values.
EVERY = "i8 u8 i16 f32 i32"
CASTS = [("Float32", "Int32"), ("Int32", "Float32"), ("Float32", "Int8"), ("Int8", "Float32"),
         ("Int16", "Int32"), ("Int32", "Int16"), ("Uint8", "Float32"), ("Bool", "Float32"),
         ("Int64", "Int32"), ("Int32", "Int64"), ("Float32", "Uint8"),
         ("Int32", "Bool")]  # fmt: skip

ENTRIES = [
    of("CONV_2D", weighted.conv_2d, "i8 u8"),
    of("CONV_2D", weighted.conv_2d, "i16", ("tflite",)),
    # LiteRT reads a bias of int32 beside int16 as if it were int64.
    of("CONV_2D wide bias", partial(weighted.conv_2d, either=False), "i16", ("xnnpack",)),
    of("DEPTHWISE_CONV_2D", weighted.depthwise_conv_2d, "i8 u8 i16"),
    of("FULLY_CONNECTED", weighted.fully_connected, "i8 u8 i16"),
    of("FULLY_CONNECTED computed", weighted.fully_connected_computed),
    of("TRANSPOSE_CONV", weighted.transpose_conv, "i8 u8 i16"),
    of("BATCH_MATMUL", weighted.batch_matmul, "i8 i16"),
    pair("ADD"),
    pair("SUB"),
    pair("MUL"),
    of("ADD unlike", partial(elementwise.unlike_pair, code="ADD"), "i8 u8"),
    of("SUB unlike", partial(elementwise.unlike_pair, code="SUB"), "i8 u8"),
    *(
        of(
            f"{c} coarse",
            partial(elementwise.coarse_pair, code=c),
            "i8 u8",
            allowed={"xnnpack": 0.005},
        )
        for c in ("ADD", "SUB")
    ),
    of("RELU", partial(elementwise.relu_like, code="RELU"), "i8 u8 i16"),
    of("RELU6", partial(elementwise.same_scale, code="RELU6"), "i8 u8"),
    # TFLite Micro looks at no scale here.
    of("RELU6 rescaled", partial(elementwise.function, code="RELU6"), "i8 u8", ("xnnpack",)),
    of("LEAKY_RELU", elementwise.leaky_relu, "i8 u8 i16"),
    of("HARD_SWISH", elementwise.hard_swish, "i8 u8"),
    of("LOGISTIC", partial(elementwise.into_unit, code="LOGISTIC"), "i8 u8"),
    of("TANH", partial(elementwise.into_unit, code="TANH"), "i8 u8"),
    of("SOFTMAX", partial(elementwise.into_unit, code="SOFTMAX"), "i8 u8"),
    of("QUANTIZE bytes", partial(elementwise.quantize, ways=BYTES), rules=("xnnpack",)),
    of("QUANTIZE signs", elementwise.resigned, rules=("xnnpack",)),
    of(
        "QUANTIZE signs rescaled",
        partial(elementwise.quantize, ways=SIGNS),
        rules=("xnnpack",),
        allowed={"xnnpack": 0.15},
    ),
    of("QUANTIZE wide", partial(elementwise.quantize, ways=WIDE), "i16"),
    of("QUANTIZE from float", partial(elementwise.quantize, ways=FROM_FLOAT), "f32"),
    of("QUANTIZE float to u8", partial(elementwise.quantize, ways=TO_U8), "f32", ("xnnpack",)),
    of("QUANTIZE float to i16", partial(elementwise.quantize, ways=TO_I16), "f32"),
    of("DEQUANTIZE", partial(elementwise.quantize, ways=TO_FLOAT)),
    of("AVERAGE_POOL_2D", partial(elementwise.pool, code="AVERAGE_POOL_2D"), "i8 u8 i16"),
    of("MAX_POOL_2D", partial(elementwise.pool, code="MAX_POOL_2D"), "i8 u8 i16"),
    of("MEAN", elementwise.mean, "i8 u8 i16"),
    *(of(code, partial(elementwise.real, code=code)) for code in ("ELU", "ABS", "RSQRT")),
    of("ABS", partial(elementwise.real, code="ABS"), "i16"),
    # TFLite Micro has none for int8.
    *(
        of(code, partial(elementwise.real, code=code), kinds, ("xnnpack",))
        for code, kinds in (
            ("NEG", "i8"),
            ("EXP", "i8"),
            ("LOG", "i8"),
            ("SQRT", "i8"),
            ("GELU", "i8 u8"),
            ("RELU_N1_TO_1", "i8 u8"),
            ("RELU_0_TO_1", "i8 u8"),
        )
    ),
    of("PRELU", elementwise.prelu, "i8 u8 i16"),
    of("SQUARED_DIFFERENCE", elementwise.squared_difference, "i8"),
    of("SQUARED_DIFFERENCE", elementwise.squared_difference, "i16", ("tflite",)),
    of("DIV", elementwise.div, "i8"),
    of("SUM", elementwise.sums, "i8 u8 i16"),
    of("REDUCE_MAX", partial(elementwise.extreme, code="REDUCE_MAX"), "i8 u8"),
    of("REDUCE_MIN", partial(elementwise.extreme, code="REDUCE_MIN"), "i8 u8"),
    of("REDUCE_MAX", partial(elementwise.extreme, code="REDUCE_MAX"), "i32", ("xnnpack",)),
    of("ARG_MAX", partial(elementwise.place, code="ARG_MAX"), "i8 u8"),
    of("ARG_MIN", partial(elementwise.place, code="ARG_MIN"), "i8 u8"),
    of("MAXIMUM", partial(elementwise.choice, code="MAXIMUM"), "i8 u8 i16 i32"),
    of("MINIMUM", partial(elementwise.choice, code="MINIMUM"), "i8 u8 i16 i32"),
    *(of(c, partial(logic.sigmoid, code=c), "i16", ("tflite",)) for c in SIGMOIDS),
    # LiteRT has fixed point for scales of 2^-12, of TANH 2^-11 too.
    *(
        of(f"{c} by points", partial(logic.sigmoid, code=c, powers=(-10, -13)), "i16", ("xnnpack",))
        for c in SIGMOIDS
    ),
    of("SOFTMAX", logic.softmax, "i16", allowed={"xnnpack": 0.002}),
    of("RSQRT", logic.reciprocal_root, "i16"),
    of("L2_NORMALIZATION", logic.unit_length),
    *(of(c, partial(logic.compare, code=c), "i8 u8 i32 f32") for c in COMPARISONS),
    *(of(c, partial(logic.compare, code=c), "bool") for c in COMPARISONS[:2]),
    of("LOGICAL_AND", partial(logic.logical, code="LOGICAL_AND"), "bool"),
    of("LOGICAL_OR", partial(logic.logical, code="LOGICAL_OR"), "bool"),
    of("LOGICAL_NOT", logic.logical_not, "bool"),
    *(of(c, partial(logic.whole_pair, code=c), "i32") for c in ("ADD", "SUB", "MUL")),
    of("FLOOR_DIV", partial(logic.quotient, code="FLOOR_DIV"), "i32 f32", ("xnnpack",)),
    of("FLOOR_MOD", partial(logic.quotient, code="FLOOR_MOD"), "i32 f32", ("xnnpack",)),
    of("TOPK_V2", logic.top_k, "i8 u8 i32 f32", ("xnnpack",)),
    of("ADD_N", logic.add_n, "i32 f32", ("xnnpack",)),
    of("PAD", partial(moves.pad, code="PAD"), EVERY),
    of("PADV2", partial(moves.pad, code="PADV2"), "i8 i16 f32 i32"),
    of("TRANSPOSE", moves.transpose, "i8 u8 i16 f32"),
    of("TRANSPOSE", moves.transpose, "i32", ("xnnpack",)),
    of("CONCATENATION", partial(moves.concatenation, alike=True), EVERY),
    of("CONCATENATION of unlike", partial(moves.concatenation, alike=False), "u8"),
    of("STRIDED_SLICE", moves.strided_slice, EVERY),
    of("RESHAPE", partial(moves.reshaped, code="RESHAPE"), EVERY),
    of("SQUEEZE", partial(moves.reshaped, code="SQUEEZE"), EVERY),
    of("EXPAND_DIMS", partial(moves.reshaped, code="EXPAND_DIMS"), "i8 u8 i16 f32"),
    of("EXPAND_DIMS", partial(moves.reshaped, code="EXPAND_DIMS"), "i32", ("xnnpack",)),
    of("SPLIT", partial(moves.split, code="SPLIT"), EVERY),
    of("SPLIT_V", partial(moves.split, code="SPLIT_V"), EVERY),
    of("PACK", partial(moves.stack, code="PACK"), EVERY),
    of("UNPACK", partial(moves.stack, code="UNPACK"), EVERY),
    of("SPACE_TO_DEPTH", partial(blocks.space_and_depth, code="SPACE_TO_DEPTH"), "i8 u8 f32"),
    of("DEPTH_TO_SPACE", partial(blocks.space_and_depth, code="DEPTH_TO_SPACE"), "i8 u8 f32"),
    # TFLite Micro's padding is another byte than the zero point, and no 0 with floats.
    of(
        "SPACE_TO_BATCH_ND",
        partial(blocks.space_and_batch, code="SPACE_TO_BATCH_ND"),
        "i8 u8 f32",
        ("xnnpack",),
    ),
    of("BATCH_TO_SPACE_ND", partial(blocks.space_and_batch, code="BATCH_TO_SPACE_ND"), "i8 u8 f32"),
    of("GATHER", indexed.gather, "i8 u8 f32"),
    of("GATHER", indexed.gather, "i16 i32", ("xnnpack",)),
    of("EMBEDDING_LOOKUP", indexed.embedding_lookup, "i8 f32"),
    of("GATHER_ND", indexed.gather_nd, "i8 u8 f32"),
    of("GATHER_ND", indexed.gather_nd, "i16 i32", ("xnnpack",)),
    of("SLICE", indexed.slice_of, EVERY),
    of("REVERSE_V2", indexed.reverse, EVERY),
    of("TILE", indexed.tile, EVERY, ("xnnpack",)),
    of("BROADCAST_TO", indexed.broadcast_to, EVERY),
    of("MIRROR_PAD", indexed.mirror_pad, "i8 u8 f32"),
    of("MIRROR_PAD", indexed.mirror_pad, "i16 i32", ("xnnpack",)),
    of("SELECT", partial(indexed.select, code="SELECT"), EVERY, ("xnnpack",)),
    of("SELECT_V2", partial(indexed.select, code="SELECT_V2"), "i8 u8 i16 f32"),
    of("SELECT_V2", partial(indexed.select, code="SELECT_V2"), "i32", ("xnnpack",)),
    of("CAST", partial(indexed.cast, ways=CASTS), "f32", ("xnnpack",)),
    of("CAST of few", partial(indexed.cast, ways=CASTS[:6]), "f32", ("tflite",)),
    of("ONE_HOT", indexed.one_hot, "i8 f32 i32", ("xnnpack",)),
    of("SHAPE", partial(indexed.known, code="SHAPE"), "i32", ("tflite",)),
    of("RANK", partial(indexed.known, code="RANK"), "i32", ("xnnpack",)),
    of("FILL", partial(indexed.known, code="FILL"), "i32"),
    of("RANGE", partial(indexed.known, code="RANGE"), "i32", ("xnnpack",)),
    of("ZEROS_LIKE", partial(indexed.known, code="ZEROS_LIKE"), "i32"),
    of(
        "RESIZE_NEAREST_NEIGHBOR",
        partial(moves.resize, code="RESIZE_NEAREST_NEIGHBOR"),
        "i8 u8 i16 f32",
    ),
    of("RESIZE_BILINEAR", partial(moves.resize, code="RESIZE_BILINEAR"), "i8 u8"),
    of("RESIZE_BILINEAR", partial(moves.resize, code="RESIZE_BILINEAR"), "i16", ("xnnpack",)),
    of("RESIZE_BILINEAR far", moves.resize_far, "i8 u8"),
    floats("CONV_2D", weighted.conv_2d, 3e-5),
    floats("DEPTHWISE_CONV_2D", weighted.depthwise_conv_2d, 3e-5),
    floats("FULLY_CONNECTED", weighted.fully_connected, 3e-5),
    floats("TRANSPOSE_CONV", weighted.transpose_conv, 3e-5),
    floats("BATCH_MATMUL", weighted.batch_matmul, 3e-5),
    floats("ADD", partial(elementwise.pair, code="ADD"), 0),
    floats("SUB", partial(elementwise.pair, code="SUB"), 0),
    floats("MUL", partial(elementwise.pair, code="MUL"), 0),
    floats("RELU", partial(elementwise.function, code="RELU"), 0),
    floats("RELU6", partial(elementwise.function, code="RELU6"), 0),
    floats("LEAKY_RELU", elementwise.leaky_relu, 0),
    floats("ELU", partial(elementwise.function, code="ELU"), 5e-7),
    floats("EXP", partial(elementwise.function, code="EXP"), 5e-6),
    floats("LOG", partial(elementwise.above_zero, code="LOG"), 1e-6),
    floats("SQRT", partial(elementwise.above_zero, code="SQRT"), 5e-7),
    floats("RSQRT", partial(elementwise.above_zero, code="RSQRT"), 5e-7),
    floats("ABS", partial(elementwise.function, code="ABS"), 0),
    floats("NEG", partial(elementwise.function, code="NEG"), 0),
    floats("SQUARE", partial(elementwise.function, code="SQUARE"), 0),
    floats("SIN", partial(elementwise.function, code="SIN"), 5e-7),
    floats("COS", partial(elementwise.function, code="COS"), 5e-7),
    floats("FLOOR", partial(elementwise.function, code="FLOOR"), 0),
    floats("CEIL", partial(elementwise.function, code="CEIL"), 0),
    floats("ROUND", partial(elementwise.function, code="ROUND"), 0),
    of("RELU_N1_TO_1", partial(elementwise.function, code="RELU_N1_TO_1"), "f32", ("xnnpack",)),
    of("RELU_0_TO_1", partial(elementwise.function, code="RELU_0_TO_1"), "f32", ("xnnpack",)),
    floats("SQUARED_DIFFERENCE", partial(elementwise.float_pair, code="SQUARED_DIFFERENCE"), 0),
    of("POW", partial(elementwise.float_pair, code="POW"), "f32", ("xnnpack",), near=1e-6),
    floats("PRELU", partial(elementwise.float_pair, code="PRELU"), 0),
    floats("DIV", partial(elementwise.pair, code="DIV"), 5e-7),
    of("GELU", elementwise.gelu, "f32", ("xnnpack",), near=5e-5),
    floats("LOG_SOFTMAX", partial(elementwise.function, code="LOG_SOFTMAX"), 1e-6),
    floats("L2_NORMALIZATION", elementwise.l2_normalization, 1e-6),
    floats("HARD_SWISH", partial(elementwise.function, code="HARD_SWISH"), 5e-7),
    # Below -9 TFLite Micro takes exp(x), a part in 8,100 more.
    floats(
        "LOGISTIC",
        partial(elementwise.into_unit, code="LOGISTIC"),
        {"tflite": 1.3e-4, "xnnpack": 5e-7},
    ),
    floats("TANH", partial(elementwise.into_unit, code="TANH"), 5e-7),
    floats("SOFTMAX", partial(elementwise.into_unit, code="SOFTMAX"), 2e-6),
    floats("AVERAGE_POOL_2D", partial(elementwise.pool, code="AVERAGE_POOL_2D"), 1e-6),
    floats("MAX_POOL_2D", partial(elementwise.pool, code="MAX_POOL_2D"), 0),
    floats("MEAN", elementwise.mean, 3e-6),
    floats("MAXIMUM", partial(elementwise.choice, code="MAXIMUM"), 0),
    floats("MINIMUM", partial(elementwise.choice, code="MINIMUM"), 0),
    floats("SUM", elementwise.sums, 3e-6),
    *(floats(c, partial(elementwise.extreme, code=c), 0) for c in EXTREMES),
    floats("ARG_MAX", partial(elementwise.place, code="ARG_MAX"), 0),
    floats("ARG_MIN", partial(elementwise.place, code="ARG_MIN"), 0),
    floats("RESIZE_BILINEAR", partial(moves.resize, code="RESIZE_BILINEAR"), 3e-6),
    of("UNIDIRECTIONAL_SEQUENCE_LSTM", recurrent.lstm, "i8", ("tflite",)),
    of("TFLite_Detection_PostProcess", detection.post_process, "f32 u8", ("xnnpack",)),
]

for module in joined():
    ENTRIES += module.ENTRIES

OPERATORS = {operator.name: operator for entry in ENTRIES for operator in entry}
