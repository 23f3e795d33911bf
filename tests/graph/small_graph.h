// Builds small models from lines such as "revolute base -> crank actuated", so that a test shows
// its graph at a glance.
#pragma once

#include <map>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "kinemorph/graph/model/model.h"

namespace kinemorph::test {

/// One joint per line: KIND P -> S [NAME=x] [tree|loop|undecided] [actuated] [limited]
/// [independent|dependent] [hint]. The joint's name is "P-S" where none is given, its line number
/// the line of the text; links appear in the order they are mentioned; "world" is the world. "link
/// X" mentions a link alone.
inline Model SmallGraph(const std::string& text, JointRole role = JointRole::kUndecided) {
  const std::map<std::string, JointKind> kinds{
      {"fixed", Fixed{}},   {"revolute", Revolute{}},       {"prismatic", Prismatic{}},
      {"screw", Screw{}},   {"universal", Universal{}},     {"ball", Ball{}},
      {"planar", Planar{}}, {"cylindrical", Cylindrical{}}, {"free", Free{}}};
  Model model;
  model.name = "small";
  model.files = {"small.urdf"};
  std::map<std::string, LinkId> links{{"world", kWorld}};
  std::istringstream lines(text);
  std::string line;
  for (std::uint32_t number = 1; std::getline(lines, line); ++number) {
    std::istringstream words(line);
    std::string kind, p, arrow, s, word;
    if (!(words >> kind)) continue;
    const auto link = [&](const std::string& name) {
      const auto found = links.find(name);
      if (found != links.end()) return found->second;
      Link made;
      made.name = name;
      made.where = {0, number};
      return links.emplace(name, model.AddLink(made)).first->second;
    };
    words >> p;
    const LinkId predecessor = link(p);
    if (kind == "link") continue;
    words >> arrow >> s;
    if (arrow != "->" || !kinds.count(kind)) throw std::invalid_argument(line);
    Joint joint;
    joint.name = p + "-" + s;
    joint.kind = kinds.at(kind);
    joint.role = role;
    joint.axes.resize(static_cast<std::size_t>(NumAxes(joint.kind)));
    joint.where = {0, number};
    bool actuated = false;
    while (words >> word) {
      if (word.rfind("NAME=", 0) == 0)
        joint.name = word.substr(5);
      else if (word == "tree")
        joint.role = JointRole::kTree;
      else if (word == "loop")
        joint.role = JointRole::kLoop;
      else if (word == "undecided")
        joint.role = JointRole::kUndecided;
      else if (word == "actuated")
        actuated = true;
      else if (word == "limited")
        joint.axes.at(0).upper = 1;
      else if (word == "independent")
        joint.independent = true;
      else if (word == "dependent")
        joint.independent = false;
      else if (word == "hint")
        joint.cut_hint = true;
      else
        throw std::invalid_argument(line);
    }
    const LinkId successor = link(s);
    const JointId id = model.AddJoint(predecessor, successor, joint);
    if (actuated) {
      Actuator actuator;
      actuator.name = "motor";
      actuator.joint = id;
      model.actuators.push_back(actuator);
    }
  }
  return model;
}

/// follower = multiplier * leader.
inline void AddMimic(Model& model, const std::string& follower, const std::string& leader,
                     double multiplier = 1) {
  Coupling coupling;
  coupling.form = CouplingForm::kMimic;
  coupling.terms = {{{*model.FindJoint(follower), 0}, {1, 0, 0, 0}},
                    {{*model.FindJoint(leader), 0}, {-multiplier, 0, 0, 0}}};
  model.couplings.push_back(coupling);
}

inline void AddRatio(Model& model, const std::string& predecessor, const std::string& successor,
                     double ratio = 1) {
  Coupling coupling;
  coupling.name = predecessor + ":" + successor;
  coupling.form = CouplingForm::kRatio;
  coupling.predecessor = *model.FindLink(predecessor);
  coupling.successor = *model.FindLink(successor);
  coupling.ratio = ratio;
  model.couplings.push_back(coupling);
}

inline std::string NamesOf(const Model& model, std::span<const LinkId> links) {
  std::string out;
  for (const LinkId link : links) out += (out.empty() ? "" : " ") + model.link(link).name;
  return out;
}

inline std::string NamesOf(const Model& model, std::span<const JointId> joints) {
  std::string out;
  for (const JointId joint : joints) out += (out.empty() ? "" : " ") + model.joint(joint).name;
  return out;
}

}  // namespace kinemorph::test
