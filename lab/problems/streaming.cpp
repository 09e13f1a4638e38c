// Graphs streamed through GPUs, and the speed of the link: plain copies from page-locked memory to all GPUs at once, in the same run. A
// trial goes from the first copy to the last label in host memory.
#include <api/through_gpus.hpp>
#include <copse/copse.hpp>
#include <filesystem>
#include <gpu/runtime/gpu.hpp>
#include <optional>

#include "kit.hpp"

namespace copse::lab {
namespace {

using backend::checked;
using id = std::uint32_t;

/// Page-locked memory and a stream of each GPU, and copies to all of them at once.
class link_to_gpus {
public:
  explicit link_to_gpus(const std::vector<unsigned>& gpus) : lanes_(gpus.size()) {
    for (std::size_t i = 0; i < gpus.size(); ++i) {
      lane& each = lanes_[i];
      each.gpu = static_cast<int>(gpus[i]);
      checked(cudaSetDevice(each.gpu), "choosing the device");
      checked(cudaHostAlloc(&each.host, slots * piece, cudaHostAllocPortable), "allocating page-locked memory");
      checked(cudaMalloc(&each.there, slots * piece), "allocating");
      checked(cudaStreamCreateWithFlags(&each.stream, cudaStreamNonBlocking), "making a stream");
    }
  }
  link_to_gpus(const link_to_gpus&) = delete;
  ~link_to_gpus() {
    for (const lane& each : lanes_) {
      static_cast<void>(cudaSetDevice(each.gpu));
      static_cast<void>(cudaFreeHost(each.host));
      static_cast<void>(cudaFree(each.there));
      static_cast<void>(cudaStreamDestroy(each.stream));
    }
    static_cast<void>(cudaSetDevice(0));
  }

  /// GB/s.
  double rate() const {
    const double seconds = seconds_of(0, [&] {
      for (std::size_t round = 0; round < rounds; ++round) {
        const std::size_t at = round % slots * piece;
        for (const lane& each : lanes_) {
          checked(cudaMemcpyAsync(static_cast<char*>(each.there) + at, static_cast<char*>(each.host) + at, piece, cudaMemcpyHostToDevice,
                                  each.stream),
                  "copying");
        }
      }
      for (const lane& each : lanes_) checked(cudaStreamSynchronize(each.stream), "copying");
    });
    return 1e-9 * static_cast<double>(piece * rounds * lanes_.size()) / seconds;
  }

private:
  static constexpr std::size_t piece = std::size_t{64} << 20, slots = 4, rounds = 64;
  struct lane {
    int gpu = 0;
    void *host = nullptr, *there = nullptr;
    cudaStream_t stream = nullptr;
  };
  std::vector<lane> lanes_;
};

std::uint64_t bytes_of(const graph& g) {
  return std::visit(
      [](const auto& view) -> std::uint64_t {
        if constexpr (requires { view.offsets; }) {
          return view.offsets.size_bytes() + view.targets.size_bytes();
        } else {
          return view.edges.size_bytes();
        }
      },
      g.view());
}

/// A file for as long as it is measured.
struct temporary_file {
  std::filesystem::path path;
  temporary_file(const graph& g, std::filesystem::path where) : path{std::move(where)} { io::write_graph(g, path); }
  temporary_file(const temporary_file&) = delete;
  ~temporary_file() {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
};

void run(const arguments& asked, recorder& out) {
  require_gpu();
  for (const std::string& spec : asked.operands()) {
    const graph list = gen::generate_edges(spec);
    std::optional<graph> rows;
    if (asked["rows"] == "yes") rows = build_csr(list);
    const auto edges = std::get<coo_view<id>>(list.view());
    std::vector<id> sources(edges.edges.size()), targets(edges.edges.size());
    for (std::size_t i = 0; i < sources.size(); ++i) {
      sources[i] = edges.edges[i].u;
      targets[i] = edges.edges[i].v;
    }
    std::optional<temporary_file> file;
    if (!asked["folder"].empty()) file.emplace(list, std::filesystem::path{asked["folder"]} / "copse_lab_list.coo");
    agreement counts{spec};
    std::vector<contestant> ways;
    for (const std::string& gpus : cli::words_between(asked["gpus"], '/')) {
      std::vector<unsigned> numbers;
      for (const std::string& gpu : cli::comma_separated(gpus)) numbers.push_back(static_cast<unsigned>(std::stoul(gpu)));
      const auto link = std::make_shared<link_to_gpus>(numbers);
      ways.push_back({"link", {{"gpus", gpus}}, [link]() -> std::vector<reading> { return {{"rate", "GB/s", link->rate()}}; }});
      const std::uint64_t memory = asked["memory"].empty() ? UINT64_MAX : asked.number("memory");
      const request<device::streaming_options> options{{}, {.device = "cuda:" + gpus, .gpu_memory = memory}};
      const auto add = [&](const char* name, std::uint64_t bytes, auto solve) {
        ways.push_back({name,
                        {{"gpus", gpus}, {"memory_mb", asked["memory"].empty() ? "" : std::to_string(memory / 1'000'000)}},
                        [&counts, name, bytes, options, solve]() -> std::vector<reading> {
                          const components_result found = solve(options);
                          counts.expect(found.count(), name);
                          const double seconds = found.report.solve_seconds;
                          return {milliseconds("solve", seconds), {"rate", "GB/s", 1e-9 * static_cast<double>(bytes) / seconds}};
                        }});
      };
      add("list", bytes_of(list), [&](const auto& how) { return api::components_through_gpus(list.view(), list.names(), how); });
      add("columns", bytes_of(list), [&](const auto& how) {
        return api::components_through_gpus(edge_columns_view<id>{edges.vertex_count, sources, targets, true}, how);
      });
      if (rows)
        add("rows", bytes_of(*rows), [&](const auto& how) { return api::components_through_gpus(rows->view(), rows->names(), how); });
      if (file) {
        add("coo_file", std::filesystem::file_size(file->path), [&](const auto& how) {
          io::read_options declared;
          declared.vertices = edges.vertex_count;  // isolated ones included, as in memory
          return api::components_of_files_through_gpus({&file->path, 1}, declared, how);
        });
      }
    }
    out.write(spec, 0, in_turns(ways, asked.trials()));
  }
}

}  // namespace

extern const problem streaming{"streaming",
                               "Lists, columns, rows and a file (in --folder) streamed through GPUs; --gpus 0/0,1 compares sets of GPUs.",
                               "SPEC...",
                               {{"gpus", "0"}, {"memory", ""}, {"rows", "no"}, {"folder", ""}},
                               run};

}  // namespace copse::lab
