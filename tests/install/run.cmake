# Installs (way=find_package) or not (way=add_subdirectory), then configures, builds and runs consumer/ in `work`.
function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(prefix ${work}/prefix)
set(how -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_CXX_COMPILER_LAUNCHER=${launcher} -D CMAKE_BUILD_TYPE=${type} -D "CMAKE_CXX_FLAGS=${flags}"
  -D COPSE_CUDA=${cuda})
if(way STREQUAL find_package)
  file(REMOVE_RECURSE ${prefix})
  run(${CMAKE_COMMAND} --install ${build} --prefix ${prefix})
  foreach(file IN ITEMS bin/copse include/copse/copse.hpp share/man/man1/copse.1 share/bash-completion/completions/copse
                        share/zsh/site-functions/_copse share/fish/vendor_completions.d/copse.fish share/doc/copse/LICENSE)
    file(SIZE ${prefix}/${file} bytes)
    if(bytes EQUAL 0)
      message(FATAL_ERROR "${prefix}/${file} is empty")
    endif()
  endforeach()
  run(${prefix}/bin/copse --version)
  list(APPEND how -D CMAKE_PREFIX_PATH=${prefix})
else()
  list(APPEND how -D COPSE_FOLDER=${source})
endif()
# The project is configured anew, but keeps what it built before.
file(REMOVE ${work}/CMakeCache.txt)
run(${CMAKE_COMMAND} -G ${generator} -S ${CMAKE_CURRENT_LIST_DIR}/consumer -B ${work} ${how})
run(${CMAKE_COMMAND} --build ${work})
run(${work}/consumer)
