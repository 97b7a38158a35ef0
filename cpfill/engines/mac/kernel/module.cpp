// The kernel as a module of CPython.
#include <nanobind/nanobind.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <new>
#include <stdexcept>
#include <string>

namespace nb = nanobind;

namespace cpfill::owner {

using Bytes = nb::bytes;
using Released = nb::gil_scoped_release;

[[noreturn]] inline void refuse(const std::string& why) { throw std::invalid_argument(why); }

}  // namespace cpfill::owner

#include "kernel.hpp"

namespace {

using cpfill::mac::Kernel;

cpfill::mac::Spec read(nb::handle spec) {
    cpfill::mac::Spec fields;
    fields.for_fields([&](const char* name, auto& field) {
        const nb::object attribute = spec.attr(name);
        if (!nb::try_cast(attribute, field)) throw nb::type_error(name);
    });
    return fields;
}

}  // namespace

NB_MODULE(_kernel, module) {
    nb::set_leak_warnings(false);  // a program that ends leaves what it holds to the system: `cpfill/cli/__init__.py`
    nb::dict constants;
    cpfill::mac::for_constants([&](const char* name, auto number) { constants[name] = number; });
    module.attr("CONSTANTS") = constants;
    module.attr("COMPILER") = CPFILL_COMPILER;
    nb::enum_<cpfill::mac::Answer> answers(module, "Answer");
    cpfill::mac::for_answers([&](const char* name, cpfill::mac::Answer answer) { answers.value(name, answer); });
    nb::class_<cpfill::mac::Index>(module, "Index")
        .def(nb::new_(&cpfill::mac::make_index), nb::arg("letters"), nb::arg("tables"), nb::arg("run"));
    nb::class_<cpfill::mac::Costs>(module, "Costs").def(nb::new_(&cpfill::mac::make_costs), nb::arg("tables"));
    nb::class_<Kernel> kernel(module, "Kernel");
    kernel.def("__init__", [](Kernel* self, nb::handle spec) { new (self) Kernel(read(spec)); }, nb::arg("spec"));
    Kernel::for_methods(
        [&](const char* name, auto method, auto... parameters) { kernel.def(name, method, nb::arg(parameters)...); });
}
