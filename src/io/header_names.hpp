// What the names in a header say: which columns hold the two ends of edges, or the id of a record.
//
// Strong pairs of names (`id_l` and `id_r`, `source` and `target`, ...) are the ends wherever they stand. Weak pairs (`from` and `to`, or
// any name with `_l` and `_r` behind) are the ends in the first two columns, and behind columns that hold no end: those without a name, or
// called `index`, `Unnamed: 0`, `id` or `weight`.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace copse::io {

/// The columns of the left and the right id, counted from 1.
using end_columns = std::array<std::vector<unsigned>, 2>;

struct named_ends {
  enum class kind : std::uint8_t {
    none,
    clear,      ///< `columns` are the ends
    elsewhere,  ///< a weak pair that does not stand where ends stand
    several     ///< two pairs, `columns` and `others`, and no reason to choose one
  };
  kind found = kind::none;
  end_columns columns, others;
  bool strong = false;
};
/// `names` of a header, without blanks at their ends.
named_ends ends_named_in(std::span<const std::string> names);

/// The columns of an id in `parts` parts (of one: `unique_id` or `id`; of two: `source_dataset` and one of these); none where the header
/// does not name them, or names them twice.
std::vector<unsigned> id_named_in(std::span<const std::string> names, std::size_t parts);

/// Is it the name of a column that numbers the records: none at all, `index`, or `Unnamed: 0`?
bool names_an_index(std::string_view name);

/// Is it a usual name of a column of ids (`id`, `source`, `from`, `id_l`, ... in any case)?
bool names_a_column(std::string_view field);

}  // namespace copse::io
