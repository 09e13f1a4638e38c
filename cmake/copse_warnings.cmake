# One set of warnings for everything of ours.
function(copse_warnings target)
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion>
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>)  # false alarms of GCC 12 where a literal is assigned to a string
endfunction()
