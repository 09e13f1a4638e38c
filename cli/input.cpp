#include "input.hpp"

#include <fmt/format.h>

#include <copse/errors.hpp>
#include <copse/generate.hpp>

#include "memory_limit.hpp"
#include "output.hpp"

namespace copse::cli {

resources::resources(const run_options& options)
    : observer{options.progress},
      memory{options.memory_limit_bytes ? *options.memory_limit_bytes : memory_of_this_machine()},
      threads{options.threads} {}

io::write_options resources::writing() {
  io::write_options settings;
  settings.observer = &observer;
  return settings;
}

void resources::write(const graph& g, const std::filesystem::path& path) {
  io::write_graph(g, path, writing());
  if (g.names().what() == vertex_names::kind::identity || keeps_names(path)) return;
  observer.note(fmt::format("{} has no place for the ids of the input: its vertices are numbered in the same order", path.string()));
}

input::input(const input_options& options, resources& context)
    : text_{options.graphs.front()},
      paths_(options.graphs.begin(), options.graphs.end()),
      read_{options.read},
      context_{context},
      generated_{gen::is_spec(text_)} {
  read_.threads = context.threads;
  read_.observer = &context.observer;
  read_.memory = &context.memory;
  for (const std::string& graph : options.graphs) {
    if (several() && (graph == "-" || gen::is_spec(graph))) {
      throw usage_error{fmt::format("found {} among several GRAPHs, expected files of edges only", graph)};
    }
  }
  if (!generated_ && read_.min_weight && !read_.weight_column && io::is_edge_list(format())) {
    throw usage_error{"--min-weight: found no --weight, expected --weight C to name the column of weights of an edge list"};
  }
}

io::format input::format() const { return read_.format ? *read_.format : io::format_of(paths_.front()); }

graph input::read() const {
  if (generated_) return gen::generate_edges(text_, {.threads = context_.threads, .memory = &context_.memory});
  return io::read_graph(paths_.front(), read_);
}

}  // namespace copse::cli
