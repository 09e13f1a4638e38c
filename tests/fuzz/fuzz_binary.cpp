// Any bytes as a file of any binary format: read or refused, and what is read is a graph. The first byte says which format and how.
#include <copse/errors.hpp>
#include <copse/io.hpp>
#include <copse/weighted_graph.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

constexpr std::size_t memory_limit_bytes = std::size_t{1} << 28;

/// A file in memory with a path of its own.
class memory_file {
public:
  memory_file(const std::uint8_t* bytes, std::size_t size) : descriptor_{memfd_create("fuzz", 0)} {
    if (descriptor_ < 0 || write(descriptor_, bytes, size) != static_cast<ssize_t>(size)) std::abort();
  }
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;
  ~memory_file() { close(descriptor_); }
  [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

private:
  int descriptor_;
};

void check(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "not a graph: %s\n", what);
  std::abort();
}

void check_graph(const copse::graph& g) {
  std::visit(
      []<class View>(const View& view) {
        if constexpr (requires { view.offsets; }) {
          check(view.offsets.empty() || (view.offsets.front() == 0 && view.offsets.back() == view.targets.size()), "ends of the offsets");
          for (std::size_t v = 0; v + 1 < view.offsets.size(); ++v) {
            check(view.offsets[v] <= view.offsets[v + 1], "offsets ascend");
            for (const auto target : view.row(static_cast<typename View::id_type>(v))) check(target < view.vertices(), "targets");
          }
        } else {
          for (const auto& e : view.edges) check(e.u < view.vertices() && e.v < view.vertices(), "ends of an edge");
        }
      },
      g.view());
  check(g.names().size() == g.vertices(), "a name for every vertex");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using copse::io::format;
  constexpr std::array<format, 6> formats{format::coo, format::npy, format::sg, format::egr, format::npz, format::galois};
  if (size == 0) return 0;
  const unsigned choice = bytes[0];
  const memory_file file{bytes + 1, size - 1};
  copse::tracked_memory memory{memory_limit_bytes};
  copse::io::read_options options;
  options.format = formats[choice % formats.size()];
  options.block_bytes = choice / 32 % 2 == 0 ? 1 : std::size_t{1} << 20;
  if (choice / 64 % 2 != 0) options.min_weight = 0.5;
  if (choice / 128 % 2 != 0) options.vertices = 100;
  const copse::execution on{.threads = 1 + choice / 16 % 2, .memory = &memory};
  try {
    check_graph(copse::io::read_graph(file.path(), options, on));
    if (!options.vertices) {
      const copse::weighted_graph read = copse::io::read_weighted_graph(file.path(), options, on);
      check_graph(read.edges);
      double sum = 0;
      for (std::uint64_t i = 0; i < read.weights.size(); ++i) sum += read.weights[i];
      check(sum == sum || read.weights.size() > 1, "weights are numbers");  // inf and -inf make none together
    }
  } catch (const copse::error&) {
    // refused: what the message says is for the tests
  }
  if (memory.current_bytes() != 0) std::abort();
  return 0;
}
