#include "write/checks.h"

#include "kinemorph/graph/base/unique_names.h"
#include "mbs.h"
#include "user_data.h"

namespace kinemorph::mbs {
namespace {

// A last check, not a pass: whatever is found here should have been lowered before, and stops the
// writing.
class Checker {
 public:
  Checker(const Model& model, Diagnostics& diagnostics)
      : model_(model), diagnostics_(diagnostics) {}

  void Name(UniqueNames& table, const char* kind, const std::string& name, SourceLocation where) {
    if (!IsLegalName(name)) {
      Add(Severity::kError, "illegal-name", where,
          {kind, name,
           "an MBS name is made of letters, digits and '_' and does not start with a digit"});
    } else if (!table.Add(name)) {
      Add(Severity::kError, "duplicate-name", where, {kind, name, "MBS needs different names"});
    }
  }
  void Add(Severity severity, std::string code, SourceLocation where, Statement statement) {
    diagnostics_.Add(MessageAt(model_, where, severity, std::move(code), std::move(statement)));
  }
  /// What a pass has to leave out first.
  void Refuse(SourceLocation where, Statement statement) {
    Add(Severity::kError, "mbs-not-legal", where, std::move(statement));
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
                {"link", "base", "MBS uses this name for the inertial frame"});
    if (tree.reversed[Index(id)]) {
      const Joint& joint = model.joint(tree.parent_joint[Index(id)]);
      check.Add(Severity::kError, "reversed-joint", joint.where,
                {"joint", joint.name,
                 "the joint points against the tree; MBS joints lead from parent to body"});
    }
    if (!link.collisions.empty())
      check.Refuse(link.where, {"link", link.name, "MBS has no collision geometry"});
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
      // One table for joints of the tree and of cuts: the generated macros are global.
      check.Name(joints, "joint", name, joint.where);
    for (const NativeData& native : joint.native) {
      if (IsForeign(native))
        check.Refuse(native.where,
                     {"joint", joint.name, "<" + native.element + "> of another format"});
    }
  }
  for (const Sensor& sensor : model.sensors)
    if (sensor.native.format == "mbs") check.Name(sensors, "sensor", sensor.name, sensor.where);
  for (const Frame& frame : model.frames) {
    if (!IsLegalName(frame.name)) {
      check.Add(Severity::kError, "illegal-name", frame.where,
                {"frame", frame.name,
                 "an MBS name is made of letters, digits and '_' and does not start with a digit"});
    }
  }
  for (const NativeData& native : model.native) {
    if (IsForeign(native)) check.Refuse(native.where, "<" + native.element + "> of another format");
  }
  if (!model.contact_exclusions.empty())
    check.Refuse(model.contact_exclusions[0].where, "contact exclusions: MBS has no contacts");
}

// Elements that the model kept as text are put into a document of their own and parsed like a file,
// so that the printer knows one form only.
MbsFile ParseNative(const Model& model, Diagnostics& diagnostics) {
  NativeElement root{.name = "mbsDescR7"};
  root.Add("base");
  for (const auto& [part, element] :
       {std::pair{"links", "link"}, std::pair{"user_constraints", "user_constraint"},
        std::pair{"user_models", "user_model"}, std::pair{"user_variables", "user_variable"}}) {
    NativeElement& list = root.Add(part);
    for (const NativeData& native : model.native)
      if (native.format == "mbs" && native.element == element)
        list.children.push_back(native.content);
    if (list.children.empty()) root.children.pop_back();
  }
  if (root.children.size() == 1) return {};
  const auto document = xml::Document::Of(root, {&diagnostics, "", 0, "mbs"});
  return document ? ParseFile(document->root()) : MbsFile{};
}

}  // namespace kinemorph::mbs

namespace kinemorph {

std::string MbsRefuses(const Model& model, const NativeData& native, const Joint*,
                       const WriteOptions&) {
  // A force between two points goes with its bodies.
  if (native.element != "link") return "";
  for (const char* tag : {"endpoint1", "endpoint2"}) {
    const NativeElement* const end = native.content.Child(tag);
    const NativeElement* const name = end == nullptr ? nullptr : end->Child("bodyname");
    const std::string body(name == nullptr ? std::string_view() : name->Text());
    if (body != "base" && !model.FindLink(body))
      return "body '" + body + "', which it acts on, is not there";
  }
  return "";
}

}  // namespace kinemorph
