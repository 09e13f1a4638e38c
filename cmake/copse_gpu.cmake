# The GPU part: on by itself where nvcc is found (COPSE_CUDA=AUTO); OFF leaves it out, SEEN where nvidia-smi shows no GPU, ON insists. Says
# once, while configuring, what becomes of it.
# nvcc is called as a tool, for the few units that need it, rather than as a language of the project: a static library with a language
# hands it on to everyone who links it, who may have no nvcc, and CMake 3.25 knows no C++20 of nvcc 13.
set(COPSE_CUDA AUTO CACHE STRING "Build the GPU part: AUTO, SEEN, ON or OFF")
set(COPSE_CUDA_ARCHITECTURES "" CACHE STRING "Such as 90 or 80;90; empty: this machine's GPU, or 90 where none is seen")
set(COPSE_HAS_CUDA OFF)
set(COPSE_KERNEL_FLAGS "" CACHE INTERNAL "Of nvcc; empty without the GPU part")
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

# A rule that cannot run on a GPU is an error, as in copse/extend/host_device.hpp. What becomes a kernel is optimised by nvcc in any case.
# What runs on the host launches kernels, and is not optimised for speed. Half precision and ranges for NVTX, which nothing here uses, are
# much of what CUB's headers read.
set(COPSE_KERNEL_FLAGS -std=c++20 --expt-relaxed-constexpr -Werror cross-execution-space-call ${COPSE_NVCC_CODE} -DNDEBUG -DCOPSE_HAS_CUDA
  -DCCCL_DISABLE_FP16_SUPPORT -DCCCL_DISABLE_BF16_SUPPORT -DCCCL_DISABLE_NVTX -Xcompiler=-O2,-fPIC,-Wall,-Wextra
  CACHE INTERNAL "")

# Compiles a unit of kernels into a target; `file` names the object. From the top of the build, as ninja compiles all else: the compiler's
# cache then finds the objects of another build, also where copse is a folder of another project. More arguments are flags.
function(copse_kernels target unit file)
  string(REPLACE / _ file ${file})
  set(object ${PROJECT_BINARY_DIR}/${file}.o)
  add_custom_command(OUTPUT ${object}
    COMMAND ${CMAKE_CXX_COMPILER_LAUNCHER} ${COPSE_NVCC} ${COPSE_KERNEL_FLAGS} ${ARGN}
      -I${copse_SOURCE_DIR}/include -I${copse_SOURCE_DIR}/src -MD -MF ${object}.d -c ${unit} -o ${object}
    WORKING_DIRECTORY ${CMAKE_BINARY_DIR} DEPENDS ${unit} DEPFILE ${object}.d COMMENT "Building kernels: ${file}.o" VERBATIM)
  set_source_files_properties(${object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  target_sources(${target} PRIVATE ${object})
endfunction()

# The kernels of the variants' finishes, in units that compile side by side.
function(copse_cuda_unit name header type function functions)
  configure_file(${PROJECT_SOURCE_DIR}/src/variants/cuda_unit.cu.in ${CMAKE_BINARY_DIR}/copse_variants/${name}.cu @ONLY)
endfunction()
copse_cuda_unit(cuda_unites cuda_finishes cuda_finish cuda_unite_function "finish_functions_of<backend::cuda, std::uint32_t>(united_entries{})")
copse_cuda_unit(cuda_rounds cuda_finishes cuda_finish cuda_rounds_function "finish_functions_of<backend::cuda, std::uint32_t>(other_entries{})")
copse_cuda_unit(cuda_forest_unites cuda_forest_finishes cuda_recorder cuda_recorder_of
  "recorders_of<backend::recording_cuda, std::uint32_t>(united_entries{})")
copse_cuda_unit(cuda_inserts cuda_incremental cuda_inserter cuda_insert_function "insert_functions_of(united_entries{})")
copse_cuda_unit(cuda_mixes cuda_incremental cuda_answerer cuda_mix_function "mix_functions_of(united_entries{})")
copse_cuda_unit(cuda_insert_rounds cuda_incremental cuda_inserter cuda_insert_in_rounds_function "insert_functions_of(other_entries{})")
copse_cuda_unit(cuda_queries cuda_incremental cuda_answerer cuda_query_function "query_functions_of(finishes{})")

# copse_cuda_group(name [FLAGS flags...] FILES files...): files of src, or of copse_variants in the build, that become one unit where units
# are grouped (copse_groups.cmake). nvcc reads the headers of a unit five times, which is most of what a small one costs.
function(copse_cuda_group name)
  cmake_parse_arguments(PARSE_ARGV 1 group "" "" "FLAGS;FILES")
  set(lines)
  foreach(file IN LISTS group_FILES)
    set(folder ${PROJECT_SOURCE_DIR}/src)
    set(included ${file}.cu)
    if(file MATCHES "^copse_variants/")
      set(folder ${CMAKE_BINARY_DIR})
      set(included ../${included})
    endif()
    string(APPEND lines "#include \"${included}\"\n")
    if(NOT COPSE_GROUP_UNITS)
      copse_kernels(copse ${folder}/${file}.cu ${file}.cu ${group_FLAGS})
    endif()
  endforeach()
  if(COPSE_GROUP_UNITS)
    set(unit copse_groups/${name}.cu)
    file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/${unit} CONTENT "${lines}" @ONLY)
    copse_kernels(copse ${CMAKE_BINARY_DIR}/${unit} ${unit} ${group_FLAGS})
  endif()
endfunction()
set(with_lines)
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  set(with_lines -Xcompiler=-g1)  # on the road to the first launch: a test names its files
endif()
# The longest first. Each takes nvcc 13 under a minute of a core (tools/build_times.py says how long).
copse_cuda_group(cuda_counting FILES device/counting)
copse_cuda_group(cuda_unites FLAGS ${with_lines} FILES copse_variants/cuda_unites)
copse_cuda_group(cuda_forest FILES copse_variants/cuda_forest_unites device/spanning_forest)
copse_cuda_group(cuda_components FLAGS ${with_lines} FILES copse_variants/cuda_rounds device/components)
copse_cuda_group(cuda_inserts FILES copse_variants/cuda_inserts copse_variants/cuda_insert_rounds)
copse_cuda_group(cuda_queries FILES copse_variants/cuda_mixes copse_variants/cuda_queries)
copse_cuda_group(cuda_live FILES drivers/incremental/cuda/device_forest drivers/incremental/cuda/gpu_live
  drivers/incremental/cuda/past_giant)
copse_cuda_group(cuda_weighted FILES weighted/cuda/search weighted/cuda/ecl_mst weighted/cuda/keys weighted/cuda/pair_rows
  device/weighted_forest)
copse_cuda_group(cuda_trees FILES drivers/bridges/cuda/cuts drivers/rooting/cuda/tour weighted/dendrogram/cuda/dendrogram)
copse_cuda_group(cuda_fast FLAGS ${with_lines} FILES hybrid/cuda/gpu_part_kernels fast/cuda/solve)
copse_cuda_group(cuda_lists FILES list_ranking/cuda/rank)
copse_cuda_group(cuda_edges FILES gpu/loops/edge_rows gpu/loops/sort_and_sum gpu/runtime/memory_rates gen/gpu_edges
  verify/gpu_checksum)
copse_cuda_group(cuda_arrays FILES gpu/loops/row_facts device/piece_kernels verify/gpu_proof)
set(hosts api/bridges_on_gpu.cpp api/components_on_stream.cpp api/gpu_graph.cpp api/gpu_solves.cpp api/incremental_on_gpu.cpp
  api/through_gpus.cpp api/weighted_on_gpu.cpp device/generate.cpp device/gpu_facts.cpp device/gpu_parts.cpp device/piece_line.cpp device/solver.cpp device/stream_part.cpp
  device/stream_run.cpp device/stream_sink.cpp device/weighted_shares.cpp gpu/runtime/gpu.cpp gpu/runtime/staged_copy.cpp
  hybrid/on_device.cpp list_ranking/cuda/gpu_ranker.cpp variants/cuda_incremental.cpp)
list(TRANSFORM hosts PREPEND ${PROJECT_SOURCE_DIR}/src/)
target_sources(copse PRIVATE ${hosts})
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  set_source_files_properties(${PROJECT_SOURCE_DIR}/src/api/gpu_graph.cpp ${PROJECT_SOURCE_DIR}/src/api/gpu_solves.cpp ${PROJECT_SOURCE_DIR}/src/device/solver.cpp TARGET_DIRECTORY copse
    PROPERTIES COMPILE_OPTIONS -g1)
endif()
target_compile_definitions(copse PRIVATE COPSE_HAS_CUDA)
# Whoever links an installed copse gets the runtime with it (copse_install.cmake), and needs no toolkit.
target_link_libraries(copse PRIVATE $<BUILD_INTERFACE:CUDA::cudart_static> $<INSTALL_INTERFACE:copse::cudart>)
set(COPSE_HAS_CUDA ON)
