#include "parse.h"

#include <algorithm>
#include <string>
#ifndef __wasm__  // has no threads
#include <future>
#include <thread>
#endif

#include "xml_reader.h"

// A large text is cut between children of its root, and each part is parsed by its own document of
// tinyxml2, which takes several roots in a row. The nodes of all parts go into one table at places
// that the census knows beforehand, so that no part waits for another. Any doubt (a part that does
// not fill its room, text at a cut) gives null, and the whole text is parsed in one go.

namespace kinemorph::xml {
namespace {

// work(0) ... work(n - 1), side by side.
template <class Work>
void SideBySide(std::size_t n, const Work& work) {
#ifdef __wasm__
  for (std::size_t i = 0; i < n; ++i) work(i);
#else
  std::vector<std::future<void> > others;
  for (std::size_t i = 1; i < n; ++i) others.push_back(std::async([&work, i] { work(i); }));
  if (n > 0) work(0);
  for (std::future<void>& other : others) other.get();
#endif
}

// The room of a part in the table, and how far it is filled.
class Room {
 public:
  // A part counts its places from the cut that begins it; lines too, since its parser begins at 1.
  Room(const NodeTable& table, const Cut& begin, const Cut& end, std::size_t lines_before)
      : root_(table.nodes()),
        node_(table.nodes() + begin.elements),
        nodes_end_(table.nodes() + end.elements),
        attribute_(table.attributes() + begin.attributes),
        attributes_end_(table.attributes() + end.attributes),
        lines_before_(static_cast<std::uint32_t>(lines_before)) {}

  // The element and what is below it, depth first; Prescan bounds the depth. False when there is
  // no room.
  bool Add(tinyxml2::XMLElement* element, const Node* parent) {
    if (node_ == nodes_end_) return false;
    Node* const node = std::construct_at(node_++);
    node->element = element;
    node->name = element->Name();
    node->line = lines_before_ + static_cast<std::uint32_t>(element->GetLineNum());
    // Distances instead of pointers: a node is found from another one whatever part it is in.
    node->up = static_cast<std::uint32_t>(node - parent);
    node->attributes = attribute_;
    for (const tinyxml2::XMLAttribute* a = element->FirstAttribute(); a; a = a->Next()) {
      if (attribute_ == attributes_end_) return false;
      std::construct_at(attribute_, NodeAttribute{a->Name(), a->Value()});
      // One bit for each name, so that most questions for absent attributes end there.
      node->names |= NameBit(attribute_->name);
      ++attribute_, ++node->num_attributes;
    }
    if (!AddAll(element->FirstChild(), node, node->mixed)) return false;
    node->extent = static_cast<std::uint32_t>(node_ - node);
    return true;
  }
  // Children of the root without text among them.
  bool AddPart(tinyxml2::XMLDocument& document) {
    bool mixed = false;
    return AddAll(document.FirstChild(), root_, mixed) && !mixed && node_ == nodes_end_;
  }
  [[nodiscard]] std::size_t num_nodes() const { return static_cast<std::size_t>(node_ - root_); }

 private:
  // A node and its siblings. `mixed`: there are texts among the elements.
  bool AddAll(tinyxml2::XMLNode* node, const Node* parent, bool& mixed) {
    bool text = false;
    const Node* const before = node_;
    for (; node; node = node->NextSibling()) {
      if (tinyxml2::XMLElement* const element = node->ToElement()) {
        if (!Add(element, parent)) return false;
      } else {
        text = text || node->ToText();
      }
    }
    mixed = text && node_ != before;
    return true;
  }

  const Node* root_;
  Node *node_, *nodes_end_;
  NodeAttribute *attribute_, *attributes_end_;
  std::uint32_t lines_before_;
};

bool Parse(std::string_view text, tinyxml2::XMLDocument& document) {
  return document.Parse(text.data(), text.size()) == tinyxml2::XML_SUCCESS;
}

std::size_t CountLines(std::string_view text) {
  constexpr std::size_t kLanes = 128;  // counts in a byte: compiles to vector instructions
  std::size_t lines = 0;
  for (; text.size() >= kLanes; text.remove_prefix(kLanes)) {
    unsigned char in_block = 0;
    for (std::size_t i = 0; i < kLanes; ++i)
      in_block = static_cast<unsigned char>(in_block + (text[i] == '\n' ? 1 : 0));
    lines += in_block;
  }
  return lines + static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

// Freeing millions of nodes takes about as long as parsing them.
ParsedText::~ParsedText() {
  SideBySide(documents.size(), [this](std::size_t i) { documents[i].reset(); });
}

std::unique_ptr<ParsedText> ParseWhole(std::string_view text, const Census& census) {
  auto parsed = std::make_unique<ParsedText>();
  tinyxml2::XMLDocument& document =
      *parsed->documents.emplace_back(std::make_unique<tinyxml2::XMLDocument>());
  if (!Parse(text, document)) return parsed;
  parsed->table = NodeTable(census.elements, census.attributes);
  Room room(parsed->table, {}, {text.size(), census.elements, census.attributes}, 0);
  if (document.RootElement() && room.Add(document.RootElement(), parsed->begin()))
    parsed->num_nodes = room.num_nodes();
  return parsed;
}

std::unique_ptr<ParsedText> ParseInParts(std::string_view text, const Census& census,
                                         std::size_t parts) {
  // The last end tag must be the root's, with nothing but blanks behind it.
  const std::size_t end_tag = text.rfind("</");
  if (census.cuts.empty() || end_tag == std::string_view::npos) return nullptr;
  const std::string_view end = Trimmed(text.substr(end_tag));
  if (end.find('>') != end.size() - 1) return nullptr;
  // The root's own tags, then its children, from the first cut that is far enough.
  const std::size_t first = census.cuts.front().at, length = end_tag - first;
  std::vector<Cut> cuts;
  // A cut for each part, as evenly as the distances allow; lines are counted from one to the next.
  for (const Cut& cut : census.cuts)
    if (cut.at >= first + cuts.size() * length / parts) cuts.push_back(cut);
  std::vector<std::size_t> lines = {CountLines(text.substr(0, first))};
  for (std::size_t i = 1; i < cuts.size(); ++i)
    lines.push_back(lines.back() +
                    CountLines(text.substr(cuts[i - 1].at, cuts[i].at - cuts[i - 1].at)));
  cuts.push_back({end_tag, census.elements, census.attributes});

  auto parsed = std::make_unique<ParsedText>();
  for (std::size_t i = 0; i < cuts.size(); ++i)
    parsed->documents.push_back(std::make_unique<tinyxml2::XMLDocument>());
  parsed->table = NodeTable(census.elements, census.attributes);
  // The root alone, with an end tag of its own: its attributes come first in the table.
  Room root(parsed->table, {}, cuts.front(), 0);
  tinyxml2::XMLDocument& own = *parsed->documents.back();
  if (!Parse(std::string(text.substr(0, first)) + std::string(end), own) ||
      !root.Add(own.RootElement(), parsed->begin()) || root.num_nodes() != cuts.front().elements)
    return nullptr;
  // Text before the first child would belong to the root, which no part can tell.
  for (const tinyxml2::XMLNode* node = own.RootElement()->FirstChild(); node;
       node = node->NextSibling())
    if (node->ToText()) return nullptr;
  std::vector<char> done(cuts.size() - 1, false);  // not bool: written side by side
  SideBySide(done.size(), [&](std::size_t i) {
    tinyxml2::XMLDocument& document = *parsed->documents[i];
    Room room(parsed->table, cuts[i], cuts[i + 1], lines[i]);
    done[i] = Parse(text.substr(cuts[i].at, cuts[i + 1].at - cuts[i].at), document) &&
              room.AddPart(document);
  });
  if (std::find(done.begin(), done.end(), false) != done.end()) return nullptr;
  // The root spans all nodes, which its own document could not know.
  parsed->num_nodes = census.elements;
  parsed->begin()->extent = static_cast<std::uint32_t>(census.elements);
  return parsed;
}

std::size_t UsefulParts() {
#ifdef __wasm__
  return 1;
#else
  return std::max(std::thread::hardware_concurrency(), 1U);
#endif
}

}  // namespace kinemorph::xml
