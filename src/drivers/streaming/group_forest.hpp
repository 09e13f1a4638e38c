// Unites records by the values that they share. A table per column knows one record for each value, and the forest is over the records
// alone, so a group of k records costs k unions and no additional vertices. Memory: per record as in arrival_forest; per value its slot and
// record (strings 20 bytes in addition to their own bytes, integers 16 bytes, and up to half as many again).
#pragma once
#include <copse/errors.hpp>
#include <copse/group_sink.hpp>
#include <copse/labels.hpp>
#include <copse/types.hpp>
#include <drivers/streaming/compact_forest.hpp>
#include <ids/arrival_numbers.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace copse::streaming {

/// What happens to a value that a record (a vertex, which stands for an id) has in a key column.
enum class value_use : std::uint8_t {
  unite,          ///< the value is counted, and all vertices (records) that have it are united
  count,          ///< the value is only counted: the first of two passes
  unite_counted,  ///< the second pass: the records that have the value are united, unless the first pass counted it more than
                  ///< holding::limit times
};

/// The entry of one value in the hash table of a key column.
struct value_holder {
  /// The vertex (record) that came first with the value; all later ones are united with it.
  std::uint32_t record = no_vertex<std::uint32_t>;
  std::uint32_t count = 0;  ///< number of times that the value came, at most 2^32 - 1

  [[nodiscard]] bool is_free() const noexcept { return count == 0; }
  friend bool operator==(const value_holder&, const value_holder&) = default;
};

using integer_holders = ids::integer_table<value_holder>;
using string_holders = ids::string_table<value_holder>;

/// What a look-up of values in the hash table of a key column does with each value. On entry, records[i] is the record (vertex) that has
/// value i; on return, it is the record with which that one is to be united: the first that came with this value, or itself if there is
/// none or if the records of this value are not united.
struct holding {
  value_use use;
  std::uint32_t limit;
  std::uint32_t* records;

  value_holder fresh(std::size_t /*value*/) const {
    if (use == value_use::unite_counted)
      throw input_error{"found a value that was not there when the input was read first, expected an input that does not change"};
    return {};
  }
  void meet(std::size_t value, value_holder& holder) const {
    if (use == value_use::unite_counted) {
      if (holder.count > limit) return;
    } else {
      if (holder.count != UINT32_MAX) ++holder.count;
      if (use == value_use::count) return;
    }
    if (holder.record == no_vertex<std::uint32_t>) {
      holder.record = records[value];
    } else {
      records[value] = holder.record;
    }
  }
};

class group_forest {
public:
  /// How an id that comes several times becomes one vertex or one tree of the forest. A record is a vertex that stands for an id.
  enum class repeats : std::uint8_t {
    looked_up,  ///< each id is looked up in a hash table: memory grows with the number of different ids
    /// Each time an id comes, it gets a vertex of its own. At the end all ids are sorted, and the vertices of equal ids are united. Memory
    /// grows with the number of ids that came, but nothing is looked up: for ids that seldom repeat.
    sorted_out
  };
  struct settings {
    unsigned workers = 1;
    unsigned columns = 1;
    repeats ids = repeats::looked_up;
    std::pmr::memory_resource* memory = host_memory();
  };
  static constexpr std::size_t most_in_batch = ids::piece_keys;

  explicit group_forest(const settings& options);

  /// Returns the number of the record of each id, in the order of `ids`; valid until the worker's next call. An id that came before has the
  /// same number again if ids are looked up, and a new one if repeats are sorted out at the end. At most most_in_batch ids. The ids of one
  /// forest are either all strings or all integers. Like all functions until take_labels, it may be called by any thread with a worker
  /// number of its own.
  std::span<const std::uint32_t> records(unsigned worker, std::span<const std::string_view> ids);
  std::span<const std::uint32_t> records(unsigned worker, std::span<const std::uint64_t> ids);

  /// Says whether the values of a column are strings or integers. Called by one thread, before the column's first value.
  void open(unsigned column, bool strings);
  /// Tells the forest that record owners[i] has value i in the column. At most most_in_batch values.
  void values(unsigned worker, unsigned column, std::span<const std::string_view> values, std::span<const std::uint32_t> owners,
              value_use use = value_use::unite, std::uint32_t limit = 0);
  void values(unsigned worker, unsigned column, std::span<const std::uint64_t> values, std::span<const std::uint32_t> owners,
              value_use use = value_use::unite, std::uint32_t limit = 0);

  /// The number of different values in a column so far.
  [[nodiscard]] std::uint64_t value_count(unsigned column) const noexcept;
  [[nodiscard]] unsigned columns() const noexcept { return static_cast<unsigned>(columns_.size()); }
  /// Returns the values that came more than `limit` times, the most frequent first. text_of(column, bits) turns an integer into text.
  [[nodiscard]] std::vector<large_value> values_above(std::uint64_t limit,
                                                      const std::function<std::string(unsigned, std::uint64_t)>& text_of) const;

  /// Returns the canonical labels of all ids; integers are signed if `are_signed`. `integer_names`, if given, replaces integer ids by their
  /// names, in place, and must keep their order. The forest cannot be used afterwards.
  labelling take_labels(unsigned threads, bool are_signed, const std::function<void(std::span<std::uint64_t>)>& integer_names = {});

private:
  using column_values = std::variant<std::monostate, std::unique_ptr<string_holders>, std::unique_ptr<integer_holders>>;

  struct alignas(64) worker_state {
    ids::arrival_numbers::run run;
    std::vector<std::uint32_t> records = std::vector<std::uint32_t>(most_in_batch);
    /// Integer ids with the numbers of their vertices, in chunks; all but the last are full.
    std::vector<buffer<ids::numbered_id>> appended;
    std::size_t filled = 0;  ///< number of ids in the last chunk of `appended`
    std::unique_ptr<ids::lookup_scratch<std::string_view>> strings;
    std::unique_ptr<ids::lookup_scratch<std::uint64_t>> integers;
  };

  [[nodiscard]] bool shared() const noexcept { return workers_.size() > 1; }
  template <class Table, class Id>
  void look_up_ids(unsigned worker, Table& table, std::unique_ptr<ids::lookup_scratch<Id>>& piece, std::span<const Id> ids);
  void append(unsigned worker, std::span<const std::uint64_t> ids);
  template <class Table, class Value>
  void unite(unsigned worker, Table& table, std::unique_ptr<ids::lookup_scratch<Value>>& piece, std::span<const Value> values,
             std::span<const std::uint32_t> owners, value_use use, std::uint32_t limit);
  /// Returns the functor for a look-up of ids: it writes the number of each id's record, which is its vertex in the forest, to own.records,
  /// and adds a vertex for each new record.
  auto numbering_for(worker_state& own);
  buffer<ids::numbered_id> take_integers(unsigned threads, bool are_signed);

  settings options_;
  std::vector<worker_state> workers_;
  std::unique_ptr<compact_forest> forest_;
  ids::arrival_numbers numbers_;
  ids::string_numbers string_ids_;
  ids::integer_numbers integer_ids_;
  std::vector<column_values> columns_;
};

}  // namespace copse::streaming
