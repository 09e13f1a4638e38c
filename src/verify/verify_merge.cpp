// The proof of an answer for a part of some files, or of one merged from other answers. The files or the other answers are passed to a sink
// as the edges of a graph, and the answer is proved for that graph.
#include <copse/partial.hpp>

#include <io/collect.hpp>
#include <io/readers.hpp>
#include <io/weight_rule.hpp>
#include <verify/parts.hpp>
#include <verify/proving_sink.hpp>
#include <verify/verify_part.hpp>

#include <array>
#include <concepts>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace copse {
namespace {

bool same_names(const vertex_names& a, const vertex_names& b) {
  if (a.size() != b.size()) return false;
  if (a.size() == 0) return true;
  if (a.is_signed() != b.is_signed()) return false;
  const bool strings = a.what() == vertex_names::kind::strings;
  if (strings != (b.what() == vertex_names::kind::strings)) return false;
  for (std::uint64_t v = 0; v < a.size(); ++v) {
    if (strings ? a.string(v) != b.string(v) : a.integer(v) != b.integer(v)) return false;
  }
  return true;
}

constexpr std::size_t batch_edges = 1024;

/// Passes any number of answers and lists of edges to a sink, as if they were read from files. Their ids must be of one kind and one sign,
/// because -1 and 2^64 - 1 would be the same vertex.
class edge_passer {
public:
  explicit edge_passer(io::edge_sink& sink) : sink_{sink} {}

  /// Passes each vertex and its label as one edge.
  void pass(const labelling& part) {
    begin(part.names());
    std::visit(
        [&]<class Id>(const buffer<Id>& labels) {
          pass_edges(part.names(), {}, labels.size(), [&labels](std::size_t v) {
            const auto own = static_cast<Id>(v);
            return edge<Id>{labels[v] == no_vertex<Id> ? no_vertex<Id> : own, labels[v]};
          });
        },
        part.labels());
  }
  /// Passes the edges, and then all vertices, because some vertices may have no edge.
  void pass(const graph& list, std::span<const double> weights) {
    const vertex_names& names = list.names();
    begin(names);
    std::visit(
        [&](const auto& shape) {
          if constexpr (requires { shape.edges; })
            pass_edges(names, weights, weights.size(), [&](std::size_t i) { return shape.edges[i]; });
        },
        list.shape());
    for (std::uint64_t v = 0; v < names.size(); ++v) {
      const std::uint64_t id = *named_ ? 0 : names.integer(v);
      const std::string_view name = *named_ ? names.string(v) : std::string_view{};
      sink_.vertices(0, *named_ ? io::vertex_batch{.names = {&name, 1}} : io::vertex_batch{.ids = {&id, 1}});
    }
  }
  void pass(const weighted_forest_result& part) { pass(part.edges, std::get<buffer<double>>(part.weights.held()).span()); }

  /// Must be called last. Begins the sink first if nothing was passed to it.
  void finish() {
    if (!named_) begin({});
    sink_.finish();
  }

private:
  void begin(const vertex_names& names) {
    const bool named = names.what() == vertex_names::kind::strings;
    if (named_ && named != *named_) {
      throw usage_error{std::string{"verify: ids must be of one kind, not "} +
                        (named ? "strings after integers" : "integers after strings")};
    }
    if (!named_) {
      sink_.begin({.vertices = std::nullopt, .edges = std::nullopt, .workers = 1, .named = named});
      sink_.begin_block(0, 0);
    }
    named_ = named;
    negative_ |= names.is_signed();
    large_ |= !named && !names.is_signed() && names.size() != 0 && has_sign_bit(names.integer(names.size() - 1));
    if (negative_ && large_) throw usage_error{"verify: some ids are negative and others above 2^63 - 1, which no type of integers holds"};
    if (names.is_signed()) sink_.ids_are_signed();
  }

  /// Passes `count` edges. at(i) returns the ends of edge i as positions in `names`, or no_vertex for an edge to leave out.
  template <class At>
  void pass_edges(const vertex_names& names, std::span<const double> weights, std::size_t count, At at) {
    const auto all = [&]<class Edge>(std::array<Edge, batch_edges> batch, auto name) {
      for (std::size_t i = 0; i < count;) {
        const std::size_t first = i;
        std::size_t held = 0;
        for (; i < count && i - first < batch.size(); ++i) {
          const auto [u, v] = at(i);
          if (u != no_vertex<std::remove_const_t<decltype(u)>>) batch[held++] = {name(u), name(v)};
        }
        io::edge_batch edges;
        if (!weights.empty()) edges.weights = weights.subspan(first, held);
        if constexpr (std::same_as<Edge, io::named_edge>) {
          edges.names = std::span{batch}.first(held);
        } else {
          edges.ids = std::span{batch}.first(held);
        }
        sink_.edges(0, edges);
      }
    };
    if (*named_) return all(std::array<io::named_edge, batch_edges>{}, [&names](std::uint64_t v) { return names.string(v); });
    all(std::array<edge<std::uint64_t>, batch_edges>{}, [&names](std::uint64_t v) { return names.integer(v); });
  }

  io::edge_sink& sink_;
  std::optional<bool> named_;
  bool negative_ = false, large_ = false;  ///< true if negative ids were passed; true if ids above 2^63 - 1 were passed
};

// In both functions prove(), for labels and for weighted forests, pass(to) must pass all edges and vertices to an edge_passer.

/// Proves labels. Stores no edges.
template <class Pass>
verdict prove(const labelling& answer, std::pmr::memory_resource* memory, Pass pass) {
  const auto pass_all = [&pass](io::edge_sink& sink) {
    edge_passer to{sink};
    pass(to);
  };
  return std::visit([&](const auto& labels) { return proving::prove(labels, answer.names(), memory, pass_all); }, answer.labels());
}

/// Proves a weighted forest. Stores all edges.
template <class Pass>
verdict prove(const weighted_forest_result& answer, std::pmr::memory_resource* memory, Pass pass) {
  io::graph_sink sink{{.weights = true}, {.memory = memory}};
  edge_passer to{sink};
  try {
    pass(to);
  } catch (const proving::refused& fault) {
    return proving::wrong(fault.what());
  }
  to.finish();
  const weighted_graph g{sink.take_graph(), weight_column{sink.take_weights()}};
  if (!same_names(g.edges.names(), answer.edges.names())) {
    return proving::wrong("found " + std::to_string(answer.edges.vertices()) + " vertices, expected the " +
                          std::to_string(g.edges.vertices()) + " of the edges, by their names");
  }
  return verify_weighted_forest(g.edges.view(), g.weights.view(), answer.edges, answer.weights.view(), answer.goal);
}

void expect_like(const labelling& /*answer*/, const labelling& /*part*/) {}
void expect_like(const weighted_forest_result& answer, const weighted_forest_result& part) {
  if (answer.goal != part.goal) {
    throw proving::refused{answer.goal == forest_goal::maximum ? "found a maximum forest, expected a minimum one, as that of a part"
                                                               : "found a minimum forest, expected a maximum one, as that of a part"};
  }
  if (answer.weights.precision() != part.weights.precision()) {
    throw proving::refused{"found weights of another precision than those of a part"};
  }
}

}  // namespace

template <class Answer>
verdict verify_merge(const partial<Answer>& merged, const std::type_identity_t<std::function<std::optional<partial<Answer>>()>>& next_part,
                     std::pmr::memory_resource* memory) {
  return prove(merged.answer(), memory, [&](edge_passer& to) {
    while (const auto part = next_part()) {
      if (part->vertices() == 0) continue;
      expect_like(merged.answer(), part->answer());
      to.pass(part->answer());
    }
  });
}

verdict verify_part(std::span<const std::filesystem::path> paths, file_part part, const io::read_options& input,
                    const partial<labelling>& answer, const execution& on) {
  return verify_part(paths, io::read_request{input, on}, checked(part), answer.answer());
}

verdict verify_part(std::span<const std::filesystem::path> paths, file_part part, const io::read_options& input,
                    const partial<weighted_forest_result>& answer, const execution& on) {
  return prove(answer.answer(), on.memory, [&](edge_passer& to) {
    for_files(paths, {input, on}, part, [&](const std::filesystem::path& path, const io::read_request& reading, io::part_of_file own) {
      weighted_graph list;
      if (io::streams_weights(path, reading)) {
        const io::read_request weights = io::with_all_weights(reading);
        io::collecting_sink sink{weights, {.weights = true}};
        io::parse(path, weights, own, sink);
        list.edges = std::move(sink).take();
        list.weights = weight_column{std::move(sink).take_weights()};
      } else if (own.takes_turn()) {
        list = io::read_weighted_graph(path, reading.options(), on);
      }
      if (list.weights.size() != 0 || list.edges.vertices() != 0) to.pass(list.edges, std::get<buffer<double>>(list.weights.held()).span());
    });
  });
}

template verdict verify_merge(const partial<labelling>&, const std::function<std::optional<partial<labelling>>()>&,
                              std::pmr::memory_resource*);
template verdict verify_merge(const partial<weighted_forest_result>&,
                              const std::function<std::optional<partial<weighted_forest_result>>()>&, std::pmr::memory_resource*);

}  // namespace copse
