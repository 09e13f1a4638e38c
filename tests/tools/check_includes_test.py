"""The include checker is itself checked: each tree below has one fault, and must be refused for it, or none, and must pass."""
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
import check_includes  # noqa: E402

GOOD = {
    "include/copse/core/types.hpp": "#include <cstdint>\n",
    "include/copse/graph/csr.hpp": "#include <copse/core/types.hpp>\n",
    "include/copse/rules/find/naive.hpp": "#include <copse/core/types.hpp>\n",
    "include/copse/copse.hpp": "#include <copse/graph/csr.hpp>\n",
    "src/io/read.cpp": '#include "io/read.hpp"\n#include <copse/graph/csr.hpp>\nint snprintf_like; // std::cout << printf("x")\n',
    "src/io/read.hpp": "int exit_code(); int f(s x) { return x.exit(1), exit_code(); }\n",
    "src/backend/omp/omp.hpp": "#include <omp.h>\n#include <copse/rules/find/naive.hpp>\n#pragma omp parallel for\n",
    "src/backend/cuda/cuda.cuh": "#include <cuda/atomic>\n#include <copse/rules/find/naive.hpp>\n",
    "src/backend/cuda/gpu.cpp": "#include <cuda_runtime_api.h>\n",
    "src/drivers/all.cu": "#include <backend/cuda/cuda.cuh>\n#include <cub/cub.cuh>\n",
    "src/drivers/solve.cpp": 'const char* usage = "exit(1)";\n#include <backend/omp/omp.hpp>\n',
    "cli/main.cpp": "#include <copse/copse.hpp>\n#include <iostream>\nint main() { std::cout << 1; std::exit(2); }\n",
    "tests/unit/a.cpp": "#include <backend/omp/omp.hpp>\n",
}


class check_includes_test(unittest.TestCase):
    def faults(self, changes):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**GOOD, **changes}.items():
                file = Path(folder) / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            return check_includes.check(folder)

    def refused(self, name, text, expected):
        faults = self.faults({name: text})
        self.assertEqual(len(faults), 1, faults)
        self.assertTrue(faults[0].startswith(name + ":"), faults)
        self.assertIn(expected, faults[0])

    def test_good_tree_passes(self):
        self.assertEqual(self.faults({}), [])

    def test_upward_include(self):
        self.refused("include/copse/core/types.hpp", "#include <copse/graph/csr.hpp>\n", "core including include/copse/graph/csr.hpp")

    def test_reader_that_knows_a_rule(self):
        self.refused("src/io/read.hpp", "#include <copse/rules/find/naive.hpp>\n", "io including")

    def test_verifier_that_shares_code_with_what_it_checks(self):
        self.refused("src/verify/verify.cpp", "\n#include <copse/rules/find/naive.hpp>\n", "verify.cpp:2:")

    def test_relative_include_is_seen_through(self):
        self.refused("src/io/read.hpp", '#include "../drivers/solve.cpp"\n', "io including src/drivers/solve.cpp")

    def test_umbrella_inside_the_library(self):
        self.refused("src/io/read.hpp", "#include <copse/copse.hpp>\n", "umbrella")

    def test_cli_that_reaches_inside(self):
        self.refused("cli/main.cpp", "#include <backend/omp/omp.hpp>\n", "cli including")

    def test_missing_file(self):
        self.refused("src/io/read.hpp", '#include "io/nothing.hpp"\n', "a file of this project")

    def test_unknown_room(self):
        self.refused("src/attic/a.cpp", "#include <copse/core/types.hpp>\n", "room 'attic'")

    def test_openmp_outside_the_backend(self):
        self.refused("src/io/read.hpp", "#pragma omp parallel\n", "OpenMP")
        self.refused("src/io/read.hpp", "#include <omp.h>\n", "omp.h")
        self.refused("src/io/read.hpp", "int n = omp_get_max_threads();\n", "OpenMP")

    def test_cuda_outside_its_place(self):
        self.refused("src/drivers/solve.cpp", "#include <backend/cuda/cuda.cuh>\n", "a .cuh included by .cuh and .cu only")
        self.refused("src/io/read.hpp", "#include <cuda_runtime.h>\n", "CUDA")
        self.refused("src/io/read.hpp", "#include <cuda/atomic>\n", "CUDA")

    def test_library_that_prints(self):
        for text in ("std::cerr << 1;", "std::printf(1);", "fprintf(stderr, 1);", "fmt::print(1);", "puts(1);"):
            self.refused("src/io/read.hpp", f"void f() {{ {text} }}\n", "prints")

    def test_library_that_exits(self):
        for text in ("exit(1);", "std::exit(1);", "std::abort();"):
            self.refused("src/io/read.hpp", f"void f() {{ {text} }}\n", "ends the process")

    def test_empty_tree_is_a_fault(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(len(check_includes.check(folder)), 1)


if __name__ == "__main__":
    unittest.main()
