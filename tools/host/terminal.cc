#include "host/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

namespace kinemorph::tools {
namespace {

// Three widths: what a user sets (COLUMNS), what the terminal has, and none for files and pipes,
// whose lines are not folded. Help is folded in any case, since a page of one line for each option
// cannot be read.

constexpr std::size_t kNarrowest = 40, kUsual = 80, kWidestHelp = 100;

// 0 where it is not set, or no number.
std::size_t ColumnsOfEnvironment() {
  const char* const set = std::getenv("COLUMNS");
  if (set == nullptr) return 0;
  const std::string_view text = set;
  std::size_t columns = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), columns);
  return error == std::errc() && end == text.data() + text.size() ? columns : 0;
}

std::size_t ColumnsOfTerminal(int stream) {
#ifdef TIOCGWINSZ
  winsize size{};
  if (::ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
#endif
  static_cast<void>(stream);
  return kUsual;
}

}  // namespace

std::size_t TerminalColumns(int stream) {
  // What a program reads must not depend on a window.
  if (::isatty(stream) != 1) return 0;
  const std::size_t set = ColumnsOfEnvironment();
  return std::max(kNarrowest, set > 0 ? set : ColumnsOfTerminal(stream));
}

std::size_t HelpColumns() {
  const std::size_t set = ColumnsOfEnvironment(), terminal = TerminalColumns(STDOUT_FILENO);
  const std::size_t columns = set > 0 ? set : terminal > 0 ? terminal : kWidestHelp;
  return std::clamp(columns, kNarrowest, kWidestHelp);
}

}  // namespace kinemorph::tools
