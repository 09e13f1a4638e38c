// Compares clusters with the truth, given as two labels for each record: pairwise and B-cubed scores, and the groups that differ.
#pragma once
#include <copse/execution.hpp>
#include <copse/hidden.hpp>
#include <copse/io.hpp>
#include <copse/labels.hpp>
#include <copse/pairs.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace copse {

/// The two tables that are compared.
enum class labelled_by : std::uint8_t { clusters, truth };

/// A label, or the id of a record, as its table has it. Integers are std::int64_t only in columns that have a negative one.
using label_value = std::variant<std::uint64_t, std::int64_t, std::string>;

/// Precision, recall and their harmonic mean, from 0 to 1. A ratio with denominator 0 counts as 1: for example, the precision of clusters
/// without any pair.
struct agreement_scores {
  double precision = 1;
  double recall = 1;
  double f1 = 1;
};

/// Within a broken group, the records that share one label in the other table.
struct group_share {
  label_value label;
  std::uint64_t records = 0;
  friend bool operator==(const group_share&, const group_share&) = default;
};

/// A group (the records with one label) of one table whose records have several labels in the other table.
struct broken_group {
  label_value label;
  std::uint64_t records = 0;
  std::uint64_t pairs = 0;           ///< pairs of its records that the other table has in different groups
  std::uint64_t parts = 0;           ///< number of different labels that its records have in the other table
  std::vector<group_share> largest;  ///< the largest parts, descending by records, ties by label
  friend bool operator==(const broken_group&, const broken_group&) = default;
};

/// The groups of one table whose records have several labels in the other.
struct broken_groups {
  std::uint64_t count = 0;
  std::vector<broken_group> worst;  ///< descending by pairs, ties by label
};

/// Result of a comparison. Counts are exact. Every ratio is computed once from exact integers and is off by less than 4 parts in 2^53. The
/// sums of fractions behind B-cubed scores have 64 fractional bits, which adds an error of less than one part in 2^63.
struct partition_comparison {
  std::uint64_t records = 0;           ///< number of records that are in both tables, the clusters and the truth
  std::uint64_t only_in_clusters = 0;  ///< records that are in the clusters but not in the truth; 0 unless comparison_options::common
  std::uint64_t only_in_truth = 0;     ///< records that are in the truth but not in the clusters; 0 unless comparison_options::common
  std::uint64_t clusters = 0;          ///< number of clusters with a record that is in both tables
  std::uint64_t truth_clusters = 0;    ///< number of true clusters with a record that is in both tables

  std::uint64_t cluster_pairs = 0;  ///< pairs of records that share a cluster
  std::uint64_t truth_pairs = 0;    ///< pairs of records that share a cluster of the truth
  std::uint64_t common_pairs = 0;   ///< pairs of records that share a cluster in both tables

  agreement_scores pairwise;       ///< precision common_pairs / cluster_pairs, recall common_pairs / truth_pairs
  agreement_scores b_cubed;        ///< means over records (Bagga and Baldwin, 1998)
  double adjusted_rand_index = 1;  ///< Hubert and Arabie, 1985; 1 where both are the same partition

  broken_groups splits;  ///< clusters of the truth whose records are in several clusters
  broken_groups merges;  ///< clusters that hold records of several clusters of the truth
};

struct comparison_options {
  /// If true, records that only one table has are counted and left out; if false, they are an error.
  bool common = false;
  bool ids_as_text = false;  ///< compare integer ids with strings by their decimal digits
  std::size_t worst = 5;     ///< number of splits, and of merges, to list: those with the largest broken_group::pairs
  std::size_t shares = 5;    ///< number of parts to list of each split or merge that is listed, the largest first
};

/// Takes the records and labels of two tables in any number of batches and compares the tables once, in finish(). Ids must be of one kind
/// in both tables: strings, or integers, which may be negative if none is above INT64_MAX. Labels of a table are all integers or all
/// strings; the two tables need not use the same labels. At most 2^32 - 1 records.
///
/// Memory is O(records): 8 bytes for each record of a table; for each different id and label 16 to 24 bytes if it is an integer, 15 to 27
/// plus its bytes if it is a string; and 16 bytes for each label in finish(). The answer does not depend on the order, batches or threads.
///
/// Calls on one sink may not overlap. After an exception the sink takes no more records.
class comparison_sink {
public:
  explicit comparison_sink(const comparison_options& options = {}, const execution& on = {});

  /// Adds records: records[i] has labels[i]. Throws usage_error for columns of different length and for ids or labels of another kind than
  /// before; input_error if a sink gets both a negative id and one above INT64_MAX; resource_error; cancelled.
  void add(labelled_by table, const id_column& records, const id_column& labels);
  /// Adds all vertices of a labelling, by their names.
  void add(labelled_by table, const labelling& labels);
  /// Adds the records of a file with two columns, ids and labels. Text, Parquet and Arrow files are read as for edges, with
  /// `reading.columns`; `.npy`, `.npz`, `.bin` and `.bin64` as io::write_labels writes them. CSV with string ids has a header unless
  /// `reading.header` says otherwise. Throws what io::parse and io::read_labels throw; mixed_ids_error.
  void add_file(labelled_by table, const std::filesystem::path& path, const io::read_options& reading = {});

  /// Compares the tables. Throws input_error for a record that occurs twice in a table, for a record that only one table has unless
  /// options.common, and if the tables have no record in common; usage_error if it was called before; resource_error.
  [[nodiscard]] partition_comparison finish();

private:
  struct state;
  [[nodiscard]] state& open_state();

  hidden<state> state_;
};

/// Thrown if the ids of one table are read as strings and those of the other as integers.
class mixed_ids_error : public input_error {
public:
  using input_error::input_error;
};

/// Compares labels by position: element i of both columns is about record i. O(n) time; the slowest step is a radix sort of n 64-bit keys.
/// Throws usage_error for columns of different length, and what comparison_sink throws.
[[nodiscard]] partition_comparison compare(const id_column& clusters, const id_column& truth, const comparison_options& options = {},
                                           const execution& on = {});
/// Compares labels of the same vertices, which are matched by name.
[[nodiscard]] partition_comparison compare(const labelling& clusters, const labelling& truth, const comparison_options& options = {},
                                           const execution& on = {});

/// Two files for comparison_sink::add_file(), with their read options.
struct compared_files {
  std::array<std::filesystem::path, 2> paths;  ///< the clusters, then the truth
  std::array<io::read_options, 2> reading = {};
};
/// Compares two files. In a text file whose labels are strings, ids are read as strings too; if the ids of the other file are integers,
/// both files are read again with options.ids_as_text.
[[nodiscard]] partition_comparison compare_files(const compared_files& files, const comparison_options& options = {},
                                                 const execution& on = {});

}  // namespace copse
