// Records whose ids matter: pairs of an edge list, or the ids of a table of vertices. One block's, by the general rules.
#pragma once
#include "io/fields.hpp"
#include "io/late_comments.hpp"
#include "io/text_source.hpp"
#include "io/weight_rule.hpp"

#include <copse/io.hpp>

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace copse::io {

/// How the records of one file are read, and what their ids are.
struct id_layout : table_layout {
  bool named = false;  ///< string ids
  bool weighted = false;
  std::array<std::string, 2> prefixes{};  ///< put before names
};

/// Looks at the first records of a source, and takes off what stands above the first record of data. `named`: the ids are known to be
/// strings, or integers; otherwise the first record decides, and the observer gets a note.
id_layout lay_out_ids(text_source& source, const table_request& request, format f, const read_request& options, std::optional<bool> named);

class id_records {
public:
  /// `first_block`: what options.signs gave for the source. `weights`: needed where the layout is weighted.
  id_records(const text_source& source, const text_block& block, const id_layout& layout, const read_request& options,
             std::uint64_t first_block, weight_rule* weights = nullptr);
  id_records(const id_records&) = delete;
  ~id_records();

  /// Cuts the next record off `text`. Returns false for comments, blank lines, records without an end or a weight, and light edges.
  bool take(std::string_view& text);
  /// After take(): true if the record was that of an edge that is left out.
  [[nodiscard]] bool left_out() const noexcept { return left_out_; }
  /// The id as a word; ids that have the sign bit are noted in options.signs. For declared vertices, the distance from the first one.
  [[nodiscard]] std::uint64_t integer_id(std::size_t which);
  [[nodiscard]] std::string_view name(std::size_t which);
  /// The weight of the edge that was taken, where weights matter.
  [[nodiscard]] double weight() const noexcept { return weight_; }
  /// Names are no longer needed.
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
  std::uint64_t block_order_;    // the place of the block in the whole input, for options.signs
  std::array<bool, 2> noted_{};  // true once this block had an id that is large, or negative
  weight_rule* weights_;
  weight_rule::tally weighed_;
  field_picker fields_;
  double weight_ = 0;
  std::string_view record_;
  std::deque<std::string> built_names_;  // names with a prefix, or of several columns
  late_comments comments_;
  std::uint64_t missing_ends_ = 0;
  bool left_out_ = false;
};

/// Adds what one table had to options.counts, and tells the observer what it should know of.
void tell_counts(const std::string& name, const read_counts& found, const read_request& options);

/// Throws usage_error for tables whose ids cannot be those of the edges.
void expect_vertex_tables(const read_options& options);
/// Adds the vertices of options.vertex_tables, whose ids have `parts` columns as those of edges have. Between begin() and finish() of the
/// sink.
void add_vertex_tables(const read_request& options, bool named, std::size_t parts, edge_sink& sink);
/// True if the ids of the first of these tables are strings. For an edge list without edges, which does not tell.
bool has_named_vertices(const read_request& options);

}  // namespace copse::io
