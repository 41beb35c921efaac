#include "compiler_bridge/emit/placement_table.h"

#include "compiler_bridge/emit/engine_codes.h"

namespace presil::emit {
namespace {

namespace fb = presil::loadable;
using placement::Verdict, placement::Why;

static_assert(static_cast<int>(Why::kRefused) == fb::Why_refused &&
              static_cast<int>(Why::kRefused) == fb::Why_MAX);
static_assert(static_cast<int>(Verdict::Kind::kNotAsked) == fb::VerdictKind_not_asked &&
              static_cast<int>(Verdict::Kind::kNotAsked) == fb::VerdictKind_MAX);

const char* unless_empty(const std::string& text) {
  return text.empty() ? nullptr : text.c_str();
}

std::string text_of(const flatbuffers::String* text) {
  return text == nullptr ? "" : text->str();
}

Verdict read_verdict(const fb::Loadable& l, const fb::Verdict& v) {
  const auto engine_of = [&](fb::Engine code) {
    return placement::engine_named(engine_name(l, code));
  };
  Verdict verdict{engine_of(v.engine()), static_cast<Verdict::Kind>(v.kind())};
  verdict.rule = text_of(v.rule()), verdict.got = text_of(v.got());
  verdict.limit = text_of(v.limit()), verdict.remedy = text_of(v.remedy());
  verdict.kernel = text_of(v.kernel()), verdict.image = text_of(v.image());
  verdict.cycles = v.cycles(), verdict.chosen = engine_of(v.chosen());
  verdict.chosen_cycles = v.chosen_cycles();
  return verdict;
}

}  // namespace

flatbuffers::Offset<fb::Placement> create_placement(flatbuffers::FlatBufferBuilder& builder,
                                                    const placement::Placement& p) {
  std::vector<flatbuffers::Offset<fb::Verdict>> verdicts;
  for (const Verdict& v : p.verdicts) {
    verdicts.push_back(fb::CreateVerdictDirect(
        builder, code_of(placement::to_string(v.engine)), static_cast<fb::VerdictKind>(v.kind),
        unless_empty(v.rule), unless_empty(v.got), unless_empty(v.limit), unless_empty(v.remedy),
        unless_empty(v.kernel), unless_empty(v.image), v.cycles,
        code_of(placement::to_string(v.chosen)), v.chosen_cycles));
  }
  return fb::CreatePlacementDirect(
      builder, p.op.c_str(), p.name.c_str(), code_of(p.engine), p.layer, p.reason().c_str(),
      unless_empty(p.remedy()), static_cast<fb::Why>(p.why), unless_empty(p.into),
      unless_empty(p.into_layer), unless_empty(p.kernel), unless_empty(p.image), &verdicts);
}

placement::Placement read_placement(const fb::Loadable& l, const fb::Placement& p) {
  placement::Placement record;
  record.op = text_of(p.op()), record.name = text_of(p.name());
  record.engine = engine_name(l, p.engine()), record.layer = p.layer();
  record.why = static_cast<Why>(p.why());
  record.into = text_of(p.into()), record.into_layer = text_of(p.into_layer());
  record.kernel = text_of(p.kernel()), record.image = text_of(p.image());
  if (p.verdicts() == nullptr) return record;
  for (const fb::Verdict* v : *p.verdicts()) record.verdicts.push_back(read_verdict(l, *v));
  return record;
}

}  // namespace presil::emit
