#include "emit/describe.h"

#include <algorithm>

#include "emit/names.h"
#include "kinemorph/graph/base/number.h"

namespace kinemorph::emit {
namespace {

std::string Count(std::size_t n, const std::string& what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

std::string DescribeVelocity(const Equations& e, std::size_t i, bool simulation) {
  const ExportedScalar& v = e.velocities[i];
  std::string line = "  v[" + std::to_string(i) + "]  " + PlainText(v.name) + "  " + v.unit +
                     (e.dependent[i] ? "  dependent" : "  independent");
  if (v.reversed) line += "  against the tree";
  if (v.armature != 0) line += "  armature " + FormatNumber(v.armature);
  if (v.damping != 0) line += "  damping " + FormatNumber(v.damping);
  if (v.stiffness != 0)
    line += "  spring " + FormatNumber(v.stiffness) + " about " + FormatNumber(v.reference);
  // Only `rhs`, made for simulators, has friction and soft limits in it.
  if (v.friction != 0)
    line += simulation ? "  Coulomb friction " + FormatNumber(v.friction)
                       : "  (Coulomb friction " + FormatNumber(v.friction) + ": left out)";
  return line;
}

}  // namespace

// One text for the header of C, for help in MATLAB and for FMUs: what the arrays mean, in the
// orders of the arrays. Names come from files of others, so each goes through PlainText, which
// takes out what could end a comment.
std::vector<std::string> Describe(const Equations& e) {
  std::vector<std::string> lines;
  const bool simulation = e.Find("rhs") != nullptr;
  lines.push_back("Equations of motion of '" + PlainText(e.model_name) +
                  "', written by kinemorph.");
  lines.push_back("");
  lines.push_back(Count(e.links.size(), "link") + ", " + Count(e.positions.size(), "position") +
                  " q, " +
                  (e.velocities.size() == 1 ? "1 velocity"
                                            : std::to_string(e.velocities.size()) + " velocities") +
                  " v, " + std::to_string(e.independent.size()) + " of them independent (v_q), " +
                  Count(e.rows.size(), "constraint row") + ".");
  lines.push_back("Units: rad, m, kg, s, N, N m. Indices count from 0 here.");
  lines.push_back("Gravity " + FormatNumber(e.gravity.x()) + " " + FormatNumber(e.gravity.y()) +
                  " " + FormatNumber(e.gravity.z()) + " m/s^2 in world axes.");
  lines.push_back("");
  lines.push_back("q, with the value where the loops are closed:");
  for (std::size_t i = 0; i < e.positions.size(); ++i) {
    const ExportedScalar& q = e.positions[i];
    lines.push_back("  q[" + std::to_string(i) + "]  " + PlainText(q.name) + "  " +
                    (q.unit == "1" ? "quaternion" : q.unit) + "  " +
                    FormatNumber(e.assembled[static_cast<Eigen::Index>(i)]));
  }
  lines.push_back("v, tau and qdd (forces do work on v; of a ball or free joint v is the angular");
  lines.push_back("velocity, then the velocity of the origin, in axes of the moving frame):");
  for (std::size_t i = 0; i < e.velocities.size(); ++i)
    lines.push_back(DescribeVelocity(e, i, simulation));
  // Only where there is such a joint: for all others the note would be a riddle.
  if (std::any_of(e.velocities.begin(), e.velocities.end(),
                  [](const ExportedScalar& v) { return v.reversed; })) {
    lines.push_back(
        "A joint that points against the tree keeps its coordinates, their signs and their");
    lines.push_back(
        "order: [0] is about the first axis of the model. (A conversion to a format whose");
    lines.push_back(
        "joints all lead outwards turns it round, and says where coordinates change places.)");
  }
  lines.push_back("v_q and the columns of G:");
  for (std::size_t i = 0; i < e.independent.size(); ++i) {
    const auto v = static_cast<std::size_t>(e.independent[i]);
    lines.push_back("  v_q[" + std::to_string(i) + "]  = v[" + std::to_string(v) + "]  " +
                    PlainText(e.velocities[v].name));
  }
  if (!e.rows.empty())
    lines.push_back(simulation ? "rows that close the loops:" : "phi, k and the rows of K:");
  for (std::size_t i = 0; i < e.rows.size(); ++i)
    lines.push_back("  phi[" + std::to_string(i) + "]  " + PlainText(e.rows[i]));
  lines.push_back(simulation ? "links:" : "links, in the order of kin:");
  for (std::size_t i = 0; i < e.links.size(); ++i)
    lines.push_back("  " + std::to_string(i) + "  " + PlainText(e.links[i]));
  if (!e.feet.empty()) lines.push_back("feet, in the order of feet and impact, in their links:");
  for (std::size_t i = 0; i < e.feet.size(); ++i) {
    const Vector3& p = e.feet[i].p_B;
    lines.push_back("  " + std::to_string(i) + "  " + PlainText(e.feet[i].link) + "  " +
                    FormatNumber(p.x()) + " " + FormatNumber(p.y()) + " " + FormatNumber(p.z()));
  }
  lines.push_back("");
  // What the equations leave out is as much a part of their meaning as what they hold.
  if (simulation) {
    lines.push_back(
        "Included: armature, springs and viscous damping of the joints, Coulomb friction");
    lines.push_back(
        "(fading below 0.01 rad/s, m/s), soft limits. Left out: contacts, actuators (tau");
    lines.push_back(
        "stands for what they do); hard limits hold nothing, event indicators tell where one");
    lines.push_back("is passed.");
    return lines;
  }
  lines.push_back(
      "Included: armature, springs and viscous damping of the joints. Left out: Coulomb");
  lines.push_back("friction, limits of joints, contacts, actuators (tau stands for what they do).");
  return lines;
}

std::string InCapitals(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

}  // namespace kinemorph::emit
