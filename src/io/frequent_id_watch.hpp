// A sink in front of another that notes when one id takes part in more than a tenth of all edges: it may stand for a missing value, and
// then makes one component of what does not belong together.
#pragma once
#include "io/frequent_ids.hpp"

#include <copse/io.hpp>

#include <optional>
#include <string>
#include <vector>

namespace copse::io {

class frequent_id_watch final : public edge_sink {
public:
  frequent_id_watch(edge_sink& behind, observer* listener, std::string name)
      : behind_{behind}, observer_{listener}, name_{std::move(name)} {}

  void begin(const source_facts& facts) override;
  void begin_block(unsigned worker, std::uint64_t block) override { behind_.begin_block(worker, block); }
  void edges(unsigned worker, std::span<const edge<std::uint64_t>> batch) override;
  void named_edges(unsigned worker, std::span<const named_edge> batch) override;
  void vertices(unsigned worker, std::span<const std::uint64_t> ids) override { behind_.vertices(worker, ids); }
  void named_vertices(unsigned worker, std::span<const std::string_view> names) override { behind_.named_vertices(worker, names); }
  void left_out(unsigned worker, std::size_t pending) override { behind_.left_out(worker, pending); }
  void finish() override;

private:
  struct alignas(64) worker_state {
    std::uint64_t edges = 0;
    std::uint64_t samples = 0;
    std::uint64_t skipped = 0;  ///< edges up to the next sample
    frequent_ids<std::uint64_t> ids;
    frequent_ids<std::string> names;
  };
  template <class Edge, class Key>
  void sample(worker_state& mine, std::span<const Edge> batch, frequent_ids<Key> worker_state::*counts);
  template <class Key>
  void note_frequent(frequent_ids<Key> worker_state::*counts, std::uint64_t first_id);

  edge_sink& behind_;
  observer* observer_;
  std::string name_;
  source_facts facts_;
  std::vector<worker_state> workers_;
};

}  // namespace copse::io
