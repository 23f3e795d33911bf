// urdfdom's opinion of the URDF part (it does not know loops and couplings and passes over them).
#include <tinyxml2.h>
#include <urdf_parser/urdf_parser.h>

#include <array>
#include <string_view>

#include "judge.h"

namespace kinemorph::judge {
namespace {

// The type of the first joint whose type the paper on URDF+ has and urdfdom has not; empty: none.
std::string TypeOfThePaper(const std::string& file) {
  constexpr std::array<std::string_view, 4> kTypes = {"spherical", "universal", "screw",
                                                      "cylindrical"};
  tinyxml2::XMLDocument document;
  if (document.LoadFile(file.c_str()) != tinyxml2::XML_SUCCESS) return "";
  const tinyxml2::XMLElement* const robot = document.RootElement();
  if (robot == nullptr) return "";
  for (const auto* joint = robot->FirstChildElement("joint"); joint != nullptr;
       joint = joint->NextSiblingElement("joint"))
    if (const char* const type = joint->Attribute("type"))
      for (const std::string_view each : kTypes)
        if (type == each) return type;
  return "";
}

}  // namespace

Verdict JudgeUrdf(const std::string& file) {
  if (const std::string type = TypeOfThePaper(file); !type.empty())
    return {kNotJudged, "not judged: urdfdom knows no joint of type '" + type + "'"};
  // urdfdom prints its reasons to std::cerr, where main() puts them into one text with the verdict.
  const urdf::ModelInterfaceSharedPtr model = urdf::parseURDFFile(file);
  if (!model) return {kRefused, "urdfdom refuses the file; its reasons are above"};
  return {kAccepted, "urdfdom accepts the file: " + std::to_string(model->links_.size()) +
                         " links, " + std::to_string(model->joints_.size()) + " joints"};
}

}  // namespace kinemorph::judge
