"""The checker of type names is itself checked: each tree below has one fault, and must be refused for it, or none, and must pass."""
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
import check_type_names  # noqa: E402

GOOD = {
    "src/core/team.hpp": "#pragma once\nnamespace copse {\nclass team {\n  struct seat {};\n};\nstruct later;\n}\n",
    "src/io/later.hpp": "namespace copse::io {\nstruct later {\n  enum class seat { front };\n};\n}\n",
    "src/io/read.cpp": "namespace {\n// struct team {\nconst char* text = \"struct team {\";\nvoid f() {\n  struct seat {};\n}\n}\n",
    "src/loops/forest.hpp": "template <class Id>\nclass forest {};\n",
    "src/gpu/forest.cuh": "template <class team>\nclass forest<team> : base {};\nstruct team::seat {};\nstruct team f() { return {}; }\n",
}


class check_type_names_test(unittest.TestCase):
    def faults(self, changes):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in {**GOOD, **changes}.items():
                file = Path(folder) / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            return check_type_names.check(folder)

    def test_good_tree_passes(self):
        self.assertEqual(self.faults({}), [])

    def test_a_name_of_two_types(self):
        for folder in check_type_names.FOLDERS:
            faults = self.faults({f"{folder}/z.cpp": "\nstruct later {};\n"})
            self.assertEqual(len(faults), 1, faults)
            self.assertIn("found a second type `later`", faults[0])

    def test_the_place_is_named(self):
        faults = self.faults({"src/z.cpp": "\nstruct later\n    : team {\n};\n"})
        self.assertEqual(faults, ["src/z.cpp:2: found a second type `later`, expected the name in src/io/later.hpp only"])

    def test_every_kind_of_type_and_scope(self):
        for text in ("class team {};", "struct team final : a, b<c> {};", "union team {};", "enum team { a };", "enum struct team : int { a };",
                     "template <class T, template <class> class U> struct team {};", "struct alignas(64) team {};",
                     "struct [[nodiscard]] team {};", "namespace { struct team {}; }", "namespace copse::io {\nnamespace {\nclass team {};\n}\n}",
                     'extern "C" { struct team {}; }', "void f() {}\nstruct team {};", "#if A\nstruct team {\n#endif\n};"):
            faults = self.faults({"src/z.cpp": text + "\n"})
            self.assertEqual(len(faults), 1, text)

    def test_tests_and_examples_have_names_of_their_own(self):
        self.assertEqual(self.faults({"tests/unit/a.cpp": "struct team {};\n", "examples/a.cpp": "struct team {};\n"}), [])

    def test_empty_tree_is_a_fault(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(len(check_type_names.check(folder)), 1)


if __name__ == "__main__":
    unittest.main()
