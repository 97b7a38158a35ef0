// The kernel as a module of CPython.
#include "../../toolkit/kernel/python.hpp"

// It needs the owner.
#include "kernel.hpp"

NB_MODULE(_letters, module) { cpfill::owner::define_kernel<cpfill::letters::Kernel, cpfill::letters::Spec>(module); }
