// Text that YAML takes back as it was.
#pragma once

#include <string>
#include <string_view>

namespace kinemorph::urdf_format::yaml {

/// Plain where nobody can take it for something else, in double quotes otherwise.
[[nodiscard]] std::string Quoted(std::string_view text);

}  // namespace kinemorph::urdf_format::yaml
