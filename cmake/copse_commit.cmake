# copse_commit(target): the target may include <copse_commit.hpp>, which defines COPSE_COMMIT. It is asked for by every build, not by every
# configuration: a measurement that names an older commit than it measures is worse than none.
if(CMAKE_SCRIPT_MODE_FILE)
  set(commit unknown)
  if(GIT)
    set(ENV{GIT_OPTIONAL_LOCKS} 0)
    execute_process(COMMAND ${GIT} describe --always --dirty --abbrev=12 --exclude=* WORKING_DIRECTORY ${SOURCE}
                    OUTPUT_VARIABLE said OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE status ERROR_QUIET)
    if(status EQUAL 0)
      set(commit ${said})
    endif()
  endif()
  file(CONFIGURE OUTPUT ${HEADER} CONTENT "#pragma once\n#define COPSE_COMMIT \"${commit}\"\n")  # written only when it changes
  return()
endif()

function(copse_commit target)
  set(folder ${PROJECT_BINARY_DIR}/commit)
  if(NOT TARGET copse_commit)
    find_package(Git QUIET)
    add_custom_target(copse_commit BYPRODUCTS ${folder}/copse_commit.hpp COMMENT ""
      COMMAND ${CMAKE_COMMAND} -DGIT=${GIT_EXECUTABLE} -DSOURCE=${PROJECT_SOURCE_DIR} -DHEADER=${folder}/copse_commit.hpp
              -P ${PROJECT_SOURCE_DIR}/cmake/copse_commit.cmake)
  endif()
  add_dependencies(${target} copse_commit)
  target_include_directories(${target} PRIVATE ${folder})
endfunction()
