// The writer: worlds, models and frames.
#include "detachable.h"
#include "drake.h"
#include "sdf_model/drive_words.h"
#include "sdformat.h"
#include "write/text_writer.h"

namespace kinemorph {
namespace sdformat {

// WritePlan knows what stands in which model under which name; here it is printed. What cannot be
// said goes to plan_.Refuse, and then the text is thrown away as a whole.
std::string TextWriter::Write() {
  if (plan_.drake())
    out_.Comment(
        "SDFormat profile: drake (loops, couplings and contact groups in Drake's elements)");
  out_.Open("sdf").Attribute("version", "1." + std::to_string(version_.minor));
  for (std::size_t s = 0; s < plan_.scopes().size(); ++s)
    if (plan_.scopes()[s].parent < 0) WriteScope(static_cast<int>(s));
  WriteNative(out_, model_.native);
  out_.Close();
  return std::move(out_).text();
}

// Models nest no deeper than the XML they came from, so this recursion is bounded by the reader's
// own limit.
void TextWriter::WriteScope(int index) {
  const PlannedScope& scope = plan_.scopes()[static_cast<std::size_t>(index)];
  const Scope* source = scope.id == kNoScope ? nullptr : &model_.scopes[Index(scope.id)];
  out_.Open(scope.is_world ? "world" : "model").Attribute("name", scope.name);
  if (scope.is_world) {
    WriteGravity();
  } else {
    // Only where it is not the first link, which is the default.
    if (source && source->canonical_link && version_ >= Version{1, 7} &&
        plan_.ScopeOf(*source->canonical_link) == index && !scope.links.empty() &&
        scope.links.front() != *source->canonical_link) {
      out_.Attribute("canonical_link",
                     plan_.Local(index, model_.link(*source->canonical_link).name));
    }
    const RigidTransform X_WP = scope.parent < 0
                                    ? RigidTransform{}
                                    : plan_.scopes()[static_cast<std::size_t>(scope.parent)].X_WM;
    WritePose(out_, X_WP.inverse() * scope.X_WM);
    // Without a link nothing moves, and libsdformat asks for one unless it is said so.
    const bool empty = scope.links.empty() && scope.children.empty();
    if (empty || (source && source->is_static)) out_.Leaf("static", "true");
    if (source && source->self_collide)
      out_.Leaf("self_collide", *source->self_collide ? "true" : "false");
  }
  // Links before nested models before frames and joints: names are known before they are used, for
  // those who read the file.
  for (const LinkId link : scope.links) WriteLink(index, link);
  for (const int child : scope.children) WriteScope(child);
  for (const std::size_t f : scope.frames) WriteFrame(index, model_.frames[f]);
  for (const JointId joint : scope.joints) WriteJoint(index, joint);
  for (const std::size_t c : scope.gearboxes) WriteGearbox(index, model_.couplings[c]);
  if (plan_.drake()) WriteDrakeElements(index);
  // With several welds each has topics of its own; one alone keeps the usual ones of gz sim.
  for (const JointId weld : scope.welds)
    xml::WriteWeld(out_, scope.name,
                   scope.welds.size() > 1 ? plan_.Local(index, model_.joint(weld).name) : "",
                   plan_.Local(index, model_.link(model_.predecessor(weld)).name),
                   plan_.Local(index, model_.link(model_.successor(weld)).name));
  for (const std::size_t a : scope.drives) {
    const Actuator& drive = model_.actuators[a];
    out_.Native(PluginOfDrive(drive, plan_.Local(index, model_.joint(drive.joint).name)));
  }
  if (source) {
    // The gravity of a world may stand in <physics>, which WriteGravity writes.
    for (const NativeData& data : source->native) {
      if (data.format == "sdf" && !(data.element == "physics" && scope.is_world))
        out_.Native(data.content);
    }
  }
  out_.Close();
}

// Gravity is a child of the world since 1.6; before, it stood in <physics>.
void TextWriter::WriteGravity() {
  const bool inside = version_ < Version{1, 6};
  const std::string gravity = model_.gravity ? xml::VectorText(*model_.gravity) : "";
  if (!inside && model_.gravity) out_.Leaf("gravity", gravity);
  bool written = false;
  // The first <physics> takes it; without one it is made.
  if (!model_.scopes.empty() && model_.scopes[0].is_world) {
    for (const NativeData& data : model_.scopes[0].native) {
      if (data.format != "sdf" || data.element != "physics") continue;
      NativeElement physics = data.content;
      physics.Erase("gravity");
      if (inside && model_.gravity && !written) {
        physics.Add("gravity", gravity);
        written = true;
      }
      out_.Native(physics);
    }
  }
  if (inside && model_.gravity && !written)
    out_.Open("physics").Attribute("type", "ode").Leaf("gravity", gravity).Close();
}

void TextWriter::WriteFrame(int index, const Frame& frame) {
  if (version_ < Version{1, 7}) {
    plan_.Refuse(frame.where,
                 {"frame", frame.name, " cannot be written: SDFormat has frames since 1.7"});
    return;
  }
  const PlannedScope& scope = plan_.scopes()[static_cast<std::size_t>(index)];
  const std::optional<std::string> link = plan_.NameFrom(index, frame.link);
  // A model that does not move can carry a frame of the world in its own coordinates.
  if (!link || (frame.link == kWorld && !scope.is_world && !plan_.HoldsStill(index))) {
    plan_.Refuse(frame.where,
                 {"frame", frame.name,
                  " is attached to the world, which model '" + scope.name + "' cannot name"});
    return;
  }
  out_.Open("frame").Attribute("name", plan_.Local(index, frame.name));
  if (frame.link == kWorld && !scope.is_world) {
    WritePose(out_, scope.X_WM.inverse() * frame.X_LF);  // the model itself stands still
  } else {
    if (frame.link != kWorld) out_.Attribute("attached_to", *link);
    WritePose(out_, frame.X_LF);
  }
  out_.Close();
}

void TextWriter::WriteSensors(const std::vector<std::size_t>& sensors) {
  for (const std::size_t s : sensors) {
    NativeElement sensor = model_.sensors[s].native.content;
    xml::SetPose(sensor, model_.sensors[s].X_LS);
    out_.Native(sensor);
  }
}

}  // namespace sdformat

Bundle WriteSdf(const Model& model, const WriteOptions& options, Diagnostics& diagnostics) {
  const std::string text = options.version.empty() ? "1.9" : options.version;
  const std::optional<Version> version = ParseVersion(text);
  if (!version || *version < sdformat::kOldest || *version > sdformat::kNewest) {
    diagnostics.Add(
        {Severity::kError,
         "sdf-version",
         "",
         0,
         "",
         "'" + text + "' is not a version of SDFormat that can be written; choose 1.4 to 1.12",
         {}});
    return {};
  }
  // Drake has ways of its own for loops; gz sim welds halves; everyone else reads joints.
  using Loops = sdformat::WritePlan::Loops;
  const Loops loops = options.profile == "drake"                 ? Loops::kDrake
                      : options.loops == LoopChoice::kDetachable ? Loops::kWelds
                                                                 : Loops::kJoints;
  sdformat::WritePlan plan(model, *version, loops, diagnostics);
  std::string out = sdformat::TextWriter(plan).Write();
  if (plan.legal()) sdformat::TellEngines(plan, diagnostics);
  return {plan.legal() ? std::move(out) : "", {}};
}

}  // namespace kinemorph
