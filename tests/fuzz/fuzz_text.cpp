// libFuzzer: any bytes through every text reader. Byte 0 picks the format and options, byte 1 the block size, the threads and the
// compression; the rest is the file. Only errors of copse may come out, and every id must lie within what the reader declared.
#include "io/readers.hpp"

#include <copse/errors.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

namespace {

using namespace copse;

class checking_sink final : public io::edge_sink {
public:
  void begin(const io::source_facts& facts) override { facts_ = facts; }
  void edges(unsigned worker, const io::edge_batch& batch) override {
    if (worker >= facts_.workers || !(facts_.named ? batch.ids.empty() : batch.names.empty())) std::abort();
    if (!batch.narrow_ids.empty() || !batch.weights.empty()) std::abort();
    for (const auto& e : batch.ids) {
      if (facts_.vertices && (e.u >= *facts_.vertices || e.v >= *facts_.vertices)) std::abort();
    }
    for (const auto& e : batch.names) {
      if (e.u.empty() || e.v.empty()) std::abort();
    }
  }

private:
  io::source_facts facts_;
};

void check(const graph& read) {
  std::visit(
      [](const auto& view) {
        if constexpr (requires { view.targets; }) {
          for (std::size_t v = 0; v + 1 < view.offsets.size(); ++v) {
            if (view.offsets[v] > view.offsets[v + 1]) std::abort();
          }
          for (const auto target : view.targets) {
            if (target >= view.vertices()) std::abort();
          }
        }
      },
      read.view());
}

void read(const std::filesystem::path& path, unsigned choice, const io::read_request& options) {
  checking_sink sink;
  switch (choice % 6) {
    case 0:
    case 1: {
      io::read_request reading = options;
      reading.format = choice % 6 == 0 ? io::format::edges : io::format::csv;
      return io::parse(path, reading, io::part_of_file{}, sink);
    }
    case 2:
      static_cast<void>(io::parse_matrix_market(path, options, sink));
      return;
    case 3:
      static_cast<void>(io::parse_dimacs(path, options, sink));
      return;
    case 4:
      return check(io::read_metis(path, options));
    default:
      return check(io::read_adj(path, options));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const unsigned choice = data[0] % 6;
  const unsigned variation = data[0] / 6;  // 0 .. 42
  io::read_request options;
  if (variation % 3 == 1) options.columns = {2, 1};
  if (variation % 3 == 2) options.columns = {1, 3};
  if (variation / 3 % 4 == 1) options.ids = io::id_kind::strings;
  if (variation / 3 % 4 == 2) options.vertices = 100;
  if (variation / 3 % 4 == 3) {
    options.weight_column = 3;
    options.min_weight = 0.5;
  }
  options.block_bytes = std::size_t{1} << (data[1] % 16);
  options.threads = 1 + data[1] / 16 % 3;
  // A small file may declare a large graph; what does not fit is refused, not tried.
  tracked_memory memory{std::uint64_t{1} << 28};
  options.memory = &memory;

  const int file = memfd_create("fuzz", 0);
  if (file < 0 || write(file, data + 2, size - 2) != static_cast<ssize_t>(size - 2)) std::abort();
  try {
    read("/proc/self/fd/" + std::to_string(file), choice, options);
  } catch (const error&) {  // NOLINT(bugprone-empty-catch): refusing is what readers are for
  }
  close(file);
  return 0;
}
