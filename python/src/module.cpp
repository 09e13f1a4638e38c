// The module copse._core: errors, options and what was built in. What users call is Python, in python/copse.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <copse/copse.hpp>

#include <exception>

#include "bindings.hpp"
#include "call.hpp"

namespace copse::python {
namespace {

// The exception classes, each derived from one of Python's own as well; they live as long as the module.
PyObject* base_error = nullptr;
PyObject* usage_kind = nullptr;
PyObject* input_kind = nullptr;
PyObject* resource_kind = nullptr;

PyObject* make_error(nb::module_& m, const char* name, PyObject* base, PyObject* pythons, const char* text) {
  const nb::object bases = pythons == nullptr ? nb::borrow(base) : nb::object(nb::make_tuple(nb::handle(base), nb::handle(pythons)));
  PyObject* kind = PyErr_NewExceptionWithDoc((std::string{"copse."} + name).c_str(), text, bases.ptr(), nullptr);
  if (kind == nullptr) throw nb::python_error{};
  m.attr(name) = nb::handle(kind);
  return kind;
}

void raise(PyObject* kind, const error& e) { PyErr_SetString(kind, in_python(e.what()).c_str()); }

/// Returns the text of the error, followed by the arguments that settle how the input is read.
std::string with_remedies(const io::ambiguous_input& e) {
  if (e.remedies().empty()) return e.what();
  nb::list remedies;
  for (const io::remedy& remedy : e.remedies()) remedies.append(nb::make_tuple(remedy.option, remedy.value, remedy.effect));
  const nb::object arguments = nb::module_::import_("copse._texts").attr("as_arguments")(remedies);
  return std::string{e.what()} + " (" + nb::cast<std::string>(arguments) + ")";
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const cancelled& e) {
    PyErr_SetString(PyExc_KeyboardInterrupt, e.what());
  } catch (const usage_error& e) {
    raise(usage_kind, e);
  } catch (const io::ambiguous_input& e) {
    PyErr_SetString(input_kind, in_python(with_remedies(e)).c_str());
  } catch (const input_error& e) {
    raise(input_kind, e);
  } catch (const resource_error& e) {
    raise(resource_kind, e);
  } catch (const error& e) {
    raise(base_error, e);
  }
}

nb::list names_of(problem_kind problem) {
  nb::list names;
  for (const variant_info& v : variants(problem)) {
    names.append(nb::str(v.name.c_str()));
  }
  return names;
}

nb::dict facts() {
  nb::dict build;
  build["version"] = COPSE_VERSION_TEXT;
  build["cuda"] = built_with_cuda();
  build["zlib"] = static_cast<bool>(COPSE_PYTHON_ZLIB);
  build["zstd"] = static_cast<bool>(COPSE_PYTHON_ZSTD);
  build["compiler"] = __VERSION__;
  return build;
}

nb::list gpu_list() {
  nb::list all;
  for (const gpu_facts& gpu : gpus()) {
    nb::dict one;
    one["index"] = gpu.index;
    one["name"] = gpu.name;
    one["capability"] = nb::make_tuple(gpu.capability_major, gpu.capability_minor);
    one["memory_bytes"] = gpu.memory_bytes;
    one["free_bytes"] = gpu.free_bytes;
    all.append(one);
  }
  return all;
}

}  // namespace

void bind_errors(nb::module_& m) {
  base_error = make_error(m, "Error", PyExc_Exception, nullptr, "Base of all errors of copse.");
  usage_kind = make_error(m, "UsageError", base_error, PyExc_ValueError, "The call itself is wrong.");
  input_kind = make_error(m, "InputError", base_error, PyExc_ValueError, "The input is not what it claims to be.");
  resource_kind =
      make_error(m, "ResourceError", base_error, PyExc_MemoryError, "Memory, disk or ids ran out; the message has the numbers.");
  make_error(m, "FileError", input_kind, PyExc_OSError, "A file cannot be read or written.");
  nb::register_exception_translator(translate);
}

void bind_options(nb::module_& m) {
  nb::class_<call_options>(m, "Options")
      .def(
          "__init__",
          [](call_options* self, std::string variant, std::string device, unsigned threads, std::optional<std::uint64_t> memory_bytes,
             std::optional<std::uint64_t> gpu_memory_bytes, std::uint64_t seed, nb::object progress) {
            static_cast<void>(devices_of({.device = device}));  // throws for an unknown device
            new (self)
                call_options{std::move(variant), threads, std::move(device), seed, memory_bytes, gpu_memory_bytes.value_or(UINT64_MAX),
                             std::move(progress)};
          },
          nb::arg("variant") = "auto", nb::arg("device") = "cpu", nb::arg("threads") = 0, nb::arg("memory_bytes") = nb::none(),
          nb::arg("gpu_memory_bytes") = nb::none(), nb::arg("seed") = 1, nb::arg("progress") = nb::none());
}

}  // namespace copse::python

NB_MODULE(_core, m) {
  using namespace copse::python;
  nb::set_leak_warnings(false);  // results that still exist when the interpreter ends are no leaks
  bind_errors(m);
  bind_options(m);
  bind_labels(m);
  bind_graph(m);
  bind_components(m);
  bind_cluster(m);
  bind_compare(m);
  bind_forest(m);
  bind_incremental(m);
  bind_dynamic(m);
  bind_lists(m);
  bind_device(m);
  bind_tables(m);
  bind_table_output(m);
  bind_verify(m);
  bind_weighted(m);
  bind_weighted_edges(m);
  bind_bridges(m);
  m.def("build_info", &facts);
  m.def("gpus", &gpu_list);
  m.def("component_variants", [] { return names_of(copse::problem_kind::components); });
  m.def("forest_variants", [] { return names_of(copse::problem_kind::forest); });
  m.def("incremental_variants", [] { return names_of(copse::problem_kind::incremental); });
  m.def("weighted_variants", [] { return names_of(copse::problem_kind::weighted_forest); });
  m.def("usable_threads", &copse::usable_threads);
}
