# Says once, while configuring, what becomes of the GPU part.
find_program(COPSE_NVCC nvcc PATHS /usr/local/cuda/bin)
mark_as_advanced(COPSE_NVCC)
if(COPSE_NVCC)
  message(STATUS "copse: nvcc found, but this version has no GPU part yet: everything runs on the CPU")
else()
  message(STATUS "copse: nvcc not found, the GPU part is off")
endif()
