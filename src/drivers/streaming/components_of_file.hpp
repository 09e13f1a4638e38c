// Components of files on the CPU or on one GPU: streamed where that is possible, otherwise read and solved.
#pragma once
#include <copse/components.hpp>
#include <core/request.hpp>
#include <io/request.hpp>

#include <filesystem>
#include <span>

namespace copse {

/// The execution of both requests is the same.
components_result components_of_file(const std::filesystem::path& path, const io::read_request& input, const solve_request& options);

/// Components of several edge lists that are one graph.
components_result components_of_files(std::span<const std::filesystem::path> paths, const io::read_request& input,
                                      const solve_request& options);

}  // namespace copse
