// Batches as bytes, for the store:
//
//   0  u8 what: 1 operations, 2 an expiry, 3 a revert
// Then, for operations:
//   1  u64 count
//   9  u8 the kind of all operations, or 255 and then a byte for each
//      ids u, ids v: integers, or strings as their lengths (4 bytes each) and then their bytes
//      if one inserts: the weights and the times, if the graph keeps them
//      if one inserts or erases by key: the keys, if the graph keeps them
// for an expiry: i64 the cut-off
// for a revert: u64 the batch, u8 whether conflicts are skipped
//
// Little-endian.
#pragma once
#include <copse/dynamic.hpp>
#include <copse/errors.hpp>

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace copse::dynamics {

static_assert(std::endian::native == std::endian::little, "records are little-endian: they have the layout of memory");

enum class record_kind : std::uint8_t { operations = 1, expiry = 2, revert = 3 };

template <class T>
void put_value(std::string& to, const T& value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// Reads values from bytes; throws input_error if they end too early.
class record_reader {
public:
  explicit record_reader(std::string_view bytes) : left_{bytes} {}
  template <class T>
  T value() {
    T found;
    std::memcpy(&found, bytes(sizeof found).data(), sizeof found);
    return found;
  }
  std::string_view bytes(std::uint64_t count) {
    if (count > left_.size()) throw input_error{"found a record of a batch that ends too early, expected all of it"};
    const std::string_view found = left_.substr(0, static_cast<std::size_t>(count));
    left_.remove_prefix(found.size());
    return found;
  }
  /// Reads `count` values of T, and calls each(i, value) for them.
  template <class T, class Each>
  void column(std::uint64_t count, Each each) {
    record_reader values{bytes(count > left_.size() ? count : count * sizeof(T))};
    for (std::size_t i = 0; i < count; ++i) each(i, values.value<T>());
  }
  void expect_end() const {
    if (!left_.empty()) throw input_error{"found " + std::to_string(left_.size()) + " bytes behind a record of a batch, expected its end"};
  }

private:
  std::string_view left_;
};

/// Which of weights, times and keys a batch carries.
struct carried_columns {
  bool weights = false, times = false, keys = false;
  template <class KindOf>
  carried_columns(const dynamic_options& options, std::size_t count, KindOf kind_of) {
    bool inserts = false, by_key = false;
    for (std::size_t i = 0; i < count; ++i) {
      inserts = inserts || kind_of(i) == dynamic_operation_kind::insert;
      by_key = by_key || kind_of(i) == dynamic_operation_kind::erase_key;
    }
    weights = options.weights && inserts;
    times = options.times && inserts;
    keys = options.keys && (inserts || by_key);
  }
};

template <dynamic_id Id, class OperationOf>
std::string record_of(const dynamic_options& options, std::size_t count, OperationOf operation_of) {
  std::string to;
  put_value(to, record_kind::operations);
  put_value(to, std::uint64_t{count});
  const auto kind_of = [&](std::size_t i) { return operation_of(i).kind; };
  bool is_uniform = true;
  for (std::size_t i = 1; i < count; ++i) is_uniform = is_uniform && kind_of(i) == kind_of(0);
  put_value(to, is_uniform ? static_cast<std::uint8_t>(count == 0 ? dynamic_operation_kind::insert : kind_of(0)) : std::uint8_t{255});
  for (std::size_t i = 0; !is_uniform && i < count; ++i) put_value(to, kind_of(i));
  const auto put_ids = [&](auto id_of) {
    if constexpr (std::same_as<Id, std::string_view>) {
      for (std::size_t i = 0; i < count; ++i) put_value(to, static_cast<std::uint32_t>(id_of(i).size()));
      for (std::size_t i = 0; i < count; ++i) to += id_of(i);
    } else {
      for (std::size_t i = 0; i < count; ++i) put_value(to, Id{id_of(i)});
    }
  };
  put_ids([&](std::size_t i) { return operation_of(i).edge.u; });
  put_ids([&](std::size_t i) { return operation_of(i).edge.v; });
  const carried_columns carried{options, count, kind_of};
  for (std::size_t i = 0; carried.weights && i < count; ++i) put_value(to, operation_of(i).edge.weight);
  for (std::size_t i = 0; carried.times && i < count; ++i) put_value(to, operation_of(i).edge.time);
  for (std::size_t i = 0; carried.keys && i < count; ++i) put_value(to, operation_of(i).edge.key);
  return to;
}

/// Reads what record_of() wrote after its first byte. Strings refer to the bytes of the record.
template <dynamic_id Id>
std::vector<dynamic_operation<Id>> operations_in(const dynamic_options& options, record_reader& from) {
  const auto count = from.value<std::uint64_t>();
  const auto uniform = from.value<std::uint8_t>();
  const auto checked = [](std::uint8_t kind) {
    if (kind > static_cast<std::uint8_t>(dynamic_operation_kind::erase_vertex))
      throw input_error{"found an operation of kind " + std::to_string(kind) + " in a record of a batch, expected 0 to 3"};
    return static_cast<dynamic_operation_kind>(kind);
  };
  // Refuses a count that the bytes cannot hold before it allocates memory for it: each operation has two ids.
  record_reader ahead = from;
  ahead.column<std::conditional_t<std::same_as<Id, std::string_view>, std::uint32_t, Id>>(count, [](std::size_t, auto) {});
  std::vector<dynamic_operation<Id>> operations(static_cast<std::size_t>(count));
  if (uniform == 255) {
    from.column<std::uint8_t>(count, [&](std::size_t i, std::uint8_t kind) { operations[i].kind = checked(kind); });
  } else {
    for (auto& operation : operations) operation.kind = checked(uniform);
  }
  const auto take_ids = [&](auto set) {
    if constexpr (std::same_as<Id, std::string_view>) {
      std::vector<std::uint32_t> sizes(operations.size());
      from.column<std::uint32_t>(count, [&](std::size_t i, std::uint32_t size) { sizes[i] = size; });
      for (std::size_t i = 0; i < sizes.size(); ++i) set(operations[i].edge, from.bytes(sizes[i]));
    } else {
      from.column<Id>(count, [&](std::size_t i, Id id) { set(operations[i].edge, id); });
    }
  };
  take_ids([](dynamic_edge<Id>& edge, Id id) { edge.u = id; });
  take_ids([](dynamic_edge<Id>& edge, Id id) { edge.v = id; });
  const carried_columns carried{options, operations.size(), [&](std::size_t i) { return operations[i].kind; }};
  if (carried.weights) from.column<double>(count, [&](std::size_t i, double weight) { operations[i].edge.weight = weight; });
  if (carried.times) from.column<std::int64_t>(count, [&](std::size_t i, std::int64_t time) { operations[i].edge.time = time; });
  if (carried.keys) from.column<std::uint64_t>(count, [&](std::size_t i, std::uint64_t key) { operations[i].edge.key = key; });
  return operations;
}

// The header of a store: the kind of the ids, and the options that decide what batches do.

template <dynamic_id Id>
constexpr dynamic_id_kind kind_of_ids() noexcept {
  return std::same_as<Id, std::uint32_t>   ? dynamic_id_kind::dense
         : std::same_as<Id, std::uint64_t> ? dynamic_id_kind::unsigned_integers
         : std::same_as<Id, std::int64_t>  ? dynamic_id_kind::signed_integers
                                           : dynamic_id_kind::strings;
}
std::string header_of(dynamic_id_kind ids, const dynamic_options& options);
/// Reads what header_of() wrote; the caller's remark is stored apart from it. Throws input_error for other bytes.
dynamic_store_facts facts_in(std::string_view header);
/// Throws usage_error unless ids and options are those of the store; the option `snapshots` may differ. Without options, any are accepted.
void expect_same(const std::string& folder, const dynamic_store_facts& held, dynamic_id_kind ids,
                 const std::optional<dynamic_options>& options);

}  // namespace copse::dynamics
