# Not tested: no vcpkg here. An overlay port of this clone: vcpkg install copse --overlay-ports=packaging/vcpkg
vcpkg_cmake_configure(SOURCE_PATH ${CMAKE_CURRENT_LIST_DIR}/../..
  OPTIONS -DCOPSE_CUDA=OFF -DCOPSE_IGZIP=OFF -DCOPSE_BUILD_CLI=OFF -DCOPSE_BUILD_TESTS=OFF -DCOPSE_BUILD_LAB=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME copse CONFIG_PATH lib/cmake/copse)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE ${CURRENT_PACKAGES_DIR}/debug/include ${CURRENT_PACKAGES_DIR}/debug/share)
vcpkg_install_copyright(FILE_LIST ${CMAKE_CURRENT_LIST_DIR}/../../LICENSE)
