// Masses and inertias.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "kinemorph/graph/base/linear_algebra.h"
#include "lint/rules.h"

namespace kinemorph::lint {
namespace {

constexpr double kRounding = 1e-15;       // kg m^2: what exporters leave of any sign
constexpr double kBrokenTriangle = 1e-2,  // of the largest moment; less is rounding
    kRoundedTriangle = 1e-3;              // and less still is not worth a word
constexpr double kShareOfMass = 1e-3;     // of the robot: lighter bodies move nothing
constexpr double kTinyRadius = 2e-4;      // m
constexpr double kHeaviest = 1e4;         // kg, of a link in a robot that is smaller than
constexpr double kSmallRobot = 5;         // m
constexpr double kOutOfLine = 30;         // times its neighbours: an entry off by 1000
constexpr std::size_t kPlaceholders = 3;  // links that share one inertia

// A body has positive principal moments, and each is at most the sum of the other two (equal for a
// plate). Tensors are about the centre of mass, in kg m^2; moments are sorted, the least first.
bool IsPhysical(const Matrix3& I) {
  const Vector3 m = PrincipalMoments(I);
  return m[0] > 0 && m[0] + m[1] >= m[2];
}

// The one entry that is wrong by a factor of 1000, where there is exactly one: "ixx 4.765 is
// 1000 times too large".
std::string LostThousand(const Matrix3& I) {
  static constexpr struct {
    const char* name;
    int row, column;
  } kEntries[] = {{"ixx", 0, 0}, {"iyy", 1, 1}, {"izz", 2, 2},
                  {"ixy", 0, 1}, {"ixz", 0, 2}, {"iyz", 1, 2}};
  std::string found;
  // An entry that is too large stands out above 30 times the other moments, one too small below a
  // 30th; only moments can be too small, as products may be 0. The repaired tensor must be one that
  // a body has, which random mistakes seldom give. Two candidates are none.
  for (const auto& entry : kEntries) {
    double others = 0;  // the largest moment beside this entry
    for (int i = 0; i < 3; ++i)
      if (i != entry.row || entry.row != entry.column) others = std::max(others, std::abs(I(i, i)));
    for (const double factor : {1e-3, 1e3}) {
      const double value = std::abs(I(entry.row, entry.column));
      const bool out = factor < 1 ? value > kOutOfLine * others
                                  : entry.row == entry.column && value * kOutOfLine < others;
      Matrix3 repaired = I;
      repaired(entry.row, entry.column) *= factor;
      repaired(entry.column, entry.row) = repaired(entry.row, entry.column);
      if (!out || !IsPhysical(repaired)) continue;
      if (!found.empty()) return {};
      found = std::string(entry.name) + " = " + Brief(I(entry.row, entry.column)) +
              " is 1000 times too " + (factor < 1 ? "large" : "small") + " beside the others";
    }
  }
  return found;
}

std::string RemedyOfNoBody(const Matrix3& I) {
  const std::string lost = LostThousand(I);
  return lost.empty()
             ? "entries in the wrong order, a sign off the diagonal, or one entry off by a "
               "power of ten: compute the inertia again from the shape"
             : lost;
}

// Said of a tensor that no body has; true where it was, or where it has no moments.
bool LintTensor(const std::string& subject, const Inertial& inertial, const Words& words) {
  const Vector3 m = PrincipalMoments(inertial.I_I);
  const double largest = m.cwiseAbs().maxCoeff();
  // Nothing is said of tensors of 0 or of rounding: LintPoints has those.
  if (!(largest > kRounding)) return true;
  // Moments that are 0 but for rounding are shown as 0.
  const auto moment = [&](double value) {
    return Brief(std::abs(value) > 1e-9 * largest ? value : 0);
  };
  const std::string moments = moment(m[0]) + ", " + moment(m[1]) + ", " + moment(m[2]) + " kg m^2";
  const std::vector<Quantity> principal = {{"principal_moment_1", m[0], "kg m^2"},
                                           {"principal_moment_2", m[1], "kg m^2"},
                                           {"principal_moment_3", m[2], "kg m^2"}};
  const std::string no_body = "no rigid body has this inertia: principal moments " + moments;

  // Least moment below -1e-9 of the largest: no unit and no rounding explains that.
  if (m[0] < -std::max(1e-9 * largest, kRounding)) {
    words.Say(Severity::kWarning, "lint-inertia-indefinite", inertial.where,
              {subject, no_body + ", one is negative", principal}, RemedyOfNoBody(inertial.I_I));
    return true;
  }

  // 1 % of the largest moment is a mistake, 0.1 to 1 % are entries with few digits, less is not
  // told.
  const double excess = (m[2] - m[0] - m[1]) / largest;
  if (excess <= kRoundedTriangle || m[2] - m[0] - m[1] <= kRounding) return false;
  const bool broken = excess > kBrokenTriangle;
  words.Say(broken ? Severity::kWarning : Severity::kNote, "lint-inertia-triangle", inertial.where,
            {subject,
             no_body + ", and " + moment(m[2]) + " > " + moment(m[0]) + " + " + moment(m[1]) +
                 " by " + Brief(100 * excess) + " %",
             principal},
            broken ? RemedyOfNoBody(inertial.I_I) : "rounded entries: write more digits");
  return broken;
}

// "a solid ball of 0.05 kg that turns so is 2.2 m in radius" is what a colleague sees at once.
void LintRadius(const RobotFacts& robot, const std::string& subject, const Inertial& inertial,
                const Words& words) {
  if (!(inertial.mass > 0) || inertial.mass < kShareOfMass * robot.mass) return;
  // sqrt(tr I / 2 m) is the root mean square distance of the mass from its centre (m). Larger than
  // twice the whole robot, the number is in another unit or a placeholder; below 0.2 mm likewise.
  // Light links are left out, because their inertia moves nothing. For comparison, a solid ball of
  // radius r has 0.4 m r^2.
  const double radius = std::sqrt(inertial.I_I.trace() / (2 * inertial.mass));
  const std::string mass = Brief(inertial.mass) + " kg";
  if (robot.extent > 0 && radius > std::max(1.0, 2 * robot.extent)) {
    words.Say(Severity::kWarning, "lint-inertia-large", inertial.where,
              {subject,
               mass + " turn like a body of " + Brief(radius) +
                   " m (gyration radius), the robot is " + Brief(robot.extent) + " m long",
               {{"mass", inertial.mass, "kg"},
                {"gyration_radius", radius, "m"},
                {"extent", robot.extent, "m"}}},
              "is this in kg mm^2 (multiply by 1e-6) or kg cm^2 (1e-4), or a placeholder? a ball "
              "of that mass and 0.1 m in diameter has " +
                  Brief(0.4 * inertial.mass * 0.0025) + " kg m^2");
  }
  if (radius > 0 && radius < kTinyRadius) {
    words.Say(Severity::kWarning, "lint-inertia-tiny", inertial.where,
              {subject,
               mass + " with a gyration radius of " + Brief(1e6 * radius) +
                   " um: a grain of dust has more",
               {{"mass", inertial.mass, "kg"}, {"gyration_radius", radius, "m"}}},
              "is this the default of an exporter, or another unit? a ball of that mass and 0.1 m "
              "in diameter has " +
                  Brief(0.4 * inertial.mass * 0.0025) + " kg m^2");
  }
}

bool IsPowerOfTen(double value) {
  const double exponent = std::log10(value);
  return std::abs(exponent - std::round(exponent)) < 1e-9;
}

// One isotropic inertia of 10^k on links of different masses was typed, not computed. One word per
// robot, of the inertia that most links share.
void LintPlaceholders(const RobotFacts& robot, const Words& words) {
  struct Alike {
    std::size_t links = 0;
    std::set<double> masses;
    SourceLocation where;
  };
  std::map<double, Alike> by_inertia;
  for (const LinkId link : Links(robot.model)) {
    const auto& inertial = robot.model.link(link).inertial;
    if (!inertial || inertial->mass <= 0 || !inertial->unknown.empty()) continue;
    const double value = inertial->I_I(0, 0);
    if (!(value > 0) || inertial->I_I != value * Matrix3::Identity() || !IsPowerOfTen(value))
      continue;
    Alike& alike = by_inertia[value];
    if (alike.links++ == 0) alike.where = inertial->where;
    alike.masses.insert(inertial->mass);
  }
  const Alike* most = nullptr;
  double inertia = 0;
  for (const auto& [value, alike] : by_inertia) {
    if (alike.links < kPlaceholders || alike.masses.size() < 2) continue;
    if (most == nullptr || alike.links > most->links) most = &alike, inertia = value;
  }
  if (most == nullptr) return;
  words.Say(Severity::kNote, "lint-inertia-placeholder", most->where,
            Counted(most->links, "link") + " have the same inertia " + Brief(inertia) +
                " although their masses differ (" + Brief(*most->masses.begin()) + " to " +
                Brief(*most->masses.rbegin()) + " kg): a placeholder",
            "compute inertias from the shapes, or from the meshes with a CAD program");
}

// The only mass of what a joint turns, without an inertia of its own.
void LintPoints(const RobotFacts& robot, const Diagnostics& reading, const Words& words) {
  const Model& model = robot.model;
  std::set<std::uint32_t> told;  // lines in which reading has said so already
  for (const Diagnostic& message : reading.items())
    if (message.code == "inertia-missing") told.insert(message.line);
  std::map<std::uint32_t, std::vector<LinkId>> massive;
  std::set<std::uint32_t> turned;
  for (const LinkId link : Links(model)) {
    const std::size_t i = Index(link);
    const JointId joint = robot.tree.parent_joint[i];
    if (model.link(link).inertial && model.link(link).inertial->mass > 0)
      massive[robot.group[i]].push_back(link);
    if (joint == kNoJoint || !robot.moves[i]) continue;
    if (std::holds_alternative<Revolute>(model.joint(joint).kind)) turned.insert(robot.group[i]);
  }

  // By groups, as a massless inertia between links that have some does no harm: only where the one
  // mass of a group turns about its own joint is M singular, or nearly so.
  for (const auto& [group, links] : massive) {
    if (links.size() != 1 || turned.count(group) == 0) continue;
    const Inertial& inertial = *model.link(links.front()).inertial;
    if (!inertial.I_I.isZero(0) || !inertial.unknown.empty() || told.count(inertial.where.line) > 0)
      continue;
    words.Say(Severity::kNote, "lint-inertia-zero", inertial.where,
              {"link",
               model.link(links.front()).name,
               Brief(inertial.mass) +
                   " kg without any inertia, alone on its joint: the mass matrix may be singular",
               {{"mass", inertial.mass, "kg"}}},
              "write the inertia, or fix the link to a link with inertia");
  }
}

// Groups of links that a joint moves and that have no mass at all.
void LintMissing(const RobotFacts& robot, const Words& words) {
  const Model& model = robot.model;
  // MJCF and SDFormat have other rules for a link without inertial (from geoms, or 1 kg); in URDF
  // it is an exporter's frame or a mistake. A robot without any mass at all is a drawing for
  // planning.
  if (!model.format.starts_with("urdf") || !(robot.mass > 0)) return;
  std::set<std::uint32_t> massive;
  for (const LinkId link : Links(model))
    if (model.link(link).inertial) massive.insert(robot.group[Index(link)]);
  std::size_t count = 0;
  LinkId first = kNoLink;

  // The head of a group is the link that the moving joint leads to.
  for (const LinkId link : Links(model)) {
    const std::size_t i = Index(link);
    const JointId joint = robot.tree.parent_joint[i];
    const bool head = joint != kNoJoint && NumVelocities(model.joint(joint).kind) > 0;
    if (!head || !robot.moves[i] || model.link(link).synthetic || massive.count(robot.group[i]))
      continue;
    if (count++ == 0) first = link;
  }
  if (count == 0) return;
  words.Say(Severity::kNote, "lint-no-inertial", model.link(first).where,
            "link '" + model.link(first).name + "'" +
                (count > 1 ? " (and " + std::to_string(count - 1) + " more)" : "") +
                ": a joint moves this link, which has no <inertial>: simulators leave the link out "
                "or refuse the file",
            "write <inertial> with mass and inertia");
}

}  // namespace

void LintInertias(const RobotFacts& robot, const Diagnostics& reading, const Words& words) {
  for (const LinkId link : Links(robot.model)) {
    const Link& body = robot.model.link(link);
    // What nobody knows (a mesh that was not found) is judged by no rule.
    if (!body.inertial || !body.inertial->unknown.empty()) continue;
    const std::string subject = About("link", body.name);
    const Inertial& inertial = *body.inertial;

    // With the mass in a wrong unit, the inertia is too: one word is enough.
    if (inertial.mass > kHeaviest && robot.extent > 0 && robot.extent < kSmallRobot) {
      words.Say(Severity::kWarning, "lint-mass-unit", inertial.where,
                {subject,
                 " weighs " + Brief(inertial.mass) + " kg in a robot of " + Brief(robot.extent) +
                     " m: grams, or a density in another unit?",
                 {{"mass", inertial.mass, "kg"}, {"extent", robot.extent, "m"}}},
                "write kg");
      continue;
    }
    if (!LintTensor(subject, inertial, words)) LintRadius(robot, subject, inertial, words);
  }
  LintPlaceholders(robot, words);
  LintPoints(robot, reading, words);
  LintMissing(robot, words);
}

}  // namespace kinemorph::lint
