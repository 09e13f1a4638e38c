// Reads records with ids from one block of text: the edges of an edge list, or the ids of a table of vertices. These are the general rules;
// simple lines have faster paths.
#pragma once
#include "io/fields.hpp"
#include "io/late_comments.hpp"
#include "io/text_source.hpp"
#include "io/weight_rule.hpp"

#include <copse/io.hpp>

#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace copse::io {

/// How the records of one file are split, and whether their ids are strings.
struct id_layout : table_layout {
  bool named = false;  ///< true if ids are strings
  bool weighted = false;
  std::array<std::string, 2> prefixes{};  ///< prepended to string ids, left and right
};

/// Determines the layout from the first records of a source, and removes everything above the first record of data. `named` tells whether
/// ids are strings, if that is known; otherwise the first records decide, and the observer gets a note if they are strings.
id_layout lay_out_ids(text_source& source, const table_request& request, format f, const read_request& options, std::optional<bool> named);

class id_records {
public:
  /// `first_block` is the value of options.signs->next_source() for this source: added to the index of the block, it gives the block's
  /// number in the whole input, by which options.signs orders negative ids and ids above INT64_MAX. `weights` is required if the layout is
  /// weighted.
  id_records(const text_source& source, const text_block& block, const id_layout& layout, const read_request& options,
             std::uint64_t first_block, weight_rule* weights = nullptr);
  id_records(const id_records&) = delete;
  ~id_records();

  /// Cuts the next record off `text`. Returns false for comments, blank lines, records with a missing id or weight, and edges below the
  /// least weight.
  bool take(std::string_view& text);
  /// If the first line of `text` is a plain_pair(), and the layout needs nothing else (no weights, prefixes or other columns), cuts the
  /// line off and returns the two names.
  [[nodiscard]] std::optional<named_edge> take_plain(std::string_view& text) const;
  /// True if the last record of take() was an edge that is left out.
  [[nodiscard]] bool left_out() const noexcept { return left_out_; }
  /// The integer id in a field of the current record as a 64-bit word; ids with the sign bit are noted in options.signs. If vertices are
  /// declared, the distance of the id from the first one.
  [[nodiscard]] std::uint64_t integer_id(std::size_t which);
  [[nodiscard]] std::string_view name(std::size_t which);
  /// The weight of the current edge. Precondition: the layout is weighted.
  [[nodiscard]] double weight() const noexcept { return weight_; }
  /// Ends the lifetime of the names returned so far.
  void forget();

private:
  [[nodiscard]] bool is_missing(std::string_view field) const;
  [[nodiscard]] bool is_heavy();
  [[nodiscard]] std::string_view checked_part(std::size_t which) const;
  [[nodiscard]] io::integer_id checked_integer(std::size_t which) const;
  [[nodiscard]] std::string in_column(std::size_t which) const;
  [[noreturn]] void refuse_record(std::string_view found, std::string_view expected) const;

  const text_source& source_;
  const text_block& block_;
  const id_layout& layout_;
  const read_request& options_;
  std::uint64_t block_order_;    // index of the block in the whole input, for options.signs
  std::array<bool, 2> noted_{};  // true once this block had an id above INT64_MAX, or a negative one
  weight_rule* weights_;
  weight_rule::tally weighed_;
  field_picker fields_;
  double weight_ = 0;
  std::string_view record_;
  std::deque<std::string> built_names_;  // owns string ids with a prefix, and those joined from several columns
  late_comments comments_;
  std::uint64_t missing_ends_ = 0;
  bool left_out_ = false;
  bool any_plain_;  // false if take_plain() never applies, because of weights, prefixes, integer ids or other columns than 1 and 2
};

/// Adds the counts of one table to options.counts, and gives the observer notes about them.
void tell_counts(const std::string& name, const read_counts& found, const read_request& options);

/// Throws usage_error for tables of vertices whose ids have another number of columns than those of edges.
void expect_vertex_tables(const read_options& options);
/// Passes the vertices of options.vertex_tables to the sink; their ids have `parts` columns, as those of edges have. To be called between
/// begin() and finish() of the sink.
void add_vertex_tables(const read_request& options, bool named, std::size_t parts, edge_sink& sink);
/// True if the ids of the first vertex table are strings. Used for an edge list without edges, which does not show it.
bool has_named_vertices(const read_request& options);

}  // namespace copse::io
