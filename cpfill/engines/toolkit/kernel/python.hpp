// What a kernel needs of its owner, where that is CPython.
#pragma once

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

inline void require(bool met, const char* what) {
    if (!met) throw std::invalid_argument(std::string("the kernel needs ") + what);
}

// The fields of a specification, from the attributes of a Python object.
template <class Spec>
Spec read(nb::handle spec) {
    Spec fields;
    fields.for_fields([&](const char* name, auto& field) {
        const nb::object attribute = spec.attr(name);
        if (!nb::try_cast(attribute, field)) throw nb::type_error(name);
    });
    return fields;
}

// The class `Kernel` of a module, made of a specification.
template <class Kernel, class Spec>
void define_kernel(nb::module_& module) {
    nb::set_leak_warnings(false);  // a program that ends leaves what it holds to the system: `cpfill/cli/__init__.py`
    module.attr("COMPILER") = CPFILL_COMPILER;
    nb::class_<Kernel> kernel(module, "Kernel");
    kernel.def("__init__", [](Kernel* self, nb::handle spec) { new (self) Kernel(read<Spec>(spec)); }, nb::arg("spec"));
    Kernel::for_methods(
        [&](const char* name, auto method, auto... parameters) { kernel.def(name, method, nb::arg(parameters)...); });
}

}  // namespace cpfill::owner
