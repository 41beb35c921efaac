# Printed from every engine.yaml with its contract by `python3 rtl/gen/print.py`; do not edit.
# ruff: noqa: E501
# fmt: off
"""The engines, as their contracts describe them."""

from __future__ import annotations

from typing import NamedTuple


class Counter(NamedTuple):
    """Of 64 bits, in a queue's block of counters. cause: whose cycles it counts, "" for none."""

    name: str
    offset: int
    cause: str
    meaning: str


class Field(NamedTuple):
    """Of a command. codes: names by number, where it holds one; min and max are what is legal.
    used_by: the operations that read it, () for all; refused: codes that no configuration takes."""

    name: str
    min: int
    max: int
    multiple_of: int
    word: int
    lsb: int
    width: int
    codes: dict[int, str]
    meaning: str
    used_by: tuple[str, ...]
    refused: tuple[str, ...]


class Rule(NamedTuple):
    """That a command keeps beyond its fields. code: what the queue reports where it is broken."""

    number: int
    name: str
    operations: str
    must_hold: str
    code: str


class Engine(NamedTuple):
    """A kind of engine. waits: the fields of a command that name counters to wait for."""

    name: str
    kind: int
    meaning: str
    queues: tuple[str, ...]
    waits: tuple[str, ...]
    counters: tuple[Counter, ...]
    capability: tuple[str, ...]
    fields: dict[str, Field]
    rules: tuple[Rule, ...]


ENGINES: dict[str, Engine] = {
    "dla": Engine(
        "dla",
        0,
        "The convolution engine.",
        ("dla", "dla1", "dla2", "dla3",),
        ("wait_weights", "wait_in", "wait_out",),
        (
            Counter("cycles", 0x8, "", "All cycles since clear."),
            Counter("run", 0x10, "run", "A step fires in the operand stage."),
            Counter("stall_feature", 0x18, "feature_bank", "No feature word: the reads of a step met in one bank."),
            Counter("stall_weights", 0x20, "weights", "The next weight set, parameter set or table is not complete."),
            Counter("stall_post", 0x28, "post", "No room in the post FIFO: requantise, residual operand or output after it."),
            Counter("start", 0x30, "start", "A command was offered, its features are fetched or loops reload."),
            Counter("fetch", 0x38, "fetch", "The ring is not empty and no command is offered: entry or command being fetched, or the job's barrier."),
            Counter("idle", 0x40, "", "Nothing to do."),
            Counter("commands", 0x48, "", "Commands completed."),
            Counter("steps", 0x50, "", "Steps fired in the operand stage."),
            Counter("wait_in_dla", 0x100, "wait_in:dla", "Waits for wait_in, by engine that signalled (index as enum engine_e): dla."),
            Counter("wait_in_dsp", 0x108, "wait_in:dsp", "Waits for wait_in, by engine that signalled (index as enum engine_e): dsp."),
            Counter("wait_in_dma", 0x110, "wait_in:dma", "Waits for wait_in, by engine that signalled (index as enum engine_e): dma."),
            Counter("wait_in_host", 0x118, "wait_in:host", "Waits for wait_in, by engine that signalled (index as enum engine_e): host."),
            Counter("wait_weights_dla", 0x200, "wait_weights:dla", "Waits for wait_weights, by engine that signalled: dla."),
            Counter("wait_weights_dsp", 0x208, "wait_weights:dsp", "Waits for wait_weights, by engine that signalled: dsp."),
            Counter("wait_weights_dma", 0x210, "wait_weights:dma", "Waits for wait_weights, by engine that signalled: dma."),
            Counter("wait_weights_host", 0x218, "wait_weights:host", "Waits for wait_weights, by engine that signalled: host."),
            Counter("wait_out_dla", 0x300, "wait_out:dla", "Waits for wait_out, by engine that signalled: dla."),
            Counter("wait_out_dsp", 0x308, "wait_out:dsp", "Waits for wait_out, by engine that signalled: dsp."),
            Counter("wait_out_dma", 0x310, "wait_out:dma", "Waits for wait_out, by engine that signalled: dma."),
            Counter("wait_out_host", 0x318, "wait_out:host", "Waits for wait_out, by engine that signalled: host."),
        ),
        ("int16", "int4", "int2", "rule_mul_add_shift",),
        {
            "op": Field("op", 0, 5, 1, 0, 0, 4, {0: "nop", 1: "conv", 2: "dwconv", 3: "maxpool", 4: "sumpool", 5: "pass"}, "Operation.", (), ()),
            "w_bits": Field("w_bits", 0, 2, 1, 0, 4, 2, {0: "int8", 1: "int4", 2: "int2"}, "Width of a weight. int4 and int2 are refused while capability.int4, capability.int2 read 0.", ("conv", "dwconv",), ("int4", "int2",)),
            "in_type": Field("in_type", 0, 1, 1, 0, 6, 1, {0: "int8", 1: "int16"}, "Type of the input. int16 is refused while capability.int16 reads 0.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ("int16",)),
            "out_type": Field("out_type", 0, 2, 1, 0, 7, 2, {0: "int8", 1: "int16", 2: "int32"}, "Type of the output. int16 is refused while capability.int16 reads 0; int32 writes partial sums.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ("int16",)),
            "packed": Field("packed", 0, 1, 1, 0, 9, 1, {}, "Dense NHWC rows: the lanes hold kernel columns x channels.", ("conv",), ()),
            "acc_init": Field("acc_init", 0, 1, 1, 0, 10, 1, {0: "bias", 1: "int32"}, "What the accumulator starts from.", ("conv",), ()),
            "rule": Field("rule", 0, 7, 1, 0, 11, 3, {0: "double", 1: "float", 2: "mul_add_shift", 3: "divide", 4: "int16", 5: "single", 7: "none"}, "How an accumulator becomes an output. mul_add_shift and int16 are refused while capability.rule_mul_add_shift, capability.int16 read 0.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ("mul_add_shift", "int16",)),
            "lut_en": Field("lut_en", 0, 1, 1, 0, 14, 1, {}, "Look the clamped value up in the table at lut_base.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "ew_op": Field("ew_op", 0, 3, 1, 0, 15, 3, {0: "none", 1: "add", 2: "sub", 3: "mul"}, "Element-wise operation with the operand at res_base.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "ew_rule": Field("ew_rule", 0, 1, 1, 0, 18, 1, {0: "tflite", 1: "xnnpack"}, "Integer rule of ew_op.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "upsample2": Field("upsample2", 0, 1, 1, 0, 19, 1, {}, "Write each word to the 2 x 2 output pixels (2y..2y+1, 2x..2x+1).", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "fence": Field("fence", 0, 1, 1, 0, 20, 1, {}, "Begin only when every earlier command of the queue has completed.", (), ()),
            "irq": Field("irq", 0, 1, 1, 0, 21, 1, {}, "Raise irq_status.command_done on completion.", (), ()),
            "isa_version": Field("isa_version", 1, 1, 1, 0, 24, 8, {}, "Version of the command word.", (), ()),
            "tag": Field("tag", 0, 4294967295, 1, 1, 0, 32, {}, "Key into the debug map: command, tile, layer, source op.", (), ()),
            "wait_weights": Field("wait_weights", 0, 255, 1, 2, 0, 8, {}, "Counter that the weight loader waits for; 0: none.", (), ()),
            "wait_in": Field("wait_in", 0, 255, 1, 2, 8, 8, {}, "Counter that sequencer and residual reader wait for; 0: none.", (), ()),
            "wait_out": Field("wait_out", 0, 255, 1, 2, 16, 8, {}, "Counter that the writer waits for; 0: none.", (), ()),
            "signal": Field("signal", 0, 255, 1, 2, 24, 8, {}, "Counter that signal_add is added to when the last word is written; 0: none.", (), ()),
            "wait_weights_value": Field("wait_weights_value", -2147483648, 2147483647, 1, 3, 0, 32, {}, "Relative to value_base of the job; met when int32(counter - value_base - value) >= 0.", (), ()),
            "wait_in_value": Field("wait_in_value", -2147483648, 2147483647, 1, 4, 0, 32, {}, "As wait_weights_value, for wait_in.", (), ()),
            "wait_out_value": Field("wait_out_value", -2147483648, 2147483647, 1, 5, 0, 32, {}, "As wait_weights_value, for wait_out.", (), ()),
            "signal_add": Field("signal_add", 0, 65535, 1, 6, 0, 16, {}, "Added to the counter named by signal.", (), ()),
            "block_rows": Field("block_rows", 1, 128, 1, 6, 16, 8, {}, "Output rows of a block: what the accumulators hold at once.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "in_base": Field("in_base", 0, 16777215, 16, 7, 0, 24, {}, "SRAM address of pixel (0, 0), channel block 0.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "in_kb_step": Field("in_kb_step", 0, 255, 1, 7, 24, 8, {}, "Input blocks to advance per 16 output channels: conv 0 (all outputs see all inputs) or grouped; others 1.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "in_row_pitch": Field("in_row_pitch", 0, 16777215, 16, 8, 0, 24, {}, "From one input row to the next.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "kernel_h": Field("kernel_h", 1, 63, 1, 8, 24, 6, {}, "Kernel height; see the rules for each operation's limit.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "in_cb_pitch": Field("in_cb_pitch", 0, 16777215, 16, 9, 0, 24, {}, "From one input channel block to the next.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "kernel_w": Field("kernel_w", 1, 63, 1, 9, 24, 6, {}, "Kernel width; see the rules for each operation's limit.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "in_x_step": Field("in_x_step", 0, 4095, 1, 10, 0, 12, {}, "From one input pixel to the next, a multiple of 16; packed: stride_x * packed_ic.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "in_blocks": Field("in_blocks", 1, 1023, 1, 10, 12, 10, {}, "Input blocks summed over (conv; others 1); packed: chunks of 16 lanes, ceil(kernel_w * packed_ic / 16).", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "pad_top": Field("pad_top", 0, 31, 1, 10, 22, 5, {}, "Rows of padding above the image.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "pad_left": Field("pad_left", 0, 31, 1, 10, 27, 5, {}, "Columns of padding left of the image.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "in_h": Field("in_h", 1, 4095, 1, 11, 0, 12, {}, "Rows of the input; a row outside 0 .. in_h - 1 is padding.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "in_w": Field("in_w", 1, 4095, 1, 11, 12, 12, {}, "Columns of the input; a column outside 0 .. in_w - 1 is padding.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "stride_y": Field("stride_y", 1, 7, 1, 11, 24, 3, {}, "Input rows per output row.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "stride_x": Field("stride_x", 1, 7, 1, 11, 27, 3, {}, "Input columns per output column.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "pad_value": Field("pad_value", -128, 127, 1, 12, 0, 16, {}, "Value of a padding pixel (conv, dwconv, pass): the input's zero point. Pools: 0.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "row_bytes": Field("row_bytes", 0, 65535, 1, 12, 16, 16, {}, "Bytes of an input row, in_w * packed_ic (packed, else 0); bytes outside are padding.", ("conv",), ()),
            "dil_y": Field("dil_y", 1, 31, 1, 13, 0, 5, {}, "Distance of kernel rows.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "dil_x": Field("dil_x", 1, 31, 1, 13, 5, 5, {}, "Distance of kernel columns.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "packed_ic": Field("packed_ic", 0, 8, 1, 13, 10, 4, {}, "Channels of a packed pixel, 1..8 (packed, else 0).", ("conv",), ()),
            "out_h": Field("out_h", 1, 4095, 1, 14, 0, 12, {}, "Rows of the output, before upsampling.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "out_w": Field("out_w", 1, 4095, 1, 14, 12, 12, {}, "Columns of the output, before upsampling.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "out_lanes_last": Field("out_lanes_last", 1, 16, 1, 14, 24, 5, {}, "Channels of the last output block; lanes beyond are written as 0.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "out_base": Field("out_base", 0, 16777215, 16, 15, 0, 24, {}, "SRAM address of output pixel (0, 0), block 0.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "out_row_pitch": Field("out_row_pitch", 0, 16777215, 16, 16, 0, 24, {}, "From one output row to the next.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "out_cb_pitch": Field("out_cb_pitch", 0, 16777215, 16, 17, 0, 24, {}, "From one output channel block to the next.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "out_x_step": Field("out_x_step", 0, 4095, 16, 18, 0, 12, {}, "From one output pixel to the next.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "out_blocks": Field("out_blocks", 1, 1023, 1, 18, 12, 10, {}, "Output blocks of 16 channels.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "w_base": Field("w_base", 0, 16777215, 16, 19, 0, 24, {}, "SRAM address of the first weight set.", ("conv", "dwconv",), ()),
            "w_kb_pitch": Field("w_kb_pitch", 0, 16777215, 16, 20, 0, 24, {}, "From the sets of one group of 16 output channels to the next.", ("conv", "dwconv",), ()),
            "w_cb_pitch": Field("w_cb_pitch", 0, 16777215, 16, 21, 0, 24, {}, "From the sets of one input block (packed: chunk; dwconv: row of tap chunks) to the next.", ("conv", "dwconv",), ()),
            "w_zero": Field("w_zero", -128, 127, 1, 21, 24, 8, {}, "Zero point of the weights.", ("conv", "dwconv",), ()),
            "p_base": Field("p_base", 0, 16777215, 16, 22, 0, 24, {}, "SRAM address of the channel parameters, 144 bytes per 16 channels: bias int32 x 16, multiplier int32 x 16, shift int8 x 16.", ("conv", "dwconv", "sumpool", "pass",), ()),
            "lut_base": Field("lut_base", 0, 16777215, 16, 23, 0, 24, {}, "SRAM address of the table of 256 bytes, indexed by the value as uint8 (lut_en, else 0).", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "act_min": Field("act_min", -128, 127, 1, 24, 0, 16, {}, "Lower clamp after requantisation.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "act_max": Field("act_max", -128, 127, 1, 24, 16, 16, {}, "Upper clamp after requantisation.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "out_zero": Field("out_zero", -128, 127, 1, 25, 0, 16, {}, "Zero point added after requantisation.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "res_base": Field("res_base", 0, 16777215, 16, 26, 0, 24, {}, "SRAM address of the second operand (ew_op), or of the partial sums (acc_init int32).", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "res_row_pitch": Field("res_row_pitch", 0, 16777215, 16, 27, 0, 24, {}, "From row to row of it; 0 repeats a row.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "res_cb_pitch": Field("res_cb_pitch", 0, 16777215, 16, 28, 0, 24, {}, "From channel block to channel block of it; 0 repeats a block.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "res_x_step": Field("res_x_step", 0, 4095, 16, 29, 0, 12, {}, "From pixel to pixel of it; 0 repeats a pixel.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "ew_a_zero": Field("ew_a_zero", -128, 127, 1, 30, 0, 16, {}, "za: zero point of the first operand (the requantised value).", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "ew_b_zero": Field("ew_b_zero", -128, 127, 1, 30, 16, 16, {}, "zb: zero point of the second operand.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "ew_a_mult": Field("ew_a_mult", -2147483648, 2147483647, 1, 31, 0, 32, {}, "ma", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "ew_b_mult": Field("ew_b_mult", -2147483648, 2147483647, 1, 32, 0, 32, {}, "mb", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "ew_out_mult": Field("ew_out_mult", -2147483648, 2147483647, 1, 33, 0, 32, {}, "mo; the additive constant of add under xnnpack; a float's bits for mul under xnnpack.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "ew_a_shift": Field("ew_a_shift", -31, 30, 1, 34, 0, 6, {}, "sa, positive is left.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "ew_b_shift": Field("ew_b_shift", -31, 30, 1, 34, 8, 6, {}, "sb, positive is left.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "ew_out_shift": Field("ew_out_shift", -31, 31, 1, 34, 16, 6, {}, "so, positive is left; add under xnnpack: arithmetic shift to the right, 0..31.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "ew_left_shift": Field("ew_left_shift", 0, 22, 1, 34, 24, 5, {}, "L: (a - za) and (b - zb), within -255..255, are shifted left by it; 22 keeps them inside int32 with a bit to spare for rounding.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "ew_out_zero": Field("ew_out_zero", -128, 127, 1, 35, 0, 16, {}, "zo: zero point added after the element-wise operation.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "ew_act_min": Field("ew_act_min", -128, 127, 1, 36, 0, 16, {}, "Lower clamp after the element-wise operation.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "ew_act_max": Field("ew_act_max", -128, 127, 1, 36, 16, 16, {}, "Upper clamp after the element-wise operation.", ("conv", "dwconv", "maxpool", "sumpool", "pass",), ()),
            "div_recip": Field("div_recip", 0, 4294967295, 1, 37, 0, 32, {}, "floor(2^32 / div_count) + 1 (rule divide, else 0).", ("conv", "dwconv", "sumpool", "pass",), ()),
            "div_count": Field("div_count", 0, 4096, 1, 38, 0, 16, {}, "n: divisor of rule divide, 2..4096 (else 0).", ("conv", "dwconv", "sumpool", "pass",), ()),
            "crc": Field("crc", 0, 4294967295, 1, 39, 0, 32, {}, "CRC-32 of the other words (IEEE 802.3, as zlib's). The driver writes it when it loads the network; looked at where control.check of the queue is 1.", (), ()),
        },
        (
            Rule(1, "block_fits", "all but pass", "block_rows * out_w <= acc_depth of the configuration", "rule_broken"),
            Rule(2, "kernel_size", "conv, dwconv", "kernel_h <= 16 and kernel_w <= 16", "rule_broken"),
            Rule(3, "pass_kernel", "pass", "kernel_h = kernel_w = 1 and dil_y = dil_x = 1", "rule_broken"),
            Rule(4, "plain_pool", "maxpool, sumpool", "dil_y = dil_x = 1 and pad_value = 0", "rule_broken"),
            Rule(5, "padding", "all but pass", "pad_top < kh and pad_left < kw", "rule_broken"),
            Rule(6, "empty_window", "maxpool", "(out_h - 1) * stride_y - pad_top < in_h and (out_w - 1) * stride_x - pad_left < in_w: no window is empty", "rule_broken"),
            Rule(7, "one_input_block", "dwconv, maxpool, sumpool, pass", "in_blocks = 1 and in_kb_step = 1", "rule_broken"),
            Rule(8, "packed", "conv with packed", "dil_x = 1, packed_ic >= 1, stride_x * packed_ic <= 16, in_x_step = stride_x * packed_ic, in_blocks = ceil(kernel_w * packed_ic / 16), row_bytes = in_w * packed_ic, in_kb_step = 0, in_cb_pitch = 0", "rule_broken"),
            Rule(9, "not_packed", "not packed", "packed_ic = 0, row_bytes = 0, in_x_step a multiple of 16", "rule_broken"),
            Rule(10, "kb_step", "conv", "in_kb_step = 0 or macs_k = 16", "rule_broken"),
            Rule(11, "rule_of_op", "all", "rule divide only with sumpool; maxpool only with rule none", "rule_broken"),
            Rule(12, "divide", "all", "rule divide: div_count >= 2 and div_recip = floor(2^32 / div_count) + 1; other rules: div_count = div_recip = 0", "rule_broken"),
            Rule(13, "int32_output", "all", "out_type int32 only with conv, rule none, lut_en 0, ew_op none, upsample2 0, out_zero = act_min = act_max = 0; conv with rule none only with out_type int32", "rule_broken"),
            Rule(14, "clamp", "all", "act_min <= act_max and ew_act_min <= ew_act_max", "rule_broken"),
            Rule(15, "partial_sums", "conv", "acc_init int32 only with ew_op none", "rule_broken"),
            Rule(16, "table", "all", "lut_en 0: lut_base = 0", "rule_broken"),
            Rule(17, "parameters", "all", "p_base = 0 where no parameters are read (maxpool; pass with rule none)", "rule_broken"),
            Rule(18, "second_operand", "all", "res_base, res_row_pitch, res_cb_pitch, res_x_step = 0 where the second operand is not read (ew_op none and acc_init bias)", "rule_broken"),
            Rule(19, "no_element_wise", "all", "ew_op none: every ew_ field = 0", "rule_broken"),
            Rule(20, "xnnpack_sub", "all", "ew_rule xnnpack: ew_op is add or mul (a - b is an add with negative mb)", "rule_broken"),
            Rule(21, "element_wise_unused", "all", "fields that the operation does not name in the table above are 0: tflite mul: ew_left_shift, ma, mb, sa, sb; xnnpack add: ew_left_shift, za, zb, sa, sb; xnnpack mul: ew_left_shift, ma, mb, sa, sb, so", "rule_broken"),
            Rule(22, "output_shift", "all", "so: tflite -31 .. 30; xnnpack add 0 .. 31", "rule_broken"),
        ),
    ),
    "dsp": Engine(
        "dsp",
        1,
        "The vector DSP.",
        ("dsp",),
        ("wait0", "wait1", "wait2",),
        (
            Counter("cycles", 0x8, "", "All cycles since clear."),
            Counter("run", 0x10, "run", "The scalar core issues an instruction, or an image is copied."),
            Counter("load_use", 0x18, "load_use", "A scalar instruction waits for a load from TCM."),
            Counter("branch", 0x20, "branch", "Refetch after a taken branch or jump."),
            Counter("divide", 0x28, "divide", "A scalar instruction waits for the divider, the multiplier or the float unit."),
            Counter("far_load", 0x30, "far_load", "A scalar load waits for SRAM, DRAM or a register, beyond what TCM takes."),
            Counter("vector_queue", 0x38, "vector_queue", "The queue to the vector unit is full."),
            Counter("vector_result", 0x40, "vector_result", "A scalar result of the vector unit, a fence or the end of the program is awaited."),
            Counter("sram_bank", 0x48, "sram_bank", "An access to SRAM meets the DLA's in a bank."),
            Counter("own_dma", 0x50, "own_dma", "The program waits for a copy of its own DMA channel."),
            Counter("start", 0x58, "start", "A command was offered or its waits were met, and no instruction has been issued: checks, region table, registers cleared; the way to the first byte of an image; the end."),
            Counter("fetch", 0x60, "fetch", "The ring is not empty and no command is offered: entry or command being fetched, or the job's barrier."),
            Counter("idle", 0x68, "", "Nothing to do."),
            Counter("commands", 0x70, "", "Commands completed."),
            Counter("instructions", 0x78, "", "Instructions executed."),
            Counter("elements", 0x80, "", "Elements of vector instructions."),
            Counter("bytes_read", 0x88, "", "Bytes read over AXI: commands, job entries, images, copies."),
            Counter("bytes_written", 0x90, "", "Bytes written over AXI."),
            Counter("wait_dla", 0x100, "wait:dla", "Waits for wait0, wait1 or wait2, by engine that signalled (index as enum engine_e): dla."),
            Counter("wait_dsp", 0x108, "wait:dsp", "Waits for wait0, wait1 or wait2, by engine that signalled (index as enum engine_e): dsp."),
            Counter("wait_dma", 0x110, "wait:dma", "Waits for wait0, wait1 or wait2, by engine that signalled (index as enum engine_e): dma."),
            Counter("wait_host", 0x118, "wait:host", "Waits for wait0, wait1 or wait2, by engine that signalled (index as enum engine_e): host."),
        ),
        ("on_trap", "gather_by_element",),
        {
            "op": Field("op", 0, 2, 1, 0, 0, 4, {0: "nop", 1: "run", 2: "select"}, "Operation.", (), ()),
            "fence": Field("fence", 0, 1, 1, 0, 20, 1, {}, "Begin only when every earlier command has completed (always so: commands run one after the other).", (), ()),
            "irq": Field("irq", 0, 1, 1, 0, 21, 1, {}, "Raise irq_status.command_done on completion.", (), ()),
            "on_trap": Field("on_trap", 0, 1, 1, 0, 22, 1, {0: "stop", 1: "go_on"}, "What a trap does to the queue; go_on needs capability.on_trap.", ("run",), ()),
            "isa_version": Field("isa_version", 1, 1, 1, 0, 24, 8, {}, "Version of the command word.", (), ()),
            "tag": Field("tag", 0, 4294967295, 1, 1, 0, 32, {}, "Key into the debug map: command, tile, layer, source op.", (), ()),
            "wait0": Field("wait0", 0, 255, 1, 2, 0, 8, {}, "Counter to wait for; 0: none.", (), ()),
            "wait1": Field("wait1", 0, 255, 1, 2, 8, 8, {}, "Second counter to wait for; 0: none.", (), ()),
            "wait2": Field("wait2", 0, 255, 1, 2, 16, 8, {}, "Third counter to wait for; 0: none.", (), ()),
            "signal": Field("signal", 0, 255, 1, 2, 24, 8, {}, "Counter that signal_add is added to on completion; 0: none.", (), ()),
            "wait0_value": Field("wait0_value", -2147483648, 2147483647, 1, 3, 0, 32, {}, "Relative to value_base of the job; met when int32(counter - value_base - value) >= 0.", (), ()),
            "wait1_value": Field("wait1_value", -2147483648, 2147483647, 1, 4, 0, 32, {}, "As wait0_value, for wait1.", (), ()),
            "wait2_value": Field("wait2_value", -2147483648, 2147483647, 1, 5, 0, 32, {}, "As wait0_value, for wait2.", (), ()),
            "signal_add": Field("signal_add", 0, 65535, 1, 6, 0, 16, {}, "Added to the counter named by signal.", (), ()),
            "region_count": Field("region_count", 1, 16, 1, 6, 16, 5, {}, "Entries of the region table.", ("run",), ()),
            "entry": Field("entry", 0, 4294967295, 2, 7, 0, 32, {}, "Address of the function in the program's view, inside the instruction memory.", ("run",), ()),
            "args_base": Field("args_base", 0, 16777215, 16, 8, 0, 24, {}, "SRAM address of the argument block; the program may read it.", ("run",), ()),
            "args_bytes": Field("args_bytes", 16, 16777215, 16, 9, 0, 24, {}, "Size of the argument block.", ("run",), ()),
            "watchdog": Field("watchdog", 1, 4294967295, 1, 10, 0, 32, {}, "Most cycles from the first instruction to the return.", ("run",), ()),
            "regions_base": Field("regions_base", 0, 16777215, 16, 11, 0, 24, {}, "SRAM address of the region table, 16 bytes an entry.", ("run",), ()),
            "image_offset": Field("image_offset", 0, 4294967295, 16, 12, 0, 32, {}, "First byte of the image: offset in its region, or SRAM address (24 bits).", ("select",), ()),
            "image_bytes": Field("image_bytes", 16, 4294967295, 16, 13, 0, 32, {}, "Size of the image, at most that of the instruction memory.", ("select",), ()),
            "image_region": Field("image_region", 0, 7, 1, 14, 0, 3, {}, "Region of the image (image_in_sram 0, else 0).", ("select",), ()),
            "image_in_sram": Field("image_in_sram", 0, 1, 1, 14, 3, 1, {}, "The image is in SRAM.", ("select",), ()),
            "crc": Field("crc", 0, 65535, 1, 14, 16, 16, {}, "Low half of the CRC-32 of the words without this field. The driver writes it when it loads the network; looked at where control.check of the queue is 1.", (), ()),
            "image_crc": Field("image_crc", 0, 4294967295, 1, 15, 0, 32, {}, "CRC-32 of the image (IEEE 802.3, as zlib's). select: what the bytes must have; run: what the resident image must have.", ("run", "select",), ()),
        },
        (
            Rule(1, "entry", "run", "`entry` is in the instruction memory: `ITCM <= entry < ITCM + itcm.bytes`", "rule_broken"),
            Rule(2, "on_trap", "run", "on_trap is `stop`, or `capability.on_trap` is 1", "unsupported"),
            Rule(3, "image_fits", "select", "`image_bytes <= itcm.bytes`", "rule_broken"),
            Rule(4, "sram_image", "select", "image_in_sram: image_region = 0 and image_offset < 2^24", "rule_broken"),
            Rule(5, "counters", "all", "each counter id is at most `sync_count` of the job", "sync_limit"),
            Rule(6, "arguments", "run", "argument block and region table lie in the SRAM window", "address_range"),
            Rule(7, "image_place", "select", "the image lies inside its region, or in the SRAM window", "address_range"),
            Rule(8, "resident", "run", "an image with `image_crc` is resident, and `entry` is inside it", "rule_broken"),
            Rule(9, "image_crc", "select", "the bytes that were read have `image_crc`; else no image is resident", "rule_broken"),
            Rule(10, "region_entry", "run", "region table: reserved bits are 0, a space is 0 to 8, bytes and rights are not 0", "rule_broken"),
            Rule(11, "region_place", "run", "each region lies in the SRAM window or inside the job's region, and that in DRAM", "address_range"),
        ),
    ),
    "dma": Engine(
        "dma",
        2,
        "A DMA channel.",
        ("dma0", "dma1", "dma2", "dma3", "dma4", "dma5", "dma6", "dma7",),
        ("wait0", "wait1",),
        (
            Counter("cycles", 0x8, "", "All cycles since clear."),
            Counter("run", 0x10, "run", "A burst is requested, or words move."),
            Counter("read_credit", 0x18, "read_credit", "All read bursts that the channel may have are outstanding: latency."),
            Counter("dram_row", 0x20, "dram_row", "The DRAM opens or closes a row."),
            Counter("dram_turnaround", 0x28, "dram_turnaround", "The DRAM turns its bus round."),
            Counter("dram_refresh", 0x30, "dram_refresh", "The DRAM refreshes."),
            Counter("dram_busy", 0x38, "dram_busy", "The DRAM serves other masters or channels."),
            Counter("write_queue", 0x40, "write_queue", "The DRAM's write queue is full."),
            Counter("sram_port", 0x48, "sram_port", "The SRAM port is taken by another channel or its bank by another master."),
            Counter("fetch", 0x50, "fetch", "The ring is not empty and no command is offered: entry or command being fetched, or the job's barrier."),
            Counter("drain", 0x58, "drain", "Waits for its own outstanding bursts: change of direction, fence, completion."),
            Counter("idle", 0x60, "", "Nothing to do."),
            Counter("commands", 0x68, "", "Commands completed."),
            Counter("bytes_read", 0x70, "", "Bytes read over AXI, commands and job entries included."),
            Counter("bytes_written", 0x78, "", "Bytes written over AXI."),
            Counter("wait_dla", 0x100, "wait:dla", "Waits for wait0 or wait1, by engine that signalled (index as enum engine_e): dla."),
            Counter("wait_dsp", 0x108, "wait:dsp", "Waits for wait0 or wait1, by engine that signalled (index as enum engine_e): dsp."),
            Counter("wait_dma", 0x110, "wait:dma", "Waits for wait0 or wait1, by engine that signalled (index as enum engine_e): dma."),
            Counter("wait_host", 0x118, "wait:host", "Waits for wait0 or wait1, by engine that signalled (index as enum engine_e): host."),
        ),
        ("multicast",),
        {
            "op": Field("op", 0, 2, 1, 0, 0, 4, {0: "nop", 1: "copy", 2: "fill"}, "Operation.", (), ()),
            "src_space": Field("src_space", 0, 1, 1, 0, 4, 1, {0: "sram", 1: "system"}, "Where the source is.", ("copy",), ()),
            "dst_space": Field("dst_space", 0, 1, 1, 0, 5, 1, {0: "sram", 1: "system"}, "Where the destination is.", ("copy", "fill",), ()),
            "src_region": Field("src_region", 0, 7, 1, 0, 6, 3, {}, "Region of the source (space system, else 0).", ("copy",), ()),
            "dst_region": Field("dst_region", 0, 7, 1, 0, 9, 3, {}, "Region of the destination (space system, else 0).", ("copy", "fill",), ()),
            "xor80": Field("xor80", 0, 1, 1, 0, 12, 1, {}, "Flip bit 7 of every data byte (uint8 to int8 and back); padding bytes are not changed.", ("copy",), ()),
            "pack": Field("pack", 0, 2, 1, 0, 13, 2, {0: "none", 1: "pad", 2: "drop"}, "Channel padding in the stream.", ("copy",), ()),
            "fence": Field("fence", 0, 1, 1, 0, 20, 1, {}, "Begin only when every earlier command of the channel has completed.", (), ()),
            "irq": Field("irq", 0, 1, 1, 0, 21, 1, {}, "Raise irq_status.command_done on completion.", (), ()),
            "isa_version": Field("isa_version", 1, 1, 1, 0, 24, 8, {}, "Version of the command word.", (), ()),
            "tag": Field("tag", 0, 4294967295, 1, 1, 0, 32, {}, "Key into the debug map: command, tile, layer, source op.", (), ()),
            "wait0": Field("wait0", 0, 255, 1, 2, 0, 8, {}, "Counter to wait for; 0: none.", (), ()),
            "wait1": Field("wait1", 0, 255, 1, 2, 8, 8, {}, "Second counter to wait for; 0: none.", (), ()),
            "signal": Field("signal", 0, 255, 1, 2, 24, 8, {}, "Counter that signal_add is added to on completion; 0: none.", (), ()),
            "wait0_value": Field("wait0_value", -2147483648, 2147483647, 1, 3, 0, 32, {}, "Relative to value_base of the job; met when int32(counter - value_base - value) >= 0.", (), ()),
            "wait1_value": Field("wait1_value", -2147483648, 2147483647, 1, 4, 0, 32, {}, "As wait0_value, for wait1.", (), ()),
            "signal_add": Field("signal_add", 0, 65535, 1, 6, 0, 16, {}, "Added to the counter named by signal.", (), ()),
            "elem_bytes": Field("elem_bytes", 0, 4095, 1, 6, 16, 12, {}, "Data bytes of an element, 1..4095 (pack pad or drop, else 0).", ("copy",), ()),
            "pattern": Field("pattern", 0, 4294967295, 1, 7, 0, 32, {}, "Fill or pad bytes, by destination address modulo 4: bits 7:0 at 0.", ("copy", "fill",), ()),
            "src_base": Field("src_base", 0, 1099511627775, 1, 8, 0, 40, {}, "First source byte: SRAM offset (24 bit) or offset in the region.", ("copy",), ()),
            "src_row_bytes": Field("src_row_bytes", 1, 16777215, 1, 9, 8, 24, {}, "Bytes of a source row.", ("copy",), ()),
            "src_n1": Field("src_n1", 1, 65535, 1, 10, 0, 16, {}, "Rows of the innermost dimension.", ("copy",), ()),
            "src_n2": Field("src_n2", 1, 65535, 1, 10, 16, 16, {}, "Steps of dimension 2.", ("copy",), ()),
            "src_n3": Field("src_n3", 1, 65535, 1, 11, 0, 16, {}, "Steps of dimension 3.", ("copy",), ()),
            "src_n4": Field("src_n4", 1, 65535, 1, 11, 16, 16, {}, "Steps of the outermost dimension.", ("copy",), ()),
            "src_stride1": Field("src_stride1", -2147483648, 2147483647, 1, 12, 0, 32, {}, "From row to row in dimension 1; 0 repeats.", ("copy",), ()),
            "src_stride2": Field("src_stride2", -2147483648, 2147483647, 1, 13, 0, 32, {}, "Step of dimension 2.", ("copy",), ()),
            "src_stride3": Field("src_stride3", -2147483648, 2147483647, 1, 14, 0, 32, {}, "Step of dimension 3.", ("copy",), ()),
            "src_stride4": Field("src_stride4", -2147483648, 2147483647, 1, 15, 0, 32, {}, "Step of dimension 4.", ("copy",), ()),
            "dst_base": Field("dst_base", 0, 1099511627775, 1, 16, 0, 40, {}, "First destination byte: SRAM offset (24 bit) or offset in the region.", ("copy", "fill",), ()),
            "dst_row_bytes": Field("dst_row_bytes", 1, 16777215, 1, 17, 8, 24, {}, "Bytes of a destination row.", ("copy", "fill",), ()),
            "dst_n1": Field("dst_n1", 1, 65535, 1, 18, 0, 16, {}, "Rows of the innermost dimension.", ("copy", "fill",), ()),
            "dst_n2": Field("dst_n2", 1, 65535, 1, 18, 16, 16, {}, "Steps of dimension 2.", ("copy", "fill",), ()),
            "dst_n3": Field("dst_n3", 1, 65535, 1, 19, 0, 16, {}, "Steps of dimension 3.", ("copy", "fill",), ()),
            "dst_n4": Field("dst_n4", 1, 65535, 1, 19, 16, 16, {}, "Steps of the outermost dimension.", ("copy", "fill",), ()),
            "dst_stride1": Field("dst_stride1", -2147483648, 2147483647, 1, 20, 0, 32, {}, "From row to row in dimension 1.", ("copy", "fill",), ()),
            "dst_stride2": Field("dst_stride2", -2147483648, 2147483647, 1, 21, 0, 32, {}, "Step of dimension 2.", ("copy", "fill",), ()),
            "dst_stride3": Field("dst_stride3", -2147483648, 2147483647, 1, 22, 0, 32, {}, "Step of dimension 3.", ("copy", "fill",), ()),
            "dst_stride4": Field("dst_stride4", -2147483648, 2147483647, 1, 23, 0, 32, {}, "Step of dimension 4.", ("copy", "fill",), ()),
            "dst_tile_mask": Field("dst_tile_mask", 0, 0, 1, 24, 0, 32, {}, "Tiles to write to (multicast); 0, this tile, is the only legal value today.", ("copy", "fill",), ()),
            "crc": Field("crc", 0, 4294967295, 1, 31, 0, 32, {}, "CRC-32 of the other words (IEEE 802.3, as zlib's). The driver writes it when it loads the network; looked at where control.check of the queue is 1.", (), ()),
        },
        (
            Rule(1, "sram_source", "copy", "src_space sram: src_region = 0 and src_base < 2^24", "rule_broken"),
            Rule(2, "sram_destination", "copy, fill", "dst_space sram: dst_region = 0 and dst_base < 2^24", "rule_broken"),
            Rule(3, "element", "copy", "pack none: elem_bytes = 0; else elem_bytes >= 1", "rule_broken"),
            Rule(4, "pattern", "copy", "pattern = 0 unless pack is pad", "rule_broken"),
            Rule(5, "length", "copy, fill", "S < 2^32 and D < 2^32", "stream_length"),
            Rule(6, "equal_lengths", "copy", "pack none: S = D", "stream_length"),
            Rule(7, "pad", "copy", "pack pad: S is a multiple of elem_bytes, and src_row_bytes of elem_bytes or elem_bytes of src_row_bytes; D = S / elem_bytes * P, and dst_row_bytes is a multiple of P or P of dst_row_bytes", "stream_length"),
            Rule(8, "drop", "copy", "pack drop: S is a multiple of P, and src_row_bytes of P or P of src_row_bytes; D = S / P * elem_bytes, and dst_row_bytes is a multiple of elem_bytes or elem_bytes of dst_row_bytes", "stream_length"),
        ),
    ),
    "host": Engine(
        "host",
        3,
        "The host, through register SIGNAL or COUNT.",
        ("host",),
        ("wait0", "wait1",),
        (
        ),
        (),
        {
            "op": Field("op", 0, 1, 1, 0, 0, 4, {0: "nop", 1: "run"}, "Operation.", (), ()),
            "fence": Field("fence", 0, 1, 1, 0, 20, 1, {}, "Begin only when every earlier task of the stream has completed (always so: tasks run in order).", (), ()),
            "irq": Field("irq", 0, 1, 1, 0, 21, 1, {}, "Tell the driver's caller on completion.", (), ()),
            "isa_version": Field("isa_version", 1, 1, 1, 0, 24, 8, {}, "Version of the command word.", (), ()),
            "tag": Field("tag", 0, 4294967295, 1, 1, 0, 32, {}, "Key into the debug map: command, tile, layer, source op.", (), ()),
            "wait0": Field("wait0", 0, 255, 1, 2, 0, 8, {}, "Counter to wait for; 0: none.", (), ()),
            "wait1": Field("wait1", 0, 255, 1, 2, 8, 8, {}, "Second counter to wait for; 0: none.", (), ()),
            "signal": Field("signal", 0, 255, 1, 2, 24, 8, {}, "Counter that signal_add is added to on completion; 0: none.", (), ()),
            "wait0_value": Field("wait0_value", -2147483648, 2147483647, 1, 3, 0, 32, {}, "Relative to value_base of the job; met when int32(counter - value_base - value) >= 0.", (), ()),
            "wait1_value": Field("wait1_value", -2147483648, 2147483647, 1, 4, 0, 32, {}, "As wait0_value, for wait1.", (), ()),
            "signal_add": Field("signal_add", 0, 65535, 1, 6, 0, 16, {}, "Added to the counter named by signal.", (), ()),
            "kernel_id": Field("kernel_id", 0, 65535, 1, 7, 0, 16, {}, "Which kernel of the driver.", ("run",), ()),
            "tensors_offset": Field("tensors_offset", 0, 4294967295, 64, 8, 0, 32, {}, "Where the tensor list begins in the constants region.", ("run",), ()),
            "tensors_bytes": Field("tensors_bytes", 64, 4294967295, 64, 9, 0, 32, {}, "Size of the tensor list, 64 per tensor (host_task.h).", ("run",), ()),
            "attributes_offset": Field("attributes_offset", 0, 4294967295, 16, 10, 0, 32, {}, "Where the kernel's attributes begin in the constants region.", ("run",), ()),
            "attributes_bytes": Field("attributes_bytes", 0, 4294967295, 4, 11, 0, 32, {}, "Size of the attributes; 0: none.", ("run",), ()),
            "crc": Field("crc", 0, 4294967295, 1, 15, 0, 32, {}, "CRC-32 of the other words (IEEE 802.3, as zlib's). The driver writes it when it loads the network, and looks at it before it runs the task.", (), ()),
        },
        (
        ),
    ),
}
"""By name, in the order of kinds."""

QUEUES: tuple[str, ...] = ("dla", "dsp", "host", "dma0", "dma1", "dma2", "dma3", "dma4", "dma5", "dma6", "dma7", "dla1", "dla2", "dla3",)
"""Names by number."""

ENGINE_OF: dict[str, str] = {"dla": "dla", "dsp": "dsp", "host": "host", "dma0": "dma", "dma1": "dma", "dma2": "dma", "dma3": "dma", "dma4": "dma", "dma5": "dma", "dma6": "dma", "dma7": "dma", "dla1": "dla", "dla2": "dla", "dla3": "dla"}
"""The engine of a queue."""

CAUSES: dict[str, str] = {
    "run": "A step fires in the operand stage.",
    "feature_bank": "No feature word: the reads of a step met in one bank.",
    "weights": "The next weight set, parameter set or table is not complete.",
    "post": "No room in the post FIFO: requantise, residual operand or output after it.",
    "start": "A command was offered, its features are fetched or loops reload.",
    "fetch": "The ring is not empty and no command is offered: entry or command being fetched, or the job's barrier.",
    "load_use": "A scalar instruction waits for a load from TCM.",
    "branch": "Refetch after a taken branch or jump.",
    "divide": "A scalar instruction waits for the divider, the multiplier or the float unit.",
    "far_load": "A scalar load waits for SRAM, DRAM or a register, beyond what TCM takes.",
    "vector_queue": "The queue to the vector unit is full.",
    "vector_result": "A scalar result of the vector unit, a fence or the end of the program is awaited.",
    "sram_bank": "An access to SRAM meets the DLA's in a bank.",
    "own_dma": "The program waits for a copy of its own DMA channel.",
    "read_credit": "All read bursts that the channel may have are outstanding: latency.",
    "dram_row": "The DRAM opens or closes a row.",
    "dram_turnaround": "The DRAM turns its bus round.",
    "dram_refresh": "The DRAM refreshes.",
    "dram_busy": "The DRAM serves other masters or channels.",
    "write_queue": "The DRAM's write queue is full.",
    "sram_port": "The SRAM port is taken by another channel or its bank by another master.",
    "drain": "Waits for its own outstanding bursts: change of direction, fence, completion.",
}
"""Where a cycle of an engine went, with what it says; but for waits, which are `<group>:<engine>`."""

WAIT_GROUPS: tuple[str, ...] = ("wait_in", "wait_weights", "wait_out", "wait",)
