# copse_add_variants(TARGET HEADERS header... [UNITES type...] [FINISHES type...] [SAMPLERS type...] [CPU_ONLY]): an executable like `copse`
# whose table of variants has these types, too (docs/how-to/add_a_rule.md). Headers are named from the folder of the
# caller; their folders become include folders of the target. Where copse has its GPU part, the types are compiled by nvcc as well, unless
# CPU_ONLY says that they cannot be. Needs COPSE_BUILD_CLI.
function(copse_add_variants target)
  cmake_parse_arguments(PARSE_ARGV 1 own "CPU_ONLY" "" "HEADERS;UNITES;FINISHES;SAMPLERS")
  if(NOT TARGET copse_cli_commands)
    message(FATAL_ERROR "copse_add_variants: set COPSE_BUILD_CLI to ON before add_subdirectory(copse): the program is made of the command line")
  elseif(own_UNPARSED_ARGUMENTS OR NOT own_HEADERS OR NOT (own_UNITES OR own_FINISHES OR own_SAMPLERS))
    message(FATAL_ERROR "copse_add_variants: give a target, HEADERS, and at least one of UNITES, FINISHES and SAMPLERS")
  endif()

  set(includes)
  set(folders)
  foreach(header IN LISTS own_HEADERS)
    get_filename_component(path ${header} ABSOLUTE)
    get_filename_component(folder ${path} DIRECTORY)
    get_filename_component(name ${path} NAME)
    string(APPEND includes "#include \"${name}\"\n")
    list(APPEND folders ${folder})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(kind IN ITEMS UNITES FINISHES SAMPLERS)
    string(REPLACE ";" ", " ${kind} "${own_${kind}}")
  endforeach()
  set(on_gpu false)
  if(COPSE_KERNEL_FLAGS AND NOT own_CPU_ONLY)
    set(on_gpu true)
  endif()

  # A unit for the table and the CPU, one for solves that count, and one for the kernels: they compile side by side.
  set(units ${CMAKE_CURRENT_BINARY_DIR}/${target}_variants)
  function(copse_own_unit name code)
    configure_file(${copse_SOURCE_DIR}/src/variants/added_unit.cpp.in ${units}/${name} @ONLY)
  endfunction()
  copse_own_unit(cpu.cpp "add_entries(samplers_here{}, finishes_here{}, ${on_gpu}),
    add_functions<copse::backend::serial, std::uint32_t>(samplers_here{}, finishes_here{}),
    add_functions<copse::backend::serial, std::uint64_t>(samplers_here{}, finishes_here{}),
    add_functions<copse::backend::threads, std::uint32_t>(samplers_here{}, finishes_here{}),
    add_functions<copse::backend::threads, std::uint64_t>(samplers_here{}, finishes_here{})")
  copse_own_unit(counting.cpp "add_functions<counting_serial, std::uint32_t>(samplers_here{}, finishes_here{}),
    add_functions<counting_threads, std::uint32_t>(samplers_here{}, finishes_here{})")
  add_executable(${target} ${units}/cpu.cpp ${units}/counting.cpp)
  set_source_files_properties(${units}/counting.cpp PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O1>)
  target_include_directories(${target} PRIVATE ${folders} ${copse_SOURCE_DIR}/src)
  target_link_libraries(${target} PRIVATE copse_cli_commands copse_cli_parts copse_cli_shared copse::copse)
  if(on_gpu)
    copse_own_unit(gpu.cu "add_functions<copse::backend::cuda, std::uint32_t>(samplers_here{}, finishes_here{})")
    list(TRANSFORM folders PREPEND -I)
    copse_kernels(${target} ${units}/gpu.cu ${target}_variants.cu ${folders})
  endif()
endfunction()
