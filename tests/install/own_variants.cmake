# Configures own_variants/ as a project outside copse, and tries the program that this build made of the same folder, so that the
# library is compiled once.
execute_process(COMMAND ${CMAKE_COMMAND} -G ${generator} -S ${CMAKE_CURRENT_LIST_DIR}/own_variants -B ${work} -D COPSE_FOLDER=${source}
  -D CMAKE_CXX_COMPILER=${compiler} -D CMAKE_BUILD_TYPE=${type} -D COPSE_CUDA=${cuda} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
# expect(CODE TEXT arguments...): the program ends with that exit code, and what it prints matches.
function(expect code text)
  execute_process(COMMAND ${program} ${ARGN} COMMAND_ECHO STDOUT OUTPUT_VARIABLE out ERROR_VARIABLE err RESULT_VARIABLE ended)
  message(STATUS "${out}${err}")
  if(NOT ended STREQUAL code OR NOT "${out}${err}" MATCHES "${text}")
    message(FATAL_ERROR "found exit code ${ended}, expected ${code} and ${text}")
  endif()
endfunction()
set(graph "rmat:scale=12,edges=8")
set(right serial.none.async.split_by_three threads.first_target.async.split_by_three threads.first_target.rem_cas.naive.halve_one
  serial.none.falling_labels threads.kout.falling_labels)
foreach(variant IN LISTS right)
  expect(0 "${variant}" variants ${variant})
  expect(0 "verified" components ${graph} --variant ${variant} --threads 2 --verify)
endforeach()
expect(1 "" components ${graph} --variant serial.none.forgetful.split_by_three --verify)
expect(2 "added by a program, and added variants find components only" forest ${graph} --variant serial.none.async.split_by_three -o -)
expect(2 "unknown find or rule of async 'split_by_four'; known: .*split_by_three" components ${graph} --variant serial.none.async.split_by_four)
if(on_gpu)
  expect(0 "cuda.first_target.falling_labels" variants "cuda.first_target.*")
endif()
if(type STREQUAL Release)  # others refuse to measure
  list(JOIN right "," variants)
  expect(0 "threads[.]kout[.]falling_labels" bench ${graph} --variants "${variants},serial.none.rem" --threads 2 --trials 2 --count)
  expect(0 "split_by_three" bench ${graph} --variants "*.async.split_by_three,auto" --input coo --threads 2 --trials 1 --within 1e9)
  expect(1 "forgetful[.]split_by_three  .WRONG LABELS" bench ${graph} --variants "serial.none.forgetful.*,auto" --threads 2 --trials 1)
endif()
