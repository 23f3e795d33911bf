// What is reported as lost is absent from the output: every loss of every fixture to every target
// is looked for in the file that was written.
#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <set>

#include "conversion.h"
#include "kinemorph/graph/model/elements.h"
#include "plan/accounting.h"

namespace kinemorph::test {
namespace {

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

std::string KeyOf(SubjectKind kind, Feature feature, const std::string& name) {
  return std::string(Name(Plain(kind))) + " " +
         (feature == Feature::kCount ? "" : std::string(FeatureName(feature))) + " " + name;
}

// How often a file says each thing, by name.
std::map<std::string, int> SaidIn(Model model) {
  NumberElements(model);
  std::map<std::string, int> said;
  for (const Inventory::Item& item : Inventory(model).Unaccounted(Model(), {}))
    ++said[KeyOf(item.kind, item.feature, item.name)];
  return said;
}

// The names that the report gives the element.
std::set<std::string> NamesOf(SubjectKind kind, const std::string& name, const LossReport& report) {
  std::set<std::string> names{name};
  for (std::size_t before = 0; before < names.size();) {
    before = names.size();
    for (const NameChange& change : report.names)
      if (Plain(change.kind) == Plain(kind) && names.contains(change.from)) names.insert(change.to);
    for (const Lowering& lowering : report.lowerings)
      if (names.contains(lowering.subject.name))
        for (const Subject& into : lowering.into) names.insert(into.name);
  }
  return names;
}

TEST(LossesAbsent, WhatIsReportedAsLostIsNotInTheOutput) {
  std::map<std::string, int> looked_for;  // by feature
  for (const std::string& file : FilesBelow(Fixtures(), {".urdf", ".sdf", ".xml", ".mbs"})) {
    Diagnostics reading;
    const std::optional<Model> model = ReadFile(file, reading);
    if (!model) continue;
    // What the file itself says: passes make parts and joints of their own, and lose them.
    const std::map<std::string, int> source = SaidIn(*model);
    for (const char* target : {"urdf", "urdf+", "sdf", "sdf@1.11", "mjcf", "mbs"}) {
      ConvertOptions options;
      options.target = TargetNamed(target);
      Diagnostics unsaid;
      const std::optional<Converted> converted = Convert(*model, options, unsaid);
      if (!converted) continue;
      const std::optional<Model> written =
          ReadText(converted->text, "/tmp/out" + Extension(options.target.format->name), unsaid);
      ASSERT_TRUE(written) << file << " -> " << target << Rendered(unsaid);
      const std::map<std::string, int> output = SaidIn(*written);
      const LossReport& report = converted->lowered.report;
      const auto gone = [&](SubjectKind kind, Feature said, const std::string& name) {
        const auto before = source.find(KeyOf(kind, said, name));
        int left = 0;
        for (const std::string& now : NamesOf(kind, name, report))
          if (const auto there = output.find(KeyOf(kind, said, now)); there != output.end())
            left += there->second;
        return before != source.end() && left < before->second;
      };
      for (const Loss& loss : report.losses) {
        Feature said{};
        const SubjectKind kind = loss.subject.kind;
        const std::string& name =
            loss.subject.name.empty() ? loss.subject.joint : loss.subject.name;
        if (name.empty() || !Takes(loss, said) || !source.contains(KeyOf(kind, said, name)))
          continue;
        ++looked_for[std::string(FeatureName(loss.feature))];
        EXPECT_TRUE(gone(kind, said, name) || gone(kind, Feature::kCount, name))
            << file << " -> " << target << ": " << Text(loss.subject) << ": " << loss.what << " ["
            << FeatureName(loss.feature) << "], and yet it is there";
      }
    }
  }
  for (const auto& [feature, count] : looked_for) std::cout << feature << " " << count << '\n';
  EXPECT_GE(looked_for.size(), 25u);
}

}  // namespace
}  // namespace kinemorph::test
