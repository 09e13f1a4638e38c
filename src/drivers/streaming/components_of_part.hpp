// Components of a part of some files, of any format: edges are united while they are parsed.
#pragma once
#include <copse/io.hpp>
#include <copse/labels.hpp>
#include <io/part_of_file.hpp>

#include <filesystem>
#include <span>

namespace copse::streaming {

labelling components_of_part(std::span<const std::filesystem::path> paths, io::part_of_file part, const io::read_options& input,
                             std::pmr::memory_resource* memory);

}  // namespace copse::streaming
