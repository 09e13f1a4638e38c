// The parts of the Python module; each bind function adds the functions and classes of one part.
#pragma once
#include <nanobind/nanobind.h>

namespace copse::python {

void bind_bridges(nanobind::module_& m);
void bind_cluster(nanobind::module_& m);
void bind_compare(nanobind::module_& m);
void bind_device(nanobind::module_& m);
void bind_dynamic(nanobind::module_& m);
void bind_errors(nanobind::module_& m);
void bind_options(nanobind::module_& m);
void bind_graph(nanobind::module_& m);
void bind_labels(nanobind::module_& m);
void bind_components(nanobind::module_& m);
void bind_forest(nanobind::module_& m);
void bind_incremental(nanobind::module_& m);
void bind_lists(nanobind::module_& m);
void bind_tables(nanobind::module_& m);
void bind_table_output(nanobind::module_& m);
void bind_verify(nanobind::module_& m);
void bind_weighted(nanobind::module_& m);
void bind_weighted_edges(nanobind::module_& m);

}  // namespace copse::python
