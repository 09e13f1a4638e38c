// A find rule of our own (split_by_three.hpp), put into a unite rule of copse, on the parents of one thread and of many. A rule is an empty
// functor over an accessor (copse::parent_array): load, store and cas are all that it uses, so one text serves every accessor.
#include <fmt/core.h>
#include <copse/components.hpp>
#include <copse/extend/parents/atomic.hpp>
#include <copse/extend/parents/plain.hpp>
#include <copse/extend/rules/unite/async.hpp>
#include <copse/generate.hpp>
#include <copse/verify.hpp>

#include <thread>
#include <vector>

#include "split_by_three.hpp"

using rule = copse::unite::async<split_by_three>;
using rows = copse::csr_view<std::uint32_t, std::uint32_t>;

template <class P>
copse::labelling solve(rows g, unsigned threads) {
  copse::buffer<std::uint32_t> words(g.vertices());
  const P parents{words.data()};
  for (std::uint32_t v = 0; v < g.vertices(); ++v) parents.store(v, parents.root(v));
  const auto work = [&](unsigned thread) {
    for (std::uint32_t v = thread; v < g.vertices(); v += threads)
      for (const std::uint32_t u : g.row(v))
        if (u < v) rule{}(parents, v, u);
  };
  std::vector<std::thread> team;
  for (unsigned thread = 1; thread < threads; ++thread) team.emplace_back(work, thread);
  work(0);
  for (std::thread& member : team) member.join();
  for (std::uint32_t v = 0; v < g.vertices(); ++v) parents.store(v, parents.link(split_by_three{}(parents, v)));
  return {std::move(words), copse::vertex_names::identity(g.vertices())};
}

int main() {
  const auto graph = copse::gen::generate("rmat:scale=14,edges=4");
  const auto g = std::get<rows>(graph.view());
  const bool right = copse::verify(g, solve<copse::parents::plain<std::uint32_t>>(g, 1)) &&
                     copse::verify(g, solve<copse::parents::atomic<std::uint32_t>>(g, 4));
  fmt::print("{}: {}\n", split_by_three::name, right ? "right, on one thread and on four" : "wrong");
  return right ? 0 : 1;
}
