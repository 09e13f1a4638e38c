// A file of labels that all ranks write at once, each the lines of its share of the vertices.
#pragma once
#include <copse/labels.hpp>
#include <filesystem>

#include "exchange.hpp"

namespace copse::mpi {

/// Throws input_error unless the suffix is .csv or .txt, which lines are written to.
void expect_lines(const std::filesystem::path& path);

/// The same lines as io::write_labels. All ranks have the same labels and call it together; the file gets its name when it is whole. The
/// text of the first failure, on all ranks; empty when there was none.
std::string write_labels_together(const communicator& world, const labelling& labels, const std::filesystem::path& path);

}  // namespace copse::mpi
