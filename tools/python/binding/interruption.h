// Ctrl-C in the middle of long work.
#pragma once

#include <chrono>
#include <string>

#include "description.h"

namespace kinemorph::python {

/// Whether the user pressed Ctrl-C; looked for ten times a second.
class Interruption {
 public:
  /// A reason to end, or nothing. To be asked without the interpreter's lock.
  [[nodiscard]] std::string Asked() {
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return {};
    next_ = now + std::chrono::milliseconds(100);
    const py::gil_scoped_acquire locked;
    pressed_ = pressed_ || PyErr_CheckSignals() != 0;
    return pressed_ ? "interrupted" : "";
  }
  /// The work ended for it: Python's exception waits to be thrown.
  [[nodiscard]] bool pressed() const { return pressed_; }

 private:
  std::chrono::steady_clock::time_point next_ =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
  bool pressed_ = false;
};

}  // namespace kinemorph::python
