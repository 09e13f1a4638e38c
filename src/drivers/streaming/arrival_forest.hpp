// Parents of ids that are sparse or reach 2^32 - 1, or are strings: a map numbers them in the order of arrival, the forest is over the
// numbers. Integers take about 20 to 28 bytes per vertex while the stream runs, 28 while they are sorted at the end.
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

  /// `links` gets the edges that join two trees, unless it is null: those between strings by the numbers of their ends.
  template <bool Shared>
  void unite(unsigned worker, std::span<const id_edge> batch, link_list* links = nullptr);

  /// Names ascending, integers signed or not, labels their indices. `positions`: where each number stands among the names, unless it is
  /// null. The forest is used up.
  labelling take_labelling(unsigned threads, bool are_signed, buffer<std::uint32_t>* positions = nullptr);

  // For integers only: strings have no array.

  /// True if the ids turned out to be dense enough for an array. (They may look sparse early in a large dense graph.)
  [[nodiscard]] bool became_dense() const noexcept;
  /// Moves a whole ranged forest into this empty one. By one thread, while no other touches either.
  void take_from(std::unique_ptr<ranged_forest> from);
  /// Moves everything into an empty ranged forest. By one thread likewise. This forest is used up.
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
