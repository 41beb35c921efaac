#include "models/dla/dla_accesses.h"

#include "models/dla/dla_shape.h"

namespace presil::dla {
namespace {

// Loops of a block: a (input blocks, chunks or rows of taps), b (kernel rows), c (columns).
struct Loops {
  Cycle a, b, c;
  explicit Loops(const Plan& plan) {
    const Command& k = plan.command;
    if (k.op != Op::kConv) {
      a = chunk_rows(k), b = 1, c = chunk_columns(k);
    } else {
      const Cycle lanes = plan.config.macs_c / 16;
      a = k.packed ? k.in_blocks : (k.in_blocks + lanes - 1) / lanes;
      b = k.kernel_h, c = k.packed ? 1 : k.kernel_w;
    }
  }
};

// Words of one row of pixels in one pass.
class Row {
 public:
  Row(const Plan& plan, Cycle group, Cycle a, Cycle b, Cycle c, Cycle y)
      : m_c(plan.command),
        m_group(group),
        m_a(a),
        m_b(b),
        m_column(c),
        m_y(y),
        m_lanes(plan.config.macs_c / 16),
        m_groups_k(plan.config.macs_k / 16),
        m_banks(plan.config.banks) {}

  void conv(Cycle x, Access& access) {
    const Cycle iy = m_y * m_c.stride_y - m_c.pad_top + m_b * m_c.dil_y;
    if (iy < 0 || iy >= m_c.in_h) return;
    const Cycle row = m_c.in_base + iy * m_c.in_row_pitch;
    if (m_c.packed) return dense(x, row, access);
    const Cycle ix = x * m_c.stride_x - m_c.pad_left + m_column * m_c.dil_x;
    if (ix < 0 || ix >= m_c.in_w) return;
    for (Cycle block = m_a * m_lanes; block < std::min<Cycle>((m_a + 1) * m_lanes, m_c.in_blocks);
         ++block) {
      access.add(static_cast<uint64_t>(row + ix * m_c.in_x_step +
                                       (block + m_group * m_c.in_kb_step) * m_c.in_cb_pitch),
                 m_banks);
    }
  }

  void window(Cycle x, Cycle column, Access& access) const {
    const Cycle ix =
        x * m_c.stride_x - m_c.pad_left + (m_column * chunk_width(m_c) + column) * m_c.dil_x;
    if (ix < 0 || ix >= m_c.in_w) return;
    for (Cycle block = m_group * m_groups_k;
         block < std::min<Cycle>((m_group + 1) * m_groups_k, m_c.out_blocks); ++block) {
      for (unsigned r = 0; r < rows_of(m_c, static_cast<unsigned>(m_a)); ++r) {
        const Cycle iy = m_y * m_c.stride_y - m_c.pad_top + (kTapRows * m_a + r) * m_c.dil_y;
        if (iy < 0 || iy >= m_c.in_h) continue;
        access.add(static_cast<uint64_t>(m_c.in_base + iy * m_c.in_row_pitch + ix * m_c.in_x_step +
                                         block * m_c.in_cb_pitch),
                   m_banks);
      }
    }
  }

 private:
  // The words of the window that the pixel before did not have.
  void dense(Cycle x, Cycle row, Access& access) {
    const Cycle start = x * m_c.in_x_step + 16 * m_a - Cycle{m_c.pad_left} * m_c.packed_ic;
    const Cycle end = std::min<Cycle>(start + 16, m_c.row_bytes);
    if (x == 0) m_word = std::max<Cycle>(start, 0) / 16;
    for (; m_word * 16 < end; ++m_word)
      access.add(static_cast<uint64_t>(row + m_word * 16), m_banks);
  }

  const Command& m_c;
  Cycle m_group, m_a, m_b, m_column, m_y, m_lanes, m_groups_k;
  Cycle m_word = 0;
  unsigned m_banks;
};

// Pixels of the second operand or of the output, in the order in which they leave the array.
void add_pixels(const Plan& plan, bool output, std::vector<Access>& accesses) {
  const Command& c = plan.command;
  const Cycle groups_k = plan.config.macs_k / 16;
  const Cycle base = output ? c.out_base : c.res_base;
  const Cycle row_pitch = output ? c.out_row_pitch : c.res_row_pitch;
  const Cycle block_pitch = output ? c.out_cb_pitch : c.res_cb_pitch;
  const Cycle x_step = output ? c.out_x_step : c.res_x_step;
  const bool square = output && c.upsample2;
  const Cycle words = square ? 4 : (output ? output_pixel_bytes(c) : second_pixel_bytes(c)) / 16;
  for (Cycle group = 0; group < plan.kbs; ++group) {
    for (Cycle y = 0; y < c.out_h; ++y) {
      for (Cycle x = 0; x < c.out_w; ++x) {
        for (Cycle w = 0; w < words; ++w) {
          const Cycle row = square ? 2 * y + w / 2 : y, column = square ? 2 * x + w % 2 : x;
          Access access;
          for (Cycle block = group * groups_k;
               block < std::min<Cycle>((group + 1) * groups_k, c.out_blocks); ++block) {
            access.add(static_cast<uint64_t>(base + block * block_pitch + row * row_pitch +
                                             column * x_step + (square ? 0 : 16 * w)),
                       plan.config.banks);
          }
          accesses.push_back(access);
        }
      }
    }
  }
}

}  // namespace

Accesses::Accesses(const Plan& plan) {
  add_steps(plan);
  add_lines(plan);
  if (reads_second(plan.command)) add_pixels(plan, false, second);
  add_pixels(plan, true, output);
}

void Accesses::add_steps(const Plan& plan) {
  const Command& c = plan.command;
  const Loops loops(plan);
  for (Cycle group = 0; group < plan.kbs; ++group) {
    for (Cycle first = 0; first < c.out_h; first += c.block_rows) {
      const Cycle last = std::min<Cycle>(first + c.block_rows, c.out_h);
      for (Cycle pass = 0; pass < plan.passes; ++pass) {
        const Cycle column = pass % loops.c, b = pass / loops.c % loops.b;
        const Cycle a = pass / loops.c / loops.b;
        const bool conv = c.op == Op::kConv;
        const Cycle columns = conv ? 1 : columns_of(c, static_cast<unsigned>(column));
        const Cycle fresh = std::min<Cycle>(c.stride_x, columns);
        for (Cycle y = first; y < last; ++y) {
          Row row(plan, group, a, b, column, y);
          for (Cycle x = 0; x < c.out_w; ++x) {
            for (Cycle i = x == 0 ? 0 : columns - fresh; i < columns; ++i) {
              StepAccess step;
              if (conv) {
                row.conv(x, step);
              } else {
                row.window(x, i, step);
              }
              step.first_of_pass = y == first && x == 0 && i == 0;
              step.first_pass = pass == 0;
              step.pixel = i + 1 == columns;
              step.last_pass = pass + 1 == plan.passes;
              step.last_of_group = step.last_pass && last == c.out_h && y + 1 == last &&
                                   x + 1 == c.out_w && step.pixel;
              steps.push_back(step);
            }
          }
        }
      }
    }
  }
}

void Accesses::add_lines(const Plan& plan) {
  const Command& c = plan.command;
  const Loops loops(plan);
  const Cycle ports = plan.config.weight_ports, groups_k = plan.config.macs_k / 16;
  const auto add = [&](LineAccess::Kind kind, Cycle at, Cycle count) {
    for (Cycle i = 0; i < count; ++i) {
      LineAccess line;
      line.kind = kind;
      for (Cycle p = 0; p < ports; ++p)
        line.add(static_cast<uint64_t>(at + 16 * (i * ports + p)), plan.config.banks);
      line.ends_phase = i + 1 == count;
      line.ends_pass = line.ends_phase && (kind == LineAccess::kSet ||
                                           (kind == LineAccess::kParameters && !reads_weights(c)));
      lines.push_back(line);
    }
  };
  if (c.lut_en) add(LineAccess::kTable, c.lut_base, plan.cycles_table);
  for (Cycle group = 0; group < plan.kbs; ++group) {
    for (size_t block = 0; block < plan.blocks.size(); ++block) {
      for (Cycle pass = 0; pass < plan.passes; ++pass) {
        const bool parameters = block == 0 && pass == 0 && reads_parameters(c);
        if (parameters) {
          add(LineAccess::kParameters, c.p_base + group * kParameterBytes * groups_k,
              plan.cycles_parameters);
        }
        if (reads_weights(c)) {
          const Cycle inner = loops.b * loops.c;
          add(LineAccess::kSet,
              c.w_base + group * c.w_kb_pitch + pass / inner * c.w_cb_pitch +
                  pass % inner * plan.cycles_set * 16 * ports,
              plan.cycles_set);
        } else if (!parameters) {
          LineAccess line;
          line.kind = LineAccess::kNothing;
          line.ends_pass = true;
          lines.push_back(line);
        }
      }
    }
  }
}

}  // namespace presil::dla
