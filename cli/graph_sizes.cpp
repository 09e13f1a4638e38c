#include "graph_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <copse/mergeable_forest.hpp>
#include <filesystem>
#include <mutex>
#include <span>
#include <system_error>

#include "degrees.hpp"

namespace copse::cli {
namespace {

/// What passes by, counted.
class counting_sink final : public io::edge_sink {
public:
  void begin(const io::source_facts& facts) override {
    if (facts.vertices) declared = *facts.vertices;
    named = facts.named;
  }
  void edges(unsigned, std::span<const edge<std::uint64_t>> batch) override {
    std::uint64_t high = 0;
    for (const auto [u, v] : batch) high = std::max({high, u, v});
    add(batch.size(), high, 0);
  }
  void named_edges(unsigned, std::span<const io::named_edge> batch) override {
    std::uint64_t bytes = 0;
    for (const auto& [u, v] : batch) bytes += u.size() + v.size();
    add(batch.size(), 0, bytes);
  }

  std::uint64_t count = 0, largest = 0, name_bytes = 0, declared = 0;
  bool named = false;

private:
  void add(std::uint64_t edges, std::uint64_t high, std::uint64_t bytes) {
    const std::lock_guard lock{guard_};
    count += edges;
    largest = std::max(largest, high);
    name_bytes += bytes;
  }
  std::mutex guard_;
};

}  // namespace

sized look_at(const input& source, std::pmr::memory_resource* memory) {
  if (source.generated()) {
    const graph g = source.read();
    graph_size size = size_of(g.names(), count_edges(g.view(), 1).edges);
    size.declared = true;
    return {size, "generated"};
  }
  constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 20;
  constexpr unsigned most_pieces = 1u << 30, pieces = 16;
  std::uint64_t bytes = 0;
  for (const auto& path : source.paths()) {
    std::error_code unknown;  // reading says what is wrong with it
    const auto size = std::filesystem::file_size(path, unknown);
    bytes += unknown ? 0 : size;
  }
  const auto cut = static_cast<unsigned>(std::min<std::uint64_t>(bytes / piece_bytes, most_pieces));
  const bool sampled = cut > 4 * pieces && is_cut(source.paths(), source.read_options());
  counting_sink sink;
  io::read_options reading = source.uncounted_options();
  reading.memory = memory;
  if (!sampled) {
    parse_part(source.paths(), {}, reading, sink);
  } else {
    for (unsigned i = 0; i < pieces; ++i) {
      parse_part(source.paths(), {static_cast<unsigned>(std::uint64_t{cut} * i / pieces), cut}, reading, sink);
    }
  }
  const double scale = sampled ? static_cast<double>(cut) / pieces : 1;
  graph_size size;
  size.edges = static_cast<std::uint64_t>(static_cast<double>(sink.count) * scale);
  size.declared = sink.declared != 0;
  size.slots = sink.declared != 0 ? sink.declared : sink.count == 0 ? 0 : sink.largest + 1;
  if (sink.named) {
    size.ids = id_shape::strings;
    size.vertices = size.slots = 2 * size.edges;
    size.string_bytes = static_cast<std::uint64_t>(static_cast<double>(sink.name_bytes) * scale);
  } else {
    size.vertices = std::min(size.slots, sink.declared != 0 ? size.slots : 2 * size.edges);
    if (size.slots / 8 > size.vertices) size.ids = id_shape::sparse;
  }
  if (!source.lists_edges()) {  // rows: every arc passed by, and an edge is two
    size.arcs = size.edges;
    size.edges = size.arcs / 2;
  }
  return {size, sampled ? fmt::format("from {} of {} pieces of about 1 MB", pieces, cut) : "counted"};
}

}  // namespace copse::cli
