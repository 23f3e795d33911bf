// Loops as connects and welds by body, couplings as equalities between joints or over a fixed
// tendon.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "pose_text.h"
#include "write/writer.h"
#include "xml_reader.h"

namespace kinemorph::mjcf {
namespace {

// A connect holds a point. A ball loop is one, a revolute loop two on its axis, a weld is a weld,
// or three connects in the portable profile. Between bodies MuJoCo takes the second end from qpos0,
// between sites it does not, so loops that are open at zero are written between sites.

// The same of the second connect of a revolute loop: what the first says, where it has no words of
// its own.
AttributeList AxisConnect(const Joint& joint, AttributeList says) {
  says.front().second = joint.name + "_axis";
  for (const NativeData& native : joint.native) {
    if (native.format != "mjcf" || native.element != kAxisEquality || native.idle) continue;
    AttributeList own = native.content.attributes;
    std::erase_if(own, [](const auto& a) { return a.first == kLever; });
    if (own.empty() || own.front().first != "name") own.insert(own.begin(), says.front());
    says = std::move(own);
  }
  return says;
}

using JointSum = std::map<std::string, double>;  // a factor for each joint

struct FixedTendons {
  std::map<std::string, JointSum> by_name;
  std::map<JointSum, std::string> first;  // of those that are as long as this
};

// Those of the source: one of the same sum as an equality hung on would be a double.
FixedTendons TendonsOf(const Model& model) {
  FixedTendons tendons;
  for (const NativeData& native : model.native) {
    const std::string* const name = native.content.Attribute("name");
    if (native.format != "mjcf" || native.element != "tendon/fixed" || name == nullptr) continue;
    JointSum sum;
    bool known = true;
    for (const NativeElement& part : native.content.children) {
      const std::string* const joint = part.Attribute("joint");
      if (part.name != "joint" || joint == nullptr) continue;
      const std::string* const factor = part.Attribute("coef");
      const std::optional<double> number = factor == nullptr ? 1 : xml::ParseNumber(*factor);
      known = known && number && std::isfinite(*number);
      sum[*joint] += number.value_or(0);
    }
    if (!known) continue;
    tendons.first.emplace(sum, *name);
    tendons.by_name.emplace(*name, std::move(sum));
  }
  return tendons;
}

// Powers of the coordinate of each joint.
using JointPowers = std::map<std::string, std::array<double, 4>>;

// What an equality of two tendons says, 'tendon1 = a0 + a1 tendon2 + ...', on the side of tendon1.
std::optional<JointPowers> PowersOf(const AttributeList& says, const FixedTendons& tendons) {
  JointPowers powers;
  std::vector<double> polynomial = {0, 1, 0, 0, 0};
  const JointSum* leader = nullptr;
  for (const auto& [name, value] : says) {
    if (name == "polycoef") {
      const auto numbers = xml::ParseNumbers(value, 5);
      if (!numbers) return std::nullopt;
      std::copy(numbers->begin(), numbers->end(), polynomial.begin());
      continue;
    }
    const auto found = tendons.by_name.find(value);
    if (found == tendons.by_name.end()) return std::nullopt;
    if (name == "tendon2") leader = &found->second;
    if (name == "tendon1")
      for (const auto& [joint, factor] : found->second) powers[joint][0] += factor;
  }
  if (leader == nullptr) return std::nullopt;
  for (const auto& [joint, factor] : *leader)
    for (std::size_t i = 0; i < 4; ++i)
      powers[joint][i] -= polynomial[i + 1] * std::pow(factor, static_cast<double>(i + 1));
  return powers;
}

bool Same(const JointPowers& a, const JointPowers& b) {
  const auto holds = [](const JointPowers& all, const JointPowers& some) {
    return std::all_of(some.begin(), some.end(), [&](const auto& entry) {
      const auto found = all.find(entry.first);
      for (std::size_t i = 0; i < 4; ++i) {
        const double x = entry.second[i], y = found == all.end() ? 0 : found->second[i];
        if (std::abs(x - y) > 1e-12 * std::max(std::abs(x), std::abs(y))) return false;
      }
      return true;
    });
  };
  return holds(a, b) && holds(b, a);
}

bool IsLinear(const CouplingTerm& term) {
  return term.coefficients[1] == 0 && term.coefficients[2] == 0 && term.coefficients[3] == 0;
}

}  // namespace

// What an equality says beside its ends. Who wrote it in MJCF has chosen its softness; other formats
// hold loops exactly.
AttributeList MjcfWriter::SoftnessOf(const std::vector<NativeData>& natives, bool weld) const {
  AttributeList said = NativeAttributes(natives, "equality");
  if (model_.format == "mjcf" || !said.empty()) return said;
  return weld ? HardWeld() : HardEquality();
}

// What the connect of a loop says, its name first.
AttributeList MjcfWriter::FirstConnect(const Joint& joint) const {
  AttributeList says = SoftnessOf(joint.native);
  std::erase_if(says, [](const auto& a) { return a.first == "torquescale"; });
  says.insert(says.begin(), {"name", joint.name});
  return says;
}

// How far apart the two connects of a revolute loop stand: as its author set them, else like others.
double MjcfWriter::LeverOf(const Joint& joint) const {
  for (const NativeData& native : joint.native) {
    if (native.format != "mjcf" || native.element != kAxisEquality) continue;
    const std::string* const lever = native.content.Attribute(kLever);
    const auto own = lever == nullptr ? std::nullopt : xml::ParseNumber(*lever);
    if (own && *own > 0) return *own;
  }
  return lever_arm_;
}

// The mean distance between neighbouring joints, so that the angular stiffness of a loop is of the
// order of its linear one.
double MjcfWriter::LeverArm() const {
  double sum = 0;
  std::size_t count = 0;
  for (const JointId id : Joints(model_)) {
    const double length = model_.joint(id).X_PF.p.norm();
    if (length > 0) sum += length, ++count;
  }
  return count > 0 ? sum / static_cast<double>(count) : 1;
}

// How far the points of a fixed loop stand from its frame: as far as the mass of the slimmer link
// stands from its centre. Further out that link would give way more easily by turning than by moving,
// and MuJoCo weighs points by how it moves.
double MjcfWriter::LeverOfWeld(JointId id) const {
  double lever = lever_arm_;
  for (const LinkId link : {model_.predecessor(id), model_.successor(id)}) {
    const std::optional<Inertial>& inertial = model_.link(link).inertial;
    if (link == kWorld || !inertial || inertial->mass <= 0) continue;
    const double gyration = std::sqrt(0.5 * inertial->I_I.trace() / inertial->mass);
    if (gyration > 0) lever = std::min(lever, gyration);
  }
  return lever;
}

// A joint equality gives one joint as a polynomial of one other; all else is a linear sum, which a
// fixed tendon can be as long as. What the source hung on tendons stays there: MuJoCo holds it
// otherwise than joints.
bool MjcfWriter::NeedsTendon(const Coupling& coupling) const {
  const bool is_one = model_.format == "mjcf" && coupling.form == CouplingForm::kTendon &&
                      std::all_of(coupling.terms.begin(), coupling.terms.end(), IsLinear);
  return is_one || coupling.terms.size() > 2 ||
         (!coupling.terms.empty() &&
          (!IsLinear(coupling.terms.front()) || coupling.terms.front().coefficients[0] == 0));
}

void MjcfWriter::WriteEqualities() {
  if (tree_.loops.empty() && model_.couplings.empty() && !HasGroup("equality")) return;
  out_.Open("equality");
  for (const JointId id : tree_.loops) WriteLoop(id);
  for (const Coupling& coupling : model_.couplings) WriteCoupling(coupling);
  WriteGroup("equality");
  out_.Close();
  if (model_.format == "mjcf" || (tree_.loops.empty() && model_.couplings.empty())) return;
  Diagnostic& note = diagnostics_.Add(MakeDiagnostic(
      Severity::kNote, "equality-soft", "", 0, "",
      {"", model_.name,
       "MuJoCo holds loops and couplings by springs, which open a little under load"}));
  note.notes = {
      "at a time step of at most 0.001, solref=\"0.002 1\" on the equalities holds them tighter"};
}

// The points of an open loop on both of its links; a revolute one has two. Frames have their names
// first.
void MjcfWriter::PlaceLoopSites() {
  for (const std::vector<const Frame*>& frames : sites_of_)
    for (const Frame* frame : frames) site_names_of_[frame] = site_names_.Take(frame->name);
  for (const JointId id : tree_.loops) {
    if (!tree_.open[Index(id)]) continue;
    const Joint& joint = model_.joint(id);
    const auto place = [&](LinkId link, const std::string& name, const Vector3& p_L) {
      // A site that stands there serves: a connect takes its place alone.
      for (const Frame* frame : sites_of_[Index(link)]) {
        if (frame->native_type != "site" || frame->X_LF.p != p_L) continue;
        loop_sites_of_[id].push_back(site_names_of_.at(frame));
        return;
      }
      loop_sites_of_[id].push_back(site_names_.Take(name));
      added_sites_[link].push_back({loop_sites_of_[id].back(), RigidTransform::Translation(p_L)});
    };
    const auto place_pair = [&](const std::string& name, const Vector3& p_F) {
      place(model_.predecessor(id), name + "_1", joint.X_PF * p_F);
      place(model_.successor(id), name + "_2", joint.X_SM * p_F);
    };
    place_pair(joint.name, Vector3::Zero());
    if (const Revolute* revolute = std::get_if<Revolute>(&joint.kind))
      place_pair(joint.name + "_axis", LeverOf(joint) * revolute->axis);
  }
}

void MjcfWriter::WriteOpenLoop(JointId id) {
  const Joint& joint = model_.joint(id);
  const std::vector<std::string>& sites = loop_sites_of_.at(id);
  const auto connect = [&](const AttributeList& says, std::size_t pair) {
    out_.Open("connect")
        .Attribute("name", equality_names_.Take(says.front().second))
        .Attribute("site1", sites[2 * pair])
        .Attribute("site2", sites[2 * pair + 1]);
    WriteAttributes({says.begin() + 1, says.end()});
    out_.Close();
  };
  const AttributeList first = FirstConnect(joint);
  connect(first, 0);
  if (std::holds_alternative<Revolute>(joint.kind)) connect(AxisConnect(joint, first), 1);
}

void MjcfWriter::WriteLoop(JointId id) {
  if (tree_.open[Index(id)]) return WriteOpenLoop(id);
  const Joint& joint = model_.joint(id);
  // The world goes second: it is the default of body2.
  const bool swap = model_.predecessor(id) == kWorld;
  const LinkId first = swap ? model_.successor(id) : model_.predecessor(id);
  const LinkId second = swap ? kWorld : model_.successor(id);
  const RigidTransform& X_1F = swap ? joint.X_SM : joint.X_PF;
  const RigidTransform& X_2M = swap ? joint.X_PF : joint.X_SM;
  const auto open = [&](const char* element, const std::string& name) {
    out_.Open(element)
        .Attribute("name", equality_names_.Take(name))
        .Attribute("body1", body_names_[Index(first)]);
    if (second != kWorld) out_.Attribute("body2", body_names_[Index(second)]);
  };
  if (std::holds_alternative<Fixed>(joint.kind) && !portable_) {
    // R1 relquat = R2 and p1 + R1 relpos = p2 + R2 anchor.
    const Eigen::Vector4d q = QuaternionFromRotation(X_1F.R * X_2M.R.transpose());
    open("weld", joint.name);
    out_.Attribute("relpose", {X_1F.p.x(), X_1F.p.y(), X_1F.p.z(), q[0], q[1], q[2], q[3]})
        .Attribute("anchor", X_2M.p);
    WriteAttributes(SoftnessOf(joint.native, true));
    out_.Close();
    return;
  }
  const auto connect = [&](const AttributeList& says, const Vector3& anchor) {
    open("connect", says.front().second);
    out_.Attribute("anchor", anchor);
    WriteAttributes({says.begin() + 1, says.end()});
    out_.Close();
  };
  const AttributeList first_says = FirstConnect(joint);
  // Two connects have six rows where a hinge takes five away; MuJoCo's soft constraints do not mind
  // the one too many.
  connect(first_says, X_1F.p);
  if (const Revolute* revolute = std::get_if<Revolute>(&joint.kind))
    connect(AxisConnect(joint, first_says),
            (X_1F.p + LeverOf(joint) * (X_1F.R * revolute->axis)).unaryExpr([](double x) {
              return xml::Rounded(x);
            }));
  if (!std::holds_alternative<Fixed>(joint.kind)) return;
  // The three points stand at the corner and along two axes of F, so that they are never in a line.
  const double lever = LeverOfWeld(id);
  for (const int axis : {0, 1}) {
    AttributeList says = first_says;
    says.front().second = joint.name + (axis == 0 ? "_x" : "_y");
    connect(says, (X_1F.p + lever * X_1F.R.col(axis)).unaryExpr([](double x) {
      return xml::Rounded(x);
    }));
  }
}

// y - y0 = a0 + a1 (x - x0) + ...: two joints at most; more hang on a tendon whose length is their
// sum.
void MjcfWriter::WriteCoupling(const Coupling& coupling) {
  if (coupling.terms.empty()) return;
  const AttributeList rest = SoftnessOf(coupling.native);
  const std::string name = equality_names_.Take(coupling.name);
  if (const auto tendons = tendons_of_.find(&coupling); tendons != tendons_of_.end()) {
    out_.Open("tendon").Attribute("name", name);
    WriteAttributes(tendons->second);
    WriteAttributes(rest);
    out_.Close();
    return;
  }
  const CouplingTerm& dependent = coupling.terms.front();
  // The dependent joint has to stand alone with the factor 1 in MuJoCo's form.
  const double scale = dependent.coefficients[0];
  std::vector<double> polynomial = {coupling.constant / scale, 0, 0, 0, 0};
  out_.Open("joint")
      .Attribute("name", name)
      .Attribute("joint1", joint_names_[Index(dependent.coordinate.joint)]);
  if (coupling.terms.size() == 2) {
    const CouplingTerm& leader = coupling.terms[1];
    out_.Attribute("joint2", joint_names_[Index(leader.coordinate.joint)]);
    // A negated zero would be written as -0.
    for (std::size_t i = 0; i < 4; ++i)
      polynomial[i + 1] = leader.coefficients[i] == 0 ? 0 : -leader.coefficients[i] / scale;
  }
  out_.Attribute("polycoef", polynomial);
  WriteAttributes(rest);
  out_.Close();
}

void MjcfWriter::WriteCouplingTendons() {
  const FixedTendons there = model_.couplings.empty() ? FixedTendons() : TendonsOf(model_);
  for (const Coupling& coupling : model_.couplings) {
    // Couplings that cannot be said are errors of passes before: the writer leaves out nothing.
    for (const CouplingTerm& term : coupling.terms) {
      if (NumVelocities(model_.joint(term.coordinate.joint).kind) == 1) continue;
      Error("mjcf-coupling", coupling.where,
            {"coupling", coupling.name,
             "joint '" + model_.joint(term.coordinate.joint).name +
                 "' is neither a hinge nor a slide"});
      return;
    }
    JointPowers powers;
    for (const CouplingTerm& term : coupling.terms)
      for (std::size_t i = 0; i < 4; ++i)
        powers[joint_names_[Index(term.coordinate.joint)]][i] += term.coefficients[i];
    // The author's two tendons, where they still say it.
    const AttributeList two = NativeAttributes(coupling.native, kTwoTendons);
    if (const auto said = PowersOf(two, there); said && Same(*said, powers)) {
      tendons_of_[&coupling] = two;
      continue;
    }
    if (!NeedsTendon(coupling)) continue;
    if (!std::all_of(coupling.terms.begin(), coupling.terms.end(), IsLinear)) {
      Error("mjcf-coupling", coupling.where,
            {"coupling", coupling.name, "MJCF has curved relations between two joints only"});
      continue;
    }
    JointSum sum;
    for (const auto& [joint, factors] : powers) sum[joint] = factors[0];
    const auto tendon = there.first.find(sum);
    const bool has_one = tendon != there.first.end();
    tendons_of_[&coupling] = {
        {"tendon1", has_one ? tendon->second : tendon_names_.Take(coupling.name)},
        {"polycoef", xml::NumbersText(std::array{coupling.constant, 0.0, 0.0, 0.0, 0.0})}};
    if (!has_one) new_tendons_.push_back(&coupling);
  }
  if (tendons_of_.empty() && !HasGroup("tendon")) return;
  out_.Open("tendon");
  WriteGroup("tendon");
  for (const Coupling* coupling : new_tendons_) {
    out_.Open("fixed").Attribute("name", tendons_of_.at(coupling).front().second);
    for (const CouplingTerm& term : coupling->terms) {
      out_.Open("joint")
          .Attribute("joint", joint_names_[Index(term.coordinate.joint)])
          .Attribute("coef", term.coefficients[0])
          .Close();
    }
    out_.Close();
  }
  out_.Close();
}

}  // namespace kinemorph::mjcf
