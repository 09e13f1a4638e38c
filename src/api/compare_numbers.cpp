// Computes scores from the labels of each record: labels are ranked first, so that nothing depends on the order in which they arrived; the
// overlaps of both partitions are counted; and each ratio is a quotient of two integers.
#include <api/compared_values.hpp>
#include <core/parallel_buffers.hpp>
#include <graph/labels/contingency.hpp>

namespace copse::api {
namespace {

/// Returns part / whole, and 1 if the whole is empty.
double ratio(uint128 part, uint128 whole) { return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole); }

double harmonic_mean(double a, double b) { return a + b == 0 ? 0 : 2 * a * b / (a + b); }

/// 128-bit integers suffice: fewer than 2^32 records have fewer than 2^63 pairs, so each product of two counts is below 2^126.
double adjusted_rand_index(const partition_comparison& c) {
  __extension__ using int128 = __int128;
  const int128 all = c.records % 2 == 0 ? int128{c.records / 2} * (c.records - 1) : int128{(c.records - 1) / 2} * c.records;
  const int128 clusters = c.cluster_pairs, truth = c.truth_pairs, common = c.common_pairs;
  if (common == clusters && common == truth) return 1;
  const int128 expected = clusters * truth;
  return static_cast<double>(2 * (common * all - expected)) / static_cast<double>((clusters + truth) * all - 2 * expected);
}

label_value value_of(const vertex_names& names, std::uint64_t i) {
  if (names.what() == vertex_names::kind::strings) return std::string{names.string(i)};
  if (names.is_signed()) return static_cast<std::int64_t>(names.integer(i));
  return names.integer(i);
}

broken_groups groups_of(const side_counts& counts, const vertex_names& names, const vertex_names& others) {
  broken_groups result{counts.broken, {}};
  for (const broken_cells& found : counts.worst) {
    broken_group& group =
        result.worst.emplace_back(broken_group{value_of(names, found.group), found.records, found.pairs, found.parts, {}});
    for (const cell_share& share : found.largest) group.largest.push_back({value_of(others, share.group), share.records});
  }
  return result;
}

/// Returns, for each record that both tables have, the positions of its two labels in the ascending order of all labels of their table.
buffer<group_pair> pairs_of_ranks(const std::array<buffer<std::uint32_t>, 2>& labels, const std::array<buffer<std::uint32_t>, 2>& ranks,
                                  unsigned threads, std::pmr::memory_resource* memory) {
  const std::size_t count = labels[0].size();
  const auto in_both = [&](std::size_t i) { return labels[0][i] != no_vertex<std::uint32_t> && labels[1][i] != no_vertex<std::uint32_t>; };
  const auto pair = [&](std::size_t i) { return group_pair{ranks[0][labels[0][i]], ranks[1][labels[1][i]]}; };
  return selected<group_pair>(count, in_both, pair, threads, memory);
}

}  // namespace

partition_comparison compare_numbers(std::array<buffer<std::uint32_t>, 2> labels, std::array<value_numbers*, 2> values,
                                     const comparison_options& options, unsigned threads, std::pmr::memory_resource* memory) {
  std::array<vertex_names, 2> names;
  std::array<buffer<std::uint32_t>, 2> ranks;
  for (const unsigned table : {0u, 1u}) {
    const std::uint64_t bound = values[table]->bound();
    ids::ordered_ids ordered = values[table]->take_ordered(threads);
    ranks[table] = ids::positions_of(ordered, bound, threads, memory);
    names[table] = std::move(ordered.names);
  }
  buffer<group_pair> records = pairs_of_ranks(labels, ranks, threads, memory);
  labels = {};
  ranks = {};
  if (records.empty()) throw input_error{"compare: found no record that both tables have, expected the same records in both"};
  const contingency found = count_overlaps(records.span(), {.groups = {names[0].size(), names[1].size()},
                                                            .worst = options.worst,
                                                            .shares = options.shares,
                                                            .threads = threads,
                                                            .memory = memory});
  const side_counts &clusters = found.sides[0], &truth = found.sides[1];
  partition_comparison result;
  result.records = records.size();
  result.clusters = clusters.groups;
  result.truth_clusters = truth.groups;
  result.cluster_pairs = clusters.pairs;
  result.truth_pairs = truth.pairs;
  result.common_pairs = found.common_pairs;
  result.pairwise = {ratio(found.common_pairs, clusters.pairs), ratio(found.common_pairs, truth.pairs),
                     ratio(uint128{found.common_pairs} * 2, uint128{clusters.pairs} + truth.pairs)};
  const uint128 all = uint128{result.records} << 64;
  result.b_cubed.precision = ratio(clusters.mean_share, all);
  result.b_cubed.recall = ratio(truth.mean_share, all);
  result.b_cubed.f1 = harmonic_mean(result.b_cubed.precision, result.b_cubed.recall);
  result.adjusted_rand_index = adjusted_rand_index(result);
  result.merges = groups_of(clusters, names[0], names[1]);
  result.splits = groups_of(truth, names[1], names[0]);
  return result;
}

}  // namespace copse::api
