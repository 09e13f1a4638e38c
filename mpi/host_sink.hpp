// Edges that a rank parses: into the forest of its host where they fit, otherwise into one of its own.
#pragma once
#include <copse/io.hpp>
#include <copse/mergeable_forest.hpp>
#include <drivers/streaming/streaming_sink.hpp>

#include <cstdint>
#include <memory_resource>
#include <mutex>
#include <span>
#include <string_view>

#include "host_forest.hpp"

namespace copse::mpi {

class host_sink final : public io::edge_sink {
public:
  /// `threads`: for the work after the last edge.
  host_sink(host_forest& host, unsigned threads, std::pmr::memory_resource* memory) : host_{host}, own_{threads, memory}, memory_{memory} {}

  void begin(const io::source_facts& facts) override;
  void edges(unsigned worker, std::span<const edge<std::uint64_t>> batch) override;
  void named_edges(unsigned worker, std::span<const io::named_edge> batch) override;
  void named_vertices(unsigned worker, std::span<const std::string_view> names) override;

  /// After the last edge: what the host's forest has no slots for. No vertex, when it took all.
  [[nodiscard]] mergeable_forest take_own();

private:
  void begin_own() {
    std::call_once(begun_, [this] { own_.begin(facts_); });
  }
  void unite_declared(std::span<const edge<std::uint64_t>> part, std::uint64_t largest);
  void split(unsigned worker, std::span<const edge<std::uint64_t>> part);

  host_forest& host_;
  streaming::streaming_sink own_;
  std::pmr::memory_resource* memory_;
  io::source_facts facts_;
  std::once_flag begun_;
  bool all_own_ = false;  ///< strings, or more vertices declared than there are slots
};

}  // namespace copse::mpi
