#include "testbench/dla_post/dla_post_bench.h"

#include <verilated.h>

#include <random>
#include <stdexcept>

#include "Vdla_post_16_16_8.h"
#include "Vdla_post_16_4_2.h"
#include "Vdla_post_32_32_16.h"

namespace presil::dla::bench {
namespace {

// Bytes to 32-bit words of a wide port, lowest first.
template <class Port>
void put_bytes(Port& port, const uint8_t* bytes, unsigned count) {
  for (unsigned i = 0; i < count; i += 4) {
    port[i / 4] = uint32_t{bytes[i]} | uint32_t{bytes[i + 1]} << 8 | uint32_t{bytes[i + 2]} << 16 |
                  uint32_t{bytes[i + 3]} << 24;
  }
}

template <class Top, unsigned kMacsK>
class Bench : public PostBench {
 public:
  Bench() : m_top(&m_context) {
    m_top.clk_i = 0;
    m_top.rst_ni = 1;
    m_top.valid_i = m_top.res_valid_i = m_top.lut_we_i = m_top.ready_i = 0;
    m_top.eval();
    m_top.rst_ni = 0;
    tick();
    m_top.rst_ni = 1;
    tick();
  }
  ~Bench() override { m_top.final(); }

  PostRun run(const PostSetup& setup, const std::vector<PostPixel>& pixels, unsigned gaps,
              uint32_t seed) override {
    std::mt19937 random(seed);
    const auto pauses = [&] { return (random() & 255u) < gaps; };
    prepare(setup);
    PostRun result;
    size_t next = 0, second = 0, done = 0;
    bool offered = false, res_offered = false;
    for (uint64_t cycle = 0, idle = 0; done < pixels.size(); ++cycle) {
      while (second < pixels.size() && !pixels[second].has_second) ++second;
      offered = offered || (next < pixels.size() && !pauses());
      res_offered = res_offered || (second < pixels.size() && !pauses());
      m_top.valid_i = offered;
      if (offered) drive(pixels[next]);
      m_top.res_valid_i = res_offered;
      if (res_offered) put_bytes(m_top.res_data_i, pixels[second].second.data(), kMacsK);
      m_top.ready_i = !pauses();
      m_top.eval();
      ++idle;
      if (m_top.valid_o && m_top.ready_i) {
        result.words.push_back(word(cycle));
        if (m_top.last_o) ++done;
        idle = 0;
      }
      const bool taken = m_top.valid_i && m_top.ready_o, res_taken = m_top.res_ready_o;
      if (taken) result.taken.push_back(cycle);
      tick();
      if (taken) {
        ++next;
        offered = false;
      }
      if (res_taken) {
        ++second;
        res_offered = false;
      }
      if (idle > 10000) throw std::runtime_error("dla_post: no word for 10000 cycles");
    }
    m_top.valid_i = m_top.res_valid_i = m_top.ready_i = 0;
    return result;
  }

 private:
  void tick() {
    m_top.clk_i = 1;
    m_top.eval();
    m_top.clk_i = 0;
    m_top.eval();
  }
  void prepare(const PostSetup& setup) {
    for (unsigned i = 0; i < 40; ++i) {
      m_top.words0_i[i] = setup.words[0][i];
      m_top.words1_i[i] = setup.words[1][i];
    }
    m_top.lut_we_i = 1;
    for (unsigned i = 0; i < 32; ++i) {
      m_top.lut_slot_i = i / 16;
      m_top.lut_row_i = i % 16;
      put_bytes(m_top.lut_data_i, setup.table[i / 16].data() + i % 16 * 16, 16);
      tick();
    }
    m_top.lut_we_i = 0;
  }
  void drive(const PostPixel& p) {
    m_top.slot_i = p.slot;
    for (unsigned k = 0; k < kMacsK; ++k) {
      m_top.acc_i[k] = static_cast<uint32_t>(p.acc[k]);
      m_top.multiplier_i[k] = static_cast<uint32_t>(p.multiplier[k]);
    }
    put_bytes(m_top.shift_i, reinterpret_cast<const uint8_t*>(p.shift.data()), kMacsK);
    m_top.lanes_i = kMacsK == 16 ? p.lanes[0] : p.lanes[0] | p.lanes[1] << 5;
    m_top.user_i = p.user;
  }
  PostWord word(uint64_t cycle) const {
    PostWord w;
    for (unsigned i = 0; i < kMacsK; ++i) {
      w.bytes[i] = static_cast<uint8_t>(m_top.data_o[i / 4] >> (i % 4 * 8));
    }
    w.word = m_top.word_o;
    w.last = m_top.last_o;
    w.user = m_top.user_o;
    w.cycle = cycle;
    return w;
  }

  VerilatedContext m_context;
  Top m_top;
};

}  // namespace

std::unique_ptr<PostBench> make_post_bench(const std::string& size) {
  if (size == "16_16_8") return std::make_unique<Bench<Vdla_post_16_16_8, 16>>();
  if (size == "16_4_2") return std::make_unique<Bench<Vdla_post_16_4_2, 16>>();
  if (size == "32_32_16") return std::make_unique<Bench<Vdla_post_32_32_16, 32>>();
  return nullptr;
}

}  // namespace presil::dla::bench
