# The GPU part: on by itself where nvcc is found (COPSE_CUDA=AUTO); OFF leaves it out, SEEN where nvidia-smi shows no GPU, ON insists. Says
# once, while configuring, what becomes of it.
# nvcc is called as a tool, for the few units that need it, rather than as a language of the project: a static library with a language
# hands it on to everyone who links it, who may have no nvcc, and CMake 3.25 knows no C++20 of nvcc 13.
set(COPSE_CUDA AUTO CACHE STRING "Build the GPU part: AUTO, SEEN, ON or OFF")
set(COPSE_CUDA_ARCHITECTURES "" CACHE STRING "Such as 90 or 80;90; empty: this machine's GPU, or 90 where none is seen")
set(COPSE_HAS_CUDA OFF)
find_program(COPSE_NVCC nvcc PATHS /usr/local/cuda/bin)
mark_as_advanced(COPSE_NVCC)
set(gpu_seen OFF)
if(COPSE_CUDA)
  execute_process(COMMAND nvidia-smi -L RESULT_VARIABLE no_gpu OUTPUT_VARIABLE gpus ERROR_QUIET)
  if(NOT no_gpu AND gpus MATCHES "GPU")
    set(gpu_seen ON)
  endif()
endif()
if(NOT COPSE_CUDA)
  message(STATUS "copse: the GPU part is off (COPSE_CUDA=${COPSE_CUDA})")
  return()
elseif(COPSE_CUDA STREQUAL SEEN AND NOT gpu_seen)
  message(STATUS "copse: no GPU seen, so no kernels are compiled (COPSE_CUDA=ON compiles them)")
  return()
elseif(NOT COPSE_NVCC)
  if(COPSE_CUDA MATCHES "^(AUTO|SEEN)$")
    message(STATUS "copse: nvcc not found, the GPU part is off")
    return()
  endif()
  message(FATAL_ERROR "copse: COPSE_CUDA=${COPSE_CUDA}, but nvcc is not found")
endif()

get_filename_component(nvcc_folder ${COPSE_NVCC} DIRECTORY)
get_filename_component(CUDAToolkit_ROOT ${nvcc_folder} DIRECTORY)
find_package(CUDAToolkit REQUIRED)
set(architectures ${COPSE_CUDA_ARCHITECTURES})
if(NOT architectures)
  if(gpu_seen)
    set(architectures native)
  else()
    set(architectures 90)
  endif()
endif()
set(code)
foreach(architecture IN LISTS architectures)
  if(architecture STREQUAL native)
    list(APPEND code -arch=native)
  else()
    list(APPEND code -gencode=arch=compute_${architecture},code=[compute_${architecture},sm_${architecture}])
  endif()
endforeach()
message(STATUS "copse: the GPU part is on, nvcc ${CUDAToolkit_VERSION}, architectures ${architectures}")

# Units of kernels, built side by side; each takes nvcc 13 under a minute of a core (`ninja -t` or .ninja_log say how long).
foreach(name IN ITEMS registry/solvers_cuda registry/solvers_cuda_unites registry/solvers_cuda_rounds own/cuda/solve_own backend/cuda/sort
    registry/forest_solvers_cuda registry/forest_solvers_cuda_unites own/cuda/span_own
    registry/solvers_cuda_counting backend/cuda/row_facts backend/cuda/memory_rates backend/cuda/prefix_sums backend/cuda/edge_rows
    gen/gpu_edges verify/gpu_proof verify/gpu_checksum list_ranking/cuda/counts list_ranking/cuda/scans
    drivers/incremental/cuda/gpu_incremental drivers/hybrid/cuda/gpu_rest)
  set(unit ${PROJECT_SOURCE_DIR}/src/${name}.cu)
  get_filename_component(file ${unit} NAME)
  set(object ${PROJECT_BINARY_DIR}/${file}.o)
  add_custom_command(OUTPUT ${object}
    COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${COPSE_NVCC} -std=c++20 --expt-relaxed-constexpr ${code} -O3 -DNDEBUG -DCOPSE_HAS_CUDA
      -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/src -Xcompiler=-fPIC,-Wall,-Wextra -MD -MF ${object}.d -c ${unit} -o ${object}
    DEPENDS ${unit} DEPFILE ${object}.d COMMENT "Building kernels: ${file}.o" VERBATIM)
  set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  target_sources(copse PRIVATE ${object})
endforeach()
target_sources(copse PRIVATE
  ${PROJECT_SOURCE_DIR}/src/backend/cuda/gpu.cpp ${PROJECT_SOURCE_DIR}/src/backend/cuda/gpu_memory.cpp
  ${PROJECT_SOURCE_DIR}/src/backend/cuda/staged_copy.cpp
  ${PROJECT_SOURCE_DIR}/src/registry/cuda_solver.cpp ${PROJECT_SOURCE_DIR}/src/registry/cuda_generate.cpp
  ${PROJECT_SOURCE_DIR}/src/registry/hybrid_gpu.cpp
  ${PROJECT_SOURCE_DIR}/src/list_ranking/cuda/gpu_ranker.cpp ${PROJECT_SOURCE_DIR}/src/drivers/list_ranking/on_gpu.cpp)
target_compile_definitions(copse PRIVATE COPSE_HAS_CUDA)
target_link_libraries(copse PRIVATE CUDA::cudart_static)
set(COPSE_HAS_CUDA ON)
