// What an operator needs besides its tensors: one small struct per group of kinds.
//
// Each struct lists its fields once, in `fields`, with the name that the text form shows; printing,
// parsing and the binary form all walk that list. A field is a bool, int, float, Activation,
// std::string, std::vector<int64_t> or std::vector<float>. The text form leaves out fields that
// have their default.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "compiler_bridge/ir/detection_attributes.h"
#include "compiler_bridge/ir/integer_attributes.h"
#include "compiler_bridge/ir/op_kinds.h"

namespace presil::ir {

/// Clamp fused into an operator, in real numbers: none, [0, inf), [0, 6], [-1, 1].
enum class Activation : uint8_t { kNone, kRelu, kRelu6, kReluN1To1 };

struct None {
  template <class Self, class F>
  static void fields(Self&, F&&) {}
};

/// weights [out channels, kernel h, kernel w, in channels / groups], bias [out channels].
/// Padding is explicit; outside the image x is its zero point.
struct Conv2d {
  int stride_h = 1, stride_w = 1;
  int dilation_h = 1, dilation_w = 1;
  int pad_top = 0, pad_left = 0, pad_bottom = 0, pad_right = 0;
  int groups = 1;
  Activation act = Activation::kNone;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("stride_h", s.stride_h), f("stride_w", s.stride_w);
    f("dilation_h", s.dilation_h), f("dilation_w", s.dilation_w);
    f("pad_top", s.pad_top), f("pad_left", s.pad_left);
    f("pad_bottom", s.pad_bottom), f("pad_right", s.pad_right);
    f("groups", s.groups), f("act", s.act);
  }
};

/// weights [1, kernel h, kernel w, in channels * multiplier]; output channel c * multiplier + m
/// reads input channel c.
struct DepthwiseConv2d {
  int stride_h = 1, stride_w = 1;
  int dilation_h = 1, dilation_w = 1;
  int pad_top = 0, pad_left = 0, pad_bottom = 0, pad_right = 0;
  int multiplier = 1;
  Activation act = Activation::kNone;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("stride_h", s.stride_h), f("stride_w", s.stride_w);
    f("dilation_h", s.dilation_h), f("dilation_w", s.dilation_w);
    f("pad_top", s.pad_top), f("pad_left", s.pad_left);
    f("pad_bottom", s.pad_bottom), f("pad_right", s.pad_right);
    f("multiplier", s.multiplier), f("act", s.act);
  }
};

/// weights [out channels, kernel h, kernel w, in channels], bias [out channels]. Pixel (y, x) of
/// the input is added, times tap (ky, kx), to pixel (y * stride_h + ky - pad_top, ...) of the
/// result, whose rows are (input rows - 1) * stride_h + kernel h - pad_top - pad_bottom. Where the
/// stride is more than the kernel, pad_bottom may be negative: last rows that no input reaches.
/// vector: 0, or how many values TFLite's own kernel requantises at a time where XNNPACK does not
/// take the operator (reference/operators/transpose_conv2d.cpp): 8 channels of a pixel, or, of what
/// is uint8 in the file, 16 values in a row.
struct TransposeConv2d {
  int stride_h = 1, stride_w = 1;
  int pad_top = 0, pad_left = 0, pad_bottom = 0, pad_right = 0;
  int vector = 0;
  Activation act = Activation::kNone;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("stride_h", s.stride_h), f("stride_w", s.stride_w);
    f("pad_top", s.pad_top), f("pad_left", s.pad_left);
    f("pad_bottom", s.pad_bottom), f("pad_right", s.pad_right);
    f("vector", s.vector), f("act", s.act);
  }
};

/// weights [out, in], bias [out]. x holds rows of `in` values, whatever its shape; y has as many
/// rows of `out`. Weights may be computed by the graph. asymmetric_inputs: of float32 x and int8
/// weights, x is quantised with a zero point (under tflite; XNNPACK always has one).
struct FullyConnected {
  Activation act = Activation::kNone;
  bool asymmetric_inputs = false;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("act", s.act), f("asymmetric_inputs", s.asymmetric_inputs);
  }
};

/// a [.., m, k], b [.., k, n], y [.., m, n]: the product of the last two axes, for each index of
/// the others, which broadcast as in numpy. transpose_a: a is [.., k, m]; transpose_b: b is [.., n,
/// k].
struct BatchMatmul {
  bool transpose_a = false, transpose_b = false;
  std::vector<int64_t> fixed = {};  ///< as FixedScale: multiplier, shift, 1 to round twice
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("transpose_a", s.transpose_a), f("transpose_b", s.transpose_b), f("fixed", s.fixed);
  }
};

/// x [batch, time, in], or [time, batch, in] where time_major; w_* [units, in], r_* [units, units],
/// b_* [units]; h, c: state before the first step, [batch, units], 0 where they are absent. y as x
/// with `units` values; h_last, c_last: state after the last step. Per step, * by element,
/// s = 1 / (1 + exp(-v)):
///   i, f, o = s(w x + r h + b), g = tanh(w_cell x + r_cell h + b_cell),
///   c = f * c + i * g, within -cell_clip..cell_clip where that is not 0, h = y = o * tanh(c).
struct Lstm {
  bool time_major = false;
  float cell_clip = 0.0f;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("time_major", s.time_major), f("cell_clip", s.cell_clip);
  }
};

/// Filters of rank one over time, `rank` of which add up to one unit. x [batch, in],
/// feature_weights [filters, in], time_weights [filters, memory], bias [filters / rank]; state
/// [batch, filters * memory]: what each filter made of the x before, oldest first; its zero point
/// where it is absent.
///   last_state = state without the oldest of each filter, then feature_weights x
///   y [batch, filters / rank] = bias + the sum over a unit's filters of time_weights * last_state
struct Svdf {
  int rank = 1;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("rank", s.rank);
  }
};

/// Shapes broadcast as in numpy. fixed: the numbers that scales would give, where a network states
/// integers (of int8, numerics tosa): left, a's multiplier and shift, b's, y's; positive is left. A
/// sum: D(D((a - za) << left) +- D((b - zb) << left)) + zy, D the rule of tflite; a product:
/// D((a - za) * (b - zb)) + zy.
struct Elementwise {
  Activation act = Activation::kNone;
  std::vector<int64_t> fixed = {};
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("act", s.act), f("fixed", s.fixed);
  }
};

/// Taps outside the image do not take part: the average is over the taps inside, rounded to
/// nearest; halves go away from zero or, with ties_up, up. A maximum has none.
struct Pool2d {
  int kernel_h = 1, kernel_w = 1;
  int stride_h = 1, stride_w = 1;
  int pad_top = 0, pad_left = 0, pad_bottom = 0, pad_right = 0;
  bool ties_up = false;
  Activation act = Activation::kNone;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("kernel_h", s.kernel_h), f("kernel_w", s.kernel_w);
    f("stride_h", s.stride_h), f("stride_w", s.stride_w);
    f("pad_top", s.pad_top), f("pad_left", s.pad_left);
    f("pad_bottom", s.pad_bottom), f("pad_right", s.pad_right);
    f("ties_up", s.ties_up), f("act", s.act);
  }
};

/// axes ascending, each 0..rank-1; keep_dims leaves 1 where an axis went. fixed, of a sum of int8:
/// the scale as integers (FixedScale): multiplier, shift, 1 to round twice.
struct Reduce {
  std::vector<int64_t> axes;
  bool keep_dims = false;
  std::vector<int64_t> fixed = {};
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("axes", s.axes), f("keep_dims", s.keep_dims), f("fixed", s.fixed);
  }
};

/// From type to type, or scale to scale. unlike_signs: of what is int8 and uint8 in the file, with
/// scales that differ, which LiteRT rounds otherwise than presil (sim/python/presil/deviations.py).
struct Quantize {
  bool unlike_signs = false;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("unlike_signs", s.unlike_signs);
  }
};

/// y[i] = x[0] + .. + x[i] along the axis; exclusive: without x[i]; reverse: from the last one on.
struct Cumsum {
  int axis = 0;
  bool exclusive = false, reverse = false;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("axis", s.axis), f("exclusive", s.exclusive), f("reverse", s.reverse);
  }
};

/// axis 0..rank-1: y lacks it.
struct Arg {
  int axis = 0;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("axis", s.axis);
  }
};

/// Over the last axis: exp(beta * x) / sum.
struct Softmax {
  float beta = 1.0f;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("beta", s.beta);
  }
};

/// alpha * x below zero.
struct LeakyRelu {
  float alpha = 0.0f;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("alpha", s.alpha);
  }
};

/// x * P(X <= x), X of a standard normal distribution; approximate: by tanh.
struct Gelu {
  bool approximate = false;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("approximate", s.approximate);
  }
};

/// Rows of the last axis less their mean, by the root of their variance + epsilon.
struct LayerNorm {
  float epsilon = 0.001f;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("epsilon", s.epsilon);
  }
};

/// axis 0..rank-1. Inputs may differ from y in quantisation; they are then requantised: as quantize
/// does or, with in_float, by the float rule of unsigned bytes (reference/operators/concat.cpp).
struct Concat {
  int axis = 0;
  Activation act = Activation::kNone;
  bool in_float = false;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("axis", s.axis), f("act", s.act), f("in_float", s.in_float);
  }
};

/// y pixel (r * stride_h + i, c * stride_w + j) is pixel (r, c) of input i * stride_w + j.
struct Interleave {
  int stride_h = 1, stride_w = 1;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("stride_h", s.stride_h), f("stride_w", s.stride_w);
  }
};

/// before, after: one entry per axis. value: the stored (quantised) value that is written there; of
/// float32 its bits.
struct Pad {
  std::vector<int64_t> before, after;
  int value = 0;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("before", s.before), f("after", s.after), f("value", s.value);
  }
};

/// y axis i is x axis perm[i].
struct Transpose {
  std::vector<int64_t> perm;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("perm", s.perm);
  }
};

/// One entry per axis of x; y element i is x[begin + i * step], size elements. size is stated per
/// axis of x; y may leave out axes of size 1.
struct StridedSlice {
  std::vector<int64_t> begin, size, step;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("begin", s.begin), f("size", s.size), f("step", s.step);
  }
};

/// Blocks of `block` x `block` pixels of [n, h, w, c] against pixels of block * block * c channels:
/// pixel (r * block + i, s * block + j), channel k of the one is pixel (r, s), channel
/// (i * block + j) * c + k of the other.
struct Blocks {
  int block = 1;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("block", s.block);
  }
};

/// Blocks of pixels against images. Axes 1..k of the one, [n, space.., rest..], have blocks of
/// block[0..k-1]; the other has a batch of product(block) * n: element (p * block + i) of the one,
/// of image b, lies at p in image (i counted over the block, last axis fastest) * n + b of the
/// other. before, after, one entry per axis of block: zero points around x before
/// space_to_batch, what batch_to_space cuts off at the end.
struct BatchBlocks {
  std::vector<int64_t> block, before, after;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("block", s.block), f("before", s.before), f("after", s.after);
  }
};

/// multiples: how often x is repeated along each axis.
struct Tile {
  std::vector<int64_t> multiples;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("multiples", s.multiples);
  }
};

/// before, after: one entry per axis. What lies outside x is x seen in a mirror at its edge:
/// without the edge's own value, x[1] next to x[0], or with it (`symmetric`), x[0] next to x[0].
struct MirrorPad {
  std::vector<int64_t> before, after;
  bool symmetric = false;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("before", s.before), f("after", s.after), f("symmetric", s.symmetric);
  }
};

/// y = x[.., indices, ..] along axis: y has the axes of x before it, those of indices, those of x
/// after it. The first batch_dims axes are the same in both and stand once in y. Indices count
/// from 0; constant ones lie inside x, of computed ones outside the nearest inside is taken.
struct Gather {
  int axis = 0;
  int batch_dims = 0;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("axis", s.axis), f("batch_dims", s.batch_dims);
  }
};

/// Of element b along batch_axis the first lengths[b] values along axis, the last of them first;
/// the others stay. lengths [x[batch_axis]]; one outside 0..x[axis] counts as the nearest inside.
struct ReverseSequence {
  int axis = 0;
  int batch_axis = 0;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("axis", s.axis), f("batch_axis", s.batch_axis);
  }
};

/// y is indices with one axis more, at `axis`: `on` where the position along it is the index, else
/// `off`; an index outside has `off` everywhere.
struct OneHot {
  int axis = 0;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("axis", s.axis);
  }
};

/// NHWC; the sizes are those of x and y.
struct Resize {
  bool align_corners = false;
  bool half_pixel_centers = false;
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("align_corners", s.align_corners), f("half_pixel_centers", s.half_pixel_centers);
  }
};

/// What presil does not define: kernel and meaning are the user's. Types and shapes of the results
/// are those that the graph states.
struct Custom {
  std::string code;     ///< the operator's name, of the file that it comes from
  std::string options;  ///< a JSON object; "" none
  std::string kernel;   ///< that computes it, of those given to the compiler; "" not decided
  template <class Self, class F>
  static void fields(Self& s, F&& f) {
    f("code", s.code), f("options", s.options), f("kernel", s.kernel);
  }
};

/// A variant of the types, each once.
template <class Variant, class... More>
struct EachOnce {
  using type = Variant;
};
template <class... Known, class T, class... More>
struct EachOnce<std::variant<Known...>, T, More...>
    : EachOnce<std::conditional_t<(std::is_same_v<T, Known> || ...), std::variant<Known...>,
                                  std::variant<Known..., T>>,
               More...> {};

#define X(Name, spelling, Struct, inputs, outputs, shape, types) , Struct
using AnyAttributes = EachOnce<std::variant<None> PRESIL_OP_KINDS(X)>::type;
#undef X

template <class T, class Variant>
inline constexpr bool kIsOneOf = false;
template <class T, class... Known>
inline constexpr bool kIsOneOf<T, std::variant<Known...>> = (std::is_same_v<T, Known> || ...);

/// One of the structs that op_kinds.h names. What copies and destroys them is compiled once, in
/// attributes.cpp: it is a hundred functions in every file that has an operator otherwise.
class Attributes : public AnyAttributes {
 public:
  Attributes() noexcept;
  Attributes(const Attributes&);
  Attributes(Attributes&&) noexcept;
  Attributes& operator=(const Attributes&);
  Attributes& operator=(Attributes&&) noexcept;
  ~Attributes();
  template <class T, class = std::enable_if_t<kIsOneOf<std::decay_t<T>, AnyAttributes>>>
  Attributes(T&& one) : AnyAttributes(std::in_place_type<std::decay_t<T>>, std::forward<T>(one)) {}
};

}  // namespace presil::ir
