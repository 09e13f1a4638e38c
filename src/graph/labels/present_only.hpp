// Labels without absent slots.
#pragma once
#include <copse/labels.hpp>
#include <copse/memory.hpp>

#include <memory_resource>

namespace copse {

/// Copies the labels of present vertices to consecutive slots; vertices keep their ids as names. Precondition: the labels are canonical and
/// the names are integers.
labelling copy_of_present(const labelling& labels, unsigned threads, std::pmr::memory_resource* memory);

/// Drops the slots of absent vertices as copy_of_present() does; returns `labels` unchanged if every vertex is present. Precondition: the
/// labels are canonical.
labelling present_only(labelling labels, unsigned threads, std::pmr::memory_resource* memory);

}  // namespace copse
