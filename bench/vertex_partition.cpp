// What union-find would cost on machines none of which holds all vertices, counted, not run: parents are dealt to p owners by a hash of
// the vertex, a unite goes to where its next parent is, and each change of place is a message. Edges are dealt to as many workers by
// position; each first reduces its own to a forest of stars, as copse reduce does, and only what is left of them is sent.
//   copse_bench_vertex_partition [--owners 16,256,4096] GRAPH...      GRAPH: a file or a generator spec; a line of CSV for each
#include <fmt/core.h>
#include <copse/errors.hpp>
#include <copse/extend/parents/plain.hpp>
#include <copse/extend/rules/find/naive.hpp>
#include <copse/extend/rules/splice/halve_one.hpp>
#include <copse/extend/rules/unite/rem.hpp>
#include <copse/extend/rules/unite/rem_cas.hpp>
#include <copse/generate.hpp>
#include <copse/io.hpp>
#include <core/random.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <numeric>
#include <string>
#include <vector>

#include "benchmark.hpp"

namespace {

using id = std::uint32_t;
using edges = std::vector<copse::edge<id>>;

edges edges_of(const std::string& text, std::size_t& vertices) {
  const copse::graph g = copse::gen::is_spec(text) ? copse::gen::generate_edges(text) : copse::io::read_graph(text);
  vertices = g.vertices();
  edges all;
  std::visit(
      [&](const auto& view) {
        if constexpr (requires { view.edges; }) {
          for (const auto& [u, v] : view.edges) all.push_back({static_cast<id>(u), static_cast<id>(v)});
        } else {
          for (std::uint64_t u = 0; u < view.vertices(); ++u) {
            for (const auto v : view.row(static_cast<typename std::remove_cvref_t<decltype(view)>::id_type>(u))) {
              if (v < u) all.push_back({static_cast<id>(u), static_cast<id>(v)});
            }
          }
        }
      },
      g.view());
  return all;
}

/// Where the request of one unite is, and how far it has gone.
struct traveller {
  unsigned owners = 1;
  std::uint64_t at = 0;
  std::uint64_t messages = 0;
};

/// Parents that count what a request to their owners would cost.
class dealt_parents : public copse::id_words<id> {
public:
  dealt_parents(id* words, traveller& who) noexcept : words_{words}, who_{&who} {}
  id load(id v) const noexcept {
    go_to(v);
    return words_.load(v);
  }
  void store(id v, id w) const noexcept {
    go_to(v);
    words_.store(v, w);
  }
  copse::cas_result<id> cas(id v, id expected, id desired) const noexcept {
    go_to(v);
    return words_.cas(v, expected, desired);
  }
  id fetch_min(id v, id w) const noexcept {
    go_to(v);
    return words_.fetch_min(v, w);
  }

private:
  void go_to(id v) const noexcept {
    const std::uint64_t owner = copse::mix(v) % who_->owners;
    who_->messages += owner != who_->at;
    who_->at = owner;
  }
  copse::parents::plain<id> words_;
  traveller* who_;
};

/// What is left of the edges when every worker has reduced its own: a star for each of its components.
edges stars_of_workers(const edges& all, std::size_t vertices, unsigned workers) {
  edges stars;
  std::vector<id> words(vertices);
  std::iota(words.begin(), words.end(), id{0});
  std::vector<id> seen;
  for (unsigned worker = 0; worker < workers; ++worker) {
    const copse::parents::plain<id> parents{words.data()};
    seen.clear();
    for (std::size_t i = all.size() * worker / workers; i < all.size() * (worker + 1) / workers; ++i) {
      copse::unite::rem{}(parents, all[i].u, all[i].v);
      seen.push_back(all[i].u);
      seen.push_back(all[i].v);
    }
    std::ranges::sort(seen);
    seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
    for (const id v : seen) {
      words[v] = words[words[v]];  // ascending: the parent has its label
      if (words[v] != v) stars.push_back({v, words[v]});
    }
    for (const id v : seen) words[v] = v;
  }
  return stars;
}

struct journey {
  std::uint64_t messages = 0, longest = 0;
};

journey unite_dealt(const edges& all, std::size_t vertices, unsigned owners) {
  std::vector<id> words(vertices);
  std::iota(words.begin(), words.end(), id{0});
  journey total;
  for (const auto& [u, v] : all) {
    traveller who{owners, owners, 0};  // from the worker that has the edge, which is no owner of it
    const dealt_parents parents{words.data(), who};
    copse::unite::rem_cas<copse::find::naive, copse::splice::halve_one>{}(parents, u, v);
    total.messages += who.messages;
    total.longest = std::max(total.longest, who.messages);
  }
  return total;
}

void run(const copse::bench::benchmark_arguments& asked) {
  fmt::print("graph,vertices,edges,owners,stars,messages_per_edge,messages_per_star,messages_in_all,longest\n");
  for (const std::string& text : asked.graphs()) {
    std::size_t vertices = 0;
    const edges all = edges_of(text, vertices);
    for (const auto p : asked.numbers<unsigned>("owners")) {
      const edges stars = stars_of_workers(all, vertices, p);
      const journey plain = unite_dealt(all, vertices, p), reduced = unite_dealt(stars, vertices, p);
      const auto per = [](std::uint64_t messages, std::size_t items) {
        return items == 0 ? 0 : static_cast<double>(messages) / static_cast<double>(items);
      };
      fmt::print("{},{},{},{},{},{:.2f},{:.2f},{},{}\n", std::filesystem::path{text}.filename().string(), vertices, all.size(), p,
                 stars.size(), per(plain.messages, all.size()), per(reduced.messages, stars.size()), reduced.messages, reduced.longest);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  return copse::bench::run_benchmark(argc, argv, "copse_bench_vertex_partition", "GRAPH...", {{"owners", "16,256,4096"}}, run);
}
