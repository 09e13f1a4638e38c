// The proof of the labels that one of several processes found.
#pragma once
#include <copse/io.hpp>
#include <copse/labels.hpp>
#include <copse/verify.hpp>
#include <io/part_of_file.hpp>
#include <io/request.hpp>

#include <filesystem>
#include <span>

namespace copse {

/// Proves the labels that were found for a part of the files, as verify() does for whole files.
verdict verify_part(std::span<const std::filesystem::path> paths, const io::read_request& options, io::part_of_file part,
                    const labelling& labels);

}  // namespace copse
