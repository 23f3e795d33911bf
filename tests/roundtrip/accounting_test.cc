// The conservation law: whatever is read is in the target model, or the report says what became of
// it. Over every fixture, the shared corpora and random models, to every target; and the law
// notices every single thing that goes without a word.
#include "plan/accounting.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conversion.h"
#include "edit/model_edit.h"
#include "kinemorph/graph/model/elements.h"
#include "random_mechanism.h"

namespace kinemorph::test {
namespace {

const std::vector<std::string> kTargets = {"urdf",    "urdf+",    "urdf+ paper", "sdf",
                                           "sdf@1.5", "sdf@1.11", "mjcf",        "mbs"};

// Defects of ours; a model that the target refuses is none.
std::string Defects(const Model& model, const ConvertOptions& options) {
  Diagnostics diagnostics;
  static_cast<void>(Check(model, options, diagnostics));
  std::string text;
  for (const Diagnostic& d : diagnostics.items())
    if (d.code.rfind("internal", 0) == 0) text += Render(d) + "\n";
  return text;
}

void ExpectAccounted(const Model& model, const std::string& what) {
  for (const std::string& target : kTargets) {
    ConvertOptions options;
    options.target = TargetNamed(target);
    EXPECT_EQ(Defects(model, options), "") << what << " -> " << target;
    options.merge_fixed = target == "mbs";
    options.massless = 1e-3;
    options.drop = {Feature::kNativeData, Feature::kJointPrismatic, Feature::kLoopRevolute};
    EXPECT_EQ(Defects(model, options), "")
        << what << " -> " << target << ", with drops and mergers";
  }
}

void ExpectFolderAccounted(const std::string& folder) {
  for (const std::string& file : FilesBelow(folder, {".urdf", ".sdf", ".xml", ".mbs"})) {
    Diagnostics reading;
    const std::optional<Model> model = ReadFile(file, reading);
    if (model) ExpectAccounted(*model, file);
  }
}

TEST(Accounting, EveryFixtureToEveryTarget) { ExpectFolderAccounted(Fixtures()); }

TEST(Accounting, CorpusToEveryTarget) {
  if (!std::filesystem::exists(Shared())) GTEST_SKIP() << Shared() << " is absent";
  for (const char* folder : {"/corpus", "/legs", "/mbs", "/urdf_plus"})
    ExpectFolderAccounted(Shared() + folder);
}

NativeData Native(const std::string& format, const std::string& element, std::uint32_t line) {
  return {format, element, {.name = element}, {0, line}};
}

// Something of every kind on every link and joint, each at its own line.
Model HungOnEverything(std::uint64_t seed) {
  kinemorph::test::RandomMechanismOptions random;
  random.links = 8;
  random.free_base = seed % 2 == 0;
  Model model = kinemorph::test::RandomMechanism(seed, random);
  model.files = {"random"};
  const std::string formats[] = {"urdf", "sdf", "mjcf", "mbs", ""};
  const std::string& format = formats[seed % std::size(formats)];
  std::uint32_t line = 0;
  for (const LinkId id : Links(model)) {
    Link& link = model.link(id);
    link.where = {0, ++line};
    if (seed % 3 == 0 && Index(id) % 3 == 0) link.inertial.reset();
    Visual visual;
    visual.shape = Capsule{0.1, 0.2};
    visual.where = {0, ++line};
    visual.material.emplace().diffuse = Rgba(1, 0, 0, 1);
    visual.material->native.push_back(Native(format, "shader", ++line));
    visual.native.push_back(Native(format, "layer", ++line));
    link.visuals.push_back(visual);
    Collision collision;
    collision.shape = Sphere{0.1};
    collision.mu = 0.5;
    collision.where = {0, ++line};
    link.collisions.push_back(collision);
    link.native.push_back(Native(format, "plugin", ++line));
    model.frames.push_back({"frame" + link.name,
                            id,
                            {},
                            "frame",
                            kNoScope,
                            {Native(format, "note", ++line)},
                            {0, ++line}});
    model.sensors.push_back({"imu" + link.name,
                             "imu",
                             id,
                             kNoJoint,
                             {},
                             Native(format, "sensor", ++line),
                             {0, ++line}});
    if (Index(id) > 1) model.contact_exclusions.push_back({LinkId{1}, id, {0, ++line}});
  }
  for (const JointId id : Joints(model)) {
    Joint& joint = model.joint(id);
    joint.where = {0, ++line};
    joint.native.push_back(Native(format, "feedback", ++line));
    for (JointAxis& axis : joint.axes) axis.spring_stiffness = 3, axis.armature = 0.1;
    model.sensors.push_back({"force" + joint.name,
                             "force_torque",
                             kNoLink,
                             id,
                             {},
                             Native(format, "sensor", ++line),
                             {0, ++line}});
    model.actuators.push_back({"motor" + joint.name,
                               "motor",
                               id,
                               1,
                               {},
                               {},
                               Native(format, "motor", ++line),
                               {0, ++line}});
  }
  for (Coupling& coupling : model.couplings) coupling.where = {0, ++line};
  NumberElements(model);
  return model;
}

TEST(Accounting, RandomModelsWithSomethingOnEverything) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed)
    ExpectAccounted(HungOnEverything(seed), "seed " + std::to_string(seed));
}

// One thing after another is taken out of the model without a word, and each is missed.
TEST(Accounting, NoticesWhatGoesWithoutAWord) {
  const Model model = HungOnEverything(2);
  const Inventory inventory(model);
  EXPECT_TRUE(inventory.Unaccounted(model, {}).empty());
  const auto missed = [&](const auto& edit) {
    Model less = model;
    edit(less);
    std::string text;
    for (const Inventory::Item& item : inventory.Unaccounted(less, {})) text += Text(item) + "\n";
    return text;
  };
  const LinkId link{1};
  EXPECT_EQ(missed([](Model& m) { m.sensors.erase(m.sensors.begin()); }), "sensor 'imulink1'\n");
  EXPECT_EQ(missed([](Model& m) { m.actuators.pop_back(); }),
            "actuator '" + model.actuators.back().name + "'\n");
  EXPECT_EQ(missed([](Model& m) { m.frames[0].native.clear(); }), "<note>\n");
  EXPECT_EQ(missed([](Model& m) { m.contact_exclusions.pop_back(); }), "contact exclusion\n");
  EXPECT_EQ(missed([](Model& m) { m.couplings.clear(); }),
            "coupling '" + model.couplings[0].name + "'\n");
  EXPECT_EQ(missed([&](Model& m) { m.link(link).collisions[0].mu.reset(); }),
            "surface friction of collision\n");
  EXPECT_EQ(missed([&](Model& m) { m.link(link).visuals[0].material->diffuse.reset(); }),
            "colour of visual\n");
  EXPECT_EQ(missed([&](Model& m) { m.link(link).native.clear(); }), "<plugin>\n");
  EXPECT_EQ(missed([](Model& m) { m.joint(JointId{2}).native.clear(); }), "<feedback>\n");
  for (const JointId id : Joints(model)) {
    if (model.joint(id).axes.empty()) continue;
    EXPECT_EQ(missed([&](Model& m) {
                for (JointAxis& axis : m.joint(id).axes) axis.spring_stiffness.reset();
              }),
              "joint spring of " + Text(SubjectOf(model.joint(id))) + "\n");
  }
  EXPECT_THAT(missed([](Model& m) {
                static_cast<void>(m.RemoveJoints([](JointId id) { return id == JointId{3}; }));
              }),
              ::testing::AllOf(::testing::HasSubstr("joint '" + model.joint(JointId{3}).name + "'"),
                               ::testing::HasSubstr("sensor 'force"),
                               ::testing::HasSubstr("actuator 'motor"),
                               ::testing::HasSubstr("<feedback>")));
}

TEST(Accounting, NoticesMassAndWhatIsSaidOfShapes) {
  Model model = HungOnEverything(2);
  const LinkId link{1};
  Mesh mesh;
  mesh.uri = "a.stl", mesh.scale = Vector3(1, 2, 1), mesh.submesh = "wheel";
  model.link(link).visuals[0].shape = mesh;
  model.link(link).visuals[0].transparency = 0.5;
  JointId turning{};
  for (const JointId id : Joints(model))
    if (!model.joint(id).axes.empty()) turning = id;
  model.joint(turning).axes[0].position_offset = 0.3;
  const Inventory inventory(model);
  const auto missed = [&](const auto& edit, const LossReport& report = {}) {
    Model less = model;
    edit(less);
    std::string text;
    for (const Inventory::Item& item : inventory.Unaccounted(less, report))
      text += Text(item) + "\n";
    return text;
  };
  EXPECT_EQ(missed([](Model&) {}), "");
  EXPECT_EQ(missed([&](Model& m) { m.link(link).inertial->I_I.setZero(); }),
            "moments of inertia of link '" + model.link(link).name + "'\n");
  const auto shape = [&](Model& m) -> Mesh& {
    return std::get<Mesh>(m.link(link).visuals[0].shape);
  };
  EXPECT_THAT(missed([&](Model& m) { shape(m).scale = Vector3::Ones(); }),
              ::testing::HasSubstr("of visual"));
  EXPECT_THAT(missed([&](Model& m) { shape(m).submesh.reset(); }),
              ::testing::HasSubstr("of visual"));
  EXPECT_THAT(missed([&](Model& m) { m.link(link).visuals[0].transparency.reset(); }),
              ::testing::HasSubstr("of visual"));
  EXPECT_THAT(missed([&](Model& m) { m.joint(turning).axes[0].position_offset = 0; }),
              ::testing::HasSubstr("of " + Text(SubjectOf(model.joint(turning)))));
  EXPECT_THAT(missed([&](Model& m) { m.link(link).inertial.reset(); }),
              ::testing::HasSubstr("mass of link '" + model.link(link).name + "'"));
  // A kilogram that goes, though every link still has a mass.
  const auto heavier = [&](Model& m) { m.link(link).inertial->mass += 1; };
  EXPECT_THAT(missed(heavier), ::testing::HasSubstr("mass of model"));
  LossReport added;
  added.added.push_back({model.link(link).name, 1, 0});
  EXPECT_EQ(missed(heavier, added), "");
}

// By its origin, whatever a pass calls it.
TEST(Accounting, AnElementWithAnotherNameIsTheSame) {
  const Model model = HungOnEverything(3);
  Model renamed = model;
  for (const LinkId id : Links(renamed)) renamed.link(id).name += "_x";
  for (const JointId id : Joints(renamed)) renamed.joint(id).name += "_x";
  for (Sensor& sensor : renamed.sensors) sensor.name.clear();
  for (Frame& frame : renamed.frames) frame.name = "frame";
  EXPECT_TRUE(Inventory(model).Unaccounted(renamed, {}).empty());
  renamed.frames.front().where.origin = renamed.frames.back().where.origin;  // another one twice
  EXPECT_THAT(
      Inventory(model).Unaccounted(renamed, {}),
      ::testing::ElementsAre(::testing::Field(&Inventory::Item::kind, SubjectKind::kFrame)));
}

// What is said of a joint that became a part of another one is said of that one, or lost there.
TEST(Accounting, WhatIsFoldedIntoAnotherIsLookedForThere) {
  Model model = HungOnEverything(2);
  JointId turning{};
  for (const JointId id : Joints(model))
    if (!model.joint(id).axes.empty()) turning = id;
  const JointId other{Index(turning) == 0 ? 1u : 0u};
  const Inventory inventory(model);
  Model less = model;
  const Joint gone = less.joint(turning);
  less.joint(other).axes = gone.axes;
  less.joint(turning).implicit = true, less.joint(turning).native.clear();
  LossReport report;
  report.lowerings.push_back({"test", SubjectOf(gone), "folded", {SubjectOf(less.joint(other))}});
  const auto missing = [&] {
    std::string text;
    for (const Inventory::Item& item : inventory.Unaccounted(less, report))
      text += Text(item) + "\n";
    return text;
  };
  EXPECT_EQ(missing(), "<feedback>\n");  // its own text did not come along
  for (JointAxis& axis : less.joint(other).axes) axis.armature.reset();
  EXPECT_THAT(missing(), ::testing::HasSubstr("rotor armature of " + Text(SubjectOf(gone))));
}

// Two things of one name at one place are two, and a report that loses one of them loses one.
TEST(Accounting, OneLossIsNoExcuseForTwoAlike) {
  Model model = HungOnEverything(2);
  model.sensors.push_back(model.sensors.front());
  model.couplings.push_back(model.couplings.front());
  model.sensors.back().where.origin = model.couplings.back().where.origin = 0;  // others, as read
  NumberElements(model);
  const Inventory inventory(model);
  const auto expect = [&](auto Model::*list, Feature feature) {
    Model less = model;
    (less.*list).erase((less.*list).begin());
    (less.*list).pop_back();
    EXPECT_EQ(inventory.Unaccounted(less, {}).size(), 2u);
    LossReport report;
    std::size_t missing = 2;
    for (const auto& item : {(model.*list).front(), (model.*list).back()}) {
      Loss& loss = report.losses.emplace_back();
      loss.feature = feature, loss.subject = SubjectOf(model, item);
      EXPECT_EQ(inventory.Unaccounted(less, report).size(), --missing);
    }
  };
  expect(&Model::sensors, Feature::kSensor);
  expect(&Model::couplings, Feature::kCouplingMimic);
}

// That the damping of a joint is lost says nothing of a joint that is gone.
TEST(Accounting, ALossOfWhatIsSaidIsNoExcuseForTheElement) {
  const Model model = HungOnEverything(2);
  const Inventory inventory(model);
  JointId damped = kNoJoint;
  for (const JointId id : Joints(model))
    if (CoordinateFeatures(model.joint(id))[Position(Feature::kDamping)]) damped = id;
  ASSERT_NE(damped, kNoJoint);
  Model less = model;
  static_cast<void>(less.RemoveJoints([&](JointId id) { return id == damped; }));
  const auto missing = [&](Feature lost) {
    LossReport report;
    Loss& loss = report.losses.emplace_back();
    loss.feature = lost, loss.subject = SubjectOf(model.joint(damped));
    const auto items = inventory.Unaccounted(less, report);
    return std::any_of(items.begin(), items.end(), [&](const Inventory::Item& item) {
      return item.feature == Feature::kCount && item.where.origin == loss.subject.where.origin;
    });
  };
  EXPECT_TRUE(missing(Feature::kDamping));
  EXPECT_FALSE(missing(TreeFeature(model.joint(damped))));
}

// What the report says is accounted for, by origin and not by kind.
TEST(Accounting, AReportThatNamesAnotherThingIsNoExcuse) {
  const Model model = HungOnEverything(2);
  const Inventory inventory(model);
  Model less = model;
  less.sensors.erase(less.sensors.begin());
  const auto naming = [&](const Sensor& sensor) {
    LossReport report;
    Loss& loss = report.losses.emplace_back();
    loss.feature = Feature::kSensor;
    loss.subject = SubjectOf(model, sensor);
    return report;
  };
  EXPECT_TRUE(inventory.Unaccounted(less, naming(model.sensors[0])).empty());
  EXPECT_EQ(inventory.Unaccounted(less, naming(model.sensors[1])).size(), 1u);
}

// A tool flange: the force sensor stays on its joint where the target takes it, else it is lost by
// name.
TEST(Accounting, AForceSensorOnAFlangeStaysOrIsLostByName) {
  Diagnostics reading;
  const std::optional<Model> model =
      ReadFile(Fixtures() + "/accounting/flange_sensor.urdf", reading);
  ASSERT_TRUE(model) << Rendered(reading);
  for (const std::string& target : kTargets) {
    ConvertOptions options;
    options.target = TargetNamed(target);
    Diagnostics diagnostics;
    const std::optional<Lowered> lowered = Lower(*model, options, diagnostics);
    ASSERT_TRUE(lowered) << target << Rendered(diagnostics);
    for (const std::string name : {"force", "imu"}) {  // "imu_gyro" is what an imu is in MJCF
      const bool kept = std::any_of(lowered->model.sensors.begin(), lowered->model.sensors.end(),
                                    [&](const Sensor& s) { return s.name.starts_with(name); });
      const bool lost = std::any_of(
          lowered->report.losses.begin(), lowered->report.losses.end(), [&](const Loss& loss) {
            return loss.subject.kind == SubjectKind::kSensor && loss.subject.name == name;
          });
      EXPECT_NE(kept, lost) << target << ": " << name;
      if (target.rfind("sdf", 0) == 0) { EXPECT_TRUE(kept) << target << ": " << name; }
    }
  }
}

TEST(Accounting, TheValueOfALoopJointIsSaid) {
  Diagnostics reading, diagnostics;
  const std::optional<Model> model =
      ReadFile(Fixtures() + "/accounting/hung_on_everything.sdf", reading);
  ASSERT_TRUE(model) << Rendered(reading);
  ConvertOptions options;
  options.target = TargetNamed("urdf+");
  options.cut = {"d"};
  const std::optional<LossReport> report = Check(*model, options, diagnostics);
  ASSERT_TRUE(report) << Rendered(diagnostics);
  const auto loss = std::find_if(report->losses.begin(), report->losses.end(),
                                 [](const Loss& l) { return l.feature == Feature::kLoopAxisData; });
  ASSERT_NE(loss, report->losses.end());
  EXPECT_THAT(loss->source, ::testing::HasSubstr("damping 0.2 N m s/rad"));
  EXPECT_EQ(loss->weight, Weight::kMotion);
}

// The couplings of a joint that --drop freezes are lost by name, and all text of one format is.
TEST(Accounting, DroppingSaysWhatGoesWithIt) {
  Diagnostics reading, diagnostics;
  const std::optional<Model> model =
      ReadFile(Fixtures() + "/accounting/hung_on_everything.xml", reading);
  ASSERT_TRUE(model) << Rendered(reading);
  ConvertOptions options;
  options.target = TargetNamed("mjcf");
  options.drop = {Feature::kJointPrismatic};
  const std::optional<LossReport> report = Check(*model, options, diagnostics);
  ASSERT_TRUE(report) << Rendered(diagnostics);
  std::vector<std::string> couplings;
  for (const Loss& loss : report->losses)
    if (loss.subject.kind == SubjectKind::kCoupling) couplings.push_back(loss.subject.name);
  EXPECT_THAT(couplings, ::testing::ElementsAre("follow"));
}

TEST(LossReport, NoNumberIsMinusZero) {
  LossReport report;
  report.frames.push_back({"arm", RigidTransform::Translation({-0.0, -0.0, -0.0})});
  const std::string json = LossReportJson(report);
  EXPECT_THAT(json, ::testing::HasSubstr("0.0"));
  EXPECT_THAT(json, ::testing::Not(::testing::HasSubstr("-0")));
}

}  // namespace
}  // namespace kinemorph::test
