// The normal form of a mergeable forest: one labelling for each set of vertices and partition of it, so that equal forests are equal bytes,
// and a file is bounded by the vertices that were seen.
//
// Integers are slots up to the largest (absent ones no_vertex) when at most every second one is absent, which takes 4 to 8 bytes per
// vertex; otherwise each has its id beside its label. Labels are as narrow as the number of slots allows. Strings are as they came.
#pragma once
#include <copse/labels.hpp>
#include <copse/memory.hpp>

#include <memory_resource>

namespace copse::drivers {

/// Throws usage_error when labels are numbers of components, or not canonical.
labelling normal_form(labelling labels, std::pmr::memory_resource* memory);

/// Are the ids slots? Precondition: the normal form.
inline bool is_dense(const labelling& forest) noexcept { return forest.names().what() == vertex_names::kind::identity; }

/// The same labels of present vertices only, which keep their ids as names. Precondition: integers.
labelling without_gaps(const labelling& labels, std::pmr::memory_resource* memory);

/// The labels without the slots of absent vertices, as without_gaps() has them; unchanged if every vertex is present. Precondition: the
/// labels are canonical.
labelling present_only(labelling labels, unsigned threads, std::pmr::memory_resource* memory);

}  // namespace copse::drivers
