// Labels without absent slots.
#pragma once
#include <copse/labels.hpp>
#include <copse/memory.hpp>

#include <memory_resource>

namespace copse {

/// Copies the labels of the present vertices, which are numbered anew without gaps and keep their ids as names. Precondition: the labels
/// are canonical (the smallest vertex of each component), and the names are integers.
labelling copy_of_present(const labelling& labels, unsigned threads, std::pmr::memory_resource* memory);

/// Numbers the present vertices without gaps, as copy_of_present() does; returns `labels` unchanged if no vertex is absent. Precondition:
/// the labels are canonical (the smallest vertex of each component).
labelling present_only(labelling labels, unsigned threads, std::pmr::memory_resource* memory);

}  // namespace copse
