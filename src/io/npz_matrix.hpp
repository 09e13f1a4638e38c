// A sparse matrix as scipy.sparse.save_npz writes it: a zip of arrays `format`, `shape`, `data` and, of csr and csc, `indptr` and
// `indices`, of coo `row` and `col`.
#pragma once
#include "io/npy_array.hpp"
#include "io/zip.hpp"

#include <copse/weighted_graph.hpp>

#include <optional>

namespace copse::io {

/// Its arrays have the lengths that they must have; what they hold is not looked at.
class npz_matrix {
public:
  enum class numbers : bool { unread, read };
  /// `data`: are the numbers wanted, too?
  npz_matrix(const std::filesystem::path& path, const read_options& options, numbers data);

  [[nodiscard]] const std::string& file() const noexcept { return source_.name(); }
  [[nodiscard]] std::uint64_t file_bytes() const noexcept { return source_.bytes().size(); }
  /// Rows and columns, which are as many.
  [[nodiscard]] std::uint64_t side() const noexcept { return side_; }
  /// A row and a column of each entry (coo), or the entries of one row or column after those of another (csr, csc)?
  [[nodiscard]] bool coordinates() const noexcept { return coordinates_; }
  [[nodiscard]] std::uint64_t entries() const noexcept { return minor_.size(); }
  /// Of coo the rows of entries; of csr and csc the offsets.
  [[nodiscard]] const packed_integers& major() const noexcept { return major_; }
  /// Of coo the columns of entries; of csr the columns, of csc the rows.
  [[nodiscard]] const packed_integers& minor() const noexcept { return minor_; }
  // Precondition of all: the numbers were wanted.

  /// The number of entry i, whatever its type: NaN too; of an integer beyond 2^53 the largest double that is not above it.
  [[nodiscard]] double weight(std::uint64_t i) const;
  [[nodiscard]] weight_precision precision() const noexcept;
  /// Throws input_error for entry i, which is not a number.
  [[noreturn]] void refuse_weight(std::uint64_t i) const;
  /// Are all of them ones, or of type bool? Then they say no more than that there are entries.
  [[nodiscard]] bool all_ones() const;

private:
  /// An array that stays put while it is looked at.
  struct member {
    member(const npz_matrix& matrix, const char* name, std::pmr::memory_resource* memory);
    member(const member&) = delete;
    member& operator=(const member&) = delete;
    [[nodiscard]] packed_integers integers(std::string_view what) const;
    void expect_items(std::uint64_t expected) const;
    std::string file;  ///< with the member, for refusals
    zip_archive::content content;
    npy_array array;
  };
  void read_side(const member& shape);

  binary_source source_;
  zip_archive archive_;
  std::optional<member> first_, second_, data_;
  packed_integers major_, minor_;
  std::uint64_t side_ = 0;
  bool coordinates_ = false;
};

}  // namespace copse::io
