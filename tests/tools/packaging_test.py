"""What packages are made from: packaging_test.py COPSE SBOM ROOT. The version is one and the same everywhere, `copse --version --json` has its
keys, the SBOM lists what the loader loads, and the files of other tools are of their format."""
import json
import re
import subprocess
import sys
import tomllib
import unittest
from pathlib import Path

copse, sbom, root = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def expected_version():
    return re.search(r"project\(copse VERSION ([0-9.]+)", (root / "CMakeLists.txt").read_text()).group(1)


class Packaging(unittest.TestCase):
    def test_the_program_says_what_is_built_in(self):
        found = json.loads(output(copse, "--version", "--json"))
        self.assertEqual(list(found), ["version", "commit", "compiler", "build_type", "built_with"])
        self.assertEqual(found["version"], expected_version())
        self.assertEqual(list(found["built_with"]), ["cuda", "parquet", "zlib", "zstd", "igzip"])
        self.assertEqual(found, json.loads(output(copse, "--json", "--version")))
        for library, name in (("zlib", "libz.so"), ("zstd", "libzstd.so"), ("igzip", "libisal.so")):
            if name in output("ldd", copse):
                self.assertRegex(found["built_with"][library], r"^\d+\.\d+")

    def test_the_sbom_lists_what_is_loaded(self):
        document = json.loads(sbom.read_text())
        self.assertEqual((document["bomFormat"], document["specVersion"]), ("CycloneDX", "1.5"))
        self.assertEqual(document["metadata"]["component"]["version"], expected_version())
        files = {part["name"]: part for part in document["components"] if part["type"] == "file"}
        loaded = {Path(line.split()[0]).name for line in output("ldd", copse).splitlines() if "vdso" not in line}
        self.assertGreater(len(loaded), 2)
        self.assertLessEqual(loaded, files.keys())
        self.assertTrue(all(len(files[name]["hashes"][0]["content"]) == 64 for name in loaded))
        parts = {part["name"] for part in document["components"] if part["type"] == "library"}
        self.assertLessEqual({"fmt", "CLI11", "nlohmann_json"}, parts)

    def test_files_of_other_tools_have_their_format_and_this_version(self):
        reuse = tomllib.loads((root / "REUSE.toml").read_text())
        for rule in reuse["annotations"]:
            self.assertTrue((root / "LICENSES" / f"{rule['SPDX-License-Identifier']}.txt").is_file())
        self.assertEqual((root / "LICENSES/MIT.txt").read_text(), (root / "LICENSE").read_text())
        self.assertEqual(json.loads((root / "packaging/vcpkg/vcpkg.json").read_text())["version"], expected_version())
        self.assertIn(f'version: "{expected_version()}"', (root / "packaging/conda/meta.yaml").read_text())
        self.assertTrue((root / "packaging/debian/changelog").read_text().startswith(f"copse ({expected_version()}-"))

    def test_the_citation_is_yaml(self):
        try:
            import yaml
        except ImportError:
            self.skipTest("no PyYAML")
        citation = yaml.safe_load((root / "CITATION.cff").read_text())
        self.assertEqual((citation["cff-version"], citation["type"], citation["license"]), ("1.2.0", "software", "MIT"))
        self.assertEqual(str(citation["version"]), expected_version())
        self.assertTrue(citation["authors"] and citation["message"] and citation["title"])


unittest.main(argv=sys.argv[:1])
