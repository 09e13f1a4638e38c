// The kinds of files that hold a saved structure (drivers/incremental/connectivity_file.hpp). They differ in the bytes beside it, which say
// what its vertices are called. Every reader names the kinds that it understands and refuses the others, as their positions would pass for
// ids.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace copse::api {

enum class saved_kind : std::uint8_t {
  slots_only,       ///< nothing beside: the ids are the slots
  names,            ///< a forest of parts whose vertices have names
  weights,          ///< a forest of parts with weights, and names where it has some
  stream_of_slots,  ///< a checkpoint of a stream whose ids are the slots
  stream_of_names,  ///< a checkpoint of a stream whose ids are sparse, or strings
  other_version,    ///< any of these but the first, as another version of copse writes it
  foreign           ///< bytes of a caller
};

[[nodiscard]] saved_kind kind_of(std::string_view beside) noexcept;

/// Throws input_error, in which the file is called `name`, unless the kind of the bytes is one of `understood`; `expected` says which these
/// are.
saved_kind expect_kind(std::string_view beside, std::initializer_list<saved_kind> understood, std::string_view name,
                       std::string_view expected);

}  // namespace copse::api
