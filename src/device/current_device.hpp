// Switches the GPU that the calling thread works on. Compiled without CUDA's headers.
#pragma once

namespace copse::device {

/// Sets the calling thread's device while the object lives; the destructor restores the one before.
class on_device {
public:
  on_device();  ///< changes nothing until the destructor restores the current device
  explicit on_device(int index);
  on_device(const on_device&) = delete;
  ~on_device();

private:
  int before_ = 0;
};

}  // namespace copse::device
