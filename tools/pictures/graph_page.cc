#include "pictures/graph_page.h"

#include "host/base64.h"
#include "kinemorph/formats/xml_tags.h"
#include "kinemorph/graph/base/printable.h"

namespace kinemorph::tools {
namespace {

// The drawing of Graphviz in a page with a script that moves, zooms and searches it. Nothing is
// loaded; a policy in the page allows this one script by its hash, so that names in a robot cannot
// bring another one.

// A raw string, which compilers limit to 64 kB.
constexpr const char* kPage =
#include "pictures/graph_page.inc"
    ;

}  // namespace

std::string GraphPage(const std::string& title, const std::string& svg) {
  // Front to back, so that nothing is looked for in what was put in.
  const std::string_view frame = kPage;
  std::string page;
  std::size_t from = 0;
  const auto put = [&](std::string_view mark, const std::string& text) {
    const std::size_t at = frame.find(mark, from);
    page += std::string(frame.substr(from, at - from)) + text;
    from = at + mark.size();
  };
  constexpr std::string_view kBegin = "<script>", kEnd = "</script>";
  const std::size_t script = frame.find(kBegin) + kBegin.size();
  put("@SCRIPT@", PolicyHash(frame.substr(script, frame.find(kEnd) - script)));
  put("@TITLE@", XmlText(title));
  put("@TITLE@", XmlText(title));
  const auto root = NextTag(svg);  // without the declarations of a file of its own
  put("@SVG@", root ? svg.substr(root->begin) : svg);
  return page + std::string(frame.substr(from));
}

}  // namespace kinemorph::tools
