// Parsing a text into a Document.
#include <tinyxml2.h>

#include <algorithm>

#include "node.h"
#include "prescan.h"
#include "templates.h"
#include "xml_reader.h"

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
                               end + ">, which is no XML; write <" + end +
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
  std::string detail = document.ErrorStr() ? document.ErrorStr() : "";
  const std::size_t name = detail.find("XMLElement name=");
  const std::string element = name == std::string::npos ? "" : detail.substr(name + 16);
  const tinyxml2::XMLError error = document.ErrorID();
  if (error == tinyxml2::XML_ERROR_MISMATCHED_ELEMENT) {
    diagnostic.message = (element.empty() ? "an element" : "element '" + element + "'") +
                         " is not closed by its own end tag";
    AddPaperHint(text, diagnostic);
  } else if (error == tinyxml2::XML_ERROR_PARSING_ATTRIBUTE) {
    diagnostic.message = "an attribute is malformed or stands twice" +
                         (element.empty() ? "" : " on element '" + element + "'");
  } else if (error == tinyxml2::XML_ERROR_EMPTY_DOCUMENT) {
    diagnostic.message = "the text has no XML element";
  } else if (error == tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED) {
    diagnostic.message = "elements are nested too deeply for the XML library";
  } else {
    const char* kind = tinyxml2::XMLDocument::ErrorIDToName(error);
    diagnostic.message = "the text is not well-formed XML (" +
                         std::string(kind ? kind : "unknown") + "): it may be cut off";
  }
  context.diagnostics->Add(std::move(diagnostic));
}

// Depth first; Prescan bounds the depth.
void AddNodes(tinyxml2::XMLElement* element, std::size_t up, NodeTable& table) {
  const std::size_t at = table.nodes.size();
  Node node;
  node.element = element;
  node.name = element->Name();
  node.up = static_cast<std::uint32_t>(up);
  for (const tinyxml2::XMLAttribute* a = element->FirstAttribute(); a;
       a = a->Next(), ++node.num_attributes) {
    table.attributes.push_back({a->Name(), a->Value()});
    node.names |= NameBit(table.attributes.back().name);
  }
  table.nodes.push_back(node);
  for (tinyxml2::XMLElement* child = element->FirstChildElement(); child;
       child = child->NextSiblingElement())
    AddNodes(child, table.nodes.size() - at, table);
  table.nodes[at].extent = static_cast<std::uint32_t>(table.nodes.size() - at);
}

void Fill(tinyxml2::XMLElement* root, const Census& census, NodeTable& table) {
  table.nodes.reserve(census.elements);
  table.attributes.reserve(census.attributes);
  AddNodes(root, 0, table);
  NodeAttribute* attribute = table.attributes.data();
  for (Node& node : table.nodes) {
    node.attributes = attribute;
    attribute += node.num_attributes;
  }
}

}  // namespace

Document::Document(Context context)
    : document_(std::make_unique<tinyxml2::XMLDocument>()),
      table_(std::make_unique<NodeTable>()),
      context_(std::move(context)) {}
Document::~Document() = default;

std::unique_ptr<Document> Document::Parse(std::string_view text, Context context) {
  std::unique_ptr<Document> parsed(new Document(std::move(context)));
  std::string mended;
  std::string_view clean;
  Census census;
  if (!RefuseTemplate(text, parsed->context_) ||
      !Prescan(text, parsed->context_, mended, clean, census))
    return nullptr;
  if (parsed->document_->Parse(clean.data(), clean.size()) != tinyxml2::XML_SUCCESS) {
    ReportParseError(*parsed->document_, clean, parsed->context_);
    return nullptr;
  }
  tinyxml2::XMLElement* root = parsed->document_->RootElement();
  const auto refuse = [&](int line, const char* message) {
    parsed->context_.diagnostics->Add({Severity::kError,
                                       "xml-malformed",
                                       parsed->context_.file_name,
                                       static_cast<std::uint32_t>(std::max(line, 1)),
                                       "",
                                       message,
                                       {}});
    return nullptr;
  };
  if (!root) return refuse(1, "the text has no XML element");
  for (const tinyxml2::XMLNode* node = root->NextSibling(); node; node = node->NextSibling()) {
    if (node->ToElement())
      return refuse(node->GetLineNum(), "a second root element stands after the first");
  }
  Fill(root, census, *parsed->table_);
  parsed->context_.nodes = parsed->table_->nodes.data();
  if (!RefuseXacro(*parsed->table_, parsed->context_)) return nullptr;
  return parsed;
}

Element Document::root() const { return {table_->nodes.data(), &context_}; }
Node* Document::nodes() const { return table_->nodes.data(); }

std::size_t Document::Weight() const {
  std::size_t weight = 0;
  for (const Node& node : table_->nodes) weight += xml::Weight(node.name);
  return weight;
}

std::string_view RootElementName(std::string_view text) {
  for (std::size_t i = text.find('<'); i != std::string_view::npos; i = text.find('<', i + 1)) {
    if (text.compare(i, 4, "<!--") == 0) {
      i = text.find("-->", i + 4);
      if (i == std::string_view::npos) return {};
    } else if (i + 1 < text.size() && text[i + 1] != '?' && text[i + 1] != '!') {
      const std::size_t end = text.find_first_of(" \t\r\n/>", i + 1);
      return text.substr(i + 1,
                         end == std::string_view::npos ? std::string_view::npos : end - i - 1);
    }
  }
  return {};
}

}  // namespace kinemorph::xml
