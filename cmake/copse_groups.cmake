# copse_grouped_sources(target name [OF count] [IN folder] files...): units of a target that are compiled together, `count` of them at a time
# (8 where nothing is said), since reading headers is most of what a small unit costs. The units' unnamed namespaces become one, so a name is
# unique in its folder. Files lie in one of the target's include folders, IN (or else that of the CMakeLists.txt), and are named from there: so
# the units hold no paths, and the compiler's cache finds them again when copse is a folder of another project.
option(COPSE_GROUP_UNITS "Compile small units together: less than half the time from cold. Off where single units are edited" ON)

function(copse_grouped_sources target name)
  cmake_parse_arguments(PARSE_ARGV 2 group "" "OF;IN" "")
  set(files ${group_UNPARSED_ARGUMENTS})
  if(NOT COPSE_GROUP_UNITS)
    if(group_IN)
      list(TRANSFORM files PREPEND ${group_IN}/)
    endif()
    target_sources(${target} PRIVATE ${files})
    return()
  endif()
  if(NOT group_OF)
    set(group_OF 8)
  endif()
  set(number 0)
  while(files)
    list(LENGTH files left)
    math(EXPR number "${number} + 1")
    list(SUBLIST files 0 ${group_OF} together)
    if(left GREATER group_OF)
      list(SUBLIST files ${group_OF} -1 files)
    else()
      set(files)
    endif()
    list(TRANSFORM together REPLACE "(.+)" "#include \"\\1\"")
    # Of a unit alone GCC warns neither of types with members of an unnamed namespace nor of what other units call the same.
    list(PREPEND together "#if defined(__GNUC__) && !defined(__clang__)" "#pragma GCC diagnostic ignored \"-Wsubobject-linkage\""
         "#pragma GCC diagnostic ignored \"-Wshadow\"" "#endif")
    list(JOIN together "\n" content)
    set(unit ${CMAKE_BINARY_DIR}/copse_groups/${name}_${number}.cpp)
    file(CONFIGURE OUTPUT ${unit} CONTENT "${content}\n" @ONLY)
    target_sources(${target} PRIVATE ${unit})
  endwhile()
endfunction()
