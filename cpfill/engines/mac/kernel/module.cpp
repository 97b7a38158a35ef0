// The kernel as a module of CPython.
#include "../../toolkit/kernel/python.hpp"

// It needs the owner.
#include "kernel.hpp"

NB_MODULE(_kernel, module) {
    nb::enum_<cpfill::mac::Answer> answers(module, "Answer");
    cpfill::mac::for_answers([&](const char* name, cpfill::mac::Answer answer) { answers.value(name, answer); });
    nb::class_<cpfill::mac::Index>(module, "Index")
        .def(nb::new_(&cpfill::mac::make_index), nb::arg("letters"), nb::arg("tables"), nb::arg("marks"));
    nb::class_<cpfill::mac::Costs>(module, "Costs").def(nb::new_(&cpfill::mac::make_costs), nb::arg("tables"));
    cpfill::owner::define_kernel<cpfill::mac::Kernel, cpfill::mac::Spec>(module);
}
