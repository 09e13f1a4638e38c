// The C API of components of graphs in the caller's arrays.
#include <copse/components.hpp>
#include <copse/views.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>

#include "c/call.hpp"

namespace copse::c {
namespace {

/// Converts the number of vertices to Id. Throws usage_error if ids of this width cannot number that many vertices.
template <unsigned_index Id>
Id vertices_of(std::uint64_t vertices) {
  if (vertices <= std::numeric_limits<Id>::max()) return static_cast<Id>(vertices);
  throw usage_error{"vertices must be at most 2^32 - 1 for ids of 32 bits, not " + std::to_string(vertices)};
}

/// Calls body(Id{}) with the unsigned type of the same size: signed arrays are read as unsigned.
template <class Body>
void with_ids(copse_type type, Body&& body) {
  with_type(type, [&]<class T>(T) { body(std::make_unsigned_t<T>{}); });
}

template <unsigned_index Id, unsigned_index Offset>
void solve_rows(std::uint64_t vertices, const void* offsets, const void* targets, std::uint64_t arcs, copse_symmetry symmetry, void* labels,
                const caller_options& options) {
  if (vertices == std::numeric_limits<std::uint64_t>::max()) throw usage_error{"vertices must be fewer than 2^64 - 1"};
  csr_view<Id, Offset> rows{.offsets = ids_of<Offset>(offsets, vertices_of<Id>(vertices) + std::uint64_t{1}, "offsets"),
                            .targets = ids_of<Id>(targets, arcs, "targets")};
  rows.symmetric = symmetry == COPSE_SYMMETRIC ? symmetry::yes : symmetry == COPSE_ASYMMETRIC ? symmetry::no : symmetry::unknown;
  components(rows, array_of(static_cast<Id*>(labels), vertices, "labels"), options.solve(), options.on());
}

}  // namespace
}  // namespace copse::c

using namespace copse;
using namespace copse::c;

copse_status copse_components_csr(uint64_t vertices, copse_type offset_type, const void* offsets, copse_type id_type, const void* targets,
                                  uint64_t arcs, copse_symmetry symmetry, void* labels, const copse_options* options, copse_error* error) {
  return guarded(error, [&] {
    const caller_options call{options};
    with_ids(id_type, [&]<class Id>(Id) {
      with_ids(offset_type, [&]<class Offset>(Offset) {
        if constexpr (sizeof(Id) <= sizeof(Offset)) {
          solve_rows<Id, Offset>(vertices, offsets, targets, arcs, symmetry, labels, call);
        } else {
          throw usage_error{"offset_type must be one of 64 bits if ids have 64 bits"};
        }
      });
    });
  });
}

copse_status copse_components_pairs(uint64_t vertices, copse_type id_type, const void* edges, uint64_t count, void* labels,
                                    const copse_options* options, copse_error* error) {
  return guarded(error, [&] {
    const caller_options call{options};
    with_ids(id_type, [&]<class Id>(Id) {
      const coo_view<Id> list{vertices_of<Id>(vertices), ids_of<edge<Id>>(edges, count, "edges")};
      components(list, array_of(static_cast<Id*>(labels), vertices, "labels"), call.solve(), call.on());
    });
  });
}

copse_status copse_components_columns(uint64_t vertices, copse_type id_type, const void* sources, const void* targets, uint64_t count,
                                      void* labels, const copse_options* options, copse_error* error) {
  return guarded(error, [&] {
    const caller_options call{options};
    with_ids(id_type, [&]<class Id>(Id) {
      const edge_columns_view<Id> list{vertices_of<Id>(vertices), ids_of<Id>(sources, count, "sources"),
                                       ids_of<Id>(targets, count, "targets")};
      components(list, array_of(static_cast<Id*>(labels), vertices, "labels"), call.solve(), call.on());
    });
  });
}
