// A partial answer as bytes: those of a saved structure (drivers/incremental/connectivity_file.hpp), which hold the labels, and for a
// weighted forest its edges (u, v), u < v, in ascending order. The bytes saved in addition to the structure begin, for a weighted forest,
// with the weights:
//
//   0  "weight-1"              magic
//   8  u32 goal: 1 minimum, 2 maximum
//  12  u32 precision of the weights: 0 for 64 bits, 1 for 32 bits, 2 for 16 bits
//  16  a double for each edge of the forest
//
// If ids are not the slots, the names of the vertices follow:
//
//   0  "names-1\0"             magic
//   8  u64 kind: 1 ids of 4 bytes, 2 ids of 8 bytes, 3 strings, 4 ids of 8 bytes in two's complement, of which some are negative
//  16  u64 count, bytes of all strings
//  32  ids, ascending; or the lengths of the strings (4 bytes each) and then their bytes, ascending
//
// So a weighted forest can be read as components, too. The number in "names-1" is the version of the layout: a reader that does not know a
// kind, or an id such as 2^64 - 1, refuses the file and reports what it found.
#pragma once
#include <copse/labels.hpp>
#include <copse/memory.hpp>
#include <copse/weighted_forest.hpp>
#include <drivers/incremental/connectivity_file.hpp>

#include <string_view>

namespace copse::merging {

/// Writes the bytes of an answer. Precondition: the answer has the normal form (normal_form.hpp).
void put(const labelling& labels, const drivers::byte_output& output, std::pmr::memory_resource* memory);
void put(const weighted_forest_result& forest, const drivers::byte_output& output, std::pmr::memory_resource* memory);

/// Reads an answer. Throws input_error if the bytes were not written by put() or, for labels, by incremental::save.
template <class Answer>
Answer answer_in(const drivers::connectivity_bytes& held, std::string_view name, std::pmr::memory_resource* memory);
template <>
labelling answer_in(const drivers::connectivity_bytes& held, std::string_view name, std::pmr::memory_resource* memory);
template <>
weighted_forest_result answer_in(const drivers::connectivity_bytes& held, std::string_view name, std::pmr::memory_resource* memory);

}  // namespace copse::merging
