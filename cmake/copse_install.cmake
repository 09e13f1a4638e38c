# `cmake --install`: the library, its headers and the package that find_package(copse) reads. The tool installs itself (cli/).
include(CMakePackageConfigHelpers)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/copse)

install(TARGETS copse EXPORT copse-targets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/copse DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT copse-targets NAMESPACE copse:: DESTINATION ${package_dir})

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/copseConfig.cmake.in ${PROJECT_BINARY_DIR}/copseConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/copseConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/copseConfig.cmake ${PROJECT_BINARY_DIR}/copseConfigVersion.cmake
  ${CMAKE_CURRENT_LIST_DIR}/Findzstd_library.cmake DESTINATION ${package_dir})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
