"""Which rooms the sanitizers run for a change: those whose code differs, whatever became of comments and of how lines are cut."""
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "tools" / "sanitizers.sh"
BEFORE = {
    "src/clusters/solve.cpp": "// Solves.\nint solve(int a) { return a; }  ///< the answer\n",
    "src/io/unite_list.hpp": "int read();\n",
    "src/list_ranking/list.hpp": "int rank();\n",
}


class sanitizers_test(unittest.TestCase):
    def due(self, changes):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "tools").mkdir()
            shutil.copy(SCRIPT, root / "tools")
            self.write(root, BEFORE)
            git = ["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@b"]
            for step in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "before"]):
                subprocess.run([*git, *step], check=True)
            self.write(root, changes)
            done = subprocess.run(["bash", root / "tools/sanitizers.sh", "rooms", "HEAD"], check=True, capture_output=True, text=True)
            return done.stdout.splitlines()

    @staticmethod
    def write(root, files):
        for name, text in files.items():
            file = root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            if text is None:
                file.unlink()
            else:
                file.write_text(text)

    def test_nothing_runs_for_comments_and_blanks(self):
        self.assertEqual(self.due({}), [])
        self.assertEqual(self.due({"src/clusters/solve.cpp": "// Other words.\n\nint solve(int a) {\n  return a;  // a\n}\n"}), [])

    def test_a_room_runs_for_its_code(self):
        self.assertEqual(self.due({"src/clusters/solve.cpp": "int solve(int a) { return a + 1; }\n"}), ["asan clusters", "tsan clusters"])
        self.assertEqual(self.due({"src/clusters/solve.cpp": None}), ["asan clusters", "tsan clusters"])

    def test_a_room_is_known_by_its_words(self):
        self.assertEqual(self.due({"src/io/unite_list.hpp": "long read();\n"}), ["asan fuzz", "asan io"])
        self.assertEqual(self.due({"src/list_ranking/list.hpp": "long rank();\n"}), ["asan list_ranking", "tsan list_ranking"])


if __name__ == "__main__":
    unittest.main()
