// How well clusters agree with the truth: two labels for each record, and what is known of every pair of records from them.
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

/// A label, or the id of a record, as its table has it. Integers of a column are std::int64_t only where one of them is negative.
using label_value = std::variant<std::uint64_t, std::int64_t, std::string>;

/// Precision, recall and their harmonic mean, from 0 to 1. A score without anything to judge is 1: the precision of clusters without a
/// pair.
struct agreement_scores {
  double precision = 1;
  double recall = 1;
  double f1 = 1;
};

/// The records of a broken group that have one label in the other table.
struct group_share {
  label_value label;
  std::uint64_t records = 0;
  friend bool operator==(const group_share&, const group_share&) = default;
};

/// A group of one table whose records have several labels in the other.
struct broken_group {
  label_value label;
  std::uint64_t records = 0;
  std::uint64_t pairs = 0;           ///< pairs of its records that the other table has apart
  std::uint64_t parts = 0;           ///< labels that its records have in the other table
  std::vector<group_share> largest;  ///< parts, descending by records, ties by label
  friend bool operator==(const broken_group&, const broken_group&) = default;
};

/// Which groups of one table the other one breaks.
struct broken_groups {
  std::uint64_t count = 0;
  std::vector<broken_group> worst;  ///< descending by pairs, ties by label
};

/// Counts are exact. Every ratio is computed once from exact integers and is off by less than 4 parts in 2^53; the sums of fractions behind
/// B-cubed scores are taken in fixed point of 64 bits behind the point, which adds less than one part in 2^63.
struct partition_comparison {
  std::uint64_t records = 0;           ///< records that both tables have
  std::uint64_t only_in_clusters = 0;  ///< records of one table, left out; 0 unless comparison_options::common
  std::uint64_t only_in_truth = 0;     ///< records of the truth alone, left out likewise
  std::uint64_t clusters = 0;          ///< different labels that the records of both tables have in the clusters
  std::uint64_t truth_clusters = 0;    ///< different labels that they have in the truth

  std::uint64_t cluster_pairs = 0;  ///< pairs of records in the same cluster
  std::uint64_t truth_pairs = 0;    ///< pairs of records in the same cluster of the truth
  std::uint64_t common_pairs = 0;   ///< pairs of records in the same cluster of both

  agreement_scores pairwise;       ///< common_pairs / cluster_pairs, common_pairs / truth_pairs
  agreement_scores b_cubed;        ///< means over records (Bagga and Baldwin, 1998)
  double adjusted_rand_index = 1;  ///< Hubert and Arabie, 1985; 1 where both are the same partition

  broken_groups splits;  ///< clusters of the truth whose records are in several clusters
  broken_groups merges;  ///< clusters that hold records of several clusters of the truth
};

struct comparison_options {
  bool common = false;  ///< compare the records that both tables have, and count the others; otherwise records of one table are refused
  bool ids_as_text = false;  ///< integer ids are compared with strings, by their decimal digits
  std::size_t worst = 5;     ///< how many splits and merges are listed
  std::size_t shares = 5;    ///< how many parts of each of them are listed
};

/// Takes the records of both tables in any number of batches, with a label each, and compares once. Ids are integers, which may be negative
/// unless others are above INT64_MAX, or strings, of one kind in both tables; labels of a table are integers or strings. Labels of the two
/// tables need not have anything in common. At most 2^32 - 1 records.
///
/// Memory is O(records): 8 bytes for each record of a table; for each different id and label 16 to 24 bytes if it is an integer, 15 to 27
/// and its bytes if it is a string; and 16 bytes for each label at the end. The answer depends on neither order, batches nor threads.
///
/// Calls on one sink may not overlap. After an exception it takes no more.
class comparison_sink {
public:
  explicit comparison_sink(const comparison_options& options = {}, const execution& on = {});

  /// Record records[i] has labels[i]. Throws usage_error for columns of different length and for another kind of ids or labels than before;
  /// input_error for a negative id and one above INT64_MAX in one sink; resource_error; cancelled.
  void add(labelled_by table, const id_column& records, const id_column& labels);
  /// Adds all vertices of a labelling, by their names.
  void add(labelled_by table, const labelling& labels);
  /// The records of a file with two columns, ids and labels: text, Parquet and Arrow as edges are read from them, by `reading.columns`; or
  /// `.npy`, `.npz`, `.bin` and `.bin64` as io::write_labels writes them. CSV of strings has a header unless `reading.header` says
  /// otherwise. Throws what io::parse and io::read_labels throw; mixed_ids_error.
  void add_file(labelled_by table, const std::filesystem::path& path, const io::read_options& reading = {});

  /// Throws input_error for a record that a table has twice, for records of one table unless options.common, and where no record is in
  /// both; usage_error when it was called before; resource_error.
  [[nodiscard]] partition_comparison finish();

private:
  struct state;
  [[nodiscard]] state& open_state();

  hidden<state> state_;
};

/// The ids of one table are read as strings, those of the other as integers.
class mixed_ids_error : public input_error {
public:
  using input_error::input_error;
};

/// Compares labels by their places: element i of both is about record i. O(n) time; the slowest step is a radix sort of n 64-bit keys.
/// Throws usage_error for columns of different length, and what comparison_sink throws.
[[nodiscard]] partition_comparison compare(const id_column& clusters, const id_column& truth, const comparison_options& options = {},
                                           const execution& on = {});
/// Compares labels of the same vertices, by their names.
[[nodiscard]] partition_comparison compare(const labelling& clusters, const labelling& truth, const comparison_options& options = {},
                                           const execution& on = {});

/// Two files as comparison_sink::add_file() reads them, and how.
struct compared_files {
  std::array<std::filesystem::path, 2> paths;  ///< the clusters, then the truth
  std::array<io::read_options, 2> reading = {};
};
/// Compares two files. In text, ids are strings where labels are; if ids of the other file are integers, both are read again with
/// options.ids_as_text.
[[nodiscard]] partition_comparison compare_files(const compared_files& files, const comparison_options& options = {},
                                                 const execution& on = {});

}  // namespace copse
