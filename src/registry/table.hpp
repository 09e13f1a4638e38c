// The rows of the backends that users have.
#pragma once
#include <backend/omp/omp.hpp>
#include <backend/serial/serial.hpp>
#include <registry/rows.hpp>

#include <vector>

namespace copse::registry {

using backends = type_list<backend::serial, backend::omp>;

/// Compiled once a backend, in rows_<backend>.cpp; the first call makes the rows.
template <class Backend>
const std::vector<row<all_views>>& rows_of();

template <>
const std::vector<row<all_views>>& rows_of<backend::serial>();
template <>
const std::vector<row<all_views>>& rows_of<backend::omp>();

}  // namespace copse::registry
