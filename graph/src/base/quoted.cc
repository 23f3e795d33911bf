#include "base/quoted.h"

#include <algorithm>

#include "kinemorph/graph/base/printable.h"

namespace kinemorph {

std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    // Quotes and backslashes are escaped so that the end is found again, tabs and carriage returns
    // by letters that people know; Printable does the rest, line ends among it.
    const std::size_t end = std::min(text.find_first_of("\"\\\t\r", at), text.size());
    out += Printable(text.substr(at, end - at));
    if (end < text.size())
      out.append("\\") += text[end] == '\t' ? 't' : text[end] == '\r' ? 'r' : text[end];
    at = end + 1;
  }
  return out + '"';
}

}  // namespace kinemorph
