// Parents of ids that are sparse or reach 2^32 - 1, or are strings: a map numbers ids in the order of arrival, and the forest is over these
// numbers. Integers take about 20 to 28 bytes per vertex while the stream runs, and 28 while they are sorted at the end.
#pragma once
#include <copse/io.hpp>
#include <copse/labels.hpp>
#include <copse/views.hpp>
#include <drivers/streaming/compact_forest.hpp>
#include <drivers/streaming/ranged_forest.hpp>
#include <drivers/streaming/unite_batch.hpp>
#include <ids/id_map.hpp>

#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace copse::streaming {

/// `Id`: std::uint64_t or std::string_view.
template <class Id>
class arrival_forest {
public:
  static constexpr bool of_integers = std::same_as<Id, std::uint64_t>;
  using id_edge = std::conditional_t<of_integers, edge<std::uint64_t>, io::named_edge>;

  arrival_forest(unsigned workers, std::pmr::memory_resource* memory)
      : memory_{memory}, ids_{workers, memory}, forest_{std::make_unique<compact_forest>(memory)} {}

  /// Unites a batch. `links`, unless null, gets the edges that join two trees; an edge between strings is given by the numbers of its ends.
  template <bool Shared>
  void unite(unsigned worker, std::span<const id_edge> batch, link_list* links = nullptr);

  /// Returns the labels of all vertices, sorted by name (integers as signed ones if `are_signed`); a label is the position of a name in
  /// this order. `positions`, unless null, gets this position for each vertex, indexed by its number of arrival. The forest cannot be used
  /// afterwards.
  labelling take_labelling(unsigned threads, bool are_signed, buffer<std::uint32_t>* positions = nullptr);

  // Functions for integers only: strings are never in an array.

  /// True if the ids turned out to be dense enough for an array. (They may look sparse early in a large dense graph.)
  [[nodiscard]] bool became_dense() const noexcept;
  /// Moves a whole ranged forest into this one, which must be empty. Called by one thread, while no other thread uses either forest.
  void take_from(std::unique_ptr<ranged_forest> from);
  /// Moves everything into an empty ranged forest. Called by one thread, while no other thread uses either forest. This forest cannot be
  /// used afterwards.
  void move_to(ranged_forest& to);

private:
  std::pmr::memory_resource* memory_;
  ids::id_map<Id> ids_;
  std::unique_ptr<compact_forest> forest_;
};

template <>
bool arrival_forest<std::uint64_t>::became_dense() const noexcept;
template <>
void arrival_forest<std::uint64_t>::take_from(std::unique_ptr<ranged_forest> from);
template <>
void arrival_forest<std::uint64_t>::move_to(ranged_forest& to);
extern template class arrival_forest<std::uint64_t>;
extern template class arrival_forest<std::string_view>;

}  // namespace copse::streaming
