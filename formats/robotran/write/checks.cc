#include "write/checks.h"

#include "kinemorph/graph/base/unique_names.h"
#include "mbs.h"
#include "user_data.h"

namespace kinemorph::mbs {
namespace {

class Checker {
 public:
  Checker(const Model& model, Diagnostics& diagnostics)
      : model_(model), diagnostics_(diagnostics) {}

  void Name(UniqueNames& table, const char* kind, const std::string& name, SourceLocation where) {
    if (!IsLegalName(name)) {
      Add(Severity::kError, "illegal-name", where,
          std::string(kind) + " '" + name +
              "': an MBS name is made of letters, digits and '_' and does not start with a digit");
    } else if (!table.Add(name)) {
      Add(Severity::kError, "duplicate-name", where,
          std::string(kind) + " '" + name + "': MBS needs different names");
    }
  }
  void Add(Severity severity, std::string code, SourceLocation where, std::string message) {
    diagnostics_.Add({severity,
                      std::move(code),
                      model_.FileName(where),
                      where.line,
                      "",
                      std::move(message),
                      {}});
  }
  /// What a pass has to leave out first.
  void Refuse(SourceLocation where, std::string message) {
    Add(Severity::kError, "mbs-not-legal", where, std::move(message));
  }

 private:
  const Model& model_;
  Diagnostics& diagnostics_;
};

void CheckLinks(const Model& model, const SpanningTree& tree, Checker& check) {
  UniqueNames names;
  for (const LinkId id : Links(model)) {
    const Link& link = model.link(id);
    check.Name(names, "link", link.name, link.where);
    if (link.name == "base")
      check.Add(Severity::kError, "reserved-name", link.where,
                "link 'base': in MBS this name stands for the inertial frame");
    if (tree.reversed[Index(id)]) {
      const Joint& joint = model.joint(tree.parent_joint[Index(id)]);
      check.Add(Severity::kError, "reversed-joint", joint.where,
                "joint '" + joint.name +
                    "': it points against the tree; MBS joints lead from parent to body");
    }
    if (!link.collisions.empty())
      check.Refuse(link.where, "link '" + link.name + "': MBS has no collision geometry");
  }
}

bool IsForeign(const NativeData& native) { return native.format != "mbs"; }

}  // namespace

void CheckWritable(const Model& model, const SpanningTree& tree, Diagnostics& diagnostics) {
  Checker check(model, diagnostics);
  CheckLinks(model, tree, check);
  UniqueNames joints, cuts, sensors;
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    if (joint.role == JointRole::kLoop) check.Name(cuts, "loop joint", joint.name, joint.where);
    if (std::holds_alternative<Fixed>(joint.kind))
      check.Name(joints, "joint", CoordinateName(joint, 0), joint.where);
    for (const std::string& name : CoordinateNames(joint))
      check.Name(joints, "joint", name, joint.where);
    for (const NativeData& native : joint.native) {
      if (IsForeign(native))
        check.Refuse(native.where,
                     "joint '" + joint.name + "': <" + native.element + "> of another format");
    }
  }
  for (const Sensor& sensor : model.sensors)
    if (sensor.native.format == "mbs") check.Name(sensors, "sensor", sensor.name, sensor.where);
  for (const Frame& frame : model.frames) {
    if (!IsLegalName(frame.name)) {
      check.Add(
          Severity::kError, "illegal-name", frame.where,
          "frame '" + frame.name +
              "': an MBS name is made of letters, digits and '_' and does not start with a digit");
    }
  }
  for (const NativeData& native : model.native) {
    if (IsForeign(native)) check.Refuse(native.where, "<" + native.element + "> of another format");
  }
  if (!model.contact_exclusions.empty())
    check.Refuse(model.contact_exclusions[0].where, "contact exclusions: MBS has no contacts");
}

MbsFile ParseNative(const Model& model, Diagnostics& diagnostics) {
  std::string links, constraints, models, variables;
  for (const NativeData& native : model.native) {
    if (native.format != "mbs") continue;
    if (native.element == "link") links += native.xml;
    if (native.element == "user_constraint") constraints += native.xml;
    if (native.element == "user_model") models += native.xml;
    if (native.element == "user_variable") variables += native.xml;
  }
  if (links.empty() && constraints.empty() && models.empty() && variables.empty()) return {};
  const auto document = xml::Document::Parse(
      "<mbsDescR7><base/><links>" + links + "</links><user_constraints>" + constraints +
          "</user_constraints><user_models>" + models + "</user_models><user_variables>" +
          variables + "</user_variables></mbsDescR7>",
      {&diagnostics, "", 0, "mbs"});
  return document ? ParseFile(document->root()) : MbsFile{};
}

}  // namespace kinemorph::mbs

namespace kinemorph {

std::string MbsRefuses(const Model& model, const NativeData& native, const Joint*) {
  if (native.element != "link") return "";
  Diagnostics known;  // it was reported when it was read
  const auto document =
      xml::Document::Parse("<mbsDescR7><base/><links>" + native.xml + "</links></mbsDescR7>",
                           {.diagnostics = &known, .file_name = "", .file = 0, .format = "mbs"});
  if (!document) return "";
  for (const mbs::FileLink& link : mbs::ParseFile(document->root()).links)
    for (const mbs::Endpoint& end : link.ends)
      if (end.body != "base" && !model.FindLink(end.body))
        return "body '" + end.body + "', which it acts on, is not there";
  return "";
}

}  // namespace kinemorph
