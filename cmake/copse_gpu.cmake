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
set(COPSE_NVCC_CODE)
foreach(architecture IN LISTS architectures)
  if(architecture STREQUAL native)
    list(APPEND COPSE_NVCC_CODE -arch=native)
  else()
    list(APPEND COPSE_NVCC_CODE -gencode=arch=compute_${architecture},code=[compute_${architecture},sm_${architecture}])
  endif()
endforeach()
message(STATUS "copse: the GPU part is on, nvcc ${CUDAToolkit_VERSION}, architectures ${architectures}")

# Compiles a unit of kernels into a target; `file` names the object. From the top of the build, as ninja compiles all else: the compiler's
# cache then finds the objects of another build, also where copse is a folder of another project. More arguments are flags.
function(copse_kernels target unit file)
  string(REPLACE / _ file ${file})
  set(object ${PROJECT_BINARY_DIR}/${file}.o)
  add_custom_command(OUTPUT ${object}
    COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${COPSE_NVCC} -std=c++20 --expt-relaxed-constexpr ${COPSE_NVCC_CODE} -O3 -DNDEBUG -DCOPSE_HAS_CUDA ${ARGN}
      -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/src -Xcompiler=-fPIC,-Wall,-Wextra -MD -MF ${object}.d -c ${unit} -o ${object}
    WORKING_DIRECTORY ${CMAKE_BINARY_DIR} DEPENDS ${unit} DEPFILE ${object}.d COMMENT "Building kernels: ${file}.o" VERBATIM)
  set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  target_sources(${target} PRIVATE ${object})
endfunction()

# The kernels of the variants' finishes: a unit for each group of them.
function(copse_cuda_unit name header type function functions)
  configure_file(${PROJECT_SOURCE_DIR}/src/variants/cuda_unit.cu.in ${CMAKE_BINARY_DIR}/copse_variants/${name}.cu @ONLY)
  set(generated ${generated} ${CMAKE_BINARY_DIR}/copse_variants/${name}.cu PARENT_SCOPE)
endfunction()
copse_cuda_unit(cuda_unites cuda_finishes cuda_finish cuda_unite_function "finish_functions_of<backend::cuda, std::uint32_t>(united_entries{})")
copse_cuda_unit(cuda_rounds cuda_finishes cuda_finish cuda_rounds_function "finish_functions_of<backend::cuda, std::uint32_t>(other_entries{})")
copse_cuda_unit(cuda_forest_unites cuda_forest_finishes cuda_recorder cuda_recorder_of
  "recorders_of<backend::recording_cuda, std::uint32_t>(united_entries{})")
copse_cuda_unit(cuda_inserts cuda_incremental cuda_inserter cuda_insert_function "insert_functions_of(united_entries{})")
copse_cuda_unit(cuda_mixes cuda_incremental cuda_answerer cuda_mix_function "mix_functions_of(united_entries{})")
copse_cuda_unit(cuda_insert_rounds cuda_incremental cuda_inserter cuda_insert_in_rounds_function "insert_functions_of(other_entries{})")
copse_cuda_unit(cuda_queries cuda_incremental cuda_answerer cuda_query_function "query_functions_of(finishes{})")

# Units of kernels, built side by side; each takes nvcc 13 under a minute of a core (tools/build_times.py says how long).
set(units device/components device/counting device/piece_kernels device/spanning_forest device/weighted_forest drivers/bridges/cuda/cuts
  drivers/incremental/cuda/device_forest drivers/incremental/cuda/gpu_live drivers/incremental/cuda/past_giant drivers/rooting/cuda/tour
  fast/cuda/solve
  fast/cuda/spanning_forest gen/gpu_edges gpu/loops/edge_rows gpu/loops/prefix_sums gpu/loops/row_facts gpu/loops/sort
  gpu/runtime/memory_rates hybrid/cuda/gpu_part_kernels list_ranking/cuda/counts list_ranking/cuda/scans verify/gpu_checksum
  verify/gpu_proof weighted/cuda/ecl_mst weighted/cuda/keys weighted/cuda/pair_rows weighted/cuda/search
  weighted/dendrogram/cuda/dendrogram)
set(on_the_road device/components.cu fast/cuda/solve.cu copse_variants/cuda_unites.cu)  # to the first launch: a test names their files
list(TRANSFORM units REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/src/\\1.cu")
foreach(unit IN LISTS generated units)
  file(RELATIVE_PATH file ${PROJECT_SOURCE_DIR}/src ${unit})
  if(unit IN_LIST generated)
    file(RELATIVE_PATH file ${CMAKE_BINARY_DIR} ${unit})
  endif()
  set(flags)
  if(CMAKE_BUILD_TYPE STREQUAL "Release" AND file IN_LIST on_the_road)
    set(flags -Xcompiler=-g1)
  endif()
  copse_kernels(copse ${unit} ${file} ${flags})
endforeach()
set(hosts api/gpu_edge_sink.cpp api/gpu_incremental.cpp api/gpu_incremental_engine.cpp api/gpu_solver.cpp api/gpu_weighted_forest.cpp
  device/generate.cpp device/gpu_parts.cpp device/piece_line.cpp device/solver.cpp device/stream_files.cpp device/stream_part.cpp
  device/stream_run.cpp device/stream_sink.cpp device/weighted_shares.cpp gpu/runtime/gpu.cpp gpu/runtime/gpu_memory.cpp gpu/runtime/staged_copy.cpp
  hybrid/on_device.cpp list_ranking/cuda/gpu_ranker.cpp list_ranking/on_gpu.cpp variants/cuda_incremental.cpp)
list(TRANSFORM hosts PREPEND ${PROJECT_SOURCE_DIR}/src/)
target_sources(copse PRIVATE ${hosts})
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/api/gpu_solver.cpp ${PROJECT_SOURCE_DIR}/src/device/solver.cpp TARGET_DIRECTORY copse
    PROPERTIES COMPILE_OPTIONS -g1)
endif()
target_compile_definitions(copse PRIVATE COPSE_HAS_CUDA)
target_link_libraries(copse PRIVATE CUDA::cudart_static)
set(COPSE_HAS_CUDA ON)
