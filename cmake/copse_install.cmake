# `cmake --install`: the library, its headers and the package that find_package(copse) reads. The tool installs itself (cli/).
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/copse)

install(TARGETS copse EXPORT copse-targets)
if(TARGET copse_c)
  install(TARGETS copse_c copse_c_static EXPORT copse-targets)
  install(FILES ${PROJECT_SOURCE_DIR}/include/copse.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  # What a program needs that links the static one; the shared one has it inside.
  set(COPSE_PRIVATE_LIBRARIES "-lcopse -lfmt -lstdc++ -lm -pthread")
  set(COPSE_PRIVATE_PACKAGES)
  if(ZLIB_FOUND)
    string(APPEND COPSE_PRIVATE_PACKAGES " zlib")
  endif()
  if(zstd_library_FOUND)
    string(APPEND COPSE_PRIVATE_PACKAGES " libzstd")
  endif()
  if(COPSE_HAS_CUDA)
    string(APPEND COPSE_PRIVATE_LIBRARIES " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -ldl -lrt")
  endif()
  file(RELATIVE_PATH COPSE_INCLUDE_FROM_PC /${CMAKE_INSTALL_LIBDIR}/pkgconfig /${CMAKE_INSTALL_INCLUDEDIR})
  string(STRIP "${COPSE_PRIVATE_PACKAGES}" COPSE_PRIVATE_PACKAGES)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/copse_c.pc.in ${PROJECT_BINARY_DIR}/copse_c.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/copse_c.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/copse DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT copse-targets NAMESPACE copse:: DESTINATION ${package_dir})

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/copseConfig.cmake.in ${PROJECT_BINARY_DIR}/copseConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/copseConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/copseConfig.cmake ${PROJECT_BINARY_DIR}/copseConfigVersion.cmake
  ${CMAKE_CURRENT_LIST_DIR}/Findzstd_library.cmake DESTINATION ${package_dir})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
