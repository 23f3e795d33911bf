// What is reported as lost is absent from the output: every loss of every fixture to every target
// is looked for in the file that was written.
#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <set>

#include "conversion.h"
#include "plan/accounting.h"

namespace kinemorph::test {
namespace {

// Without places, so that an item is known again by its name in another file.
Model WithoutPlaces(Model model) {
  const auto clear = [](std::vector<NativeData>& list) {
    for (NativeData& data : list) data.where = {};
  };
  clear(model.native);
  for (Scope& scope : model.scopes) scope.where = {}, clear(scope.native);
  for (std::uint32_t v = 0; v < model.num_links(); ++v) {
    Link& link = model.link(LinkId{v});
    link.where = {}, clear(link.native);
    if (link.inertial) link.inertial->where = {}, clear(link.inertial->native);
    for (Visual& visual : link.visuals) {
      visual.where = {}, clear(visual.native);
      if (visual.material) clear(visual.material->native);
    }
    for (Collision& collision : link.collisions) collision.where = {}, clear(collision.native);
  }
  for (const JointId id : Joints(model)) model.joint(id).where = {}, clear(model.joint(id).native);
  for (Coupling& coupling : model.couplings) coupling.where = {}, clear(coupling.native);
  for (Frame& frame : model.frames) frame.where = {}, clear(frame.native);
  for (Sensor& sensor : model.sensors) sensor.where = {}, sensor.native.where = {};
  for (Actuator& drive : model.actuators) drive.where = {}, drive.native.where = {};
  for (ContactExclusion& pair : model.contact_exclusions) pair.where = {};
  return model;
}

bool Between(Feature feature, Feature first, Feature last) {
  return feature >= first && feature <= last;
}

// What an item of the law is that `loss` takes away; kCount: the element itself. False where the
// loss says that something is left, in another form or with another value.
bool Takes(const Loss& loss, Feature& said) {
  using enum Feature;
  if (!loss.target.empty() || loss.pass == "remarks") return false;
  const Feature f = loss.feature;
  const bool axis = Between(f, kPositionLimit, kPositionOffset) && f != kOneSidedLimit &&
                    f != kAsymmetricEffortLimit;
  const bool looks = f == kMaterialTexture || f == kSurfaceFriction || f == kTransparency;
  said = axis || looks || f == kInitialPosition ? f : kCount;
  const bool element =
      f == kVisual || f == kCollision || f == kSensor || f == kActuator || f == kContactExclusion ||
      f == kFrame || Between(f, kShapeBox, kShapePlane) || f == kShapeMesh || f == kShapeNative ||
      Between(f, kCouplingMimic, kCouplingLinear) || Between(f, kLoopFixed, kLoopAncestor);
  return said != kCount || element;
}

SubjectKind Plain(SubjectKind kind) {
  return kind == SubjectKind::kLoopJoint ? SubjectKind::kJoint : kind;
}

TEST(LossesAbsent, WhatIsReportedAsLostIsNotInTheOutput) {
  std::map<std::string, int> looked_for;  // by feature
  for (const std::string& file : FilesBelow(Fixtures(), {".urdf", ".sdf", ".xml", ".mbs"})) {
    Diagnostics reading;
    const std::optional<Model> model = ReadFile(file, reading);
    if (!model) continue;
    const Model bare = WithoutPlaces(*model);
    const Inventory inventory(bare);
    const auto key = [](SubjectKind kind, Feature feature, const std::string& name) {
      return std::string(Name(Plain(kind))) + " " +
             (feature == Feature::kCount ? "" : std::string(FeatureName(feature))) + " " + name;
    };
    // What the file itself says, by name: passes make parts and joints of their own, and lose them.
    std::set<std::string> source;
    for (const Inventory::Item& item : inventory.Unaccounted(Model(), {}))
      if (!item.name.empty()) source.insert(key(item.kind, item.feature, item.name));
    for (const char* target : {"urdf", "urdf+", "sdf", "sdf@1.11", "mjcf", "mbs"}) {
      ConvertOptions options;
      options.target = TargetNamed(target);
      Diagnostics unsaid;
      const std::optional<Converted> converted = Convert(*model, options, unsaid);
      if (!converted) continue;
      const std::optional<Model> written =
          ReadText(converted->text, "/tmp/out" + Extension(options.target.format->name), unsaid);
      ASSERT_TRUE(written) << file << " -> " << target << Rendered(unsaid);
      LossReport changes;  // all but the losses
      changes.names = converted->lowered.report.names;
      changes.lowerings = converted->lowered.report.lowerings;
      for (Lowering& lowering : changes.lowerings) lowering.subject.kind = SubjectKind::kModel;
      std::multiset<std::string> missing;
      for (const Inventory::Item& item : inventory.Unaccounted(*written, changes))
        missing.insert(key(item.kind, item.feature, item.name));
      for (const Loss& loss : converted->lowered.report.losses) {
        Feature said{};
        const std::string& name =
            loss.subject.name.empty() ? loss.subject.joint : loss.subject.name;
        if (!Takes(loss, said) || !source.contains(key(loss.subject.kind, said, name))) continue;
        const bool gone = missing.contains(key(loss.subject.kind, said, loss.subject.name)) ||
                          missing.contains(key(loss.subject.kind, Feature::kCount, name));
        ++looked_for[std::string(FeatureName(loss.feature))];
        EXPECT_TRUE(gone) << file << " -> " << target << ": " << Text(loss.subject) << ": "
                          << loss.what << " [" << FeatureName(loss.feature)
                          << "], and yet it is there";
      }
    }
  }
  for (const auto& [feature, count] : looked_for) std::cout << feature << " " << count << '\n';
  EXPECT_GE(looked_for.size(), 25u);
}

}  // namespace
}  // namespace kinemorph::test
