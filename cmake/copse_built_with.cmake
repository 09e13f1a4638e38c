# What was found and is built in: for `copse --version --json`, by a header, and for the SBOM (target sbom). Included last, when all is known.
function(copse_version_in file pattern out)  # joins the numbers behind some macros of a header
  set(numbers)
  if(EXISTS "${file}")
    file(STRINGS ${file} numbers REGEX "${pattern}")
    list(TRANSFORM numbers REPLACE ".*[^0-9]([0-9]+).*" "\\1")
    list(JOIN numbers . numbers)
  endif()
  set(${out} "${numbers}" PARENT_SCOPE)
endfunction()
copse_version_in("${ZSTD_INCLUDE_DIR}/zstd.h" "^#define ZSTD_VERSION_(MAJOR|MINOR|RELEASE) +[0-9]+" zstd_version)
copse_version_in("${ISAL_INCLUDE_DIR}/isa-l.h" "^#define ISAL_(MAJOR|MINOR|PATCH)_VERSION [0-9]+" isal_version)

# Empty: not built in.
foreach(part IN ITEMS "cuda COPSE_HAS_CUDA CUDAToolkit_VERSION" "zlib ZLIB_FOUND ZLIB_VERSION_STRING" "zstd zstd_library_FOUND zstd_version"
    "igzip COPSE_HAS_IGZIP isal_version")
  separate_arguments(part)
  list(GET part 0 name)
  list(GET part 1 found)
  list(GET part 2 version)
  set(built_with_${name})
  if(${found})
    set(built_with_${name} unknown)
    if(${version})
      set(built_with_${name} ${${version}})
    endif()
  endif()
endforeach()
get_property(built_with_parquet GLOBAL PROPERTY COPSE_ARROW_FROM)

set(entries)
foreach(name IN ITEMS cuda parquet zlib zstd igzip)
  string(APPEND entries "    {\"${name}\", \"${built_with_${name}}\"},\n")
endforeach()
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/commit/copse_built_with.hpp CONTENT "#pragma once
#define COPSE_BUILD_TYPE \"${CMAKE_BUILD_TYPE}\"
/// Names and versions of what is built in; an empty version: it is not.
constexpr struct {
  const char* name;
  const char* version;
} copse_built_with[]{
${entries}};
" @ONLY)

# The SBOM of the program: what is compiled into it, and the shared libraries that it loads.
if(TARGET copse_cli AND NOT CMAKE_CROSSCOMPILING)
  find_package(CLI11 QUIET)  # what folder cli found is known there alone
  find_package(nlohmann_json QUIET)
  set(parts "fmt=${fmt_VERSION}=MIT" "CLI11=${CLI11_VERSION}=BSD-3-Clause" "nlohmann_json=${nlohmann_json_VERSION}=MIT"
    "zlib=${built_with_zlib}=Zlib" "zstd=${built_with_zstd}=BSD-3-Clause" "isa-l=${built_with_igzip}=BSD-3-Clause"
    "cudart=${built_with_cuda}=LicenseRef-NVIDIA-CUDA-EULA")
  set(sbom ${PROJECT_BINARY_DIR}/copse.cdx.json)
  add_custom_command(OUTPUT ${sbom} DEPENDS copse_cli ${CMAKE_CURRENT_LIST_DIR}/copse_sbom.cmake VERBATIM
    COMMAND ${CMAKE_COMMAND} -D PROGRAM=$<TARGET_FILE:copse_cli> -D VERSION=${PROJECT_VERSION} "-DPARTS=${parts}" -D OUT=${sbom}
            -P ${CMAKE_CURRENT_LIST_DIR}/copse_sbom.cmake)
  add_custom_target(sbom ALL DEPENDS ${sbom})
  if(COPSE_INSTALL)
    install(FILES ${sbom} DESTINATION ${CMAKE_INSTALL_DOCDIR})
  endif()
endif()
