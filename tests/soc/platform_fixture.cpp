#include "tests/soc/platform_fixture.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>

#include "compiler_bridge/compile/compile.h"
#include "compiler_bridge/import/post.h"
#include "compiler_bridge/import/tflite.h"
#include "compiler_bridge/ir/text.h"
#include "models/base/digest.h"
#include "rtl/soc/address_map.h"

namespace presil::tests {
namespace {

template <class Bytes>
Bytes contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

Subject compiled(bool boxes) {
  Subject s;
  const std::string folder = "sim/nets/digits/";
  s.graph =
      import::import_tflite(contents<std::vector<uint8_t>>(folder + "digits.tflite"), "digits");
  if (boxes) import::attach_post(s.graph, contents<std::string>(folder + "post.yaml"));
  s.loadable = compile::compile(s.graph, SocConfig{}).loadable;
  return s;
}

/// The blocks that PRESIL_LOCKSTEP names run in lock-step, all others as models.
platform::BlockKinds kinds() {
  platform::BlockKinds kinds;
#ifdef PRESIL_LOCKSTEP
  std::istringstream names(PRESIL_LOCKSTEP);
  for (std::string name; std::getline(names, name, ',');) {
    platform::set_block(kinds, name, "lockstep");
  }
#endif
  return kinds;
}

/// SystemC elaborates once per process, so its tests share one SoC.
platform::Soc& the_soc() {
#ifdef PRESIL_LOCKSTEP
  static platform::Soc soc{SocConfig{}, kinds(), platform::rtl_maker()};
#else
  static platform::Soc soc{SocConfig{}, kinds()};
#endif
  return soc;
}

}  // namespace

const Subject& digits() {
  static const Subject subject = compiled(false);
  return subject;
}

const Subject& digits_with_boxes() {
  static const Subject subject = compiled(true);
  return subject;
}

const Subject& host_before_dla() {
  static const Subject subject = [] {
    Subject s;
    s.graph = ir::parse(R"(graph "g" tflite {
      input %x : int8[1,8,8,16] q(0.5, 1)
      const %d : int8[16] q(0.25, 0) = [7,3,9,4,5,6,8,2,7,3,9,4,5,6,8,2]
      const %w : int8[16,1,1,16] q(0.02, 0) = random 3
      %a = div(%x, %d) from [0] : int8[1,8,8,16] q(0.5, 0)
      %y = conv2d(%a, %w) from [1] : int8[1,8,8,16] q(0.5, 0)
      output %y
    })");
    s.loadable = compile::compile(s.graph, SocConfig{}).loadable;
    return s;
  }();
  return subject;
}

std::vector<reference::TensorValue> random_inputs(const ir::Graph& graph, uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<reference::TensorValue> values;
  for (const ir::TensorId id : graph.inputs) {
    const ir::Tensor& tensor = graph.tensor(id);
    reference::TensorValue value{tensor.dtype, tensor.shape, ir::Bytes(tensor.bytes())};
    for (uint8_t& byte : value.data) byte = static_cast<uint8_t>(random());
    values.push_back(std::move(value));
  }
  return values;
}

template <auto kFunction>
struct Forward;
template <class Result, class... Arguments, Result (*presil_port::*kFunction)(void*, Arguments...)>
struct Forward<kFunction> {
  static Result call(void* self, Arguments... arguments) {
    const presil_port* real = static_cast<LossyPort*>(self)->real;
    return (real->*kFunction)(real->self, arguments...);
  }
};

LossyPort::LossyPort(const presil_port* below) : real(below) {
  port.self = this;
  port.read32 = Forward<&presil_port::read32>::call;
  port.write32 = [](void* self, uint64_t address, uint32_t value) {
    auto& me = *static_cast<LossyPort*>(self);
    if (!me.lose || !me.lose(address, value)) me.real->write32(me.real->self, address, value);
  };
  port.alloc = Forward<&presil_port::alloc>::call;
  port.release = Forward<&presil_port::release>::call;
  port.clean = Forward<&presil_port::clean>::call;
  port.invalidate = Forward<&presil_port::invalidate>::call;
  port.wait = Forward<&presil_port::wait>::call;
  port.spend = Forward<&presil_port::spend>::call;
  port.now_ns = Forward<&presil_port::now_ns>::call;
  port.observe = Forward<&presil_port::observe>::call;
  port.instruction = Forward<&presil_port::instruction>::call;
  port.lock = Forward<&presil_port::lock>::call;
  port.unlock = Forward<&presil_port::unlock>::call;
}

PlatformTest::PlatformTest() : soc(the_soc()), port(soc.port()) {}

void PlatformTest::SetUp() {
  m_device_storage.resize(presil_device_bytes() / sizeof(std::max_align_t) + 1);
  m_network_storage.resize(presil_network_bytes() / sizeof(std::max_align_t) + 1);
  ASSERT_EQ(presil_open(&port.port, m_device_storage.data(),
                        m_device_storage.size() * sizeof(std::max_align_t), &device),
            PRESIL_OK)
      << text();
}

void PlatformTest::TearDown() {
  unload();
  if (device != nullptr) presil_close(device);
  const rtl::Divergence* found = soc.divergence();
  EXPECT_EQ(found, nullptr) << (found == nullptr ? "" : found->text());
}

void PlatformTest::load(const Subject& subject) {
  m_subject = &subject;
  ASSERT_EQ(presil_network_load(device, subject.loadable.data(), subject.loadable.size(),
                                m_network_storage.data(),
                                m_network_storage.size() * sizeof(std::max_align_t), &network),
            PRESIL_OK)
      << text();
}

void PlatformTest::unload() {
  if (network != nullptr) presil_network_unload(network);
  network = nullptr;
}

presil_status PlatformTest::run(uint32_t seed, uint64_t timeout_ns) {
  const auto inputs = random_inputs(m_subject->graph, seed);
  for (uint32_t i = 0; i < inputs.size(); ++i) {
    presil_tensor_info info;
    EXPECT_EQ(presil_network_input_info(network, i, &info), PRESIL_OK);
    EXPECT_EQ(info.bytes, inputs[i].data.size());
    std::memcpy(presil_network_input(network, i), inputs[i].data.data(), info.bytes);
  }
  const presil_status status = presil_job_submit(network, &job);
  return status == PRESIL_OK ? presil_job_wait(network, job, timeout_ns) : status;
}

void PlatformTest::expect_exact(uint32_t seed) const {
  const auto expected = reference::run(m_subject->graph, random_inputs(m_subject->graph, seed));
  ASSERT_EQ(presil_network_outputs(network), expected.size());
  for (uint32_t i = 0; i < expected.size(); ++i) {
    presil_tensor_info info;
    ASSERT_EQ(presil_network_output_info(network, i, &info), PRESIL_OK);
    ASSERT_EQ(info.bytes, expected[i].data.size()) << info.name;
    EXPECT_EQ(std::memcmp(presil_network_output(network, i), expected[i].data.data(), info.bytes),
              0)
        << info.name << " of seed " << seed;
  }
}

uint8_t* PlatformTest::region(uint32_t number) const {
  return const_cast<uint8_t*>(soc.system(presil_network_region_address(network, number)));
}

}  // namespace presil::tests
