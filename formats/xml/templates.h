// Files that a program has to expand before they describe a robot.
#pragma once

#include <string_view>

#include "parse.h"
#include "xml_reader.h"

namespace kinemorph::xml {

/// False with an error (code `template-not-expanded`) when `text` holds ERB (`<% %>`) or Jinja (`{{
/// }}`, `{% %}`) outside its comments.
[[nodiscard]] bool RefuseTemplate(std::string_view text, const Context& context);
/// False with an error (code `xacro-not-expanded`) when the elements are a xacro program: it
/// defines, includes or computes something. Calls of macros that nothing defines are what careless
/// expansion leaves behind; they are no more than unknown elements.
[[nodiscard]] bool RefuseXacro(const ParsedText& parsed, const Context& context);

}  // namespace kinemorph::xml
