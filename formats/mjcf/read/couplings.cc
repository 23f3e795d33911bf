// Joint equalities, and tendon equalities over fixed tendons: couplings in displacements from
// qpos0.
#include <algorithm>
#include <cmath>

#include "native.h"
#include "read/reader.h"

namespace kinemorph::mjcf {

std::vector<std::string> Reader::JointNames() const {
  std::vector<std::string> names;
  for (const auto& known : joints_by_name_) names.push_back(known.first);
  return names;
}

std::optional<JointId> Reader::FindScalarJoint(const xml::Element& element, const char* attribute) {
  const std::string name = element.Attribute(attribute, "");
  const std::string who = "'" + element.path() + "'";
  const auto found = joints_by_name_.find(name);
  if (found == joints_by_name_.end()) {
    Undefined(element, "joint", name, JointNames());
    return std::nullopt;
  }
  if (NumVelocities(model_.joint(found->second).kind) != 1) {
    element.Error("joint-not-scalar", {who, "joint '" + name + "' is neither a hinge nor a slide"});
    return std::nullopt;
  }
  return found->second;
}

std::vector<double> Reader::PolynomialOf(const Attributes& attributes) const {
  // MuJoCo's default of polycoef is y = x; shorter lists replace its first numbers.
  std::vector<double> polynomial = {0, 1, 0, 0, 0};
  if (const auto written = attributes.element().Numbers("polycoef", 1, 5))
    std::copy(written->begin(), written->end(), polynomial.begin());
  return polynomial;
}

// y - y0 = a0 + a1 (x - x0) + ... + a4 (x - x0)^4; always radians. Without joint2 a constant lock:
// y - y0 = a0.
void Reader::ReadJointEquality(const Attributes& attributes) {
  const xml::Element& element = attributes.element();
  const auto dependent = FindScalarJoint(element, "joint1");
  const std::vector<double> polynomial = PolynomialOf(attributes);
  Coupling coupling;
  coupling.name = element.Attribute("name", "");
  coupling.form = CouplingForm::kPolynomial;
  coupling.native_type = "joint";
  coupling.where = element.where();
  coupling.constant = polynomial[0];
  if (!dependent) return;

  // The terms add up to `constant`: the one of the dependent joint as it is, those of the leader
  // turned to the other side.
  coupling.terms.push_back({{*dependent, 0}, {1, 0, 0, 0}});
  if (element.Has("joint2")) {
    const auto leader = FindScalarJoint(element, "joint2");
    if (!leader) return;
    if (*leader == *dependent) {
      element.Error("equality-self",
                    {"joint equality", coupling.name, "joint1 and joint2 are the same"});
      return;
    }
    // A negated zero would be written as -0.
    CouplingTerm term{{*leader, 0}, {}};
    for (std::size_t i = 0; i < 4; ++i)
      term.coefficients[i] = polynomial[i + 1] == 0 ? 0 : -polynomial[i + 1];
    coupling.terms.push_back(term);
  }
  const AttributeList rest = KeptAttributes(attributes, "equality");
  if (!rest.empty()) coupling.native.push_back(MakeSoftness(element, "equality", rest));
  model_.couplings.push_back(std::move(coupling));
}

namespace {

// A fixed tendon is a sum of coordinates, which acts where it has a range, friction, inertia, a
// spring or a damper; else it is a name for motors, sensors and equalities, which say more by
// themselves.
bool IsMereSum(const AttributeList& tendon) {
  return std::ranges::none_of(tendon, [](const auto& attribute) {
    const auto& [name, value] = attribute;
    if (name == "range" || name == "actuatorfrcrange") return true;
    const bool acts =
        name == "stiffness" || name == "damping" || name == "frictionloss" || name == "armature";
    const std::optional<std::vector<double>> numbers =
        acts ? xml::ParseNumbers(value, 3) : std::nullopt;
    return acts && !(numbers && std::ranges::all_of(*numbers, [](double n) { return n == 0; }));
  });
}

}  // namespace

// Tendons stay native; fixed ones are remembered for the equalities over them.
void Reader::ReadTendons() {
  for (const auto& [element, place] : ElementsOf("tendon")) {
    const Attributes attributes(element, defaults_.ClassOf(element, "class", defaults_.main()),
                                "tendon");
    const std::string name = element.Attribute("name", "");
    if (!name.empty()) static_cast<void>(Claim("tendon", name, element));
    if (element.name() == "fixed") {
      std::vector<TendonTerm> terms;
      bool scalar = true;
      for (const xml::Element joint : element.Children("joint")) {
        const auto known = joints_by_name_.find(joint.Attribute("joint", ""));
        // MuJoCo takes the first coordinate of a ball; such a tendon is no relation between joint
        // coordinates of ours.
        if (known != joints_by_name_.end() && NumVelocities(model_.joint(known->second).kind) != 1)
          scalar = false;
        else if (const auto id = FindScalarJoint(joint, "joint"))
          terms.push_back({*id, joint.Number("coef", 1)});
      }
      if (scalar) fixed_tendons_[name] = std::move(terms);
    } else if (element.name() != "spatial") {
      element.Error(
          "tendon-unknown",
          {"tendon", name, "'" + std::string(element.name()) + "' is neither fixed nor spatial"});
    }
    // Defaults are shared with spatial tendons, which can be drawn.
    AttributeList all = attributes.All();
    if (element.name() == "fixed")
      std::erase_if(all, [](const auto& a) {
        return a.first == "width" || a.first == "material" || a.first == "rgba";
      });
    model_.native.push_back(MakeNative(element, element.name(), all, true));
    model_.native.back().element = "tendon/" + std::string(element.name());
    model_.native.back().idle = element.name() == "fixed" && IsMereSum(all);
    element.ConsumeAll();
  }
}

// L1 - L1(qpos0) = a0 + a1 (L2 - L2(qpos0)) + ...; with L = sum of coef times joint it is a
// relation between joints.
void Reader::ReadTendonEquality(const Attributes& attributes) {
  const xml::Element& element = attributes.element();
  const std::string who = "tendon equality '" + element.Attribute("name", "") + "'";
  const auto find = [&](const char* attribute) -> const std::vector<TendonTerm>* {
    const std::string name = element.Attribute(attribute, "");
    const auto found = fixed_tendons_.find(name);
    if (found != fixed_tendons_.end()) return &found->second;
    if (!names_["tendon"].Has(name)) Undefined(element, "tendon", name, {});
    return nullptr;
  };
  const std::vector<TendonTerm>* dependent = find("tendon1");
  const std::vector<TendonTerm>* leader = element.Has("tendon2") ? find("tendon2") : nullptr;
  const std::vector<double> polynomial = PolynomialOf(attributes);
  const bool curved = leader != nullptr && std::any_of(polynomial.begin() + 2, polynomial.end(),
                                                       [](double a) { return a != 0; });
  // With several joints in tendon2 the powers of their sum have mixed products, which terms of
  // single coordinates cannot hold.
  if (dependent == nullptr || (element.Has("tendon2") && leader == nullptr) ||
      (curved && leader->size() > 1)) {
    model_.native.push_back(MakeNative(element, "tendon", attributes.All()));
    model_.native.back().element = "equality/tendon";
    element.Warn("tendon-equality", {who,
                                     "kinemorph reads only linear relations between fixed tendons "
                                     "(or polynomials of one joint); only MJCF keeps this one"});
    return;
  }
  Coupling coupling;
  coupling.name = element.Attribute("name", "");
  coupling.form = CouplingForm::kTendon;
  coupling.native_type = "tendon";
  coupling.where = element.where();
  coupling.constant = polynomial[0];
  // A joint may stand in both tendons, or twice in one.
  const auto add = [&coupling](JointId joint, std::size_t power, double coefficient) {
    if (coefficient == 0) return;
    for (CouplingTerm& term : coupling.terms)
      if (term.coordinate.joint == joint) {
        term.coefficients[power] += coefficient;
        return;
      }
    coupling.terms.push_back({{joint, 0}, {}});
    coupling.terms.back().coefficients[power] = coefficient;
  };
  // With one joint in tendon2, L2 - L2(qpos0) = c (x - x0): its powers take the powers of c along.
  for (const TendonTerm& term : *dependent) add(term.joint, 0, term.coefficient);
  if (leader != nullptr) {
    for (const TendonTerm& term : *leader) {
      for (std::size_t i = 0; i < 4; ++i)
        add(term.joint, i,
            -polynomial[i + 1] * std::pow(term.coefficient, static_cast<double>(i + 1)));
    }
  }
  const AttributeList rest = KeptAttributes(attributes, "equality");
  if (!rest.empty()) coupling.native.push_back(MakeSoftness(element, "equality", rest));
  if (leader != nullptr) {
    coupling.native.push_back(MakeNative(
        element, kTwoTendons, AttributesOnly(attributes, {"tendon1", "tendon2", "polycoef"})));
    coupling.native.back().idle = true;
  }
  model_.couplings.push_back(std::move(coupling));
}

}  // namespace kinemorph::mjcf
