// The printed register blocks (rtl/<b>/<b>_registers.sv) against the register banks of the same
// contracts (rtl/<b>/<b>_bank.h): random reads, writes and resets of every word and of what lies
// between, random values from hardware. What each bit of hw_i and reg_o means follows from the
// bank's masks and the order of the structs: words by offset, the first on top, each from its
// highest bit down, the last element of an array on top.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "Vdla_registers.h"
#include "Vdma_registers.h"
#include "Vdsp_registers.h"
#include "Vhost_registers.h"
#include "Vsync_registers.h"
#include "rtl/dla/dla_bank.h"
#include "rtl/dma/dma_bank.h"
#include "rtl/dsp/dsp_bank.h"
#include "rtl/host/host_bank.h"
#include "rtl/sync/sync_bank.h"

namespace presil {
namespace {

template <std::size_t N>
uint32_t& word_of(VlWide<N>& port, unsigned i) {
  return port[i];
}
template <class T>
bool bit_of(const T& port, unsigned bit) {
  if constexpr (std::is_integral_v<T>) {
    return port >> bit & 1;
  } else {
    return port[bit / 32] >> bit % 32 & 1;
  }
}
template <class T>
constexpr unsigned words_in(const T& port) {
  return (sizeof port + 3) / 4;
}

bool of_queue(const std::string& name) {
  return name.rfind("queue.", 0) == 0 || name.rfind("channel[", 0) == 0;
}
/// Bits that both sides write and hardware stores.
uint32_t shared_bits(const std::string& name) {
  if (name.rfind("count[", 0) == 0) return ~0u;
  return name.rfind("slot[", 0) == 0 && name.find(".control") != std::string::npos ? 1u << 8 : 0;
}

/// A bit of a word's contract, at a place of hw_i or reg_o.
struct Bit {
  const RegisterWord* word;
  unsigned bit;
  enum Kind { kValue, kSet, kStored, kPulse, kData, kStrobe } kind;
};

class Layout {
 public:
  explicit Layout(const RegisterBank& bank) {
    for (size_t i = 0; i < bank.word_count(); ++i) {
      if (!of_queue(bank.word(i).name)) words.push_back(&bank.word(i));
    }
    for (const RegisterWord* w : words) {
      for (const auto& part : parts(w->name)) {
        const auto base = m_base.try_emplace(part.first, w->offset).first;
        base->second = std::min(base->second, w->offset);
      }
    }
    std::vector<const RegisterWord*> order = words;
    std::sort(order.begin(), order.end(),
              [this](auto* a, auto* b) { return key(a->name) < key(b->name); });
    for (const RegisterWord* w : order) add(*w);
    std::reverse(inputs.begin(), inputs.end());
    std::reverse(outputs.begin(), outputs.end());
  }

  std::vector<const RegisterWord*> words;
  std::vector<Bit> inputs, outputs;  ///< by bit of hw_i, reg_o

 private:
  /// "counters[3].wait[2].hi": {"counters", 3}, {"counters.wait", 2}.
  static std::vector<std::pair<std::string, int>> parts(const std::string& name) {
    std::vector<std::pair<std::string, int>> found;
    std::string path;
    for (size_t at = 0; at < name.size();) {
      const size_t dot = std::min(name.find('.', at), name.size());
      const size_t bracket = name.find('[', at);
      const bool array = bracket < dot;
      const std::string part = name.substr(at, (array ? bracket : dot) - at);
      at = dot + 1;
      if (part == "hi") break;
      path += "." + part;
      found.emplace_back(path, array ? std::stoi(name.substr(bracket + 1)) : 0);
    }
    return found;
  }
  std::vector<int64_t> key(const std::string& name) const {
    std::vector<int64_t> key;
    for (const auto& [path, index] : parts(name)) {
      key.push_back(m_base.at(path));
      key.push_back(-index);
    }
    key.push_back(name.find(".hi") == std::string::npos);
    return key;
  }
  void add(const RegisterWord& w) {
    const uint32_t shared = shared_bits(w.name);
    const uint32_t data = shared | (w.writable & ~w.readable & ~w.pulse);
    if (data != 0) outputs.push_back({&w, 0, Bit::kStrobe});
    const bool array = std::string(w.name).rfind("count[", 0) == 0;  // of registers
    const bool with_data = !array || std::string(w.name) == "count[0]";
    for (unsigned bit = 32; bit-- > 0;) {
      const uint32_t mask = 1u << bit;
      if (w.w1c & mask) inputs.push_back({&w, bit, Bit::kSet});
      if (w.readable & mask & (~w.writable | shared)) inputs.push_back({&w, bit, Bit::kValue});
      if (!(w.writable & mask)) continue;
      const Bit::Kind kind = data & mask ? Bit::kData : w.pulse & mask ? Bit::kPulse : Bit::kStored;
      if (kind != Bit::kData || with_data) outputs.push_back({&w, bit, kind});
    }
  }

  std::map<std::string, uint32_t> m_base;
};

template <class D, class B>
struct Block {
  using Dut = D;
  using Bank = B;
};
template <class T>
class RegisterBlock : public testing::Test {};
using Blocks = testing::Types<Block<Vdla_registers, dla::Bank>, Block<Vdma_registers, dma::Bank>,
                              Block<Vdsp_registers, dsp::Bank>, Block<Vsync_registers, sync::Bank>,
                              Block<Vhost_registers, host::Bank>>;
struct BlockName {
  template <class>
  static std::string GetName(int i) {
    return std::array{"dla", "dma", "dsp", "sync", "host"}[size_t(i)];
  }
};
TYPED_TEST_SUITE(RegisterBlock, Blocks, BlockName);

TYPED_TEST(RegisterBlock, equals_the_register_bank_in_every_access) {
  std::map<uint32_t, unsigned> reads, writes;
  unsigned refused = 0;
  typename TypeParam::Bank bank_object;
  RegisterBank& bank = bank_object;
  const Layout layout(bank);
  for (int seed = 1; seed <= 3; ++seed) {
    std::mt19937 random(seed);
    VerilatedContext context;
    context.randReset(2);
    context.randSeed(seed);
    typename TypeParam::Dut dut(&context);
    ASSERT_EQ(words_in(dut.hw_i), (layout.inputs.size() + 31) / 32);
    ASSERT_LE(words_in(dut.reg_o), (layout.outputs.size() + 31) / 32);
    dut.clk_i = 0;
    dut.rst_ni = 1;
    dut.eval();
    for (int cycle = 0; cycle < 6000; ++cycle) {
      dut.rst_ni = cycle > 0 && random() % 2000 != 0;
      for (unsigned i = 0; i < words_in(dut.hw_i); ++i) word_of(dut.hw_i, i) = random();
      const size_t used = layout.inputs.size() % 32;
      if (used != 0) word_of(dut.hw_i, words_in(dut.hw_i) - 1) &= (1u << used) - 1;
      dut.reg_offset_i =
          random() % 8 == 0 ? random() % 0x2100 : bank.word(random() % bank.word_count()).offset;
      dut.reg_wdata_i = random() % 4 == 0 ? ~0u : random();
      dut.reg_write_i = random() % 2;
      dut.reg_read_i = !dut.reg_write_i && random() % 4 != 0;
      dut.eval();
      if (!dut.rst_ni) bank.reset();

      // what hardware gives shows at once; it sets bits after this cycle
      std::map<uint32_t, uint32_t> set;
      for (size_t i = 0; i < layout.inputs.size(); ++i) {
        const Bit& in = layout.inputs[i];
        const uint32_t mask = 1u << in.bit, now = bank.get(in.word->offset);
        const bool one = bit_of(dut.hw_i, i);
        if (in.kind == Bit::kSet) {
          set[in.word->offset] |= one ? mask : 0;
        } else if ((now & mask) != (one ? mask : 0)) {
          bank.set(in.word->offset, now ^ mask);
        }
      }
      const uint32_t offset = dut.reg_offset_i;
      const auto at = std::find_if(layout.words.begin(), layout.words.end(),
                                   [&](auto* w) { return w->offset == offset; });
      uint32_t unused = 0;
      const bool in_queue =  // or in another register
          bank.read(offset & ~3u, unused) != Access::kUnmapped && at == layout.words.end();
      for (size_t i = 0; i < layout.outputs.size(); ++i) {
        const Bit& out = layout.outputs[i];
        const bool written = dut.reg_write_i && out.word->offset == offset;
        const bool data = dut.reg_wdata_i >> out.bit & 1;
        const bool expected = out.kind == Bit::kStored   ? bank.get(out.word->offset) >> out.bit & 1
                              : out.kind == Bit::kPulse  ? written && data
                              : out.kind == Bit::kStrobe ? written
                                                         : data;
        ASSERT_EQ(bit_of(dut.reg_o, i), expected)
            << out.word->name << " bit " << out.bit << " cycle " << cycle << " seed " << seed;
      }
      uint32_t value = 0;
      Access access = Access::kOk;
      if (dut.reg_read_i) access = bank.read(offset, value);
      if (dut.reg_write_i && dut.rst_ni) access = bank.write(offset, dut.reg_wdata_i);
      if (dut.hit_o) {
        ASSERT_FALSE(in_queue && offset % 4 == 0) << offset;
        if (dut.rst_ni || dut.reg_read_i) {
          ASSERT_EQ(dut.reg_error_o != 0, access != Access::kOk) << offset << " cycle " << cycle;
        }
        if (dut.reg_read_i) {
          ASSERT_EQ(dut.reg_rdata_o, value) << offset << " cycle " << cycle;
        }
        refused += access != Access::kOk;
        ++(dut.reg_write_i ? writes : reads)[offset];
      } else {
        ASSERT_TRUE(at == layout.words.end()) << offset;
        ASSERT_EQ(dut.reg_error_o, 0) << offset;
        ASSERT_EQ(dut.reg_rdata_o, 0u) << offset;
      }
      if (dut.rst_ni) {
        for (const auto& [word, bits] : set) bank.set(word, bank.get(word) | bits);
      }
      dut.clk_i = 1;
      dut.eval();
      dut.clk_i = 0;
      dut.eval();
    }
  }
  for (const RegisterWord* w : layout.words) {
    EXPECT_GT(reads[w->offset], 0u) << w->name;
    EXPECT_GT(writes[w->offset], 0u) << w->name;
  }
  EXPECT_GT(refused, 100u);
}

}  // namespace
}  // namespace presil
