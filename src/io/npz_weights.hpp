// The data of a sparse matrix in `.npz`, as weights of its entries in the order of the file.
#pragma once
#include <copse/io.hpp>

#include <cstdint>
#include <filesystem>
#include <memory>

namespace copse::io {

class npz_weights {
public:
  /// Throws input_error for data that is no numbers, and for a matrix in coo form, whose entries become rows in another order.
  npz_weights(const std::filesystem::path& path, const read_options& options);
  ~npz_weights();
  [[nodiscard]] double operator[](std::uint64_t i) const;

private:
  struct contents;
  std::unique_ptr<contents> held_;
};

}  // namespace copse::io
