// A line on the terminal while one thing takes long: what is done, and for how long already.
#pragma once

#include <memory>
#include <string>

namespace kinemorph::tools {

/// While it lives, and from its second second on, standard error shows one line that is rewritten;
/// only where that is a terminal. Nothing else may be printed meanwhile. One at a time counts.
class Working {
 public:
  /// "proving 'robot.xml'"; nothing is shown unless `shown`.
  explicit Working(const std::string& what, bool shown = true);
  ~Working();
  Working(const Working&) = delete;
  Working& operator=(const Working&) = delete;

  /// What the one that lives shows from now on; nothing where none does.
  static void On(const std::string& what);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace kinemorph::tools
