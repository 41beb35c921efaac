/* Rules between the fields of a command, and its addresses: R1 to R4 of the README, in its order.
 */
#include "driver/core/engine.h"
#include "pool/pool.h"
#include "pool/pool_rules.h"

#define F(name) presil_field_get(words, &presil_pool_command_fields()[PRESIL_POOL_COMMAND_##name])

static bool at_most(presil_finding* f, unsigned rule, const char* what, int64_t got, int64_t high,
                    const char* why) {
  return presil_within(f, rule, what, got, INT64_MIN, high, why);
}

static bool inside(presil_finding* f, const char* what, int64_t end, const presil_limits* limits) {
  if (presil_within(f, 0, what, end, 0, limits->sram_bytes, "one past the last byte in SRAM")) {
    return true;
  }
  f->code = PRESIL_QUEUE_ERROR_CODE_ADDRESS_RANGE;
  return false;
}

static bool check(const uint32_t* words, const presil_limits* limits, presil_finding* f) {
  const int64_t op = F(OP), entries = (int64_t)limits->parameters[0]; /* table_entries */
  const bool window = op == PRESIL_POOL_OP_MAX || op == PRESIL_POOL_OP_AVERAGE;
  const bool resize = op == PRESIL_POOL_OP_NEAREST || op == PRESIL_POOL_OP_BILINEAR;
  if (!window && !resize) return true;

  if (!at_most(f, PRESIL_POOL_R1_CLAMP, "clamp_low", F(CLAMP_LOW), F(CLAMP_HIGH),
               "clamp_low <= clamp_high")) {
    return false;
  }
  if (window) {
    const char* const less = "padding is less than the window";
    const char* const some = "each window has a tap inside the image";
    if (!at_most(f, PRESIL_POOL_R2_PADDING, "pad_top", F(PAD_TOP), F(KERNEL_H) - 1, less) ||
        !at_most(f, PRESIL_POOL_R2_PADDING, "pad_left", F(PAD_LEFT), F(KERNEL_W) - 1, less) ||
        !at_most(f, PRESIL_POOL_R3_LAST_WINDOW, "first row of the last window",
                 (F(OUT_H) - 1) * F(STRIDE_Y) - F(PAD_TOP), F(IN_H) - 1, some) ||
        !at_most(f, PRESIL_POOL_R3_LAST_WINDOW, "first column of the last window",
                 (F(OUT_W) - 1) * F(STRIDE_X) - F(PAD_LEFT), F(IN_W) - 1, some)) {
      return false;
    }
  }
  if (resize && (!at_most(f, PRESIL_POOL_R4_TABLE_SIZE, "out_h", F(OUT_H), entries,
                          "as many rows as the table has") ||
                 !at_most(f, PRESIL_POOL_R4_TABLE_SIZE, "out_w", F(OUT_W), entries,
                          "as many columns as the table has"))) {
    return false;
  }
  const int64_t in = F(IN_BASE) + (F(BLOCKS) - 1) * F(IN_BLOCK_PITCH) +
                     (F(IN_H) - 1) * F(IN_ROW_PITCH) + 16 * F(IN_W);
  const int64_t out = F(OUT_BASE) + (F(BLOCKS) - 1) * F(OUT_BLOCK_PITCH) +
                      (F(OUT_H) - 1) * F(OUT_ROW_PITCH) + 16 * F(OUT_W);
  const int64_t table = resize ? F(TABLE_BASE) + 16 * ((F(OUT_W) + 3) / 4 + (F(OUT_H) + 3) / 4) : 0;
  return inside(f, "end of the input", in, limits) && inside(f, "end of the output", out, limits) &&
         inside(f, "end of the tables", table, limits);
}

extern const presil_engine_driver presil_pool_driver;
const presil_engine_driver presil_pool_driver = {.check = check};
