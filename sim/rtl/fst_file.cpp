#include "models/base/refusal.h"
#include "sim/rtl/verilated_waveform.h"
#include "verilated_fst_c.h"

namespace presil::rtl {
namespace {

class FstFile : public Waveform {
 public:
  FstFile(std::string file, const std::function<void(VerilatedFstC*)>& attach)
      : m_file(std::move(file)) {
    attach(&m_fst);
    m_fst.set_time_unit("1ps");
    m_fst.set_time_resolution("1ps");
  }

  void dump(uint64_t ps) override {
    if (!m_fst.isOpen()) {
      m_fst.open(m_file.c_str());
      if (!m_fst.isOpen()) throw Refusal("trace", "'" + m_file + "' cannot be written");
    }
    m_fst.dump(ps);
  }

 private:
  std::string m_file;
  VerilatedFstC m_fst;
};

}  // namespace

std::unique_ptr<Waveform> fst_file(const std::string& file,
                                   const std::function<void(VerilatedFstC*)>& attach) {
  return std::make_unique<FstFile>(file, attach);
}

}  // namespace presil::rtl
