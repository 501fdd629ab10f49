#include "base/destroyable.hpp"

namespace tandem_py {

void add_destroyable(py::module_ & module) {
  py::class_<Destroyable, std::shared_ptr<Destroyable>>(module, "Destroyable")
      .def("__enter__",
           [](const std::shared_ptr<Destroyable> & self) {
             self->enter();
             return self;
           })
      .def("__exit__", [](Destroyable & self, const py::args &) { self.exit(); })
      .def("destroy_when_not_in_use", &Destroyable::destroy_when_not_in_use)
      .def_property_readonly("pointer", &Destroyable::pointer);
}

}  // namespace tandem_py
