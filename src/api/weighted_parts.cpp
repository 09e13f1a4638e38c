// Weighted forests of parts of files, and the proofs of such forests and of what they are merged to.
#include <api/checked_part.hpp>
#include <api/forest_sink.hpp>
#include <copse/errors.hpp>
#include <copse/mergeable_weighted_forest.hpp>
#include <core/request.hpp>
#include <io/collect.hpp>
#include <io/part_of_file.hpp>
#include <io/request.hpp>
#include <io/weight_rule.hpp>

#include <string>
#include <utility>

namespace copse {
namespace {

using paths = std::span<const std::filesystem::path>;

/// work(path, options, part) for every file. Tables of vertices come with the first, to the first part.
template <class Work>
void for_files(paths all, const io::read_request& asked, file_part which, Work work) {
  if (all.empty()) throw usage_error{"found no input, expected at least one"};
  io::part_of_file part = api::checked(which);
  io::read_request input = asked;
  if (!part.first()) input.vertex_tables.clear();
  for (const auto& path : all) {
    if (path == "-" && !part.whole()) throw usage_error{"found standard input, expected files, of which each process reads a part"};
    work(path, input, part);
    ++part.turn;
    input.vertex_tables.clear();
  }
}

/// The edges of parts as one graph, held.
class gatherer {
public:
  explicit gatherer(std::pmr::memory_resource* memory) : memory_{memory}, sink_{{.weights = true}, {.memory = memory}} {}

  void add(const weighted_graph& part) {
    if (part.edges.vertices() == 0) return;
    const bool named = part.edges.names().what() == vertex_names::kind::strings;
    if (begun_ && named != named_) {
      throw usage_error{std::string{"verify: found "} + (named ? "strings after integers" : "integers after strings") +
                        ", expected ids of one kind"};
    }
    if (!begun_) {
      begun_ = true;
      named_ = named;
      sink_.begin({.vertices = std::nullopt, .edges = std::nullopt, .workers = 1, .named = named});
      sink_.begin_block(0, 0);
    }
    api::hand_over(part.edges, std::get<buffer<double>>(part.weights.held()).span(), sink_, api::called::by_name, memory_);
  }
  weighted_graph take() {
    if (!begun_) return {graph{coo<std::uint32_t>{}}, weight_column{buffer<double>{}}};
    sink_.finish();
    graph edges = sink_.take_graph();
    return {std::move(edges), weight_column{sink_.take_weights()}};
  }

private:
  std::pmr::memory_resource* memory_;
  io::graph_sink sink_;
  bool begun_ = false, named_ = false;
};

bool same_names(const vertex_names& a, const vertex_names& b) {
  if (a.size() != b.size()) return false;
  if (a.size() == 0) return true;
  const bool strings = a.what() == vertex_names::kind::strings;
  if (strings != (b.what() == vertex_names::kind::strings)) return false;
  for (std::uint64_t v = 0; v < a.size(); ++v) {
    if (strings ? a.string(v) != b.string(v) : a.integer(v) != b.integer(v)) return false;
  }
  return true;
}

verdict prove(const weighted_graph& g, const mergeable_weighted_forest& forest) {
  const weighted_graph& found = forest.forest();
  if (!same_names(g.edges.names(), found.edges.names())) {
    verdict wrong;
    wrong.reason = "found " + std::to_string(found.edges.vertices()) + " vertices, expected the " + std::to_string(g.edges.vertices()) +
                   " of the edges, by their names";
    return wrong;
  }
  return verify_weighted_forest(g.edges.view(), g.weights.view(), found.edges, found.weights.view(), forest.goal());
}

}  // namespace

mergeable_weighted_forest weighted_forest_of_part(paths all, file_part part, const io::read_options& input, forest_goal goal,
                                                  const execution& on) {
  const request<weighted_forest_options> solving{{.goal = goal}, on};
  weighted_forest_merger merger{on};
  std::optional<mergeable_weighted_forest> only;
  for_files(all, {input, on}, part, [&](const std::filesystem::path& path, const io::read_request& reading, io::part_of_file own) {
    weighted_forest_result found;
    if (io::streams_weights(path, reading)) {
      const io::read_request weights = io::with_all_weights(reading);
      api::forest_sink sink{weights, solving};
      io::parse(path, weights, own, sink);
      found = std::move(sink).take();
    } else if (own.takes_turn()) {
      found = weighted_forest(io::read_weighted_graph(path, reading.options(), on), solving.options(), on);
    } else {
      return;
    }
    mergeable_weighted_forest forest{found.edges, found.weights.view(), goal, on.memory};
    if (all.size() == 1) {
      only = std::move(forest);
      return;
    }
    try {
      merger.add(forest);
    } catch (const usage_error& e) {
      throw usage_error{path.string() + ": " + e.what()};
    }
  });
  return only ? std::move(*only) : merger.finish();
}

verdict verify_part(paths all, file_part part, const io::read_options& input, const mergeable_weighted_forest& forest,
                    const execution& on) {
  gatherer edges{on.memory};
  for_files(all, {input, on}, part, [&](const std::filesystem::path& path, const io::read_request& reading, io::part_of_file own) {
    if (io::streams_weights(path, reading)) {
      const io::read_request weights = io::with_all_weights(reading);
      io::collecting_sink sink{weights, {.weights = true}};
      io::parse(path, weights, own, sink);
      graph list = std::move(sink).take();
      edges.add({std::move(list), weight_column{std::move(sink).take_weights()}});
    } else if (own.takes_turn()) {
      edges.add(io::read_weighted_graph(path, reading.options(), on));
    }
  });
  return prove(edges.take(), forest);
}

verdict verify_merge(const mergeable_weighted_forest& merged, const std::function<std::optional<mergeable_weighted_forest>()>& next_part,
                     std::pmr::memory_resource* memory) {
  gatherer edges{memory};
  while (const auto part = next_part()) edges.add(part->forest());
  return prove(edges.take(), merged);
}

}  // namespace copse
