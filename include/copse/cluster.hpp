// Clusters of records from scored pairs, under constraints on which records may share a cluster.
#pragma once
#include <copse/execution.hpp>
#include <copse/graph.hpp>
#include <copse/io.hpp>
#include <copse/labels.hpp>
#include <copse/memory.hpp>
#include <copse/report.hpp>
#include <copse/views.hpp>
#include <copse/weighted_graph.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace copse {

/// Which pairs may join clusters. The best pair of a record is its pair with the highest score; of equal scores, the one whose other record
/// comes first.
enum class link_rule : std::uint8_t {
  all,
  mutual,  ///< only pairs that are the best pair of both of their records
  either   ///< only pairs that are the best pair of at least one of their records
};

/// Rules by which pairs become clusters. A pair that repeats another, in either direction, counts once, with the highest score; a pair of a
/// record with itself joins nothing. The steps are, in this order:
///
/// 1. Pairs whose score is below the threshold are dropped.
/// 2. `links` selects among the pairs that remain.
/// 3. Bridges of the remaining graph are removed if their score is below `cut_bridges` and at least two records are on either side.
/// 4. The remaining pairs are taken by descending score; pairs of equal score by the smaller record, then by the larger one.
///    A pair inside one cluster is redundant. A pair whose union would break a constraint is refused, and so is every later pair
///    between the same two clusters.
///
/// The answer depends on the pairs alone, not on their order or on the threads. Without rules and constraints, clusters are the connected
/// components.
struct cluster_rules {
  static constexpr std::uint64_t no_limit = UINT64_MAX;

  std::vector<double> thresholds;        ///< the result has one answer per threshold, in this order; if empty, one answer from all pairs
  link_rule links = link_rule::all;      ///< which pairs may join clusters
  std::optional<double> cut_bridges;     ///< remove bridges (edges whose removal disconnects a component) with a score below this
  std::uint64_t max_records = no_limit;  ///< largest allowed number of records in a cluster
};

/// Allows at most `most` records with the same value in a cluster.
struct value_limit {
  static constexpr std::uint64_t no_value = UINT64_MAX;
  static constexpr std::uint64_t left_out = UINT64_MAX - 1;  ///< as a group in single_best_links(): ignore the links of this vertex

  std::span<const std::uint64_t> values;  ///< one for each vertex; those with no_value do not count
  std::uint64_t most = 1;
};

struct cluster_options : cluster_rules {
  std::vector<value_limit> one_per;
  std::span<const edge<std::uint64_t>> cannot_link;  ///< pairs of vertices that must not be in one cluster
};

/// The constraint for which a pair was refused. If its union would break several, the first in the order of this enumeration; among several
/// `one_per` limits, the first in the order of the options.
enum class cluster_constraint : std::uint8_t { max_records, cannot_link, one_per };

struct refused_pair {
  std::uint64_t u = 0, v = 0;  ///< the two records, u < v; clusters_at_threshold::labels has their clusters
  double score = 0;
  cluster_constraint constraint = cluster_constraint::max_records;
  std::uint32_t limit = 0;  ///< for `one_per`: index in cluster_options::one_per
  friend bool operator==(const refused_pair&, const refused_pair&) = default;
};

/// The clusters at one threshold.
struct clusters_at_threshold {
  double threshold = -std::numeric_limits<double>::infinity();
  labelling labels;                   ///< canonical
  std::uint64_t cut_bridges = 0;      ///< number of bridges that were removed
  std::vector<refused_pair> refused;  ///< in the order in which the pairs were taken: by descending score
};

struct cluster_result {
  std::vector<clusters_at_threshold> answers;
  std::vector<std::uint64_t> exempt;  ///< for each limit of `one_per`, the number of vertices without a value
  std::uint64_t unknown_pairs = 0;    ///< pairs of the cannot-link file with a record that is not in the graph
  /// number of pairs that were taken one by one, because their component would break a constraint
  std::uint64_t careful_pairs = 0;
  unsigned passes = 1;  ///< number of times the pairs were read
  solve_report report;  ///< phases: forest, rules (links and bridges), pairs (reading those to take one by one), unions, labels
};

/// Clusters the vertices of `g` by its edges, whose weights are the scores. Scores are compared as doubles. A component that breaks no
/// constraint is one cluster and is found by a maximum spanning forest; only the pairs of the other components are taken one by one. Throws
/// usage_error for a threshold that is not a number, limits of 0, columns whose length is not the number of vertices or edges, and pairs in
/// `cannot_link` that have equal ends or an end that is no vertex; input_error for a weight that is not a number; resource_error;
/// cancelled.
[[nodiscard]] cluster_result cluster(graph_view g, weights_view weights, const cluster_options& options = {}, const execution& on = {});
[[nodiscard]] cluster_result cluster(const weighted_graph& g, const cluster_options& options = {}, const execution& on = {});

/// How single_best_links() treats links of a vertex that have the same score and lead to several vertices of one group.
enum class link_ties : std::uint8_t {
  lowest_id,  ///< keep them all; of links with equal scores, the one to the smaller vertex counts as better
  drop
};

/// Returns the label of each vertex, as cluster_using_single_best_links() of Splink computes it, in rounds. A cluster has at most one
/// vertex of each group. Groups are numbered from 0, preferably without gaps, because each vertex has a bit for each group up to the
/// largest. Vertices with value_limit::no_value are in no group.
///
/// At first each vertex is a cluster, labelled by itself. In each round every cluster has a best link among those to clusters that it may
/// join: the link with the highest score, and of equal ones the link to the smallest vertex. Where the best links of two clusters are the
/// same pair, the vertex of this pair in the cluster with the larger label moves to the other cluster. Only this vertex moves in this
/// round; other vertices of its cluster follow later by links of their own, or stay. The rounds end when no vertex moves. There are two
/// differences from cluster() with links and limits: two clusters whose best links have equal scores but are different pairs stay apart,
/// and a label need not be a vertex of its cluster.
///
/// `g` is a list of edges. Throws usage_error for rows and for columns of the wrong length; resource_error; cancelled.
[[nodiscard]] buffer<std::uint64_t> single_best_links(graph_view g, std::span<const double> scores, std::span<const std::uint64_t> groups,
                                                      link_ties ties = link_ties::lowest_id, const execution& on = {});

/// Pairs of ids, translated to vertices of a graph.
struct known_pairs {
  std::vector<edge<std::uint64_t>> pairs;
  std::uint64_t unknown = 0;  ///< number of pairs dropped because one of their ids is not in the graph
};
/// Translates the edges of `listed` to the vertices that have the same ids in `names`, in order. It serves cannot-link pairs that were read
/// from a file of their own. If `listed` stores rows, the result is empty.
[[nodiscard]] known_pairs pairs_among(const vertex_names& names, const graph& listed);

/// Allows at most `most` records with the same value of a column in a cluster.
struct column_limit {
  io::column column;  ///< a column that every table of read_options::vertex_tables has
  std::uint64_t most = 1;
};

struct cluster_file_options : cluster_rules {
  std::vector<column_limit> one_per;
  /// A table of pairs of ids; empty: none. It is read with the header, delimiter, comment and trim options of the scored pairs.
  std::filesystem::path cannot_link;
};

/// Clusters the pairs of a file. Vertices are the records of the pairs whose score reaches the lowest threshold, and the ids in
/// `input.vertex_tables`. Memory holds a spanning forest and the pairs inside components that break a constraint; it holds all pairs only
/// if the weights cannot be read while the format is parsed. With link_rule::all the file may be read a second time to cut bridges, and
/// once more for the components that break a constraint. Values of `one_per` columns are compared as text; a record without a value, or in
/// no table, is exempt from the limit. Throws what io::read_weighted_graph() and cluster() throw; input_error for a record with two
/// different values; usage_error for a pipe that would have to be read again.
[[nodiscard]] cluster_result clusters_of_file(const std::filesystem::path& path, const io::read_options& input,
                                              const cluster_file_options& options = {}, const execution& on = {});

}  // namespace copse
