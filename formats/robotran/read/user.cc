// User models and constraints, and which natures mean something.
#include <algorithm>

#include "kinemorph/graph/base/name_map.h"
#include "kinemorph/graph/model/model_dump.h"
#include "read/model_builder.h"

namespace kinemorph::mbs {
namespace {

std::vector<std::string> Sorted(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

// Frames' angles and couplings, then the user constraints that no coupling answers to, then
// everything that is not ours, which is kept as it is.
void ModelBuilder::AddUserData() {
  Model& model = out_.model;
  std::unordered_map<std::string, LinkId> links = {{"base", kWorld}};
  for (std::size_t i = 0; i < file_.bodies.size(); ++i)
    if (!is_copy_[i]) links[file_.bodies[i].name] = out_.link_of_body[i];
  std::unordered_map<std::string, std::size_t> frames;
  for (std::size_t i = 0; i < model.frames.size(); ++i) frames[model.frames[i].name] = i;
  // Numbers for other joints than those of the equation are somebody else's.
  NameMap<const UserConstraint*> constraints;
  for (const UserConstraint& constraint : file_.user_constraints)
    constraints.Add(constraint.name, &constraint);
  const auto constrains = [&](const std::string& name, std::vector<std::string> joints) {
    const UserConstraint* const* const found = constraints.Find(name);
    return !found || Sorted((*found)->joints) == Sorted(std::move(joints));
  };
  for (const UserModel& user : file_.user_models) {
    if (user.name.substr(0, kFrameDataPrefix.size()) == kFrameDataPrefix) {
      const auto frame = frames.find(user.name.substr(kFrameDataPrefix.size()));
      const auto read = FrameOf(user);
      if (frame != frames.end() && read) {
        model.frames[frame->second].X_LF.R = read->R;
        ours_.Add(user.name);
        TellUnread(user, read->unread);
      }
    } else if (auto read = CouplingOf(user, coordinates_, links);
               read && constrains(user.name, read->joints)) {
      couplings_.Add(user.name);
      ours_.Add(user.name);
      model.couplings.push_back(std::move(read->coupling));
      TellUnread(user, read->unread);
    }
  }
  for (const FileLink& link : file_.links)
    model.native.push_back({"mbs", "link", link.element, link.where});
  AddUserConstraints();

  // A model that bears one of our names, but holds more than we write, is not half read.
  for (const UserModel& user : file_.user_models) {
    if (ours_.Has(user.name)) continue;
    const bool says_form = std::any_of(
        user.parameters.begin(), user.parameters.end(),
        [](const UserParameter& parameter) { return parameter.name.starts_with("form_"); });
    if (!user.plain && (says_form || user.name.starts_with(kJointDataPrefix) ||
                        user.name.starts_with(kFrameDataPrefix)))
      Warn("not-used", user.where,
           "user_model '" + user.name +
               "' is not used: the element holds more than parameters with a name, a type and "
               "numbers");
    model.native.push_back({"mbs", "user_model", user.element, user.where});
  }
  for (const UserVariable& variable : file_.user_variables)
    model.native.push_back({"mbs", "user_variable", variable.element, variable.where});
}

// What stands among our numbers and is none of them: kept as what nobody reads.
void ModelBuilder::TellUnread(const UserModel& user, const std::vector<UserParameter>& parameters) {
  for (const UserParameter& parameter : parameters) {
    Warn("not-used", parameter.where,
         "parameter '" + parameter.name + "' of user_model '" + user.name + "' is not used");
    NativeElement element{.name = "parameter"};
    element.Add("name", parameter.name);
    element.Add("type", parameter.type);
    for (const double value : parameter.values) element.Add("value", FormatNumber(value));
    out_.model.native.push_back({"", "parameter", std::move(element), parameter.where});
  }
}

// A user constraint without our numbers is an equation in somebody's C code.
// Two kinds of constraints have their equations in user_models: couplings and screws.
void ModelBuilder::AddUserConstraints() {
  for (const UserConstraint& constraint : file_.user_constraints) {
    for (const std::string& joint : constraint.joints) {
      if (!joint_names_.Has(joint))
        Error("unknown-joint", constraint.where,
              {"", constraint.name, "there is no joint '" + joint + "'"});
    }
    const std::string suffix = "_screw";
    const std::string stem = constraint.name.size() > suffix.size()
                                 ? constraint.name.substr(0, constraint.name.size() - suffix.size())
                                 : "";
    const auto screw = data_.find(stem);
    const bool is_screw =
        stem + suffix == constraint.name && screw != data_.end() && screw->second.kind == "screw";
    if (couplings_.Has(constraint.name) || is_screw) continue;
    NativeElement element{.name = "user_constraint"};
    element.Add("name", constraint.name);
    NativeElement& joints = element.Add("joints");
    std::string list;
    for (const std::string& joint : constraint.joints) {
      joints.Add("jointname", joint);
      list += (list.empty() ? "'" : ", '") + joint + "'";
    }
    out_.model.native.push_back({"mbs", "user_constraint", std::move(element), constraint.where});
    Warn("user-constraint-code", constraint.where,
         {"", constraint.name,
          "the equation between " + list +
              " is in user code, not in the file; the joints were read as unconstrained"});
  }
}

// Without any constraint 'independent' is what every joint is, and no declaration.
// Every joint has a nature in MBS. In a file without loops or constraints all joints are
// independent by necessity, and to declare them would bind every target.
void ModelBuilder::ForgetIdleNatures() {
  Model& model = out_.model;
  bool constrained =
      !file_.cuts.empty() || !file_.user_constraints.empty() || !model.couplings.empty();
  for (const JointId id : Joints(model))
    constrained = constrained || std::holds_alternative<Screw>(model.joint(id).kind);
  if (constrained) return;
  for (const JointId id : Joints(model))
    if (model.joint(id).independent == true) model.joint(id).independent.reset();
}

}  // namespace kinemorph::mbs
