#include "tests/compiler/size_network.h"

#include <fstream>

#include "tests/import/tflite_file.h"

namespace presil::tests {
namespace {

namespace file = import::file;
using import::TfliteFile;

class SizeNetwork {
 public:
  SizeNetwork(int channels, bool as_unsigned)
      : m_type(as_unsigned ? file::TensorType_Uint8 : file::TensorType_Int8),
        m_channels(channels) {}

  std::vector<uint8_t> of(int ops) {
    int x = m_file.add_tensor("x", {1, 4, 4, m_channels}, m_type);
    m_file.graph().inputs = {x};
    for (int i = 0; i < ops; i += 5) {
      const int c = conv(x);
      const int s = add("s");
      m_file.tensor(s).quantization->scale = {1.0f / 256};
      m_file.tensor(s).quantization->zero_point = {is_unsigned() ? 0 : -128};
      m_file.add_op(file::Builtin_LOGISTIC, {c}, {s});
      const int silu = of_two(file::Builtin_MUL, c, s, file::MulT{});
      x = of_two(file::Builtin_ADD, conv(silu), x, file::AddT{});
      if (is_unsigned()) m_file.graph().outputs.push_back(x);
    }
    if (!is_unsigned()) m_file.graph().outputs = {x};
    return m_file.bytes();
  }

 private:
  bool is_unsigned() const { return m_type == file::TensorType_Uint8; }
  int add(const char* name) { return m_file.add_tensor(name, {1, 4, 4, m_channels}, m_type); }

  /// 1x1, as many channels as x has.
  int conv(int x) {
    const auto n = static_cast<size_t>(m_channels);
    std::vector<uint8_t> weights(n * n);
    for (size_t i = 0; i < weights.size(); ++i) {
      weights[i] = static_cast<uint8_t>(i * 31 % 251 - (is_unsigned() ? 0 : 125));
    }
    const std::string name = "w" + std::to_string(m_file.graph().tensors.size());
    const int w = m_file.add_constant(name, {m_channels, 1, 1, m_channels}, m_type, weights);
    if (is_unsigned()) m_file.tensor(w).quantization->zero_point = {125};
    const int y = add("c");
    file::Conv2DT options;
    options.padding = file::Padding_Valid;
    options.stride_h = options.stride_w = options.dilation_h = options.dilation_w = 1;
    m_file.add_op(file::Builtin_CONV_2D, {x, w}, {y}).options.Set(std::move(options));
    return y;
  }

  template <class Options>
  int of_two(file::Builtin code, int a, int b, Options options) {
    const int y = add("y");
    m_file.add_op(code, {a, b}, {y}).options.Set(std::move(options));
    return y;
  }

  TfliteFile m_file;
  file::TensorType m_type;
  int m_channels;
};

}  // namespace

void write_size_network(const std::filesystem::path& path, int ops, int channels,
                        bool as_unsigned) {
  const std::vector<uint8_t> bytes = SizeNetwork(channels, as_unsigned).of(ops);
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
}

}  // namespace presil::tests
