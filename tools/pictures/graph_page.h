// A drawn graph as a page by itself: moved, zoomed and searched in a browser, without a network.
#pragma once

#include <string>

namespace kinemorph::tools {

/// `svg`: what Graphviz drew. `title`: of the page, as plain text.
[[nodiscard]] std::string GraphPage(const std::string& title, const std::string& svg);

}  // namespace kinemorph::tools
