#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "compiler_bridge/import/tosa.h"
#include "testbench/fuzz/import_targets.h"
#include "testbench/fuzz/reading.h"
#include "tosa_generated.h"

namespace presil::fuzz {
namespace {

/// Seeds: the networks of tests/tosa, which together have each operator that is taken.
class Tosa : public Structured {
 public:
  Tosa()
      : Structured({FUZZ_SCHEMAS "/tosa.bfbs",
                    [](const uint8_t* bytes, size_t size) {
                      flatbuffers::Verifier verifier(bytes, size);
                      return size >= 8 && import::tosa::file::VerifyGraphBuffer(verifier);
                    },
                    nullptr}) {}

  std::vector<File> seeds() const override {
    std::vector<File> files;
    for (const auto& folder : std::filesystem::directory_iterator(FUZZ_TOSA_NETWORKS)) {
      std::ifstream stream(folder.path() / "net.tosa", std::ios::binary);
      File file{std::istreambuf_iterator<char>(stream), {}};
      if (!file.empty()) files.push_back(std::move(file));
    }
    std::sort(files.begin(), files.end());
    return files;
  }
  File mutate(const File& file, uint64_t seed) override { return mutate_structure(file, seed); }
  bool feed(const File& file) override {
    return taken([&] { ir::verify(import::import_tosa(file.data(), file.size(), "net")); });
  }
};

}  // namespace

std::unique_ptr<Target> tosa_target() {
  return std::make_unique<Tosa>();
}

}  // namespace presil::fuzz
