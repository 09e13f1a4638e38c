// copse_bench_gpu_edge_sink OUT.json [trials=3] [gpus=0] [pieces=64] [memory=BYTES] [files=FOLDER] [rows=1] [resident=1] GRAPH...
// Graphs streamed through GPUs, beside the link: plain copies from page-locked memory to all GPUs at once, in the same run.
// Of each GRAPH (a generator spec) its list of edges, in pageable memory, in two columns, and in memory that is page-locked for the
// occasion; rows=1: its symmetric rows; files=FOLDER: written there as .coo (and .sg), from the page cache. `gpus`: lists that are
// compared, such as gpus=0/0,1. `pieces`: MiB. resident=1: the edges lie on the GPUs already, shared out among them; each GPU's part alone
// beside all, merged. A trial is what the report says: from the first copy to the last label in host memory. Ways are interleaved, answers
// are compared.
#include <fmt/format.h>
#include <api/through_gpus.hpp>
#include <copse/build.hpp>
#include <copse/components.hpp>
#include <copse/cuda.hpp>
#include <copse/cuda_incremental.hpp>
#include <copse/generate.hpp>
#include <copse/gpu_edge_sink.hpp>
#include <copse/io.hpp>
#include <gpu/runtime/gpu.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "../cli/words.hpp"
#include "benchmark.hpp"

namespace {

using copse::backend::checked;
using copse::bench::json;
using copse::bench::median;

using id = std::uint32_t;
using gpu_list = std::vector<unsigned>;

std::string name_of(const gpu_list& gpus) { return fmt::format("{}", fmt::join(gpus, ",")); }
std::string device_of(const gpu_list& gpus) { return "cuda:" + name_of(gpus); }

std::vector<gpu_list> lists_of(const std::string& text) {
  std::vector<gpu_list> lists;
  for (const auto& list : copse::cli::words_between(text, '/')) {
    lists.emplace_back();
    for (const auto& gpu : copse::cli::comma_separated(list)) lists.back().push_back(static_cast<unsigned>(std::stoul(gpu)));
  }
  return lists;
}

/// Bytes per second from page-locked memory to all of them at once.
double link_speed(const gpu_list& gpus) {
  constexpr std::size_t piece = std::size_t{64} << 20, rounds = 64;
  struct lane {
    void *host = nullptr, *there = nullptr;
    cudaStream_t stream = nullptr;
  };
  std::vector<lane> lanes(gpus.size());
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    checked(cudaSetDevice(static_cast<int>(gpus[i])), "choosing the device");
    checked(cudaHostAlloc(&lanes[i].host, 4 * piece, cudaHostAllocPortable), "allocating page-locked memory");
    checked(cudaMalloc(&lanes[i].there, 4 * piece), "allocating");
    checked(cudaStreamCreateWithFlags(&lanes[i].stream, cudaStreamNonBlocking), "making a stream");
  }
  const auto copy = [&](std::size_t times) {
    for (std::size_t round = 0; round < times; ++round) {
      const std::size_t at = round % 4 * piece;
      for (const lane& each : lanes) {
        checked(cudaMemcpyAsync(static_cast<char*>(each.there) + at, static_cast<char*>(each.host) + at, piece, cudaMemcpyHostToDevice,
                                each.stream),
                "copying");
      }
    }
    for (const lane& each : lanes) checked(cudaStreamSynchronize(each.stream), "copying");
  };
  copy(8);
  const double seconds = copse::bench::seconds_of(0, [&] { copy(rounds); });
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    checked(cudaSetDevice(static_cast<int>(gpus[i])), "choosing the device");
    static_cast<void>(cudaFreeHost(lanes[i].host));
    static_cast<void>(cudaFree(lanes[i].there));
    static_cast<void>(cudaStreamDestroy(lanes[i].stream));
  }
  checked(cudaSetDevice(0), "choosing the device");
  return static_cast<double>(piece * rounds * gpus.size()) / seconds;
}

struct sink_way {
  std::string name;
  gpu_list gpus;
  std::uint64_t piece_bytes;
  std::uint64_t bytes;
  std::function<copse::components_result(const copse::request<copse::gpu_edge_sink_options>&)> run;
  std::vector<double> samples = {};
  std::vector<copse::phase> phases = {};
};

class registered {
public:
  registered(const void* first, std::size_t bytes) : first_{const_cast<void*>(first)} {
    checked(cudaHostRegister(first_, bytes, cudaHostRegisterPortable), "page-locking memory");
  }
  registered(const registered&) = delete;
  ~registered() { static_cast<void>(cudaHostUnregister(first_)); }

private:
  void* first_;
};

/// From where the clock is started to the labels.
template <class Run>
copse::components_result clocked(Run run) {
  copse::components_result result;
  const double seconds = copse::bench::seconds_of(0, [&] { result = run(); });
  result.report.solve_seconds = seconds;
  return result;
}

json measure(const std::string& spec, const copse::bench::benchmark_arguments& asked, const std::vector<gpu_list>& lists,
             const std::vector<double>& links) {
  const copse::graph g = copse::gen::generate_edges(spec);
  const auto list = std::get<copse::coo_view<id>>(g.view());
  const std::uint64_t list_bytes = list.edges.size_bytes();
  const bool columns = asked.number("columns") != 0, with_rows = asked.number("rows") != 0;
  std::vector<id> sources(columns ? list.edges.size() : 0), targets(sources.size());
  for (std::size_t i = 0; i < sources.size(); ++i) {
    sources[i] = list.edges[i].u;
    targets[i] = list.edges[i].v;
  }
  std::optional<copse::graph> rows;
  if (with_rows) rows = copse::build_csr(g);
  const std::string folder = asked["files"];
  std::vector<std::pair<std::string, std::filesystem::path>> files;
  if (!folder.empty()) {
    files.emplace_back("coo file", std::filesystem::path{folder} / "list.coo");
    copse::io::write_graph(g, files.back().second);
    if (rows) {
      files.emplace_back("sg file", std::filesystem::path{folder} / "rows.sg");
      copse::io::write_graph(*rows, files.back().second);
    }
    if (asked.number("text") != 0) {
      files.emplace_back("el file", std::filesystem::path{folder} / "list.el");
      copse::io::write_graph(g, files.back().second);
    }
  }
  std::vector<sink_way> ways;
  for (const gpu_list& gpus : lists) {
    for (const double mib : asked.numbers<double>("pieces")) {
      const auto piece = static_cast<std::uint64_t>(mib * (1 << 20));
      ways.push_back({"list", gpus, piece, list_bytes, [&, list](const auto& options) {
                        auto trusted = list;
                        trusted.trusted = true;
                        return copse::api::components_through_gpus(copse::graph_view{trusted}, options);
                      }});
      if (columns) {
        ways.push_back(
            {"columns", gpus, piece, list_bytes, [&](const auto& options) {
               return copse::api::components_through_gpus(copse::edge_columns_view<id>{list.vertex_count, sources, targets, true}, options);
             }});
      }
      if (asked.number("register") != 0) {
        ways.push_back({"list, page-locked for it", gpus, piece, list_bytes, [&, list](const auto& options) {
                          return clocked([&] {
                            const registered locked{list.edges.data(), list.edges.size_bytes()};
                            return copse::api::components_through_gpus(g.view(), g.names(), options);
                          });
                        }});
      }
      if (rows) {
        const std::uint64_t bytes = std::visit(
            [](const auto& view) -> std::uint64_t {
              if constexpr (requires { view.offsets; }) return view.offsets.size_bytes() + view.targets.size_bytes();
              return 0;
            },
            rows->view());
        ways.push_back({"rows", gpus, piece, bytes,
                        [&](const auto& options) { return copse::api::components_through_gpus(rows->view(), rows->names(), options); }});
      }
      for (const auto& [name, path] : files) {
        const std::uint64_t bytes = std::filesystem::file_size(path);
        ways.push_back({name, gpus, piece, bytes, [path = path](const auto& options) {
                          return copse::api::components_of_files_through_gpus({&path, 1}, {}, options);
                        }});
      }
    }
  }
  const std::uint64_t memory = asked["memory"].empty() ? UINT64_MAX : std::stoull(asked["memory"]);
  std::optional<std::uint64_t> answer;
  for (unsigned trial = 0; trial <= asked.number("trials"); ++trial) {
    for (sink_way& each : ways) {
      const auto result = each.run({{.piece_bytes = each.piece_bytes}, {.device = device_of(each.gpus), .gpu_memory = memory}});
      if (trial > 0) each.samples.push_back(result.report.solve_seconds);
      each.phases = result.report.phases;
      const auto count = result.count();
      if (!answer) answer = count;
      if (*answer != count && each.name != "coo file" && each.name != "el file")
        throw copse::error{fmt::format("{} finds {} components, expected {}", each.name, count, *answer)};
    }
  }
  json results = json::array();
  for (const sink_way& each : ways) {
    const auto at = static_cast<std::size_t>(std::find(lists.begin(), lists.end(), each.gpus) - lists.begin());
    const double seconds = median(each.samples), rate = static_cast<double>(each.bytes) / seconds;
    std::string phases;
    for (const auto& phase : each.phases) phases += fmt::format(" {} {:.1f}", phase.name, 1e3 * phase.seconds);
    fmt::print("{:22} {:24} gpus {:5} piece {:>4} MiB {:9.1f} ms {:6.1f} GB/s {:5.1f} % of the link;{}\n", spec, each.name,
               name_of(each.gpus), each.piece_bytes >> 20, 1e3 * seconds, 1e-9 * rate, 100 * rate / links[at], phases);
    results.push_back({{"name", each.name},
                       {"gpus", name_of(each.gpus)},
                       {"piece_bytes", each.piece_bytes},
                       {"bytes", each.bytes},
                       {"median_seconds", seconds},
                       {"bytes_per_second", rate},
                       {"share_of_link", rate / links[at]},
                       {"seconds_all", each.samples}});
  }
  for (const auto& [name, path] : files) std::filesystem::remove(path);
  return {{"graph", spec},         {"vertices", list.vertex_count}, {"edges", list.edges.size()},
          {"components", *answer}, {"memory_limit_bytes", memory},  {"rows", std::move(results)}};
}

/// Seconds from edges on the GPUs to labels in host memory.
double resident_seconds(id vertices, const gpu_list& gpus, std::span<const copse::buffer<copse::edge<id>>* const> edges,
                        std::uint64_t* components) {
  copse::gpu_edge_sink stream{vertices, {}, {.device = device_of(gpus)}};
  copse::components_result result;
  const double seconds = copse::bench::seconds_of(0, [&] {
    for (std::size_t i = 0; i < gpus.size(); ++i) stream.add_resident(i, {edges[i]->data(), edges[i]->size()});
    result.labels = stream.labels();
  });
  *components = result.count();
  return seconds;
}

json measure_resident(const std::string& spec, unsigned trials, const gpu_list& gpus) {
  const copse::graph g = copse::gen::generate_edges(spec);
  const auto list = std::get<copse::coo_view<id>>(g.view());
  const std::size_t each = list.edges.size() / gpus.size();
  std::vector<std::unique_ptr<copse::gpu_incremental>> holders;
  std::vector<copse::buffer<copse::edge<id>>> parts;
  std::vector<const copse::buffer<copse::edge<id>>*> all;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    holders.push_back(
        std::make_unique<copse::gpu_incremental>(1, copse::gpu_incremental_options{}, copse::execution{.device = device_of({gpus[i]})}));
    parts.push_back(holders.back()->to_gpu(list.edges.subspan(i * each, each)));
  }
  for (const auto& part : parts) all.push_back(&part);
  std::vector<std::vector<double>> alone(gpus.size());
  std::vector<double> together;
  std::uint64_t components = 0;
  for (unsigned trial = 0; trial <= trials; ++trial) {
    for (std::size_t i = 0; i < gpus.size(); ++i) {
      const double seconds = resident_seconds(list.vertex_count, {gpus[i]}, std::span{all}.subspan(i, 1), &components);
      if (trial > 0) alone[i].push_back(seconds);
    }
    const double seconds = resident_seconds(list.vertex_count, gpus, all, &components);
    if (trial > 0) together.push_back(seconds);
  }
  const std::size_t slowest_at = static_cast<std::size_t>(
      std::max_element(alone.begin(), alone.end(), [](const auto& a, const auto& b) { return median(a) < median(b); }) - alone.begin());
  const double slowest = median(alone[slowest_at]);
  fmt::print("{:22} resident on gpus {}: slowest part alone {:.1f} ms, all and merged {:.1f} ms, {:.2f}x, {} components\n", spec,
             name_of(gpus), 1e3 * slowest, 1e3 * median(together), median(together) / slowest, components);
  for (auto& part : parts) part = {};
  return {{"graph", spec},
          {"vertices", list.vertex_count},
          {"edges", list.edges.size()},
          {"components", components},
          {"rows",
           {{{"name", "resident, slowest part"}, {"gpus", name_of(gpus)}, {"median_seconds", slowest}, {"seconds_all", alone[slowest_at]}},
            {{"name", "resident, merged"}, {"gpus", name_of(gpus)}, {"median_seconds", median(together)}, {"seconds_all", together}}}}};
}

}  // namespace

int main(int count, char** arguments) {
  return copse::bench::run_and_tell("copse_bench_gpu_edge_sink OUT.json [NAME=VALUE...] GRAPH...", [=] {
    if (count < 3) throw std::invalid_argument{"found too few arguments"};
    const copse::bench::benchmark_arguments asked{count - 1,
                                                  arguments + 1,
                                                  {{"trials", "3"},
                                                   {"gpus", "0"},
                                                   {"pieces", "64"},
                                                   {"memory", ""},
                                                   {"files", ""},
                                                   {"text", "0"},
                                                   {"rows", "0"},
                                                   {"columns", "0"},
                                                   {"register", "0"},
                                                   {"resident", "0"}}};
    const auto lists = lists_of(asked["gpus"]);
    json head = copse::bench::result_on_gpu("gpu_edge_sink");
    std::vector<double> links;
    json link_rows = json::array();
    for (const gpu_list& each : lists) {
      std::vector<double> samples;
      for (int trial = 0; trial < 3; ++trial) samples.push_back(link_speed(each));
      links.push_back(median(samples));
      fmt::print("link to gpus {}: {:.1f} GB/s\n", name_of(each), 1e-9 * links.back());
      link_rows.push_back({{"name", "page-locked copies"}, {"gpus", name_of(each)}, {"bytes_per_second_all", samples}});
    }
    head["links"] = link_rows;
    copse::bench::measure_each(asked.graphs(), arguments[1], head, [&](const std::string& spec) {
      return asked.number("resident") != 0 ? measure_resident(spec, asked.number("trials"), lists.back())
                                           : measure(spec, asked, lists, links);
    });
    return 0;
  });
}
