# cmake -D PROGRAM=FILE -D VERSION=X -D PARTS=name=version=license;... -D OUT=FILE -P copse_sbom.cmake: writes what a program is made of, as
# CycloneDX JSON: the parts that have a version, and the shared libraries that the loader would take, with their SHA-256.
cmake_minimum_required(VERSION 3.25)
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${PROGRAM} RESOLVED_DEPENDENCIES_VAR libraries UNRESOLVED_DEPENDENCIES_VAR missing)
set(components)
foreach(part IN LISTS PARTS)
  string(REPLACE = ";" part "${part}")
  list(GET part 0 name)
  list(GET part 1 version)
  list(GET part 2 license)
  if(version)
    list(APPEND components "{\"type\": \"library\", \"name\": \"${name}\", \"version\": \"${version}\", \"licenses\": [{\"expression\": \"${license}\"}]}")
  endif()
endforeach()
foreach(library IN LISTS libraries)
  get_filename_component(name ${library} NAME)
  file(REAL_PATH ${library} file)
  file(SHA256 ${file} hash)
  list(APPEND components "{\"type\": \"file\", \"name\": \"${name}\", \"hashes\": [{\"alg\": \"SHA-256\", \"content\": \"${hash}\"}]}")
endforeach()
foreach(name IN LISTS missing)
  list(APPEND components "{\"type\": \"file\", \"name\": \"${name}\"}")
endforeach()
list(JOIN components ",\n    " components)
file(SHA256 ${PROGRAM} hash)
file(WRITE ${OUT} "{
  \"bomFormat\": \"CycloneDX\",
  \"specVersion\": \"1.5\",
  \"version\": 1,
  \"metadata\": {
    \"component\": {\"type\": \"application\", \"name\": \"copse\", \"version\": \"${VERSION}\", \"licenses\": [{\"license\": {\"id\": \"MIT\"}}],
      \"hashes\": [{\"alg\": \"SHA-256\", \"content\": \"${hash}\"}]}
  },
  \"components\": [
    ${components}
  ]
}
")
