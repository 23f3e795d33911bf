// What verify calls the same, and what it does not.
#include "kinemorph/converters/verify.h"

#include <gtest/gtest.h>

#include <map>

#include "chain_of_four_bars.h"
#include "kinemorph/graph/model/elements.h"
#include "mutations.h"

namespace kinemorph {
namespace {

using test::ChainOfFourBars;
using test::CutElsewhere;
using test::Mutate;
using test::Mutation;
using test::RandomMechanism;
using test::RandomMechanismOptions;
using test::WithOtherLinkFrames;

std::string Told(const VerifyResult& result) {
  std::string text;
  for (const VerifyCheck& check : result.checks) {
    if (check.max_error > check.tolerance)
      text += check.what + " " + std::to_string(check.max_error) + " at " + check.worst + "\n";
  }
  for (const Diagnostic& item : result.diagnostics.items()) text += Render(item) + "\n";
  return text;
}

RandomMechanismOptions OptionsFor(std::uint64_t seed) {
  RandomMechanismOptions options;
  options.links = 6 + static_cast<int>(seed % 10), options.loops = static_cast<int>(seed % 4),
  options.couplings = static_cast<int>(seed % 3);
  options.reversed_joints = seed % 2 == 0, options.free_base = seed % 3 == 0;
  return options;
}

TEST(Verify, AMechanismIsEquivalentToItself) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Model model = RandomMechanism(seed, OptionsFor(seed));
    const VerifyResult result = VerifyEquivalent(model, model);
    EXPECT_TRUE(result.equivalent) << seed << "\n" << Told(result);
    EXPECT_GE(result.checks.size(), 8u);
  }
}

// Drawn at one origin, as CAD exporters do: only the joints say how large the robot is.
TEST(Verify, ARobotWhoseFramesFallTogetherIsEquivalentToItself) {
  Model model;
  model.name = "cad";
  LinkId links[2];
  for (LinkId& id : links) {
    Link link;
    link.name = &id == links ? "upper" : "lower";
    link.inertial.emplace().mass = 1;
    link.inertial->I_I = 0.02 * Matrix3::Identity();
    id = model.AddLink(std::move(link));
  }
  Joint elbow;
  elbow.name = "elbow";
  elbow.kind = Revolute{Vector3::UnitX()};
  elbow.axes.resize(1);
  elbow.X_PF.R = Eigen::AngleAxisd(0.1, Vector3::UnitX()).toRotationMatrix();
  elbow.X_PF.p = {0.05, 0.1, 0.2};
  elbow.X_SM = elbow.X_PF;
  model.AddJoint(links[0], links[1], std::move(elbow));
  const VerifyResult result = VerifyEquivalent(model, model);
  EXPECT_TRUE(result.equivalent) << Told(result);
  EXPECT_NEAR(Compile(model).length, Vector3(0.05, 0.1, 0.2).norm(), 1e-12);
}

TEST(Verify, OtherLinkFramesMakeNoDifference) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Model model = RandomMechanism(seed, OptionsFor(seed));
    Random random(seed);
    const VerifyResult result = VerifyEquivalent(model, WithOtherLinkFrames(model, random));
    EXPECT_TRUE(result.equivalent) << seed << "\n" << Told(result);
  }
}

TEST(Verify, ACutAtAnotherJointMakesNoDifference) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    RandomMechanismOptions options = OptionsFor(seed);
    options.loops = 2;
    const Model model = RandomMechanism(seed, options);
    Random random(seed);
    const VerifyResult result = VerifyEquivalent(model, CutElsewhere(model, random));
    EXPECT_TRUE(result.equivalent) << seed << "\n" << Told(result);
  }
}

TEST(Verify, ACouplingTimesAFactorIsTheSame) {
  RandomMechanismOptions options;
  options.couplings = 2;
  const Model model = RandomMechanism(7, options);
  ASSERT_FALSE(model.couplings.empty());
  for (const double factor : {-2.0, 0.25}) {
    Model other = model;
    for (Coupling& coupling : other.couplings) {
      coupling.constant *= factor;
      for (CouplingTerm& term : coupling.terms)
        for (double& c : term.coefficients) c *= factor;
    }
    const VerifyResult result = VerifyEquivalent(model, other);
    EXPECT_TRUE(result.equivalent) << Told(result);
    other.couplings.front().terms.front().coefficients[0] += 0.01 * factor;
    EXPECT_FALSE(VerifyEquivalent(model, other).equivalent);
  }
}

TEST(Verify, AThousandSingleMutationsAreAllCaught) {
  std::map<std::string, int> kinds;
  int missed = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    const Model model = RandomMechanism(seed % 50 + 1, OptionsFor(seed % 50 + 1));
    Model damaged = model;
    Random random(seed);
    const Mutation mutation = Mutate(damaged, random);
    ++kinds[mutation.what];
    VerifyOptions options;
    options.states = 4;
    const VerifyResult result = VerifyEquivalent(model, damaged, options);
    if (result.equivalent) ++missed;
    EXPECT_FALSE(result.equivalent) << seed << ": " << mutation.what << " of " << mutation.element;
    bool named = false;
    for (const Diagnostic& item : result.diagnostics.items())
      named = named || item.severity == Severity::kError;
    EXPECT_TRUE(named || result.equivalent) << seed;
  }
  EXPECT_EQ(missed, 0);
  EXPECT_GE(kinds.size(), 14u);
}

TEST(Verify, TheDamagedElementIsNamed) {
  const Model model = ChainOfFourBars(2);
  const auto worst = [&](const auto& damage, const std::string& what) {
    Model damaged = model;
    damage(damaged);
    const VerifyResult result = VerifyEquivalent(model, damaged);
    EXPECT_FALSE(result.equivalent) << what;
    for (const VerifyCheck& check : result.checks) {
      if (check.what == what && check.max_error > check.tolerance) return check.worst;
    }
    return "not in '" + what + "':\n" + Told(result);
  };
  EXPECT_EQ(worst([](Model& m) { m.link(*m.FindLink("crank1")).inertial->mass *= 1 + 1e-6; },
                  "link masses"),
            "crank1");
  EXPECT_EQ(worst([](Model& m) { m.link(*m.FindLink("rocker0")).inertial->I_I(0, 0) *= 1 + 1e-6; },
                  "link inertias"),
            "rocker0");
  EXPECT_EQ(worst([](Model& m) { m.joint(*m.FindJoint("coupler_joint1")).X_PF.p.x() += 1e-7; },
                  "link poses"),
            "coupler_joint1");
  EXPECT_EQ(
      worst([](Model& m) { m.joint(*m.FindJoint("loop1")).X_SM.p.y() += 1e-7; }, "loop closure"),
      "loop1");
  EXPECT_EQ(worst([](Model& m) { m.joint(*m.FindJoint("crank_joint0")).axes[0].upper = 2; },
                  "position limits"),
            "crank_joint0");
}

TEST(Verify, AMissingLoopIsADifferenceOfMobility) {
  const Model model = ChainOfFourBars(2);
  Model open = model;
  static_cast<void>(open.RemoveJoints([&](JointId id) { return open.joint(id).name == "loop1"; }));
  const VerifyResult result = VerifyEquivalent(model, open);
  EXPECT_FALSE(result.equivalent);
  bool told = false;
  for (const VerifyCheck& check : result.checks) {
    if (check.what == "mobility") told = check.max_error == 2 && check.worst == "2 and 4";
  }
  EXPECT_TRUE(told) << Told(result);
}

// The report says that user code must enforce it, and the file says what: that it says the same is
// checked.
TEST(Verify, WhatOnlyUserCodeEnforcesIsCompared) {
  Model model = ChainOfFourBars(2);
  model.joint(*model.FindJoint("loop1")).kind = Screw{Vector3::UnitZ(), 0.1};
  model.joint(*model.FindJoint("crank_joint0")).axes[0].armature = 0.2;
  NumberElements(model);
  LossReport report;
  const auto lose = [&](Feature feature, const char* joint) {
    Loss& loss = report.losses.emplace_back();
    loss.feature = feature;
    loss.subject = SubjectOf(model.joint(*model.FindJoint(joint)));
    loss.subject.name = "as a pass called it";  // its origin says which it is
  };
  lose(Feature::kLoopScrew, "loop1");
  lose(Feature::kArmature, "crank_joint0");
  VerifyOptions options;
  options.report = &report;
  EXPECT_TRUE(VerifyEquivalent(model, model, options).equivalent);
  Model other = model;
  other.joint(*other.FindJoint("loop1")).kind = Screw{Vector3::UnitZ(), 0.2};
  EXPECT_FALSE(VerifyEquivalent(model, other, options).equivalent);
  other = model;
  other.joint(*other.FindJoint("crank_joint0")).axes[0].armature = 0.3;
  EXPECT_FALSE(VerifyEquivalent(model, other, options).equivalent);
  // What B does not have at all is what the report says it is: lost.
  other = model;
  static_cast<void>(
      other.RemoveJoints([&](JointId id) { return other.joint(id).name == "loop1"; }));
  other.joint(*other.FindJoint("crank_joint0")).axes[0].armature.reset();
  EXPECT_TRUE(VerifyEquivalent(model, other, options).equivalent);
}

// Two elements that change their names are told apart by which they are, not by what they are called.
TEST(Verify, NamesThatChangePlacesAreFollowed) {
  Model model = ChainOfFourBars(2);
  NumberElements(model);
  const JointId first = *model.FindJoint("crank_joint0"), second = *model.FindJoint("crank_joint1");
  model.joint(first).axes[0].damping = 0.5;
  Model other = model;
  std::swap(other.joint(first).name, other.joint(second).name);
  LossReport report;
  for (const auto& [id, to] : {std::pair(first, second), std::pair(second, first)})
    report.names.push_back({SubjectKind::kJoint, model.joint(id).name, model.joint(to).name,
                            model.joint(id).where.origin});
  VerifyOptions options;
  options.report = &report;
  const VerifyResult proof = VerifyEquivalent(model, other, options);
  EXPECT_EQ(proof.verdict, Verdict::kEquivalent) << Told(proof);
  EXPECT_NE(VerifyEquivalent(model, model, options).verdict, Verdict::kEquivalent);
}

// A format of one colour means it in every light.
TEST(Verify, AnAmbientColourLikeTheDiffuseOneIsNoDifference) {
  Model urdf = ChainOfFourBars(1);
  Visual visual;
  visual.shape = Sphere{1};
  visual.material.emplace().diffuse = Rgba(1, 0, 0, 1);
  urdf.link(*urdf.FindLink("crank0")).visuals.push_back(visual);
  urdf.format = "urdf+";
  Model sdf = urdf;
  sdf.format = "sdf";
  std::optional<Material>& material = sdf.link(*sdf.FindLink("crank0")).visuals[0].material;
  const auto excepted = [&] {
    std::size_t count = 0;
    for (const VerifyCheck& check : VerifyEquivalent(urdf, sdf).checks)
      if (check.what == "colours") count += check.excepted.size();
    return count;
  };
  material->ambient = material->diffuse;
  EXPECT_EQ(excepted(), 0U);
  material->ambient = Rgba(0, 1, 0, 1);
  EXPECT_EQ(excepted(), 1U);
}

// Grey is what a side without a colour shows; half transparent it shows something else.
TEST(Verify, NoColourIsOpaqueGrey) {
  Model urdf = ChainOfFourBars(1);
  Visual visual;
  visual.shape = Sphere{1};
  urdf.link(*urdf.FindLink("crank0")).visuals.push_back(visual);
  urdf.format = "urdf+";
  Model sdf = urdf;
  sdf.format = "sdf";
  Visual& painted = sdf.link(*sdf.FindLink("crank0")).visuals[0];
  painted.material.emplace().diffuse = Rgba(0.5, 0.5, 0.5, 1);
  EXPECT_EQ(VerifyEquivalent(urdf, sdf).verdict, Verdict::kEquivalent);
  EXPECT_EQ(VerifyEquivalent(sdf, urdf).verdict, Verdict::kEquivalent);
  for (const bool colour : {true, false}) {
    if (!colour) painted.material.reset();
    painted.transparency = 0.5;
    EXPECT_NE(VerifyEquivalent(urdf, sdf).verdict, Verdict::kEquivalent) << colour;
    EXPECT_NE(VerifyEquivalent(sdf, urdf).verdict, Verdict::kEquivalent) << colour;
  }
}

// What the other's format never holds is said to be left out.
// Two mirrors are a half turn, and one mirror is none.
TEST(Verify, AMirroredMeshIsKnownByWhatItShows) {
  const auto with = [](const Vector3& scale, double roll) {
    Model model;
    model.name = "mirrored";
    Link link;
    link.name = "shell";
    link.inertial.emplace().mass = 1;
    link.inertial->I_I = 0.02 * Matrix3::Identity();
    Visual visual;
    visual.name = "look";
    Mesh mesh;
    mesh.uri = "wedge.obj", mesh.scale = scale;
    visual.shape = mesh;
    visual.X_LG = {RotationFromRpy({roll, 0, 0}), {0, 0, 0.1}};
    link.visuals.push_back(std::move(visual));
    model.AddLink(std::move(link));
    return model;
  };
  constexpr double kHalfTurn = 3.14159265358979323846;
  const Model shown = with({2, -3, 4}, 0);
  EXPECT_TRUE(VerifyEquivalent(shown, with({2, 3, -4}, kHalfTurn)).equivalent);
  EXPECT_TRUE(VerifyEquivalent(with({2, -3, -4}, kHalfTurn), with({2, 3, 4}, 0)).equivalent);
  EXPECT_FALSE(VerifyEquivalent(shown, with({2, 3, -4}, 0)).equivalent);
  EXPECT_FALSE(VerifyEquivalent(shown, with({2, 3, 4}, 0)).equivalent);
}

TEST(Verify, WhatTheOtherFormatNeverHoldsIsSkippedAndSaid) {
  Model mbs = ChainOfFourBars(1);
  Model sdf = mbs;
  mbs.format = "mbs", sdf.format = "sdf";
  Collision collision;
  collision.shape = Sphere{1};
  sdf.link(*sdf.FindLink("crank0")).collisions.push_back(collision);
  const VerifyResult result = VerifyEquivalent(sdf, mbs);
  EXPECT_EQ(result.verdict, Verdict::kExcept) << Told(result);
  ASSERT_EQ(result.skipped.size(), 1u) << Told(result);
  EXPECT_EQ(Text(result.skipped[0]), "mbs has no collision (A has 1)");
}

// Writers snap what arithmetic leaves where zero is meant.
TEST(Verify, ARestOf1eMinus15IsNoDifference) {
  Model noisy = ChainOfFourBars(1);
  Vector3& com = noisy.link(*noisy.FindLink("crank0")).inertial->X_LI.p;
  com.y() = 0;
  const Model model = noisy;
  com.y() = 9e-16;
  EXPECT_TRUE(VerifyEquivalent(model, noisy).equivalent);
  com += Vector3::Constant(1e-7);
  EXPECT_FALSE(VerifyEquivalent(model, noisy).equivalent);
}

// ball = three hinges with massless links between them; where they stand at zero must be where the
// ball joint stands.
TEST(Verify, TheZeroOfABallJointIsSeenInTheHingesItWasSplitInto) {
  const auto model = [](bool split, double turned) {
    Model m;
    Random random(5);
    LinkId parent = kWorld;
    for (int i = split ? 0 : 2; i < 3; ++i) {
      Link link;
      link.name = i == 2 ? "hand" : "cross" + std::to_string(i);
      link.synthetic = i < 2;
      if (i == 2) link.inertial = test::RandomInertial(random);
      const LinkId id = m.AddLink(link);
      Joint joint;
      joint.name = split ? "wrist_" + std::to_string(i + 1) : "wrist";
      joint.kind = split ? JointKind(Revolute{Vector3::Unit(i)}) : JointKind(Ball{});
      if (split) joint.axes.resize(1);
      if (i == 0 || !split) joint.X_PF = RigidTransform::Translation({0.1, 0.2, 0.3});
      if (i == 2) joint.X_SM.R = Eigen::AngleAxisd(turned, Vector3::UnitZ()).toRotationMatrix();
      m.AddJoint(parent, id, joint);
      parent = id;
    }
    return m;
  };
  const VerifyResult same = VerifyEquivalent(model(false, 0), model(true, 0));
  EXPECT_TRUE(same.equivalent) << Told(same);
  const VerifyResult other = VerifyEquivalent(model(false, 0), model(true, 0.1));
  EXPECT_FALSE(other.equivalent);
  EXPECT_NE(Told(other).find("'wrist': zero poses differ"), std::string::npos) << Told(other);
}

TEST(Verify, AllPositionsCountFromTheZeroOfTheirSide) {
  Model model;
  Random random(5);
  Link link;
  link.name = "arm";
  link.inertial = test::RandomInertial(random);
  Joint joint;
  joint.name = "hinge";
  joint.kind = Revolute{Vector3::UnitZ()};
  joint.axes.resize(1);
  joint.axes[0].lower = -1;
  joint.axes[0].initial_position = 0.7;
  joint.axes[0].safety.emplace().soft_lower = -0.9;
  model.AddJoint(kWorld, model.AddLink(link), joint);
  Model moved = model;
  Joint& hinge = moved.joint(JointId{0});
  hinge.X_PF.R = RotationFromAxisAngle(Vector3::UnitZ(), 0.4);
  hinge.axes[0].position_offset = 0.4;
  hinge.axes[0].lower = -1.4;
  hinge.axes[0].initial_position = 0.3;
  hinge.axes[0].safety->soft_lower = -1.3;
  EXPECT_TRUE(VerifyEquivalent(model, moved).equivalent) << Told(VerifyEquivalent(model, moved));
  hinge.axes[0].initial_position = 0.7;
  EXPECT_FALSE(VerifyEquivalent(model, moved).equivalent);
}

// A point mass on three axes through one point: the motion about the line to it is resisted by
// round-off alone.
TEST(Verify, ASingularMassMatrixIsComparedWithInertiaAdded) {
  Model model;
  LinkId parent = kWorld;
  for (int i = 0; i < 3; ++i) {
    Link link;
    link.name = "l" + std::to_string(i);
    if (i == 2) link.inertial.emplace().mass = 2, link.inertial->X_LI.p = Vector3(0.1, 0.2, 0.3);
    const LinkId id = model.AddLink(link);
    Joint joint;
    joint.name = "j" + std::to_string(i), joint.kind = Revolute{Vector3::Unit(i)};
    joint.axes.resize(1);
    model.AddJoint(parent, id, joint);
    parent = id;
  }
  const VerifyResult result = VerifyEquivalent(model, model);
  EXPECT_TRUE(result.equivalent) << Told(result);
  EXPECT_NE(Told(result).find(
                "singular mass matrix; accelerations are compared with the same inertia added"),
            std::string::npos);
  const auto compared = [](const VerifyCheck& check) { return check.what == "accelerations"; };
  EXPECT_EQ(std::count_if(result.checks.begin(), result.checks.end(), compared), 1);
  Model rotor = model;
  rotor.joint(JointId{1}).axes[0].armature = 1e-3;
  const VerifyResult other = VerifyEquivalent(model, rotor);
  EXPECT_NE(Told(other).find("'j1': armature differs: armature none against 0.001 kg m^2"),
            std::string::npos)
      << Told(other);
}

// universal = two hinges with a massless link between them.
TEST(Verify, ASplitUniversalJointMakesNoDifference) {
  Model whole, split;
  for (Model* m : {&whole, &split}) {
    Random random(4);
    Link link;
    link.name = "hand";
    link.inertial = test::RandomInertial(random);
    const LinkId hand = m->AddLink(link);
    const Universal kind{Vector3::UnitX(), Vector3(0, 0.8, 0.6)};
    const RigidTransform X_PF = test::RandomTransform(random, 0.5),
                         X_SM = test::RandomTransform(random, 0.5);
    Joint joint;
    joint.name = "wrist", joint.kind = kind, joint.X_PF = X_PF, joint.X_SM = X_SM;
    joint.axes.resize(2);
    joint.axes[0].lower = -1, joint.axes[1].upper = 2;
    if (m == &whole) {
      m->AddJoint(kWorld, hand, joint);
      continue;
    }
    Link cross;
    cross.name = "wrist_cross";
    cross.synthetic = true;
    const LinkId between = m->AddLink(cross);
    Joint first = joint, second = joint;
    first.name = "wrist_1", first.kind = Revolute{kind.axis1}, first.X_SM = {},
    first.axes = {joint.axes[0]};
    second.name = "wrist_2", second.kind = Revolute{kind.axis2}, second.X_PF = {},
    second.axes = {joint.axes[1]};
    m->AddJoint(kWorld, between, first);
    m->AddJoint(between, hand, second);
  }
  const VerifyResult there = VerifyEquivalent(whole, split), back = VerifyEquivalent(split, whole);
  EXPECT_TRUE(there.equivalent) << Told(there);
  EXPECT_TRUE(back.equivalent) << Told(back);
  split.joint(*split.FindJoint("wrist_2")).axes[0].upper = 2.1;
  EXPECT_FALSE(VerifyEquivalent(whole, split).equivalent);
}

// A URDF root says nothing of its base; an SDFormat model without a joint to the world floats.
TEST(Verify, ABaseThatIsLeftOpenIsHeldOnBothSides) {
  Model open, floating;
  for (Model* m : {&open, &floating}) {
    Random random(4);
    Link link;
    link.name = "trunk";
    link.inertial = test::RandomInertial(random);
    const LinkId trunk = m->AddLink(link);
    link.name = "leg";
    const LinkId leg = m->AddLink(link);
    Joint hip;
    hip.name = "hip", hip.kind = Revolute{};
    hip.axes.resize(1);
    m->AddJoint(trunk, leg, hip);
    if (m == &open) continue;
    Joint base;
    base.kind = Free{}, base.implicit = true, base.name = "base";
    base.axes.resize(1);
    base.X_PF.p = Vector3(0, 0, 1);
    m->AddJoint(kWorld, trunk, base);
  }
  EXPECT_TRUE(VerifyEquivalent(open, floating).equivalent)
      << Told(VerifyEquivalent(open, floating));
  EXPECT_TRUE(VerifyEquivalent(floating, open).equivalent);
  // One that is written out is no joint that the other file lacks.
  Model written = floating;
  written.joint(*written.FindJoint("base")).implicit = false;
  EXPECT_TRUE(VerifyEquivalent(open, written).equivalent) << Told(VerifyEquivalent(open, written));
  EXPECT_TRUE(VerifyEquivalent(written, open).equivalent);
  Model fixed = floating;
  fixed.joint(*fixed.FindJoint("base")).kind = Fixed{};
  EXPECT_FALSE(VerifyEquivalent(fixed, floating).equivalent);  // both say, and say different things
}

TEST(Verify, MassesMergedAcrossARigidJointAreComparedAsAWhole) {
  Model parts, whole;
  Random random(9);
  const Inertial arm_inertia = test::RandomInertial(random),
                 tool_inertia = test::RandomInertial(random);
  const RigidTransform X_at = test::RandomTransform(random, 0.3);
  for (Model* m : {&parts, &whole}) {
    Link arm;
    arm.name = "arm";
    arm.inertial = arm_inertia;
    if (m == &whole) {
      const SpatialInertia both = arm_inertia.InLink() + tool_inertia.InLink().InFrame(X_at);
      arm.inertial->mass = both.mass,
      arm.inertial->X_LI = RigidTransform::Translation(both.p_BoBcm),
      arm.inertial->I_I = both.I_BBcm;
    }
    const LinkId id = m->AddLink(arm);
    Joint hinge;
    hinge.name = "hinge", hinge.kind = Revolute{};
    hinge.axes.resize(1);
    m->AddJoint(kWorld, id, hinge);
    if (m == &whole) continue;
    Link tool;
    tool.name = "tool";
    tool.inertial = tool_inertia;
    const LinkId tool_id = m->AddLink(tool);
    Joint weld;
    weld.name = "weld", weld.kind = Fixed{}, weld.X_PF = X_at;
    m->AddJoint(id, tool_id, weld);
  }
  EXPECT_TRUE(VerifyEquivalent(parts, whole).equivalent) << Told(VerifyEquivalent(parts, whole));
  whole.link(*whole.FindLink("arm")).inertial->mass *= 1 + 1e-6;
  EXPECT_FALSE(VerifyEquivalent(parts, whole).equivalent);
}

TEST(Verify, OpenSingularAndMasslessModelsComeToAnAnswer) {
  Model model = ChainOfFourBars(1);
  model.joint(*model.FindJoint("rocker_joint0")).X_PF.p.x() = 9;  // cannot close
  for (const LinkId id : Links(model)) model.link(id).inertial.reset();
  const VerifyResult result = VerifyEquivalent(model, model);
  for (const VerifyCheck& check : result.checks)
    EXPECT_FALSE(std::isnan(check.max_error)) << check.what;
  EXPECT_FALSE(result.diagnostics.items().empty());
}

}  // namespace
}  // namespace kinemorph
