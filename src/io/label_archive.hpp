// Labels as an archive of two arrays, `id` and `component`, an entry per vertex: what numpy.load gives under these names.
#pragma once
#include <copse/io.hpp>

#include <filesystem>
#include <string_view>

namespace copse::io {

void write_label_archive(const labelling& all, const std::filesystem::path& path, const execution& on);
/// `bytes` are those of `path`. Ids ascend, as they were written.
labelling read_label_archive(std::string_view bytes, const std::filesystem::path& path, const execution& on, bool numbered);

}  // namespace copse::io
