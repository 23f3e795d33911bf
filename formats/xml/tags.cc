#include <algorithm>

#include "kinemorph/formats/xml_tags.h"
#include "kinemorph/graph/base/text.h"

// A scan from tag to tag, for questions that come before a text is parsed (which format it is, what
// its comment says) or where it never is. It knows comments, CDATA and quotes, and so finds no tag
// inside of them; it checks nothing.

namespace kinemorph {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

// Behind the mark that ends what begins at `at`; kNone where it is cut off.
std::size_t Behind(std::string_view text, std::size_t at, std::string_view mark) {
  const std::size_t found = text.find(mark, at);
  return found == kNone ? kNone : found + mark.size();
}

// Behind the '>' of the tag that begins at `at`; quotes may hold one.
std::size_t BehindTag(std::string_view text, std::size_t at) {
  for (char quote = 0; at < text.size(); ++at) {
    if (quote != 0) {
      if (text[at] == quote) quote = 0;
    } else if (text[at] == '"' || text[at] == '\'') {
      quote = text[at];
    } else if (text[at] == '>') {
      return at + 1;
    }
  }
  return kNone;
}

std::size_t BehindSpace(std::string_view text, std::size_t at) {
  while (at < text.size() && IsSpace(text[at])) ++at;
  return at;
}

}  // namespace

std::optional<std::string_view> XmlTag::Attribute(std::string_view attribute) const {
  // Attributes by their quotes; an attribute that is cut off ends the search.
  for (std::size_t at = BehindSpace(inside, 0); at < inside.size();) {
    const std::size_t equals = inside.find('=', at);
    const std::size_t open = equals == kNone ? kNone : inside.find_first_of("\"'", equals);
    const std::size_t close = open == kNone ? kNone : inside.find(inside[open], open + 1);
    if (close == kNone) return std::nullopt;
    if (Trimmed(inside.substr(at, equals - at)) == attribute)
      return inside.substr(open + 1, close - open - 1);
    at = BehindSpace(inside, close + 1);
  }
  return std::nullopt;
}

std::optional<XmlTag> NextTag(std::string_view text, std::size_t from) {
  for (std::size_t at = text.find('<', from); at != kNone; at = text.find('<', from)) {
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("<!--")) {
      from = Behind(text, at + 4, "-->");
    } else if (rest.starts_with("<![CDATA[")) {
      from = Behind(text, at, "]]>");
    } else if (rest.starts_with("<?")) {
      from = Behind(text, at, "?>");
    } else if (rest.starts_with("<!")) {
      from = Behind(text, at, ">");
    } else {
      XmlTag tag;
      tag.begin = at;
      tag.end = std::min(BehindTag(text, at), text.size());
      std::string_view inside = text.substr(at + 1, tag.end - at - 1);
      if (inside.ends_with('>')) inside.remove_suffix(1);
      tag.closes = inside.starts_with('/');
      if (tag.closes) inside.remove_prefix(1);
      tag.empty = inside.ends_with('/');
      if (tag.empty) inside.remove_suffix(1);
      tag.name = inside.substr(0, inside.find_first_of(" \t\r\n"));
      tag.inside = inside.substr(tag.name.size());
      return tag;
    }
    if (from == kNone) break;
  }
  return std::nullopt;
}

std::optional<XmlTag> NextTag(std::string_view text, std::string_view name, std::size_t from) {
  std::optional<XmlTag> tag = NextTag(text, from);
  while (tag && (tag->closes || tag->name != name)) tag = NextTag(text, tag->end);
  return tag;
}

bool HasComment(std::string_view text) { return text.find("<!--") != kNone; }

// Paths of USD look like tags: </robot>. Its binary forms may hold anything.
std::string_view RootElementName(std::string_view text) {
  for (const std::string_view other : {"#usda ", "PXR-USDC", "PK\x03\x04"})
    if (text.starts_with(other)) return {};
  const std::optional<XmlTag> root = NextTag(text);
  return root ? root->name : std::string_view();
}

std::string_view WordBeforeRoot(std::string_view text, std::string_view before) {
  const std::optional<XmlTag> root = NextTag(text);
  // Only in what stands before the root: a word in a description must not pass for the note of a
  // writer.
  const std::string_view head = text.substr(0, root ? root->begin : text.size());
  const std::size_t at = head.find(before);
  if (at == head.npos) return {};
  const std::string_view word = head.substr(at + before.size());
  return word.substr(0, word.find_first_of(" \t\r\n,;(>"));
}

std::string_view TextBehind(std::string_view text, const XmlTag& tag) {
  return Trimmed(text.substr(tag.end, text.find('<', tag.end) - tag.end));
}

}  // namespace kinemorph
