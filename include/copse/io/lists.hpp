// Lists to rank, weights and ranks in files.
#pragma once
#include <copse/core/successor_list.hpp>
#include <copse/io/read.hpp>
#include <copse/io/write.hpp>

#include <cstdint>
#include <filesystem>
#include <span>

namespace copse::io {

/// Successors by suffix, .gz and .zst taken off first: `.npy` (integers of any width, one dimension), `.bin` and `.bin64` (raw uint32,
/// uint64), `.txt` and "-" (one number a line, element 0 first; lines of # are skipped). -1 and all ones are the end of a list. Of
/// `options` threads and memory count. Throws input_error for what is no list of numbers, or a successor that does not exist where the
/// narrower id could not hold it.
successor_list read_list(const std::filesystem::path& path, const read_options& options = {});

/// Signed numbers from the same formats (`.bin` int32, `.bin64` int64).
buffer<std::int64_t> read_weights(const std::filesystem::path& path, const read_options& options = {});

/// Throws input_error unless write_list and write_ranks know the suffix.
void expect_list_suffix(const std::filesystem::path& path);
void expect_ranks_suffix(const std::filesystem::path& path);

/// `.npy`, `.bin`, `.bin64`, `.txt` and "-": what read_list reads.
void write_list(const successor_list& successors, const std::filesystem::path& path, const write_options& options = {});

/// Indexed by element: `.npy` (uint32, uint64 or int64, as they are), `.bin64`, `.bin` (refused when 32 bits do not hold them, or they are
/// weighted); as lines: `.txt` and "-" (element, tab, rank), `.csv` (header `element,rank`).
void write_ranks(std::span<const std::uint32_t> ranks, const std::filesystem::path& path, const write_options& options = {});
void write_ranks(std::span<const std::uint64_t> ranks, const std::filesystem::path& path, const write_options& options = {});
void write_ranks(std::span<const std::int64_t> ranks, const std::filesystem::path& path, const write_options& options = {});

}  // namespace copse::io
