#include <api/saved_structure.hpp>
#include <api/stream_checkpoint.hpp>

#include <algorithm>
#include <cstring>
#include <span>
#include <string>

namespace copse::api {
namespace {

std::string text_of(saved_kind kind, std::string_view beside) {
  switch (kind) {
    case saved_kind::slots_only:
      return "a structure whose ids are slots";
    case saved_kind::names:
      return "vertices with names of their own";
    case saved_kind::weights:
      return "a forest with weights";
    case saved_kind::stream_of_slots:
      return "a checkpoint of a stream";
    case saved_kind::stream_of_names:
      return "a checkpoint of a stream whose ids are sparse or strings";
    case saved_kind::other_version:
      return "bytes of another version beside the structure";
    case saved_kind::foreign:
      break;
  }
  return std::to_string(beside.size()) + " bytes beside the structure";
}

}  // namespace

saved_kind kind_of(std::string_view beside) noexcept {
  if (beside.empty()) return saved_kind::slots_only;
  if (beside.starts_with(weights_magic)) return saved_kind::weights;
  if (beside.starts_with(names_magic)) return saved_kind::names;
  stream_header header;
  if (beside.size() >= sizeof header) std::memcpy(static_cast<void*>(&header), beside.data(), sizeof header);
  if (beside.size() < sizeof header || !header.is_stream()) {
    const bool ours = beside.starts_with("names-") || beside.starts_with("weight-") || beside.starts_with("stream-");
    return ours ? saved_kind::other_version : saved_kind::foreign;
  }
  return header.vertices_are_slots() ? saved_kind::stream_of_slots : saved_kind::stream_of_names;
}

saved_kind expect_kind(std::string_view beside, std::initializer_list<saved_kind> understood, std::string_view name,
                       std::string_view expected) {
  const saved_kind kind = kind_of(beside);
  if (std::find(understood.begin(), understood.end(), kind) == understood.end()) {
    drivers::refuser{name}(text_of(kind, beside), expected);
  }
  return kind;
}

}  // namespace copse::api
