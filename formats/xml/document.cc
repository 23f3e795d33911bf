// Parsing a text into a Document.
#include <tinyxml2.h>

#include <algorithm>

#include "parse.h"
#include "templates.h"
#include "xml_reader.h"
#include "xml_writer.h"

// A text goes through the refusal of templates, the prescan (which counts and mends), tinyxml2, and
// the table of nodes; then a xacro program is refused, which can be told only by its elements. All
// formats in XML read through Document::Parse, so the same mistake has the same message everywhere.

namespace kinemorph::xml {
namespace {

// The URDF+ paper's listings close <predecessor> and <successor> twice; whoever copies them gets
// told.
void AddPaperHint(std::string_view text, Diagnostic& diagnostic) {
  for (const char* end : {"predecessor", "successor"}) {
    const std::size_t tag = text.find("<" + std::string(end));
    const std::size_t close = tag == std::string_view::npos ? tag : text.find('>', tag);
    if (close == std::string_view::npos || text[close - 1] != '/') continue;
    diagnostic.notes.push_back("the URDF+ paper prints <" + std::string(end) + " .../> ... </" +
                               end + ">, which is not XML; write <" + end +
                               " link=\"A\"> <origin xyz=\"0 0 0\" rpy=\"0 0 0\"/> </" + end + ">");
    return;
  }
}

// The parser's own words, made into a sentence with the line.
void ReportParseError(const tinyxml2::XMLDocument& document, std::string_view text,
                      const Context& context) {
  Diagnostic diagnostic{Severity::kError,
                        "xml-malformed",
                        context.file_name,
                        static_cast<std::uint32_t>(std::max(document.ErrorLineNum(), 1)),
                        "",
                        "",
                        {}};
  // The name of the element is only in the library's English sentence.
  std::string detail = document.ErrorStr() ? document.ErrorStr() : "";
  const std::size_t name = detail.find("XMLElement name=");
  const std::string element = name == std::string::npos ? "" : detail.substr(name + 16);
  const tinyxml2::XMLError error = document.ErrorID();
  if (error == tinyxml2::XML_ERROR_MISMATCHED_ELEMENT) {
    diagnostic.message = (element.empty() ? "an element" : "element '" + element + "'") +
                         " is not closed by its own end tag";
    AddPaperHint(text, diagnostic);
  } else if (error == tinyxml2::XML_ERROR_PARSING_ATTRIBUTE) {
    diagnostic.message = "an attribute is malformed or repeated" +
                         (element.empty() ? "" : " on element '" + element + "'");
  } else if (error == tinyxml2::XML_ERROR_EMPTY_DOCUMENT) {
    diagnostic.message = "the text has no XML element";
  } else if (error == tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED) {
    diagnostic.message = "elements are nested too deeply for the XML library";
  } else {
    // A premature end has no code of its own in tinyxml2, and is what most such files suffer from.
    const char* kind = tinyxml2::XMLDocument::ErrorIDToName(error);
    diagnostic.message = "the text is not well-formed XML (" +
                         std::string(kind ? kind : "unknown") + "): the file may be cut off";
  }
  context.diagnostics->Add(std::move(diagnostic));
}

}  // namespace

Document::Document(Context context) : context_(std::move(context)) {}
Document::~Document() = default;

std::unique_ptr<Document> Document::Parse(std::string_view text, Context context) {
  std::unique_ptr<Document> result(new Document(std::move(context)));
  std::string mended;
  std::string_view clean;
  Census census;
  if (!RefuseTemplate(text, result->context_) ||
      !Prescan(text, result->context_, mended, clean, census))
    return nullptr;
  std::unique_ptr<ParsedText>& parsed = result->parsed_;
  // A text that is not well-formed in parts is parsed again as a whole, for the line of the error.
  if (const std::size_t parts = UsefulParts(); clean.size() >= kLargeText && parts > 1)
    parsed = ParseInParts(clean, census, parts);
  if (!parsed) parsed = ParseWhole(clean, census);
  tinyxml2::XMLDocument& first = *parsed->documents.front();
  if (first.Error()) {
    ReportParseError(first, clean, result->context_);
    return nullptr;
  }
  const auto refuse = [&](int line, const char* message) {
    result->context_.diagnostics->Add({Severity::kError,
                                       "xml-malformed",
                                       result->context_.file_name,
                                       static_cast<std::uint32_t>(std::max(line, 1)),
                                       "",
                                       message,
                                       {}});
    return nullptr;
  };
  const tinyxml2::XMLElement* const root = first.RootElement();
  if (!root) return refuse(1, "the text has no XML element");
  // In parts only the children of one root are parsed, so there can be no second.
  if (parsed->documents.size() == 1)
    for (const tinyxml2::XMLNode* node = root->NextSibling(); node; node = node->NextSibling())
      if (node->ToElement())
        return refuse(node->GetLineNum(), "a second root element follows the first");
  // Prescan counted the tags, the parser made more elements of them: a text that the two read
  // differently is not to be trusted.
  if (parsed->num_nodes == 0) return refuse(1, "the text has more elements than tags");
  result->context_.nodes = parsed->begin();
  if (!RefuseXacro(*parsed, result->context_)) return nullptr;
  return result;
}

std::unique_ptr<Document> Document::Of(const NativeElement& root, Context context) {
  return Parse(TextOf(root), std::move(context));
}

Element Document::root() const { return {parsed_->begin(), &context_}; }
Node* Document::nodes() const { return parsed_->begin(); }

std::size_t Document::Weight() const {
  std::size_t weight = 0;
  for (const Node& node : *parsed_) weight += xml::Weight(node.name);
  return weight;
}

}  // namespace kinemorph::xml
