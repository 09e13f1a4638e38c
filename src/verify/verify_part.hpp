// The proof of what one process of several found.
#pragma once
#include <copse/io.hpp>
#include <copse/labels.hpp>
#include <copse/verify.hpp>
#include <io/part_of_file.hpp>
#include <io/request.hpp>

#include <filesystem>
#include <span>

namespace copse {

/// verify() of files, for the labels of a part.
verdict verify_part(std::span<const std::filesystem::path> paths, const io::read_request& options, io::part_of_file part,
                    const labelling& labels);

}  // namespace copse
