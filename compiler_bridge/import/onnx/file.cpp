#include "compiler_bridge/import/onnx/file.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <set>
#include <system_error>
#include <utility>

#include "compiler_bridge/import/constants.h"
#include "models/base/refusal.h"
#include "models/base/utf8.h"
#include "onnx.pb.h"

namespace presil::import::onnx {
namespace {

namespace pb = presil::onnx;

constexpr int64_t kLeastOpset = 7, kMostOpset = 23;
constexpr int64_t kMostBytes = int64_t{1} << 31;  // of a tensor
constexpr int kMostNesting = 32;

// Numbers of element types (onnx TensorProto.DataType).
enum : int {
  kFloat = 1,
  kUint8 = 2,
  kInt8 = 3,
  kInt16 = 5,
  kInt32 = 6,
  kInt64 = 7,
  kBool = 9,
  kHalf = 10
};

std::optional<ir::DType> dtype_of(int number) {
  switch (number) {
    case kFloat:
    case kHalf:
      return ir::DType::kFloat32;
    case kUint8:
      return ir::DType::kUint8;
    case kInt8:
      return ir::DType::kInt8;
    case kInt16:
      return ir::DType::kInt16;
    case kInt32:
      return ir::DType::kInt32;
    case kInt64:
      return ir::DType::kInt64;
    case kBool:
      return ir::DType::kBool;
    default:
      return std::nullopt;
  }
}

class Reader {
 public:
  Reader(std::string name, std::string folder)
      : m_name(std::move(name)), m_folder(std::move(folder)) {}

  File read(const pb::Model& model) {
    File file;
    for (const pb::OperatorSet& set : model.opset_import()) {
      if (is_standard(set.domain())) file.opset = set.version();
    }
    require(file.opset >= kLeastOpset && file.opset <= kMostOpset, [&] {
      return "its operator set is " + std::to_string(file.opset) + ", must be " +
             std::to_string(kLeastOpset) + ".." + std::to_string(kMostOpset);
    });
    const pb::Graph& graph = model.graph();
    std::set<std::string> constant;
    for (const pb::Tensor& tensor : graph.initializer()) {
      require(constant.insert(tensor.name()).second,
              [&] { return "two initializers are called \"" + tensor.name() + "\""; });
      file.constants[tensor.name()] = tensor_of(tensor, "initializer \"" + tensor.name() + "\"");
    }
    for (const pb::Node& node : graph.node()) {
      file.nodes.push_back(node_of(node));
      file.nodes.back().index = file.nodes.size() - 1;
    }
    for (const pb::ValueInfo& input : graph.input()) {
      if (constant.count(input.name()) == 0) file.inputs.push_back(edge_of(input, "input"));
    }
    for (const pb::ValueInfo& output : graph.output()) {
      file.outputs.push_back(edge_of(output, "output"));
    }
    require(!file.outputs.empty(), [] { return std::string("it has no outputs"); });
    return file;
  }

 private:
  static bool is_standard(const std::string& domain) {
    return domain.empty() || domain == "ai.onnx";
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw Refusal("import", m_name + ": " + printable(what));  // names may be any bytes
  }
  template <class What>
  void require(bool holds, What what) const {
    if (!holds) refuse(what());
  }

  ir::Tensor tensor_of(const pb::Tensor& from, const std::string& subject) const {
    ir::Tensor tensor;
    tensor.name = printable(from.name());
    const std::optional<ir::DType> dtype = dtype_of(from.data_type());
    require(dtype.has_value(), [&] {
      return subject + " has elements of type number " + std::to_string(from.data_type()) +
             ", must be float32, float16, int8, uint8, int16, int32, int64 or bool";
    });
    tensor.dtype = *dtype;
    int64_t elements = 1;
    for (const int64_t extent : from.dims()) {
      require(extent >= 0 && (extent == 0 || elements <= kMostBytes / extent), [&] {
        return subject + " has an extent of " + std::to_string(extent) +
               ", must be of less than 2 GiB";
      });
      elements *= extent;
      tensor.shape.push_back(extent);
    }
    tensor.data = std::make_shared<const ir::Bytes>(bytes_of(from, tensor, elements, subject));
    return tensor;
  }

  ir::Bytes bytes_of(const pb::Tensor& from, const ir::Tensor& tensor, int64_t elements,
                     const std::string& subject) const {
    const bool half = from.data_type() == kHalf;
    const size_t width = half ? 2 : size_of(tensor.dtype);
    const auto count = static_cast<size_t>(elements);
    ir::Bytes bytes;
    size_t got = 0;
    if (from.data_location() != 0 || from.external_data_size() != 0) {
      bytes = outside(from, count * width, subject);
      got = count;
    } else if (from.has_raw_data()) {
      bytes.assign(from.raw_data().begin(), from.raw_data().end());
      got = bytes.size() / width;
      require(bytes.size() % width == 0 && got == count, [&] {
        return subject + " has " + std::to_string(from.raw_data().size()) + " bytes, must have " +
               std::to_string(count * width);
      });
    } else {
      const auto fill = [&](const auto& values) {
        got = static_cast<size_t>(values.size());
        if (got != count) return;  // before there is memory for what a shape alone says
        bytes.resize(count * width);
        for (size_t i = 0; i < count; ++i) {
          const auto value = values.Get(static_cast<int>(i));  // little-endian, as this machine is
          std::memcpy(bytes.data() + i * width, &value, width);
        }
      };
      if (from.data_type() == kFloat) {
        fill(from.float_data());
      } else if (from.data_type() == kInt64) {
        fill(from.int64_data());
      } else {
        fill(from.int32_data());
      }
      require(got == count, [&] {
        return subject + " has " + std::to_string(got) + " values, must have " +
               std::to_string(count);
      });
    }
    return half ? widen_halves(bytes.data(), bytes.size()) : bytes;
  }

  // Bytes of a tensor that lie in a file of the model's folder.
  ir::Bytes outside(const pb::Tensor& from, size_t size, const std::string& subject) const {
    namespace fs = std::filesystem;
    std::string location;
    uint64_t offset = 0, length = size;
    for (const pb::Entry& entry : from.external_data()) {
      if (entry.key() == "location") location = entry.value();
      if (entry.key() == "offset") offset = number(entry.value(), subject);
      if (entry.key() == "length") length = number(entry.value(), subject);
    }
    std::error_code none;
    const fs::path folder = fs::weakly_canonical(m_folder.empty() ? "." : m_folder, none);
    const fs::path file = fs::weakly_canonical(folder / location, none);
    const fs::path inside = file.lexically_relative(folder);
    require(!m_folder.empty() && !location.empty() && !inside.empty() && *inside.begin() != "..",
            [&] {
              return subject + " lies in the file \"" + location +
                     "\", which must be in the folder of the model; save it with its data inside "
                     "(onnx.save_model(..., save_as_external_data=False))";
            });
    const auto absent = [&] {
      return subject + " lies in the file \"" + location + "\", which is not in " +
             folder.string() + ", or cannot be read";
    };
    require(fs::is_regular_file(file, none), absent);
    const uint64_t whole = fs::file_size(file, none);
    require(!none && length == size && offset <= whole && length <= whole - offset, [&] {
      return subject + " is bytes " + std::to_string(offset) + " to " +
             std::to_string(offset + length) + " of \"" + location + "\", which has " +
             std::to_string(whole) + "; must be " + std::to_string(size) + " bytes inside it";
    });
    ir::Bytes bytes(size);
    std::ifstream stream(file, std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(offset));
    stream.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
    require(stream.good() || size == 0, absent);
    return bytes;
  }

  uint64_t number(const std::string& text, const std::string& subject) const {
    uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    require(error == std::errc() && end == text.data() + text.size() &&
                value <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max()),
            [&] { return subject + " has data at \"" + text + "\", must be a number of bytes"; });
    return value;
  }

  Node node_of(const pb::Node& from) const {
    Node node;
    node.op = is_standard(from.domain()) ? from.op_type() : from.domain() + "." + from.op_type();
    node.name = from.name();
    node.inputs.assign(from.input().begin(), from.input().end());
    node.outputs.assign(from.output().begin(), from.output().end());
    for (const pb::Attribute& a : from.attribute()) {
      require(!a.has_g(), [&] {
        return node.op + " \"" + node.name +
               "\" has a graph inside, which is not supported: "
               "unroll loops and decide conditions when the model is exported";
      });
      Attribute& to = node.attributes[a.name()];
      to.f = a.f();
      to.i = a.i();
      to.s = a.s();
      to.ints.assign(a.ints().begin(), a.ints().end());
      to.floats.assign(a.floats().begin(), a.floats().end());
      if (a.has_t()) to.tensor = tensor_of(a.t(), "attribute " + a.name() + " of " + node.op);
    }
    return node;
  }

  Edge edge_of(const pb::ValueInfo& from, const std::string& what) const {
    Edge edge;
    edge.name = from.name();
    const std::string subject = what + " \"" + from.name() + "\"";
    const auto& type = from.type().tensor_type();
    const std::optional<ir::DType> dtype = dtype_of(type.elem_type());
    require(dtype.has_value() && type.elem_type() != kHalf, [&] {
      return subject + " has elements of type number " + std::to_string(type.elem_type()) +
             ", must be float32, int8, uint8, int16, int32, int64 or bool";
    });
    edge.dtype = *dtype;
    int64_t elements = 1;
    for (const pb::Dimension& dim : type.shape().dim()) {
      // An open extent is 1: that of a batch. Any other shows where shapes do not fit.
      const int64_t extent = dim.dim_value() > 0 ? dim.dim_value() : 1;
      require(elements <= kMostBytes / extent, [&] {
        return subject + " has an extent of " + std::to_string(extent) +
               ", must be of less than 2 GiB";
      });
      elements *= extent;
      edge.shape.push_back(extent);
    }
    return edge;
  }

  const std::string m_name, m_folder;
};

}  // namespace

bool is_onnx(const uint8_t* bytes, size_t size) {
  // Field 1 (ir_version), a small number; then any field of a model.
  return size > 3 && bytes[0] == 0x08 && bytes[1] > 0 && bytes[1] < 0x40;
}

File read(const uint8_t* bytes, size_t size, const std::string& name, const std::string& folder) {
  pb::Model model;
  const bool fits = size <= static_cast<size_t>(std::numeric_limits<int>::max());
  google::protobuf::io::ArrayInputStream stream(bytes, fits ? static_cast<int>(size) : 0);
  google::protobuf::io::CodedInputStream coded(&stream);
  coded.SetRecursionLimit(kMostNesting);
  if (!model.ParseFromCodedStream(&coded) || !coded.ConsumedEntireMessage() || !model.has_graph()) {
    throw Refusal("import", name +
                                ": this is no ONNX file, or it is damaged; give a .tflite or an "
                                ".onnx file");
  }
  return Reader(name, folder).read(model);
}

}  // namespace presil::import::onnx
