/* What kernels of floats must know besides their tensors. */
#ifndef PRESIL_DRIVER_KERNEL_FLOAT_ATTRIBUTES_H
#define PRESIL_DRIVER_KERNEL_FLOAT_ATTRIBUTES_H

#include <stdint.h>

/* Of floats. The clamp: max(v, low) where low is above -infinity, then min(v, high) where high is
 * below infinity. The order of operations is in float_math.h. */
typedef struct presil_clamp_f32_attributes {
  float low, high;
} presil_clamp_f32_attributes;

typedef struct presil_conv_f32_attributes {
  uint32_t stride_h, stride_w;
  uint32_t dilation_h, dilation_w;
  uint32_t pad_top, pad_left; /* bottom and right follow from the shapes */
  uint32_t groups;
  float low, high;
} presil_conv_f32_attributes;

/* Activations of float, weights of int8: how x becomes bytes, and the order in which their sum
 * meets the scales. hybrid.h has them in words. */
enum presil_hybrid_input {
  PRESIL_HYBRID_SYMMETRIC,
  PRESIL_HYBRID_ASYMMETRIC,
  PRESIL_HYBRID_QD8,
  PRESIL_HYBRID_INPUTS
};
enum presil_hybrid_order {
  PRESIL_HYBRID_BOTH_SCALES,
  PRESIL_HYBRID_WEIGHT_SCALE,
  PRESIL_HYBRID_IN_FOURS,
  PRESIL_HYBRID_FUSED,
  PRESIL_HYBRID_ORDERS
};

typedef struct presil_hybrid_attributes {
  uint32_t input;    /* enum presil_hybrid_input */
  uint32_t order;    /* enum presil_hybrid_order */
  uint32_t by_pixel; /* 1: each pixel is quantised by itself, of convolutions of 1x1, stride 1 */
  uint32_t stride_h, stride_w;
  uint32_t dilation_h, dilation_w;
  uint32_t pad_top, pad_left; /* bottom and right follow from the shapes */
  uint32_t groups;
  float low, high;
} presil_hybrid_attributes;

typedef struct presil_pool_f32_attributes {
  uint32_t kernel_h, kernel_w;
  uint32_t stride_h, stride_w;
  uint32_t pad_top, pad_left; /* bottom and right follow from the shapes */
  float low, high;
} presil_pool_f32_attributes;

enum presil_f32_pair {
  PRESIL_F32_ADD,
  PRESIL_F32_SUB,
  PRESIL_F32_MUL,
  PRESIL_F32_DIV,
  PRESIL_F32_MAXIMUM,
  PRESIL_F32_MINIMUM,
  PRESIL_F32_SQUARED_DIFFERENCE, /* d = a - b, d * d */
  PRESIL_F32_POW,
  PRESIL_F32_PRELU, /* a from 0 on, else a * b */
  PRESIL_F32_FLOOR_DIV,
  PRESIL_F32_FLOOR_MOD, /* the exact rest of a / b; plus b where it is not 0 and of another sign */
  PRESIL_F32_PAIRS
};

/* As how many elements one counts (presil_kernel_elements): a polynomial as five, erf in double as
 * eighty. */
static inline uint32_t presil_f32_pair_weight(uint32_t function) {
  return function == PRESIL_F32_POW ? 5 : 1;
}

typedef struct presil_pair_f32_attributes {
  uint32_t function; /* enum presil_f32_pair */
  float low, high;
} presil_pair_f32_attributes;

enum presil_f32_function {
  PRESIL_F32_CLAMP,      /* the clamp */
  PRESIL_F32_LEAKY_RELU, /* x above 0, else x * slope */
  PRESIL_F32_HARD_SWISH, /* x * min(max(x + 3, 0), 6) / 6 */
  PRESIL_F32_LOGISTIC,
  PRESIL_F32_TANH,
  PRESIL_F32_ELU,       /* x above 0, else exp(x) - 1 */
  PRESIL_F32_GELU,      /* x * ((1 + erf(x * sqrt(1/2))) / 2), in double, rounded once */
  PRESIL_F32_GELU_TANH, /* (0.5 * x) * (1 + tanh((x + x * x * x * 0.044715) * sqrt(2 / pi))) */
  PRESIL_F32_EXP,
  PRESIL_F32_LOG,
  PRESIL_F32_SQRT,
  PRESIL_F32_RSQRT, /* 1 / sqrt(x), each rounded */
  PRESIL_F32_ABS,
  PRESIL_F32_NEG,
  PRESIL_F32_SQUARE,
  PRESIL_F32_SIN,
  PRESIL_F32_COS,
  PRESIL_F32_FLOOR,
  PRESIL_F32_CEIL,
  PRESIL_F32_ROUND, /* halves to even */
  PRESIL_F32_SIGN,  /* 1, -1, or the zero that x is */
  PRESIL_F32_FUNCTIONS
};

static inline uint32_t presil_f32_function_weight(uint32_t function) {
  switch (function) {
    case PRESIL_F32_LOGISTIC:
    case PRESIL_F32_TANH:
    case PRESIL_F32_ELU:
    case PRESIL_F32_GELU_TANH:
    case PRESIL_F32_EXP:
    case PRESIL_F32_LOG:
    case PRESIL_F32_SIN:
    case PRESIL_F32_COS:
      return 5;
    case PRESIL_F32_GELU:
      return 80;
    default:
      return 1;
  }
}

typedef struct presil_function_f32_attributes {
  uint32_t function; /* enum presil_f32_function */
  float slope;       /* leaky relu */
  float low, high;   /* clamp */
} presil_function_f32_attributes;

enum presil_f32_reduction {
  PRESIL_F32_MEAN,
  PRESIL_F32_SUM,
  PRESIL_F32_MAX,
  PRESIL_F32_MIN,
  PRESIL_F32_PROD,
  PRESIL_F32_REDUCTIONS
};

typedef struct presil_reduce_f32_attributes {
  uint32_t axes;     /* bit i: axis i goes */
  uint32_t function; /* enum presil_f32_reduction */
} presil_reduce_f32_attributes;

typedef struct presil_layer_norm_attributes {
  float epsilon;
} presil_layer_norm_attributes;

typedef struct presil_softmax_f32_attributes {
  float beta;
  uint32_t logarithm; /* 1: of log softmax; beta is 1 */
} presil_softmax_f32_attributes;

#endif
