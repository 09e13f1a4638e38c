"""The include checker is itself checked: each tree below has one fault, and must be refused for it, or none, and must pass."""
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
import check_includes  # noqa: E402

GOOD = {
    "include/copse/types.hpp": "#include <cstdint>\n",
    "include/copse/views.hpp": "#include <copse/types.hpp>\n",
    "include/copse/list_ranking.hpp": "#include <copse/types.hpp>\n",
    "include/copse/verify.hpp": "#include <copse/list_ranking.hpp>\n",
    "include/copse/cuda.hpp": "#include <copse/verify.hpp>\n",
    "include/copse/copse.hpp": "#include <copse/cuda.hpp>\n",
    "include/copse/extend/parent_array.hpp": "#include <copse/types.hpp>\n",
    "include/copse/extend/parents/plain.hpp": "#include <copse/extend/parent_array.hpp>\n",
    "include/copse/extend/rules/find/naive.hpp": "#include <copse/extend/parent_array.hpp>\n",
    "src/core/team.cpp": "#include <thread>\nvoid start() { std::thread{[] {}}.detach(); }\n",
    "src/core/team.hpp": "#include <copse/types.hpp>\n",
    "src/instruments/counting.hpp": "#include <parents/device.hpp>\n",
    "src/parents/device.hpp": "#include <copse/extend/parents/plain.hpp>\n",
    "src/io/read.cpp": '#include "io/read.hpp"\n#include <copse/views.hpp>\nint snprintf_like; // std::cout << printf("x")\n',
    "src/io/read.hpp": "int exit_code(); int f(s x) { return x.exit(1), exit_code(); }\n",
    "src/loops/threads.hpp": "#include <copse/extend/rules/find/naive.hpp>\n#include <core/team.hpp>\nvoid f() { std::this_thread::yield(); }\n",
    "src/gpu/loops/cuda.cuh": "#include <cuda/atomic>\n#include <copse/extend/rules/find/naive.hpp>\n#include <loops/threads.hpp>\n",
    "src/gpu/loops/counting.cuh": "#include <instruments/counting.hpp>\n",
    "src/gpu/runtime/gpu.hpp": "#include <cuda_runtime_api.h>\n",
    "src/device/gpus.cpp": "#include <copse/cuda.hpp>\n#include <cuda_runtime_api.h>\n#include <gpu/runtime/gpu.hpp>\n#include <fast/cuda/workspace.hpp>\n",
    "src/drivers/all.cu": "#include <gpu/loops/cuda.cuh>\n#include <cub/cub.cuh>\n",
    "src/drivers/solve.cpp": 'const char* usage = "exit(1)";\n#include <loops/threads.hpp>\nunsigned n = std::thread::hardware_concurrency();\n',
    "src/fast/cuda/options.hpp": "#include <copse/types.hpp>\n",
    "src/variants/components_code.hpp": "#include <instruments/counting.hpp>\n",
    "src/hybrid/on_device.cpp": "#include <copse/cuda.hpp>\n#include <gpu/runtime/gpu.hpp>\n",
    "cli/main.cpp": '#include "options.hpp"\n#include <copse/copse.hpp>\n#include <iostream>\nint main() { std::cout << 1; std::exit(2); }\n',
    "cli/options.hpp": "#include <string>\n",
    "examples/custom_rule.cpp": "#include <copse/extend/parents/plain.hpp>\n#include <thread>\nstd::thread one;\n",
    "examples/gpu_stream.cpp": "#include <cuda_runtime_api.h>\n#include <copse/cuda.hpp>\n",
    "tests/unit/a.cpp": "#include <loops/threads.hpp>\n#include <instruments/counting.hpp>\n#pragma omp parallel\n",
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
        self.refused("src/core/team.hpp", "#include <copse/views.hpp>\n", "core including include/copse/views.hpp (graph)")
        self.refused("include/copse/types.hpp", "#include <copse/views.hpp>\n", "core including include/copse/views.hpp (graph)")
        self.refused("src/loops/threads.hpp", "#include <gpu/runtime/gpu.hpp>\n", "loops including src/gpu/runtime/gpu.hpp")
        self.refused("src/gpu/runtime/gpu.hpp", "#include <copse/cuda.hpp>\n", "gpu including include/copse/cuda.hpp (device)")
        self.refused("src/device/gpus.cpp", '#include "hybrid/on_device.cpp"\n', "device including")

    def test_reader_that_knows_a_rule(self):
        self.refused("src/io/read.hpp", "#include <copse/extend/rules/find/naive.hpp>\n", "io including")

    def test_verifier_that_shares_code_with_what_it_checks(self):
        self.refused("src/verify/verify.cpp", "\n#include <copse/extend/rules/find/naive.hpp>\n", "verify.cpp:2:")

    def test_relative_include_is_seen_through(self):
        self.refused("src/io/read.hpp", '#include "../drivers/solve.cpp"\n', "io including src/drivers/solve.cpp")

    def test_umbrella_inside_the_library(self):
        self.refused("src/io/read.hpp", "#include <copse/copse.hpp>\n", "umbrella")

    def test_user_that_reaches_inside(self):
        for file in ("cli/main.cpp", "examples/custom_rule.cpp", "python/module.cpp"):
            self.refused(file, "#include <loops/threads.hpp>\n", "including src/loops/threads.hpp")
        self.refused("python/module.cpp", "#include <copse/extend/parents/plain.hpp>\n", "outside extend only")

    def test_what_the_command_line_alone_needs(self):
        header = {"src/io/temporaries.hpp": "void remove();\n"}
        self.assertEqual(self.faults({**header, "cli/main.cpp": '#include "io/temporaries.hpp"\n'}), [])
        for file in ("examples/custom_rule.cpp", "python/module.cpp", "include/copse/views.hpp"):
            faults = self.faults({**header, file: "#include <io/temporaries.hpp>\n"})
            self.assertEqual(len(faults), 1, faults)

    def test_order_of_includes(self):
        self.refused("src/drivers/all.cu", "#include <gpu/loops/cuda.cuh>\n//\n#include <copse/types.hpp>\n", "all.cu:2:")
        loops = {"src/loops/arcs.hpp": "template <class Backend>\nvoid visit(const Backend& loops, int set) {}\n",
                 "src/gpu/loops/visit.cuh": "inline void visit(const cuda& loops, int set) {}\n"}
        self.assertEqual(self.faults({**loops, "src/finish/cc.hpp": "void f() { visit(loops, 1), backend::gather(loops); }\n"}), [])
        faults = self.faults({**loops, "src/finish/cc.hpp": "\nvoid f() { backend::visit(loops, 1); }\n"})
        self.assertEqual(faults, ["src/finish/cc.hpp:2: found backend::visit, expected visit unqualified: its arguments find it"])

    def test_installed_header_that_includes_what_is_not(self):
        self.refused("include/copse/views.hpp", "#include <core/team.hpp>\n", "include including src/core/team.hpp")
        self.refused("include/copse/copse.hpp", "#include <gpu/runtime/gpu.hpp>\n", "include including src/gpu")
        self.refused("include/copse/extend/parents/plain.hpp", "#include <parents/device.hpp>\n", "include including src/parents")
        self.refused("include/copse/views.hpp", "#include <copse/extend/parent_array.hpp>\n", "outside extend only")

    def test_instruments_in_the_library(self):
        self.refused("src/drivers/solve.cpp", "#include <instruments/counting.hpp>\n", "instruments in")
        self.refused("src/variants/table.hpp", "#include <instruments/counting.hpp>\n", "instruments in")

    def test_missing_file(self):
        self.refused("src/io/read.hpp", '#include "io/nothing.hpp"\n', "a file of this project")

    def test_unknown_room(self):
        self.refused("src/attic/a.cpp", "int a;\n", "room 'attic'")
        self.refused("include/copse/attic.hpp", "int a;\n", "room 'attic.hpp'")
        self.refused("include/copse/graph/csr.hpp", "int a;\n", "room 'graph/csr.hpp'")
        self.refused("include/copse/extend/attic/a.hpp", "int a;\n", "room 'extend/attic'")

    def test_too_many_installed_headers(self):
        names = sorted(name for name in check_includes.PUBLIC if name.endswith(".hpp"))
        self.assertEqual(self.faults({f"include/copse/{name}": "\n" for name in names}), [])
        most, check_includes.MOST_PUBLIC = check_includes.MOST_PUBLIC, len(names) - 1
        try:
            faults = self.faults({f"include/copse/{name}": "\n" for name in names})
        finally:
            check_includes.MOST_PUBLIC = most
        self.assertEqual(len(faults), 1, faults)
        self.assertIn(f"found {len(names)} headers beside extend/", faults[0])

    def test_openmp_in_the_library(self):
        self.refused("src/loops/threads.hpp", "#pragma omp parallel\n", "OpenMP")
        self.refused("src/core/team.hpp", "#include <omp.h>\n", "omp.h")
        self.refused("src/io/read.hpp", "int n = omp_get_max_threads();\n", "OpenMP")

    def test_thread_outside_core(self):
        for text in ("std::thread t{f};", "std::jthread t{f};", "std::async(f);", "pthread_create(&t, 0, f, 0);"):
            self.refused("src/io/read.hpp", f"void g() {{ {text} }}\n", "a thread that is started")

    def test_cuda_outside_its_place(self):
        self.refused("src/drivers/solve.cpp", "#include <gpu/loops/cuda.cuh>\n", "a .cuh included by .cuh and .cu only")
        for room in ("io", "hybrid", "list_ranking"):
            self.refused(f"src/{room}/read.hpp", "#include <cuda_runtime.h>\n", "CUDA")
        self.refused("include/copse/cuda.hpp", "#include <cuda_runtime_api.h>\n", "CUDA")
        self.refused("src/io/read.hpp", "#include <cuda/atomic>\n", "CUDA")
        self.refused("examples/file.cpp", "#include <cuda_runtime_api.h>\n", "CUDA")

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
