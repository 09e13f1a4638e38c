// The proof over edges that are read as a stream: readers pass batches from several threads, and a lock passes these to the serial
// union-find one at a time.
#pragma once
#include <verify/proof.hpp>

#include <copse/errors.hpp>
#include <copse/io.hpp>
#include <copse/labels.hpp>
#include <copse/verify.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace copse {

/// Finds the position of a vertex in the array of labels by its name in a file, in constant time. Consecutive integer names need no table.
/// For other names there is a hash table of positions with open addressing, of 5 to 11 bytes per vertex for 32-bit positions (the names
/// themselves are not copied).
template <unsigned_index Id>
class name_index {
public:
  /// Keeps a reference to `names`.
  name_index(const vertex_names& names, std::pmr::memory_resource* memory) : names_{names} {
    if (names.first_id()) return;
    slots_ = buffer<Id>(std::bit_ceil(names.size() + names.size() / 3 + 2), memory);
    std::ranges::fill(slots_, no_vertex<Id>);
    for (std::uint64_t i = 0; i < names.size(); ++i) {
      std::size_t at = names.what() == vertex_names::kind::strings ? start(names.string(i)) : start(names.integer(i));
      while (slots_[at] != no_vertex<Id>) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = static_cast<Id>(i);
    }
  }

  [[nodiscard]] std::optional<std::uint64_t> find(std::uint64_t name) const noexcept {
    if (names_.first_id()) return names_.find(name);
    if (names_.what() == vertex_names::kind::strings) return std::nullopt;
    return probe(start(name), [&](std::uint64_t slot) { return names_.integer(slot) == name; });
  }
  [[nodiscard]] std::optional<std::uint64_t> find(std::string_view name) const noexcept {
    if (names_.what() != vertex_names::kind::strings) return std::nullopt;
    return probe(start(name), [&](std::uint64_t slot) { return names_.string(slot) == name; });
  }

private:
  [[nodiscard]] std::size_t start(std::uint64_t name) const noexcept {
    const std::uint64_t spread = name * 0x9E3779B97F4A7C15u;
    return static_cast<std::size_t>((spread ^ (spread >> 32)) & (slots_.size() - 1));
  }
  [[nodiscard]] std::size_t start(std::string_view name) const noexcept {
    return std::hash<std::string_view>{}(name) & (slots_.size() - 1);
  }

  template <class Same>
  [[nodiscard]] std::optional<std::uint64_t> probe(std::size_t at, Same same) const noexcept {
    for (; slots_[at] != no_vertex<Id>; at = (at + 1) & (slots_.size() - 1)) {
      if (same(slots_[at])) return slots_[at];
    }
    return std::nullopt;
  }

  const vertex_names& names_;
  buffer<Id> slots_;
};

}  // namespace copse

namespace copse::proving {

/// Thrown at the first fault, which ends the parse.
class refused : public error {
public:
  using error::error;
};

inline std::string text_of(std::uint64_t name, bool is_signed) { return id_text(name, is_signed); }
inline std::string text_of(std::string_view name, bool /*is_signed*/ = false) { return std::string(1, '\'').append(name).append(1, '\''); }

/// Returns the position of a vertex in the array of labels by its name in a file. Throws refused if it has no label; `what` is the word for
/// it in the message: vertex, or record if the file is a table.
template <unsigned_index Id, class Name>
std::uint64_t slot_of(const name_index<Id>& index, const proof<Id>& steps, const char* what, const Name& name, bool is_signed) {
  const std::optional<std::uint64_t> slot = index.find(name);
  if (!slot || !steps.present(*slot)) throw refused{std::string{what} + " " + text_of(name, is_signed) + " has no label"};
  return *slot;
}

template <unsigned_index Id>
class proving_sink final : public io::edge_sink {
public:
  proving_sink(const buffer<Id>& labels, const vertex_names& names, std::pmr::memory_resource* memory)
      : names_{names}, steps_{labels, names}, index_{names, memory}, seen_(labels.size() / 64 + 1, memory) {
    std::ranges::fill(seen_, std::uint64_t{0});
  }

  [[nodiscard]] proof<Id>& steps() noexcept { return steps_; }

  void begin(const io::source_facts& facts) override {
    declared_ = facts.vertices;
    first_id_ = facts.first_id;
    const bool strings = names_.what() == vertex_names::kind::strings;
    if (names_.size() > 0 && facts.named != strings) {
      throw refused{facts.named ? "the graph has string ids, the labels have integer ids"
                                : "the graph has integer ids, the labels have string ids"};
    }
  }

  void ids_are_signed() override {
    const std::lock_guard one_at_a_time{guard_};
    signed_ = true;
    if (names_.size() == 0 || names_.is_signed()) return;
    throw refused{"the graph has negative ids, the labels have none"};
  }

  void edges(unsigned, const io::edge_batch& batch) override {
    const std::lock_guard one_at_a_time{guard_};
    for (const edge<std::uint64_t>& e : batch.ids) join(first_id_ + e.u, first_id_ + e.v);
    for (const io::named_edge& e : batch.names) join(e.u, e.v);
  }

  /// Must be called after the last edge. Returns a fault if a label is that of a vertex that the files do not contain, or if the files
  /// declare their number of vertices and one of these has no label.
  std::optional<std::string> fault_in_vertices() const {
    if (names_.is_signed() && !signed_) return "vertex " + steps_.name(0) + " has a label, but is not in the graph";
    std::uint64_t expected = first_id_;  // the smallest declared vertex for which no label has been found yet
    for (std::uint64_t i = 0; i < names_.size(); ++i) {
      if (!steps_.present(i)) continue;
      if (!declared_) {
        if ((seen_[i / 64] >> (i % 64) & 1) == 0) return "vertex " + steps_.name(i) + " has a label, but is not in the graph";
        continue;
      }
      const std::uint64_t id = names_.integer(i);
      if (id < first_id_ || id - first_id_ >= *declared_)
        return "vertex " + steps_.name(i) + " has a label, but the graph has " + vertices_text();
      if (id != expected) break;
      ++expected;
    }
    if (declared_ && expected - first_id_ < *declared_) return "vertex " + std::to_string(expected) + " has no label";
    return std::nullopt;
  }

private:
  [[nodiscard]] std::string vertices_text() const {
    const std::string count = std::to_string(*declared_) + " vertices";
    return first_id_ == 0 ? count : count + ", counted from " + std::to_string(first_id_);
  }
  template <class Name>
  void join(const Name& first, const Name& second) {
    const std::uint64_t u = slot_of(index_, steps_, "vertex", first, signed_);
    const std::uint64_t v = slot_of(index_, steps_, "vertex", second, signed_);
    seen_[u / 64] |= std::uint64_t{1} << (u % 64);
    seen_[v / 64] |= std::uint64_t{1} << (v % 64);
    if (!steps_.join(u, v)) throw refused{steps_.fault_of_edge(u, v)};
  }

  const vertex_names& names_;
  proof<Id> steps_;
  name_index<Id> index_;
  buffer<std::uint64_t> seen_;
  std::optional<std::uint64_t> declared_;
  std::uint64_t first_id_ = 0;
  bool signed_ = false;
  std::mutex guard_;
};

/// Returns the verdict of a sink after `pass()`, which must pass all edges and vertices to the sink.
template <class Sink, class Pass>
verdict verdict_of(Sink& sink, Pass pass) {
  auto& steps = sink.steps();
  if (auto fault = steps.fault_in_labels()) return wrong(std::move(*fault));
  try {
    pass();
  } catch (const refused& fault) {
    return wrong(fault.what());
  }
  if (auto fault = sink.fault_in_vertices()) return wrong(std::move(*fault));
  if (auto fault = steps.fault_in_forest()) return wrong(std::move(*fault));
  return {.right = true, .reason = {}, .vertices = steps.vertices(), .components = steps.components()};
}

/// The proof of labels: `pass(sink)` must pass all edges and vertices to the sink.
template <unsigned_index Id, class Pass>
verdict prove(const buffer<Id>& labels, const vertex_names& names, std::pmr::memory_resource* memory, Pass pass) {
  proving_sink<Id> sink{labels, names, memory};
  return verdict_of(sink, [&] { pass(sink); });
}

}  // namespace copse::proving
