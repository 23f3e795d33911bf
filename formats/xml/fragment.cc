#include "fragment.h"

#include <tinyxml2.h>

#include "xml_reader.h"

namespace kinemorph::xml {
namespace {

std::string Printed(const tinyxml2::XMLElement& element) {
  tinyxml2::XMLPrinter printer;
  element.Accept(&printer);
  std::string text = printer.CStr();
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

// Deep files are refused before: the recursion has a bound.
void Collect(const tinyxml2::XMLElement& element, const std::string& path,
             std::vector<Leaf>& leaves) {
  for (const auto* child = element.FirstChildElement(); child != nullptr;
       child = child->NextSiblingElement()) {
    const std::string here = (path.empty() ? "" : path + "/") + child->Name();
    const bool plain = child->FirstAttribute() == nullptr;
    const char* const text = child->GetText();
    if (child->FirstChildElement() == nullptr) {
      const std::string_view trimmed = text == nullptr ? std::string_view() : Trimmed(text);
      if (!plain || !trimmed.empty()) leaves.push_back({here, std::string(trimmed), plain});
      continue;
    }
    if (!plain) leaves.push_back({here, "", false});
    Collect(*child, here, leaves);
  }
}

}  // namespace

std::vector<Leaf> LeavesOf(const std::string& piece) {
  std::vector<Leaf> leaves;
  tinyxml2::XMLDocument document;
  if (document.Parse(piece.data(), piece.size()) == tinyxml2::XML_SUCCESS &&
      document.RootElement() != nullptr)
    Collect(*document.RootElement(), "", leaves);
  return leaves;
}

std::string LeafText(const std::vector<Leaf>& leaves, std::string_view path) {
  for (const Leaf& leaf : leaves)
    if (leaf.path == path) return leaf.text;
  return "";
}

std::string WithLeaf(const std::string& piece, std::string_view path, std::string_view text) {
  tinyxml2::XMLDocument document;
  if (document.Parse(piece.data(), piece.size()) != tinyxml2::XML_SUCCESS ||
      document.RootElement() == nullptr)
    return piece;
  tinyxml2::XMLElement* at = document.RootElement();
  while (!path.empty()) {
    const std::string name(path.substr(0, path.find('/')));
    path.remove_prefix(std::min(path.size(), name.size() + 1));
    tinyxml2::XMLElement* next = at->FirstChildElement(name.c_str());
    if (next == nullptr) next = at->InsertNewChildElement(name.c_str());
    at = next;
  }
  at->SetText(std::string(text).c_str());
  return Printed(*document.RootElement());
}

std::vector<Piece> ChildrenOfPiece(const std::string& piece) {
  std::vector<Piece> children;
  tinyxml2::XMLDocument document;
  if (document.Parse(piece.data(), piece.size()) != tinyxml2::XML_SUCCESS ||
      document.RootElement() == nullptr)
    return children;
  for (const auto* child = document.RootElement()->FirstChildElement(); child != nullptr;
       child = child->NextSiblingElement())
    children.push_back({child->Name(), Printed(*child)});
  return children;
}

}  // namespace kinemorph::xml
