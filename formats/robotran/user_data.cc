#include "user_data.h"

#include <algorithm>
#include <array>

#include "kinemorph/graph/base/name_map.h"
#include "kinemorph/graph/base/overloaded.h"
#include "kinemorph/graph/model/fields.h"

namespace kinemorph::mbs {
namespace {

// user_models carries what MBS has no element for, under names that say what it is:
// joint_data_<joint> with a number for each field of its coordinates, frame_data_<frame> with
// angles, and a model with the coupling's own name. The reader takes back only what is exactly of
// this form; anything else is somebody else's.

constexpr std::array kForms = {CouplingForm::kMimic,   CouplingForm::kRatio,
                               CouplingForm::kGearbox, CouplingForm::kPolynomial,
                               CouplingForm::kTendon,  CouplingForm::kUser};
// Only MuJoCo calls a linear relation a tendon.
// "form_mimic" and so on.
std::string KeyOf(CouplingForm form) {
  return "form_" + std::string(form == CouplingForm::kTendon ? "linear" : Name(form));
}

UserParameter Scalar(std::string name, double value) {
  return {std::move(name), "scalar", {value}};
}

// Where a coordinate starts has a place of its own in the file.
bool IsKept(const NumberField<JointAxis>& field) {
  return field.member != &JointAxis::initial_position;
}

std::string Suffix(std::size_t axis) { return axis == 0 ? "" : "_" + std::to_string(axis + 1); }

bool TakesSeveralJoints(const JointKind& kind) {
  return std::visit(
      Overloaded{[](const Screw&) { return true; }, [](const Universal&) { return true; },
                 [](const Ball&) { return true; }, [](const Planar&) { return true; },
                 [](const Cylindrical&) { return true; }, [](const auto&) { return false; }},
      kind);
}

// Calls visit(name, has a value?, value) for every number of a coordinate, and of what belongs to it:
// "damping", "safety_soft_lower". `visit` may give it one.
// The field table decides: a field that is added to the model is written and read without a change
// here.
template <class Visit>
void EachNumber(JointAxis& axis, const Visit& visit) {
  ForEachField<JointAxis>([&]<class Value>(const Field<JointAxis, Value>& field) {
    Value& value = axis.*field.member;
    if constexpr (std::same_as<Value, double>) {
      // Zero is what a double has when nobody gave it; it is not written.
      std::optional<double> number = value == 0 ? std::nullopt : std::optional(value);
      visit(field.key, number);
      value = number.value_or(0);
    } else if constexpr (std::same_as<Value, std::optional<double>>) {
      if (IsKept(field)) visit(field.key, value);
    } else {
      // Parts of what may be missing as a whole (safety limits, calibration) are one number each.
      using Part = typename Value::value_type;
      ForEachField<Part>([&](const NumberField<Part>& part) {
        std::string name = std::string(field.key) + "_" + std::string(part.key);
        std::replace(name.begin(), name.end(), '-', '_');
        std::optional<double> number = value ? (*value).*part.member : std::nullopt;
        visit(name, number);
        if (!number) return;
        if (!value) value.emplace();
        (*value).*part.member = number;
      });
    }
  });
}

void AppendAxis(JointAxis axis, const std::string& suffix, std::vector<UserParameter>& out) {
  EachNumber(axis, [&](std::string_view name, const std::optional<double>& value) {
    if (value) out.push_back(Scalar(std::string(name) + suffix, *value));
  });
}

// False when there is no such field.
bool ApplyToAxis(std::string_view name, double value, JointAxis& axis) {
  bool found = false;
  EachNumber(axis, [&](std::string_view each, std::optional<double>& number) {
    if (each == name) number = value, found = true;
  });
  return found;
}

bool IsNumber(const UserParameter& parameter) {
  return parameter.type == "scalar" && parameter.values.size() == 1;
}

// A parameter that only says by its name what is so.
bool IsMark(const UserParameter& parameter) {
  return IsNumber(parameter) && parameter.values[0] == 1;
}

std::optional<std::string> After(std::string_view prefix, std::string_view name) {
  if (name.substr(0, prefix.size()) != prefix) return std::nullopt;
  return std::string(name.substr(prefix.size()));
}

std::vector<double> Trimmed(const std::array<double, 4>& coefficients) {
  std::vector<double> values(coefficients.begin(), coefficients.end());
  while (values.size() > 1 && values.back() == 0) values.pop_back();
  return values;
}

}  // namespace

JointDataMap FindJointData(const std::vector<UserModel>& models) {
  JointDataMap data;
  for (const UserModel& model : models) {
    const auto joint = After(kJointDataPrefix, model.name);
    if (!joint || !model.plain) continue;
    JointData& entry = data[*joint];
    entry.source = &model;
    for (const UserParameter& parameter : model.parameters) {
      if (const auto kind = After("kind_", parameter.name); kind && IsMark(parameter))
        entry.kind = *kind;
      if (parameter.name == "pitch" && IsNumber(parameter)) entry.pitch = parameter.values[0];
      if (parameter.name == "gear" && IsNumber(parameter)) entry.gear = parameter.values[0];
    }
  }
  return data;
}

std::optional<UserModel> JointDataModel(const Joint& joint, double gear) {
  UserModel out;
  out.name = std::string(kJointDataPrefix) + joint.name;
  // A cut says by its copy body's joints what kind it is; only the pitch of a screw is not to be
  // seen there.
  // Joints of the tree are marked where a chain of several stands for one joint.
  const bool is_seen = joint.role == JointRole::kLoop && !std::holds_alternative<Screw>(joint.kind);
  if (TakesSeveralJoints(joint.kind) && !is_seen)
    out.parameters.push_back(Scalar("kind_" + std::string(KindName(joint.kind)), 1));
  if (const Screw* screw = std::get_if<Screw>(&joint.kind))
    out.parameters.push_back(Scalar("pitch", screw->pitch));
  for (std::size_t i = 0; i < joint.axes.size(); ++i)
    AppendAxis(joint.axes[i], Suffix(i), out.parameters);
  if (gear != 1) out.parameters.push_back(Scalar("gear", gear));
  if (out.parameters.empty()) return std::nullopt;
  return out;
}

std::vector<UserParameter> ApplyJointData(const UserModel& model, Joint& joint) {
  // A parameter that is there twice counts once, the first; the second is not read, and told.
  std::vector<UserParameter> unread;
  NameMap<bool> known;
  const auto apply = [&](const UserParameter& parameter) {
    const std::string_view name = parameter.name;
    if (!IsNumber(parameter) || !known.Add(name, true).second) return false;
    if (name == "gear" || name == "pitch") return true;  // FindJointData
    if (name.starts_with("kind_")) return IsMark(parameter);

    // From the last axis on: "_2" must be tried before the empty suffix of the first axis, which
    // every name ends with.
    for (std::size_t i = joint.axes.size(); i-- > 0;) {
      const std::string suffix = Suffix(i);
      if (name.size() > suffix.size() && name.ends_with(suffix))
        return ApplyToAxis(name.substr(0, name.size() - suffix.size()), parameter.values[0],
                           joint.axes[i]);
    }
    return false;
  };
  for (const UserParameter& parameter : model.parameters)
    if (!apply(parameter)) unread.push_back(parameter);
  return unread;
}

std::string CoordinateName(const Joint& joint, int axis) {
  // A cut has the loop joint's name; the joints of its copy body need others.
  const std::string stem = joint.role == JointRole::kLoop
                               ? joint.name + "_joint"
                               : joint.name;  // the cut has the loop joint's name
  if (std::holds_alternative<Free>(joint.kind)) {
    constexpr std::array<const char*, 6> kSuffixes = {"_T1", "_T2", "_T3", "_R1", "_R2", "_R3"};
    return stem + kSuffixes[static_cast<std::size_t>(axis)];
  }
  return TakesSeveralJoints(joint.kind) ? stem + "_" + std::to_string(axis + 1) : stem;
}

std::vector<std::string> CoordinateNames(const Joint& joint) {
  const int n = std::holds_alternative<Screw>(joint.kind) ? 2 : NumVelocities(joint.kind);
  std::vector<std::string> names;
  for (int i = 0; i < n; ++i) names.push_back(CoordinateName(joint, i));
  return names;
}

UserConstraint CouplingConstraint(const Model& model, const Coupling& coupling,
                                  const std::string& name) {
  UserConstraint out;
  out.name = name;
  for (const CouplingTerm& term : coupling.terms) {
    std::string joint = CoordinateName(model.joint(term.coordinate.joint), term.coordinate.axis);
    if (std::find(out.joints.begin(), out.joints.end(), joint) == out.joints.end())
      out.joints.push_back(std::move(joint));
  }
  return out;
}

UserModel CouplingModel(const Model& model, const Coupling& coupling, const std::string& name) {
  UserModel out;
  out.name = name;
  out.parameters.push_back(Scalar(KeyOf(coupling.form), 1));
  for (const CouplingTerm& term : coupling.terms) {
    const std::vector<double> values = Trimmed(term.coefficients);
    const std::string joint =
        CoordinateName(model.joint(term.coordinate.joint), term.coordinate.axis);
    out.parameters.push_back({"k_" + joint, values.size() == 1 ? "scalar" : "vector", values});
  }
  out.parameters.push_back(Scalar("constant", coupling.constant));
  const auto put_link = [&](const char* role, LinkId link) {
    if (link != kNoLink)
      out.parameters.push_back(
          Scalar(std::string(role) + (link == kWorld ? "base" : model.link(link).name), 1));
  };
  if (coupling.form == CouplingForm::kRatio || coupling.form == CouplingForm::kGearbox) {
    out.parameters.push_back(Scalar("ratio", coupling.ratio));
    put_link("predecessor_", coupling.predecessor);
    put_link("successor_", coupling.successor);
    put_link("reference_", coupling.reference);
  }
  return out;
}

std::optional<ReadCoupling> CouplingOf(
    const UserModel& model, const std::unordered_map<std::string, Coordinate>& coordinates,
    const std::unordered_map<std::string, LinkId>& links) {
  if (!model.plain) return std::nullopt;
  ReadCoupling result;
  Coupling& out = result.coupling;
  NameMap<bool> known;
  out.name = model.name;
  out.where = model.where;
  bool has_form = false;
  for (const UserParameter& parameter : model.parameters) {
    bool is_read = false;
    // Names of couplings, joints and links are data of the file: a repeated one is not ours.
    if (!known.Add(parameter.name, true).second) {
      result.unread.push_back(parameter);
      continue;
    }
    for (const CouplingForm form : kForms)
      if (parameter.name == KeyOf(form) && IsMark(parameter))
        out.form = form, has_form = is_read = true;
    const bool fits = parameter.type == (parameter.values.size() == 1 ? "scalar" : "vector");
    if (const auto joint = After("k_", parameter.name); joint && fits) {
      const auto found = coordinates.find(*joint);
      // A coupling between other coordinates than those of the file is not read at all: half of an
      // equation is none.
      if (found == coordinates.end()) return std::nullopt;
      is_read = true;
      CouplingTerm term{found->second, {}};
      for (std::size_t i = 0; i < std::min(parameter.values.size(), term.coefficients.size()); ++i)
        term.coefficients[i] = parameter.values[i];
      out.terms.push_back(term);
      if (term.coefficients != std::array<double, 4>{}) result.joints.push_back(*joint);
    }
    const auto take_number = [&](std::string_view name, double& number) {
      if (parameter.name != name || !IsNumber(parameter)) return;
      number = parameter.values[0];
      is_read = true;
    };
    take_number("constant", out.constant);
    take_number("ratio", out.ratio);
    const auto take_link = [&](std::string_view role, LinkId& link) {
      const auto name = After(role, parameter.name);
      const auto found = name && IsMark(parameter) ? links.find(*name) : links.end();
      if (found == links.end()) return;
      link = found->second;
      is_read = true;
    };
    take_link("predecessor_", out.predecessor);
    take_link("successor_", out.successor);
    take_link("reference_", out.reference);
    if (!is_read) result.unread.push_back(parameter);
  }
  if (!has_form || out.terms.empty()) return std::nullopt;
  return result;
}

UserModel FrameModel(const std::string& frame, const Matrix3& R) {
  const Vector3 rpy = RpyFromRotation(R);
  UserModel out;
  out.name = std::string(kFrameDataPrefix) + frame;
  out.parameters.push_back({"rpy", "vector", {rpy.x(), rpy.y(), rpy.z()}});
  return out;
}

std::optional<ReadFrame> FrameOf(const UserModel& model) {
  std::optional<ReadFrame> result;
  std::vector<UserParameter> unread;
  for (const UserParameter& parameter : model.parameters) {
    const std::vector<double>& v = parameter.values;
    if (!result && parameter.name == "rpy" && parameter.type == "vector" && v.size() == 3)
      result = ReadFrame{RotationFromRpy({v[0], v[1], v[2]}), {}};
    else
      unread.push_back(parameter);
  }
  if (result) result->unread = std::move(unread);
  return model.plain ? result : std::nullopt;
}

}  // namespace kinemorph::mbs
