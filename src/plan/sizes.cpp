// How large a source is, and the memory that its parents take while its edges are parsed.
#include <copse/components.hpp>
#include <copse/errors.hpp>
#include <copse/partial.hpp>
#include <copse/plan.hpp>
#include <drivers/streaming/address_range.hpp>
#include <drivers/streaming/compact_forest.hpp>
#include <drivers/streaming/ranged_forest.hpp>
#include <ids/string_order.hpp>
#include <io/arrow/columnar_file.hpp>
#include <plan/files.hpp>

#include <algorithm>
#include <mutex>
#include <span>
#include <string>
#include <system_error>
#include <type_traits>

namespace copse {
namespace {

/// Counts edges and names, and keeps the largest id.
class graph_size_sink final : public io::edge_sink {
public:
  void begin(const io::source_facts& facts) override {
    if (facts.vertices) declared = *facts.vertices;
    named = facts.named;
  }
  void ids_are_signed() override {}
  void edges(unsigned, const io::edge_batch& batch) override {
    std::uint64_t high = 0, bytes = 0;
    for (const auto [u, v] : batch.ids) high = std::max({high, u, v});
    for (const auto& [u, v] : batch.names) bytes += u.size() + v.size();
    const std::lock_guard lock{guard_};
    count += batch.size();
    largest = std::max(largest, high);
    name_bytes += bytes;
  }

  std::uint64_t count = 0, largest = 0, name_bytes = 0, declared = 0;
  bool named = false;

private:
  std::mutex guard_;
};

/// The number of elements that an array needs whose largest index is `largest`. A negative id is a word near 2^64, so it needs more than
/// any other.
std::uint64_t slots_up_to(std::uint64_t largest) noexcept { return largest == UINT64_MAX ? largest : largest + 1; }

bool is_sparse(std::uint64_t slots, std::uint64_t vertices) noexcept { return slots / 8 > vertices; }

/// True if ids are indices into an array. Strings, and integers that are far apart, are kept in a table.
bool are_in_array(const graph_size& size) noexcept {
  using streaming::ranged_forest;
  if (size.ids == id_shape::strings) return false;
  if (size.slots > ranged_forest::id_limit) return size.ids == id_shape::dense;
  return ranged_forest::worth_an_array(size.slots, size.vertices);
}

}  // namespace

std::uint64_t id_bytes_for(std::uint64_t ids) noexcept { return ids <= UINT32_MAX ? 4 : 8; }

graph_size size_of_graph(graph_view any) noexcept {
  return std::visit(
      []<class View>(const View& g) {
        graph_size size{.vertices = g.vertices(), .slots = g.vertices(), .declared = true};
        if constexpr (requires { g.edges; }) {
          size.edges = g.edges.size();
        } else {
          size.arcs = g.targets.size();
          size.edges = g.symmetric == symmetry::no ? size.arcs : size.arcs / 2;
        }
        return size;
      },
      any);
}

graph_size size_of_list(const vertex_names& names, std::uint64_t edges) {
  graph_size size{.vertices = names.size(), .edges = edges, .slots = names.size()};
  if (names.size() == 0) return size;
  if (names.what() == vertex_names::kind::strings) {
    size.ids = id_shape::strings;
    for (std::uint64_t i = 0; i < names.size(); ++i) size.string_bytes += names.string(i).size();
    return size;
  }
  size.slots = names.is_signed() ? UINT64_MAX : slots_up_to(names.integer(names.size() - 1));
  if (is_sparse(size.slots, size.vertices)) size.ids = id_shape::sparse;
  return size;
}

std::uint64_t bytes_of_stream(const graph_size& size) noexcept {
  using namespace streaming;
  if (are_in_array(size)) return 2 * size.slots * id_bytes_for(size.slots);  // parents, and the sizes of components
  const std::uint64_t forest = compact_forest::bytes_for(size.vertices);
  if (size.ids != id_shape::strings) {
    // If all ids are small enough, parents are first in an array over all ids (ranged_forest). They move to a hash table when the pages in
    // use of that array take too many bytes per vertex.
    const bool moves = size.slots <= ranged_forest::id_limit;
    const std::uint64_t pages = moves ? std::min(ranged_forest::free_bytes, size.vertices * address_range::page_bytes) : 0;
    // The second term: while ids are sorted, there are two copies of them.
    return forest + std::max(pages, 2 * sizeof(ids::numbered_id) * size.vertices);
  }
  // The hash table is freed before the strings are sorted, and the keys of the sort before the strings are copied, so only the largest of
  // the three counts.
  const std::uint64_t slots = ids::string_numbers::bytes_of_slots(size.vertices), reference_bytes = sizeof(ids::string_numbers::reference);
  const std::uint64_t sorted = (sizeof(ids::string_entry) + reference_bytes) * size.vertices;
  const std::uint64_t copied = reference_bytes * size.vertices + size.string_bytes;
  return forest + ids::string_numbers::bytes_of_records(size.vertices, size.string_bytes) + std::max({slots, sorted, copied});
}

std::uint64_t bytes_of_list(const graph_size& size) noexcept {
  const std::uint64_t id_bytes = id_bytes_for(size.vertices);
  return 2 * id_bytes * size.edges + id_bytes * size.vertices;
}

namespace plan {

std::uint64_t bytes_of_files(std::span<const std::filesystem::path> paths) {
  std::uint64_t bytes = 0;
  for (const auto& path : paths) {
    for (const auto& file : arrow::columnar_files(path)) {
      std::error_code unknown;  // ignored here: reading the file reports the fault
      const auto size = std::filesystem::file_size(file, unknown);
      bytes += unknown ? 0 : size;
    }
  }
  return bytes;
}

bool is_read_once(std::span<const std::filesystem::path> paths) {
  return std::any_of(paths.begin(), paths.end(), [](const std::filesystem::path& path) {
    std::error_code fault;  // ignored here: reading the file reports the fault
    const auto kind = std::filesystem::status(path, fault).type();
    using enum std::filesystem::file_type;
    return path == "-" || (kind != regular && kind != directory && kind != not_found);
  });
}

std::string hidden(std::span<const std::filesystem::path> paths, const io::read_options& input) {
  if (is_read_once(paths)) return "the input can be read only once";
  if (is_cut(paths, input) || lists_rows(paths, input)) return {};
  return "reading the input takes longer than solving it";  // the input is compressed, or is text that only one thread can parse
}

bool lists_rows(std::span<const std::filesystem::path> paths, const io::read_options& input) {
  return io::has_rows(input.format ? *input.format : io::format_of(paths.front()));
}

}  // namespace plan

sized_source size_of_files(std::span<const std::filesystem::path> paths, const io::read_options& input, const execution& on) {
  if (plan::is_read_once(paths)) throw usage_error{"plan cannot read standard input or a pipe, which can be read only once: give a file"};
  constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 20;
  constexpr unsigned most_pieces = 1u << 30, pieces = 16;
  const auto cut = static_cast<unsigned>(std::min<std::uint64_t>(plan::bytes_of_files(paths) / piece_bytes, most_pieces));
  const bool sampled = cut > 4 * pieces && is_cut(paths, input);
  graph_size_sink sink;
  io::read_options reading = input;
  reading.counts = nullptr;
  reading.numbers = nullptr;
  if (!sampled) {
    parse_part(paths, {}, reading, sink, on);
  } else {
    for (unsigned i = 0; i < pieces; ++i) {
      parse_part(paths, {static_cast<unsigned>(std::uint64_t{cut} * i / pieces), cut}, reading, sink, on);
    }
  }
  const double scale = sampled ? static_cast<double>(cut) / pieces : 1;
  graph_size size;
  size.edges = static_cast<std::uint64_t>(static_cast<double>(sink.count) * scale);
  size.declared = sink.declared != 0;
  size.slots = sink.declared != 0 ? sink.declared : sink.count == 0 ? 0 : slots_up_to(sink.largest);
  if (sink.named) {
    size.ids = id_shape::strings;
    size.vertices = size.slots = 2 * size.edges;
    size.string_bytes = static_cast<std::uint64_t>(static_cast<double>(sink.name_bytes) * scale);
  } else {
    size.vertices = std::min(size.slots, sink.declared != 0 ? size.slots : 2 * size.edges);
    if (is_sparse(size.slots, size.vertices)) size.ids = id_shape::sparse;
  }
  if (plan::lists_rows(paths, input)) {  // parsing counted every arc, and an edge is two arcs
    size.arcs = size.edges;
    size.edges = size.arcs / 2;
  }
  const std::string origin =
      sampled ? "from " + std::to_string(pieces) + " of " + std::to_string(cut) + " pieces of about 1 MB" : std::string{"counted"};
  return {.size = size,
          .origin = origin,
          .streamed = paths.size() > 1 || is_streamed(paths.front(), input, {}, {.threads = on.threads}),
          .hidden = plan::hidden(paths, input)};
}

}  // namespace copse
