// What a basic_incremental does on a GPU.
#pragma once
#include <api/incremental_engine.hpp>
#include <copse/incremental.hpp>
#include <variants/table.hpp>

#include <cstdint>
#include <memory>

namespace copse::api {

/// Only in builds with the GPU part. Throws resource_error where there is no GPU.
std::unique_ptr<incremental::engine> gpu_engine(const variant::table_entry& chosen, const incremental_options& asked);

}  // namespace copse::api
