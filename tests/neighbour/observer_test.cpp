// An observer of the caller that throws: what it throws comes out at the call, whatever the threads, and the next call is as good as ever.
#include <gtest/gtest.h>
#include <copse/copse.hpp>
#include <neighbour/known_graph.hpp>

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

namespace copse::test {
namespace {

struct not_ours : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws when it is told of progress for the n-th time.
class throwing final : public observer {
public:
  explicit throwing(int nth) : left_{nth} {}
  void progress(std::string_view, std::uint64_t, std::uint64_t, std::string_view) override {
    if (left_.fetch_sub(1) == 1) throw not_ours{"of the caller"};
  }

private:
  std::atomic<int> left_;
};

TEST(observer, what_it_throws_comes_out_at_the_call) {
  const graph list = gen::generate_edges("er:n=300000,m=600000", {.threads = 1});
  const graph rows = gen::generate("er:n=300000,m=600000", {.threads = 1});
  for (const unsigned threads : {1u, 2u, 16u}) {
    for (const std::string variant :
         {"auto", "threads.kout.afforest", "threads.none.label_propagation", "serial.none.rem", "threads.hb.fast"}) {
      if (variant.starts_with("serial") && threads > 1) continue;
      throwing watcher{1};
      const execution on{.threads = threads, .observer = &watcher};
      EXPECT_THROW(static_cast<void>(components(rows, {.variant = variant}, on)), not_ours) << variant << " by " << threads;
    }
    throwing of_forest{1}, of_inserts{1};
    EXPECT_THROW(static_cast<void>(spanning_forest(rows, {}, {.threads = threads, .observer = &of_forest})), not_ours);
    incremental live{{}, {.threads = threads, .observer = &of_inserts}};
    const auto edges = std::get<coo_view<std::uint32_t>>(list.view()).edges;
    EXPECT_THROW(live.insert(edges), not_ours);
    live.insert(edges);
    EXPECT_LE(live.count(), live.vertices());
    EXPECT_EQ(live.vertices() - live.count(), list.vertices() - summarise(components(list).labels).components);
  }
  EXPECT_TRUE(known_graph{}.solved(4));
}

}  // namespace
}  // namespace copse::test
