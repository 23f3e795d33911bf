// User models and constraints, and which natures mean something.
#include <algorithm>
#include <cstdint>

#include "model_builder.h"
#include "xml_writer.h"

namespace kinemorph::mbs {

void ModelBuilder::AddUserData() {
  Model& model = out_.model;
  std::unordered_map<std::string, LinkId> links = {{"base", kWorld}};
  for (std::size_t i = 0; i < file_.bodies.size(); ++i)
    if (!is_copy_[i]) links[file_.bodies[i].name] = out_.link_of_body[i];
  std::unordered_map<std::string, std::size_t> frames;
  for (std::size_t i = 0; i < model.frames.size(); ++i) frames[model.frames[i].name] = i;
  for (const UserModel& user : file_.user_models) {
    if (user.name.substr(0, kFrameDataPrefix.size()) == kFrameDataPrefix) {
      const auto frame = frames.find(user.name.substr(kFrameDataPrefix.size()));
      const auto R = FrameRotation(user);
      if (frame != frames.end() && R) {
        model.frames[frame->second].X_LF.R = *R;
        ours_.Add(user.name);
      }
    } else if (auto coupling = ReadCoupling(user, coordinates_, links)) {
      couplings_.Add(user.name);
      ours_.Add(user.name);
      model.couplings.push_back(*std::move(coupling));
    }
  }
  for (const FileLink& link : file_.links) model.native.push_back({"mbs", "link", link.xml, link.where});
  AddUserConstraints();
  for (const UserModel& user : file_.user_models)
    if (!ours_.Has(user.name)) model.native.push_back({"mbs", "user_model", user.xml, user.where});
  for (const UserVariable& variable : file_.user_variables) model.native.push_back({"mbs", "user_variable", variable.xml, variable.where});
}

// A user constraint without our numbers is an equation in somebody's C code.
void ModelBuilder::AddUserConstraints() {
  for (const UserConstraint& constraint : file_.user_constraints) {
    for (const std::string& joint : constraint.joints) {
      if (!joint_names_.Has(joint))
        Error("unknown-joint", constraint.where, "'" + constraint.name + "': there is no joint '" + joint + "'");
      constrained_.Add(joint);
    }
    const std::string suffix = "_screw";
    const std::string stem =
        constraint.name.size() > suffix.size() ? constraint.name.substr(0, constraint.name.size() - suffix.size()) : "";
    const auto screw = data_.find(stem);
    const bool is_screw = stem + suffix == constraint.name && screw != data_.end() && screw->second.kind == "screw";
    if (couplings_.Has(constraint.name) || is_screw) continue;
    xml::Writer w(false);
    w.Open("user_constraint").Leaf("name", constraint.name).Open("joints");
    std::string list;
    for (const std::string& joint : constraint.joints) {
      w.Leaf("jointname", joint);
      list += (list.empty() ? "'" : ", '") + joint + "'";
    }
    w.Close().Close();
    out_.model.native.push_back({"mbs", "user_constraint", std::move(w).text(), constraint.where});
    Warn("user-constraint-code", constraint.where,
         "'" + constraint.name + "': the equation between " + list +
             " is in user code, not in the file; the joints were read as unconstrained");
  }
}

// A joint's nature says something on a loop or in a constraint only; 'independent' elsewhere is what every joint is.
void ModelBuilder::ForgetIdleNatures() {
  Model& model = out_.model;
  // Every loop marks its two ends; below a joint of the loop lies exactly one of them, so that the marks of a subtree do not cancel.
  std::vector<std::uint64_t> marks(model.num_links(), 0);
  std::uint64_t loop = 0;
  for (const JointId id : Joints(model)) {
    if (model.joint(id).role != JointRole::kLoop) continue;
    std::uint64_t z = (loop += 0x9E3779B97F4A7C15ull);  // splitmix64
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    z ^= z >> 31;
    marks[Index(model.predecessor(id))] ^= z;
    marks[Index(model.successor(id))] ^= z;
  }
  const auto forget = [&](JointId id) {
    Joint& joint = model.joint(id);
    const std::vector<std::string> names = CoordinateNames(joint);
    const bool constrained = std::any_of(names.begin(), names.end(), [&](const std::string& name) { return constrained_.Has(name); });
    if (joint.independent == true && marks[Index(model.successor(id))] == 0 && !constrained) joint.independent.reset();
    marks[Index(model.predecessor(id))] ^= marks[Index(model.successor(id))];
  };
  for (const JointId id : Joints(model)) {  // rods are leaves
    if (model.joint(id).role == JointRole::kTree && Index(id) >= NumBodyJoints()) forget(id);
  }
  for (std::size_t i = order_.size(); i-- > 0;) {
    const auto& chain = out_.joints_of_body[order_[i]];
    for (std::size_t j = chain.size(); j-- > 0;) forget(chain[j]);
  }
}

std::size_t ModelBuilder::NumBodyJoints() const {
  std::size_t n = 0;
  for (const auto& chain : out_.joints_of_body) n += chain.size();
  return n;
}

}  // namespace kinemorph::mbs
