// Clusters under constraints: pairs with scores, and what may not be in one cluster.
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

/// Which pairs join. A record's best pair is the one with the highest score; of equal ones the one whose other record comes first.
enum class link_rule : std::uint8_t {
  all,
  mutual,  ///< the pairs that are the best of both records
  either   ///< the pairs that are the best of one record
};

/// How pairs become clusters, in this order. A pair that repeats another, in either direction, counts once, with the highest score; a pair
/// of a record with itself joins nothing.
///
/// 1. Pairs below the threshold are left out. 2. `links` chooses among the others. 3. The bridges of the graph that remains are cut whose
/// score is below `cut_bridges` and that have at least two records on both sides. 4. The pairs that remain are taken by descending score,
/// equal ones by their records in the order of the answer, the smaller one first. A pair inside one cluster is redundant. A pair whose
/// union would break a constraint is refused. So is every later pair between the same two clusters: what was refused stays apart.
///
/// The answer depends on the pairs alone, not on their order or on the threads. Without rules and constraints clusters are the components.
struct cluster_rules {
  static constexpr std::uint64_t no_limit = UINT64_MAX;

  std::vector<double> thresholds;        ///< an answer for each, in their order; none: one answer, of all pairs
  link_rule links = link_rule::all;      ///< the best pairs alone, or all
  std::optional<double> cut_bridges;     ///< see above; an edge is a bridge if its loss parts a component
  std::uint64_t max_records = no_limit;  ///< no cluster of more records
};

/// A limit of `most` records of each value in a cluster.
struct value_limit {
  static constexpr std::uint64_t no_value = UINT64_MAX;
  static constexpr std::uint64_t left_out = UINT64_MAX - 1;  ///< for single_best_links(): the vertex has no links

  std::span<const std::uint64_t> values;  ///< one for each vertex; vertices with no_value are exempt
  std::uint64_t most = 1;
};

struct cluster_options : cluster_rules {
  std::vector<value_limit> one_per;
  std::span<const edge<std::uint64_t>> cannot_link;  ///< vertices that must not be in one cluster
};

/// The constraint that a pair was refused for: of several that its union would break the first, and of limits on values the first in the
/// order of the options.
enum class cluster_constraint : std::uint8_t { max_records, cannot_link, one_per };

struct refused_pair {
  std::uint64_t u = 0, v = 0;  ///< u < v; the answer has the cluster of each
  double score = 0;
  cluster_constraint constraint = cluster_constraint::max_records;
  std::uint32_t limit = 0;  ///< which of cluster_options::one_per
  friend bool operator==(const refused_pair&, const refused_pair&) = default;
};

/// The clusters at one threshold.
struct clusters_at_threshold {
  double threshold = -std::numeric_limits<double>::infinity();
  labelling labels;                   ///< canonical
  std::uint64_t cut_bridges = 0;      ///< how many were cut
  std::vector<refused_pair> refused;  ///< in the order in which pairs are taken
};

struct cluster_result {
  std::vector<clusters_at_threshold> answers;
  std::vector<std::uint64_t> exempt;  ///< for each limit on values the vertices without a value
  std::uint64_t unknown_pairs = 0;    ///< pairs of a cannot-link file of which a record is not in the graph
  std::uint64_t careful_pairs = 0;    ///< pairs of components that broke a constraint, which were taken one by one
  unsigned passes = 1;                ///< how often the pairs were read
  solve_report report;                ///< phases: forest, rules, pairs, unions, labels
};

/// Clusters of the edges of `g`, whose weights are the scores. Scores are compared as doubles. Components that break no constraint are
/// those of a maximum spanning forest; only the pairs of the others are taken one by one. Throws usage_error for a threshold that is not a
/// number, limits of 0, columns of another length than there are vertices or edges, and pairs in `cannot_link` of one vertex or of none
/// of the graph; input_error for a weight that is not a number; resource_error; cancelled.
[[nodiscard]] cluster_result cluster(graph_view g, weights_view weights, const cluster_options& options = {}, const execution& on = {});
[[nodiscard]] cluster_result cluster(const weighted_graph& g, const cluster_options& options = {}, const execution& on = {});

/// What becomes of links of a vertex that have the same score and lead to several vertices of one group.
enum class link_ties : std::uint8_t {
  lowest_id,  ///< they stay, and of equal links that to the smaller vertex is the better one
  drop
};

/// Clusters as cluster_using_single_best_links() of Splink makes them, in rounds, for each vertex its label. A cluster has at most one
/// vertex of each group; `groups` are numbers from 0, best without gaps: a bit for each is kept for each vertex. Vertices with
/// value_limit::no_value are in no group.
///
/// At first each vertex is a cluster, labelled by itself. In each round every cluster has a best link among those to clusters that it may
/// join: the one with the highest score, and of equal ones the one to the smallest vertex. Where the best links of two clusters are the
/// same pair, the vertex of this pair in the cluster with the larger label moves to the other cluster. Only this vertex moves in this
/// round; the others follow by links of their own, or stay. The rounds end when no vertex moves. So unlike cluster() with links and limits,
/// two clusters whose equal links cross stay apart, and a label need not be a vertex of its cluster.
///
/// `g` is a list of edges. Throws usage_error for rows and for columns of another length; resource_error; cancelled.
[[nodiscard]] buffer<std::uint64_t> single_best_links(graph_view g, std::span<const double> scores, std::span<const std::uint64_t> groups,
                                                      link_ties ties = link_ties::lowest_id, const execution& on = {});

/// Pairs by the vertices of a graph.
struct known_pairs {
  std::vector<edge<std::uint64_t>> pairs;
  std::uint64_t unknown = 0;  ///< pairs that were left out, as one of their ids is no vertex
};
/// The edges of `listed`, in their order, by the vertices that have the same ids in `names`: pairs for cluster_options::cannot_link that
/// were read as a graph of their own. Rows have none.
[[nodiscard]] known_pairs pairs_among(const vertex_names& names, const graph& listed);

/// A limit of `most` records of each value of a column in a cluster.
struct column_limit {
  io::column column;  ///< a column that each of read_options::vertex_tables has
  std::uint64_t most = 1;
};

struct cluster_file_options : cluster_rules {
  std::vector<column_limit> one_per;
  std::filesystem::path cannot_link;  ///< a table of pairs with ids as the answer has them, read with the header, delimiter, comments and
                                      ///< trim of the pairs; empty: none
};

/// Clusters of the pairs of a file. No more of it is held than a spanning forest and the pairs of the components that break a constraint.
/// Vertices are those of the pairs that reach the lowest threshold, and of `input.vertex_tables`. The file is read again to cut bridges
/// among all links, and for the pairs of components that break a constraint; formats that do not pass weights on while they are parsed are
/// held instead. Values are compared as texts; a record without a value is exempt, and so is one that no table has. Throws what
/// io::read_weighted_graph() and cluster() throw; input_error for a record with two values; usage_error for an input that would have to be
/// read again and cannot be.
[[nodiscard]] cluster_result clusters_of_file(const std::filesystem::path& path, const io::read_options& input,
                                              const cluster_file_options& options = {}, const execution& on = {});

}  // namespace copse
