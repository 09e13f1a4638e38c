// Afforest (Sutton, Ben-Nun, Barak 2018) in one page: unite two arcs of every vertex, find the giant in a sample, and visit only the
// vertices outside it. Right because both directions of every edge are stored: an edge into the giant is seen from its other end.
#include <fmt/core.h>
#include <copse/components.hpp>
#include <copse/extend/parents/atomic.hpp>
#include <copse/extend/rules/find/naive.hpp>
#include <copse/extend/rules/unite/afforest.hpp>
#include <copse/generate.hpp>
#include <copse/verify.hpp>

#include <algorithm>
#include <random>
#include <thread>
#include <unordered_map>
#include <vector>

using rows = copse::csr_view<std::uint32_t, std::uint32_t>;
using parents = copse::parents::atomic<std::uint32_t>;

template <class Visit>
void for_all(std::uint32_t vertices, Visit visit) {
  constexpr unsigned threads = 4;
  std::vector<std::jthread> team;
  for (unsigned thread = 0; thread < threads; ++thread)
    team.emplace_back([=] {
      for (std::uint32_t v = thread; v < vertices; v += threads) visit(v);
    });
}

copse::labelling afforest(rows g, unsigned rounds = 2) {
  const std::uint32_t n = g.vertices();
  copse::buffer<std::uint32_t> words(n);
  const parents p{words.data()};
  const copse::unite::afforest unite{};
  const auto compress = [&] { for_all(n, [=](auto v) { p.store(v, copse::find::naive{}(p, v)); }); };
  for_all(n, [=](auto v) { p.store(v, v); });
  for (unsigned round = 0; round < rounds; ++round) {
    for_all(n, [=](auto v) {
      if (round < g.row(v).size()) unite(p, v, g.row(v)[round]);
    });
    compress();
  }
  std::unordered_map<std::uint32_t, int> votes;
  std::mt19937 random{1};
  for (int i = 0; n > 0 && i < 1024; ++i) ++votes[p.load(std::uint32_t(random() % n))];
  const auto giant = n > 0 ? std::ranges::max_element(votes, {}, [](auto& vote) { return vote.second; })->first : 0;
  for_all(n, [=](auto v) {
    if (p.load(v) == giant) return;
    for (std::size_t i = rounds; i < g.row(v).size(); ++i) unite(p, v, g.row(v)[i]);
  });
  compress();
  return {std::move(words), copse::vertex_names::identity(n)};
}

int main() {
  const auto graph = copse::gen::generate("rmat:scale=16,edges=8");  // rows of both directions
  const auto labels = afforest(std::get<rows>(graph.view()));
  fmt::print("{} components\n", copse::summarise(labels).components);
  return copse::verify(graph.view(), labels) ? 0 : 1;
}
