#include "testbench/fuzz/sites.h"

#include <flatbuffers/reflection.h>

#include <map>

namespace presil::fuzz {
namespace {

namespace fb = flatbuffers;

constexpr size_t kMostSites = 100'000;   ///< tables may be shared: a walk must end
constexpr uint32_t kMostElements = 256;  ///< of one array

class Walk {
 public:
  Walk(const reflection::Schema& schema, const File& file) : m_schema(schema), m_file(file) {}

  Groups run() {
    table(*fb::GetRoot<fb::Table>(m_file.data()), *m_schema.root_table());
    Groups groups;
    for (auto& [name, sites] : m_sites) groups.push_back({name, std::move(sites)});
    return groups;
  }

 private:
  void add(const std::string& name, const void* at, size_t bytes) {
    if (bytes == 0 || m_count >= kMostSites) return;
    ++m_count;
    m_sites[name].push_back(
        {static_cast<size_t>(static_cast<const uint8_t*>(at) - m_file.data()), bytes});
  }

  void table(const fb::Table& t, const reflection::Object& object) {
    const auto* base = reinterpret_cast<const uint8_t*>(&t);
    const uint8_t* vtable = base - fb::ReadScalar<fb::soffset_t>(base);
    const auto entries = fb::ReadScalar<fb::voffset_t>(vtable);
    for (const reflection::Field* field : *object.fields()) {
      if (m_count >= kMostSites) return;
      const std::string name = object.name()->str() + "." + field->name()->str();
      if (field->offset() < entries) add(name + " presence", vtable + field->offset(), 2);
      const fb::voffset_t offset = t.GetOptionalFieldOffset(field->offset());
      if (offset != 0) member(t, object, *field, base + offset, name);
    }
  }

  void member(const fb::Table& t, const reflection::Object& object, const reflection::Field& field,
              const uint8_t* at, const std::string& name) {
    const reflection::BaseType type = field.type()->base_type();
    if (type < reflection::String) return add(name, at, fb::GetTypeSize(type));
    add(name + " offset", at, sizeof(fb::uoffset_t));
    const uint8_t* target = at + fb::ReadScalar<fb::uoffset_t>(at);
    if (type == reflection::String) {
      text(target, name);
    } else if (type == reflection::Vector) {
      vector(target, *field.type(), name);
    } else if (type == reflection::Obj) {
      table(*reinterpret_cast<const fb::Table*>(target), object_of(*field.type()));
    } else if (type == reflection::Union) {
      const auto* chosen = object.fields()->LookupByKey((field.name()->str() + "_type").c_str());
      const auto* values =
          m_schema.enums()->Get(static_cast<uint32_t>(field.type()->index()))->values();
      const auto* value = values->LookupByKey(t.GetField<uint8_t>(chosen->offset(), 0));
      if (value == nullptr || value->union_type() == nullptr || value->value() == 0) return;
      table(*reinterpret_cast<const fb::Table*>(target), object_of(*value->union_type()));
    }
  }

  void text(const uint8_t* at, const std::string& name) {
    add(name + " length", at, sizeof(fb::uoffset_t));
    add(name + " bytes", at + sizeof(fb::uoffset_t), fb::ReadScalar<fb::uoffset_t>(at));
  }

  void vector(const uint8_t* at, const reflection::Type& type, const std::string& name) {
    const auto count = fb::ReadScalar<fb::uoffset_t>(at);
    const uint8_t* first = at + sizeof(fb::uoffset_t);
    const size_t size = fb::GetTypeSizeInline(type.element(), type.index(), m_schema);
    add(name + " length", at, sizeof(fb::uoffset_t));
    if (size == 1 && count > 8) return add(name + " bytes", first, count);
    for (uint32_t i = 0; i < std::min(count, kMostElements); ++i) {
      const uint8_t* element = first + i * size;
      if (type.element() < reflection::String) {
        add(name, element, size);
      } else if (type.element() == reflection::Obj) {
        add(name + " offset", element, size);
        table(*reinterpret_cast<const fb::Table*>(element + fb::ReadScalar<fb::uoffset_t>(element)),
              object_of(type));
      }
    }
  }

  const reflection::Object& object_of(const reflection::Type& type) const {
    return *m_schema.objects()->Get(static_cast<uint32_t>(type.index()));
  }

  const reflection::Schema& m_schema;
  const File& m_file;
  std::map<std::string, std::vector<Site>> m_sites;
  size_t m_count = 0;
};

}  // namespace

Groups sites_of(const std::string& schema, const File& file) {
  return Walk(*reflection::GetSchema(schema.data()), file).run();
}

}  // namespace presil::fuzz
