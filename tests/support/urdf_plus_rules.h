// The rules of the reference URDF+ parser, checked on the text alone: what it would refuse, crash
// on or misread.
#pragma once

#include <tinyxml2.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace kinemorph::test {

/// Every violation of the reference grammar as one line; empty when the text is what the reference
/// parser reads rightly.
inline std::vector<std::string> ReferenceViolations(const std::string& text) {
  std::vector<std::string> found;
  tinyxml2::XMLDocument document;
  if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS) return {"not well-formed"};
  const tinyxml2::XMLElement* robot = document.RootElement();
  const auto attribute = [](const tinyxml2::XMLElement* e, const char* name) {
    return std::string(e != nullptr && e->Attribute(name) != nullptr ? e->Attribute(name) : "");
  };
  const auto numbers = [](const std::string& s) {
    std::vector<double> out;
    const char* at = s.c_str();
    for (char* end = nullptr;; at = end) {
      const double v = std::strtod(at, &end);
      if (end == at) return out;
      out.push_back(v);
    }
  };
  std::set<std::string> links;
  for (const auto* e = robot->FirstChildElement("link"); e != nullptr;
       e = e->NextSiblingElement("link")) {
    if (attribute(e, "name").empty() || !links.insert(attribute(e, "name")).second)
      found.push_back("link without a name of its own: '" + attribute(e, "name") + "'");
  }
  std::map<std::string, std::string> parent;
  std::set<std::string> joints;
  static const std::set<std::string> kTypes = {"revolute", "continuous", "prismatic",
                                               "floating", "planar",     "fixed"};
  for (const auto* e = robot->FirstChildElement("joint"); e != nullptr;
       e = e->NextSiblingElement("joint")) {
    const std::string name = attribute(e, "name"), type = attribute(e, "type");
    if (name.empty() || !joints.insert(name).second)
      found.push_back("joint without a name of its own: '" + name + "'");
    if (!kTypes.count(type)) found.push_back("joint '" + name + "' has type '" + type + "'");
    const std::string independent = attribute(e, "independent");
    if (!independent.empty() && independent != "true" && independent != "false")
      found.push_back("joint '" + name + "' independent='" + independent + "'");
    const std::string p = attribute(e->FirstChildElement("parent"), "link"),
                      c = attribute(e->FirstChildElement("child"), "link");
    if (!links.count(p) || !links.count(c))
      found.push_back("joint '" + name + "' joins unknown links '" + p + "' and '" + c + "'");
    if (!parent.emplace(c, p).second) found.push_back("link '" + c + "' has two parents");
    const auto* limit = e->FirstChildElement("limit");
    if ((type == "revolute" || type == "prismatic") && limit == nullptr)
      found.push_back("joint '" + name + "' needs a limit");
    if (limit != nullptr &&
        (limit->Attribute("effort") == nullptr || limit->Attribute("velocity") == nullptr))
      found.push_back("joint '" + name + "' limit needs effort and velocity");
    if (type != "fixed" && type != "floating") {
      const std::vector<double> axis = numbers(attribute(e->FirstChildElement("axis"), "xyz"));
      if (axis.size() != 3 ||
          std::abs(std::sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]) - 1) > 1e-9)
        found.push_back("joint '" + name + "' axis is not a unit vector");
    }
  }
  std::size_t roots = 0;
  for (const std::string& link : links) roots += parent.count(link) ? 0 : 1;
  if (roots != 1) found.push_back(std::to_string(roots) + " roots");
  const auto chain = [&](std::string link) {
    std::vector<std::string> out{link};
    while (parent.count(link) && out.size() <= links.size()) out.push_back(link = parent[link]);
    return out;
  };
  const auto joins_ancestor = [&](const std::string& p, const std::string& s) {
    const std::vector<std::string> up = chain(p), us = chain(s);
    return std::find(us.begin(), us.end(), p) != us.end() ||
           std::find(up.begin(), up.end(), s) != up.end();
  };
  std::set<std::string> constraints;
  static const std::set<std::string> kLoopTypes = {"revolute", "continuous", "prismatic", "planar",
                                                   "fixed"};
  for (const char* element : {"loop", "coupling"}) {
    for (const auto* e = robot->FirstChildElement(element); e != nullptr;
         e = e->NextSiblingElement(element)) {
      const std::string name = attribute(e, "name"),
                        what = std::string(element) + " '" + name + "'";
      if (name.empty() || !constraints.insert(name).second)
        found.push_back(what + ": the name is missing or taken");
      const std::string p = attribute(e->FirstChildElement("predecessor"), "link"),
                        s = attribute(e->FirstChildElement("successor"), "link");
      if (!links.count(p) || !links.count(s))
        found.push_back(what + ": unknown links '" + p + "', '" + s + "'");
      else if (joins_ancestor(p, s))
        found.push_back(what + ": joins a link to its own ancestor");
      if (std::string(element) == "loop") {
        const std::string type = attribute(e, "type");
        if (!kLoopTypes.count(type)) found.push_back(what + ": type '" + type + "'");
        if (type != "fixed") {
          const std::vector<double> axis = numbers(attribute(e->FirstChildElement("axis"), "xyz"));
          if (axis.size() != 3 ||
              std::abs(std::sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]) - 1) >
                  1e-9)
            found.push_back(what + ": axis is not a unit vector");
        }
      } else if (numbers(attribute(e->FirstChildElement("ratio"), "value")).size() != 1) {
        found.push_back(what + ": ratio is not a number");
      }
    }
  }
  for (const char* legacy : {"constraint", "loop_constraint", "loop_joint"})
    if (robot->FirstChildElement(legacy) != nullptr)
      found.push_back(std::string("<") + legacy + ">");
  return found;
}

}  // namespace kinemorph::test
