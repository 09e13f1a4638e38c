// Views that a caller hands in are looked at before they are solved: wrong ones would be read beyond their end.
#pragma once
#include <copse/options.hpp>
#include <copse/views.hpp>

namespace copse::api {

/// `g` with what was found about its rows: what a caller left unknown is known then. O(n + arcs), as fast as memory is read; trusted views
/// are returned as they are. Throws usage_error that says what is wrong, and where.
template <unsigned_index Id, unsigned_index Offset>
csr_view<Id, Offset> checked(csr_view<Id, Offset> g, const solve_options& options);

template <unsigned_index Id>
coo_view<Id> checked(coo_view<Id> edges, const solve_options& options);

template <unsigned_index Id>
edge_columns_view<Id> checked(edge_columns_view<Id> edges, const solve_options& options);

}  // namespace copse::api
