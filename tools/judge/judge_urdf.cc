// urdfdom's opinion of the URDF part (it does not know loops and couplings and passes over them).
#include <tinyxml2.h>
#include <urdf_parser/urdf_parser.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "judge.h"

namespace kinemorph::judge {
namespace {

// Joints of types that the paper on URDF+ has and urdfdom has not become floating ones. The last such
// type; empty: there is none, and `text` stays as it is.
std::string MakeKnown(const std::string& file, std::string& text) {
  constexpr std::array<std::string_view, 4> kTypes = {"spherical", "universal", "screw",
                                                      "cylindrical"};
  std::string found;
  tinyxml2::XMLDocument document;
  if (document.LoadFile(file.c_str()) != tinyxml2::XML_SUCCESS || !document.RootElement())
    return found;
  for (auto* joint = document.RootElement()->FirstChildElement("joint"); joint != nullptr;
       joint = joint->NextSiblingElement("joint")) {
    const char* const type = joint->Attribute("type");
    if (type == nullptr || std::find(kTypes.begin(), kTypes.end(), type) == kTypes.end()) continue;
    found = type;
    joint->SetAttribute("type", "floating");
  }
  tinyxml2::XMLPrinter printer;
  if (!found.empty()) document.Print(&printer), text = printer.CStr();
  return found;
}

}  // namespace

Verdict JudgeUrdf(const std::string& file) {
  std::string text;
  const std::string unknown = MakeKnown(file, text);
  // urdfdom prints its reasons to std::cerr, where main() puts them into one text with the verdict.
  const urdf::ModelInterfaceSharedPtr model =
      unknown.empty() ? urdf::parseURDFFile(file) : urdf::parseURDF(text);
  if (!model) return {kRefused, "urdfdom refuses the file; its reasons are above"};
  return {kAccepted,
          "urdfdom accepts the file: " + std::to_string(model->links_.size()) + " links, " +
              std::to_string(model->joints_.size()) + " joints" +
              (unknown.empty() ? ""
                               : ", with joints like '" + unknown +
                                     "', which urdfdom does not know, as floating ones")};
}

}  // namespace kinemorph::judge
