// Compiled regions inside a TVM library: bytes, of which Python makes functions (runtime.py).
#include <tvm/ffi/extra/module.h>
#include <tvm/ffi/reflection/registry.h>

#include <utility>

namespace presil {
namespace {

namespace ffi = tvm::ffi;

class RegionsModule final : public ffi::ModuleObj {
 public:
  explicit RegionsModule(ffi::Bytes bytes) : m_bytes(std::move(bytes)) {}

  const char* kind() const final { return "presil"; }
  int GetPropertyMask() const final {
    return ffi::Module::kBinarySerializable | ffi::Module::kRunnable;
  }
  ffi::Bytes SaveToBytes() const final { return m_bytes; }
  ffi::Optional<ffi::Function> GetFunction(const ffi::String& name) final {
    if (m_find == nullptr) {
      m_find = ffi::Function::GetGlobalRequired("presil.tvm.open")(m_bytes).cast<ffi::Function>();
    }
    return m_find(name).cast<ffi::Optional<ffi::Function>>();
  }

 private:
  ffi::Bytes m_bytes;
  ffi::Function m_find;
};

ffi::Module make(ffi::Bytes bytes) {
  return ffi::Module(ffi::make_object<RegionsModule>(std::move(bytes)));
}

TVM_FFI_STATIC_INIT_BLOCK() {
  ffi::reflection::GlobalDef()
      .def("presil.tvm.module", make)
      .def("ffi.Module.load_from_bytes.presil", make);
}

}  // namespace
}  // namespace presil
