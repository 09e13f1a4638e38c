// Four steps, with all ranks waiting for each other in between: every rank clears a part of the array, enters its vertices, unites them
// with their labels, and points a part of the array at its roots.
#include "host_forest.hpp"

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <variant>

#include <copse/extend/parents/atomic.hpp>
#include <copse/extend/rules/find/naive.hpp>
#include <copse/extend/rules/splice/halve_one.hpp>
#include <copse/extend/rules/unite/rem_cas.hpp>

namespace copse::mpi {
namespace {

using id = std::uint32_t;
using shared_parents = parents::atomic<id>;

constexpr std::uint64_t no_array = UINT64_MAX;
constexpr std::uint64_t slots_per_vertex = 2;  // a forest takes 8 bytes per vertex
constexpr std::size_t vertices_ahead = 16;

std::uint64_t slots_of(const labelling& labels) {
  if (labels.slots() == 0) return 0;
  return labels.names().what() == vertex_names::kind::strings ? no_array : labels.names().integer(labels.slots() - 1) + 1;
}

/// use(vertex, label), by ids, of all vertices; ask(vertex, label) a little earlier.
template <class Ask, class Use>
void for_vertices(const labelling& all, Ask ask, Use use) {
  const auto walk = [&](const auto& labels, auto name) {
    constexpr auto none = static_cast<std::remove_cvref_t<decltype(labels[0])>>(-1);
    for (std::size_t v = 0; v < labels.size(); ++v) {
      if (const std::size_t later = v + vertices_ahead; later < labels.size() && labels[later] != none)
        ask(name(later), name(labels[later]));
      if (labels[v] != none) use(name(v), name(labels[v]));
    }
  };
  std::visit(
      [&](const auto& labels) {
        if (all.names().what() == vertex_names::kind::identity) {
          walk(labels, [](std::uint64_t v) { return static_cast<id>(v); });
        } else {
          walk(labels, [&names = all.names()](std::uint64_t v) { return static_cast<id>(names.integer(v)); });
        }
      },
      all.labels());
}

/// Shared memory of the host, or null on all ranks.
id* allocate(const communicator& host, std::uint64_t slots, MPI_Win& window) {
  MPI_Comm_set_errhandler(host.handle, MPI_ERRORS_RETURN);
  void* base = nullptr;
  const auto bytes = static_cast<MPI_Aint>(host.rank == 0 ? slots * sizeof(id) : 0);
  int done = MPI_Win_allocate_shared(bytes, sizeof(id), MPI_INFO_NULL, host.handle, &base, &window) == MPI_SUCCESS ? 1 : 0;
  MPI_Comm_set_errhandler(host.handle, MPI_ERRORS_ARE_FATAL);
  int all_done = 0;
  MPI_Allreduce(&done, &all_done, 1, MPI_INT, MPI_MIN, host.handle);
  if (all_done == 0) {
    if (done != 0) MPI_Win_free(&window);
    return nullptr;
  }
  MPI_Aint size = 0;
  int unit = 0;
  MPI_Win_shared_query(window, 0, &size, &unit, &base);
  return static_cast<id*>(base);
}

}  // namespace

std::unique_ptr<host_forest> host_forest::of(const communicator& host, const mergeable_forest& mine) {
  const labelling& labels = mine.labels();
  const std::uint64_t slots = largest_of_all(host, slots_of(labels)), vertices = sum_of_all(host, labels.slots());
  if (slots == 0 || slots > no_vertex<id> || slots / slots_per_vertex > vertices) return nullptr;
  MPI_Win window = MPI_WIN_NULL;
  id* const words = allocate(host, slots, window);
  if (words == nullptr) return nullptr;
  std::unique_ptr<host_forest> forest{new host_forest{window, words, slots}};

  const auto ranks = static_cast<std::uint64_t>(host.size), rank = static_cast<std::uint64_t>(host.rank);
  const std::uint64_t begin = slots * rank / ranks, end = slots * (rank + 1) / ranks;
  const shared_parents p{words};
  const auto wait_for_all = [window] { MPI_Win_fence(0, window); };
  wait_for_all();
  std::fill(words + begin, words + end, no_vertex<id>);
  wait_for_all();
  for_vertices(
      labels, [p](id v, id /*label*/) { p.prefetch(v); }, [p](id v, id /*label*/) { p.store(v, v); });
  wait_for_all();
  for_vertices(
      labels,
      [p](id v, id label) {
        p.prefetch(v);
        p.prefetch(label);
      },
      [p](id v, id label) {
        if (v != label) unite::rem_cas<find::naive, splice::halve_one>{}(p, v, label);
      });
  wait_for_all();
  for (auto v = static_cast<id>(begin); v < end; ++v) {
    if (p.load(v) != no_vertex<id>) p.store(v, find::naive{}(p, v));
  }
  wait_for_all();
  return forest;
}

host_forest::~host_forest() { MPI_Win_free(&window_); }

labelling host_forest::labels(std::pmr::memory_resource* memory) const {
  buffer<id> copy{slots_, memory};
  std::copy(parents_, parents_ + slots_, copy.data());
  return {std::move(copy), vertex_names::identity(slots_)};
}

}  // namespace copse::mpi
