// Every real file comes back equal; every mechanism keeps its motion, judged by kinematics straight
// from the text.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "kinemorph/graph/mechanics/joint_motion.h"
#include "loader_rules.h"
#include "mbs_file.h"
#include "mbs_test_support.h"
#include "paths.h"
#include "random_mechanism.h"

namespace kinemorph::test {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> RealFiles() {
  std::vector<fs::path> files;
  const fs::path root = fs::path(kinemorph::test::SharedDir()) / "data" / "mbs";
  if (fs::exists(root)) {
    for (const auto& entry : fs::recursive_directory_iterator(root))
      if (entry.path().extension() == ".mbs") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string ReadText(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// Elements in order with attributes and texts; numbers as values, comments and white space left
// out. Empty elements that say nothing (an x3D_shapes or lights without content, an empty section)
// are dropped.
void Flatten(const tinyxml2::XMLElement* element, const std::string& path,
             std::vector<std::string>& out) {
  std::string line = path + "/" + element->Name();
  for (const tinyxml2::XMLAttribute* a = element->FirstAttribute(); a; a = a->Next())
    line += " " + std::string(a->Name()) + "=" + a->Value();
  if (!element->FirstChildElement() && element->GetText()) {
    const std::string text = element->GetText();
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    std::ostringstream number;
    number.precision(17);
    number << value + 0.0;
    line += " " + (end == text.c_str() + text.size() ? number.str() : text);
  }
  out.push_back(line);
  for (const tinyxml2::XMLElement* c = element->FirstChildElement(); c; c = c->NextSiblingElement())
    Flatten(c, path + "/" + element->Name(), out);
}

std::vector<std::string> Flat(const std::string& text) {
  std::vector<std::string> out;
  Flatten(Parsed(text).root(), "", out);
  return out;
}

TEST(MbsRoundTrip, EveryRealFileComesBackEqual) {
  const std::vector<fs::path> files = RealFiles();
  if (files.empty()) GTEST_SKIP() << "no data folder beside the project";
  for (const fs::path& file : files) {
    const std::string text = ReadText(file);
    Diagnostics diagnostics;
    const std::optional<Model> model = ReadMbs(text, {}, diagnostics);
    ASSERT_TRUE(model) << file;
    ASSERT_FALSE(diagnostics.has_errors()) << file << Messages(diagnostics);
    const std::string again = Write(*model);
    const std::vector<std::string> a = Flat(text), b = Flat(again);
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
      ASSERT_EQ(a[i], b[i]) << file << " element " << i;
    ASSERT_EQ(a.size(), b.size()) << file;
  }
}

// Without the source's spelling every chain, point and diagram is made anew: the bodies must still
// move alike.
TEST(MbsRoundTrip, EveryRealFileKeepsItsMotionWithoutItsSource) {
  const std::vector<fs::path> files = RealFiles();
  if (files.empty()) GTEST_SKIP() << "no data folder beside the project";
  Random random(11);
  for (const fs::path& file : files) {
    const std::string text = ReadText(file);
    Diagnostics diagnostics;
    Model model = *ReadMbs(text, {}, diagnostics);
    model.native.clear();
    const std::string again = Write(model);
    ASSERT_THAT(LoaderRules::Check(again), ::testing::IsEmpty()) << file;
    const Parsed a(text), b(again);
    std::map<std::string, double> q_a, q_b;
    for (const std::string& body : BodyNames(a)) {
      if (!model.FindLink(body)) continue;  // a copy in a solid cut
      // The same coordinates in the same order, whatever the joints are called and however many
      // driven ones stand between them.
      std::vector<std::string> joints_a, joints_b;
      for (const std::string& j : JointsOf(a, body))
        if (j.find(" driven") == std::string::npos) joints_a.push_back(j.substr(0, j.find(' ')));
      for (const std::string& j : JointsOf(b, body))
        if (j.find(" driven") == std::string::npos) joints_b.push_back(j.substr(0, j.find(' ')));
      ASSERT_EQ(joints_a.size(), joints_b.size()) << file << " " << body;
      for (std::size_t i = 0; i < joints_a.size(); ++i)
        q_a[joints_a[i]] = q_b[joints_b[i]] = random.Uniform(-1, 1);
    }
    for (const std::string& body : BodyNames(a))
      if (!model.FindLink(body))
        for (const std::string& j : JointsOf(a, body)) q_a[j.substr(0, j.find(' '))] = 0;
    for (const std::string& body : BodyNames(b))
      if (!model.FindLink(body))
        for (const std::string& j : JointsOf(b, body)) q_b[j.substr(0, j.find(' '))] = 0;
    const auto poses_a = PosesByText(a, q_a), poses_b = PosesByText(b, q_b);
    for (const auto& [body, X] : poses_a) {
      if (!model.FindLink(body)) continue;
      ASSERT_LE(Distance(X, poses_b.at(body)), 1e-12) << file << " " << body;
    }
  }
}

// Values for the MBS joints that a joint of the model becomes, at coordinates q of the model.
void SetCoordinates(const Joint& joint, const double* q, std::map<std::string, double>& by_name) {
  const std::string& name = joint.name;
  if (std::holds_alternative<Ball>(joint.kind) || std::holds_alternative<Free>(joint.kind)) {
    // R = R1(a) R2(b) R3(c), away from b = +-pi/2. The chain carries the constant rotation X_PF
    // after the ball (before the free joint).
    const RigidTransform X_FM = JointTransform(joint.kind, q);
    const bool free = std::holds_alternative<Free>(joint.kind);
    const RigidTransform X =
        free ? joint.X_PF * X_FM * joint.X_SM.inverse()
             : RigidTransform::Rotation(joint.X_PF.R * X_FM.R * joint.X_PF.R.transpose());
    const double b = std::asin(X.R(0, 2)), a = std::atan2(-X.R(1, 2), X.R(2, 2)),
                 c = std::atan2(-X.R(0, 1), X.R(0, 0));
    const char* suffix[2][6] = {{"_1", "_2", "_3", "", "", ""},
                                {"_R1", "_R2", "_R3", "_T1", "_T2", "_T3"}};
    by_name[name + suffix[free][0]] = a;
    by_name[name + suffix[free][1]] = b;
    by_name[name + suffix[free][2]] = c;
    if (free)
      for (int i = 0; i < 3; ++i) by_name[name + suffix[1][3 + i]] = X.p[i];
    return;
  }
  if (const Screw* screw = std::get_if<Screw>(&joint.kind)) {
    by_name[name + "_1"] = q[0];
    by_name[name + "_2"] = screw->pitch * q[0];
    return;
  }
  const int n = NumPositions(joint.kind);
  for (int i = 0; i < n; ++i) by_name[n == 1 ? name : name + "_" + std::to_string(i + 1)] = q[i];
}

// Random trees with every kind of joint at random places: model kinematics against the text.
TEST(MbsRoundTrip, RandomTreesMoveAsTheModelSays) {
  Random random(12);
  for (int run = 0; run < 60; ++run) {
    RandomMechanismOptions options;
    options.links = 15;
    options.loops = 0;
    options.couplings = 0;
    options.free_base = run % 2 == 0;
    const Model model = RandomMechanism(static_cast<std::uint64_t>(run), options);
    const std::string text = Write(model);
    ASSERT_THAT(LoaderRules::Check(text), ::testing::IsEmpty());
    std::map<std::string, double> by_name;
    std::vector<RigidTransform> poses(model.num_links());
    const Model again = Read(text);
    for (const JointId id : Joints(model)) {  // parents come first
      const Joint& joint = model.joint(id);
      std::vector<double> q(static_cast<std::size_t>(NumPositions(joint.kind)), 0);
      SetZeroPosition(joint.kind, q.data());
      std::vector<double> v;
      for (int i = 0; i < NumVelocities(joint.kind); ++i) v.push_back(random.Uniform(-0.5, 0.5));
      IntegratePosition(joint.kind, q.data(), v.data(), 1, q.data());
      SetCoordinates(joint, q.data(), by_name);
      poses[Index(model.successor(id))] = poses[Index(model.predecessor(id))] * joint.X_PF *
                                          JointTransform(joint.kind, q.data()) *
                                          joint.X_SM.inverse();
      // The same joint comes back: its kind and its frames up to the turn that puts M parallel to
      // the link.
      const auto same = again.FindJoint(joint.name);
      ASSERT_TRUE(same) << joint.name;
      EXPECT_EQ(KindName(again.joint(*same).kind), KindName(joint.kind));
      EXPECT_LE(
          Distance(
              again.joint(*same).X_PF * JointTransform(again.joint(*same).kind, q.data()) *
                  again.joint(*same).X_SM.inverse(),
              std::holds_alternative<Ball>(joint.kind) || std::holds_alternative<Free>(joint.kind)
                  ? again.joint(*same).X_PF * JointTransform(joint.kind, q.data()) *
                        again.joint(*same).X_SM.inverse()
                  : joint.X_PF * JointTransform(joint.kind, q.data()) * joint.X_SM.inverse()),
          1e-12)
          << joint.name;
    }
    const auto by_text = PosesByText(Parsed(text), by_name);
    for (const LinkId link : Links(model)) {
      ASSERT_LE(Distance(poses[Index(link)], by_text.at(model.link(link).name)), 1e-12)
          << model.link(link).name;
    }
    ASSERT_EQ(again.num_links(), model.num_links());
  }
}

// Loops of every kind: the loop joint comes back with the same constraint.
TEST(MbsRoundTrip, RandomLoopsComeBackAsTheSameConstraint) {
  Random random(13);
  for (int run = 0; run < 60; ++run) {
    RandomMechanismOptions options;
    options.links = 10;
    options.loops = 3;
    options.couplings = 1;
    const Model model = RandomMechanism(static_cast<std::uint64_t>(run), options);
    const std::string text = Write(model);
    ASSERT_THAT(LoaderRules::Check(text), ::testing::IsEmpty());
    const Model again = Read(text);
    ASSERT_EQ(again.num_joints(), model.num_joints());
    ASSERT_EQ(again.couplings.size(), model.couplings.size());
    for (const JointId id : Joints(model)) {
      const Joint& a = model.joint(id);
      if (a.role != JointRole::kLoop) continue;
      ASSERT_TRUE(again.FindJoint(a.name)) << a.name;
      const JointId other = *again.FindJoint(a.name);
      const Joint& b = again.joint(other);
      EXPECT_EQ(b.role, JointRole::kLoop);
      EXPECT_EQ(KindName(b.kind), KindName(a.kind));
      EXPECT_EQ(again.link(again.predecessor(other)).name, model.link(model.predecessor(id)).name);
      EXPECT_EQ(again.link(again.successor(other)).name, model.link(model.successor(id)).name);
      if (std::holds_alternative<Ball>(a.kind)) {
        EXPECT_LE((a.X_PF.p - b.X_PF.p).norm() + (a.X_SM.p - b.X_SM.p).norm(), 1e-12);
        continue;
      }
      std::vector<double> q(static_cast<std::size_t>(NumPositions(a.kind)));
      for (double& x : q) x = random.Uniform(-1, 1);
      EXPECT_LE(Distance(a.X_PF * JointTransform(a.kind, q.data()) * a.X_SM.inverse(),
                         b.X_PF * JointTransform(b.kind, q.data()) * b.X_SM.inverse()),
                1e-12)
          << KindName(a.kind);
    }
  }
}

TEST(MbsRoundTrip, WritingTwiceGivesTheSameText) {
  const Model model = RandomMechanism(14);
  const std::string once = Write(model), twice = Write(Read(once));
  EXPECT_EQ(once, twice);
  EXPECT_EQ(twice, Write(Read(twice)));
}

// An edit of one joint leaves the spelling of everything else alone.
TEST(MbsRoundTrip, OnlyWhatChangedIsSpeltAnew) {
  const std::string body_a =
      BodyXml("a", "base", "P", DrivenXml("odd_name", "R1", 0.5) + JointXml("ja", "R3"));
  const std::string body_b =
      BodyXml("b", "a", "origin", DrivenXml("other_name", "R1", 0.5) + JointXml("jb", "R3"));
  Model model = Read(File(body_a + body_b, "", PointXml("P", 1, 0, 0)));
  model.joint(*model.FindJoint("jb")).X_PF.R = RotationFromRpy({0.25, 0, 0});
  const Parsed parsed(Write(model));
  EXPECT_THAT(JointsOf(parsed, "a"),
              ::testing::ElementsAre("odd_name R1 driven 0.5", "ja R3 independent"));
  EXPECT_THAT(JointsOf(parsed, "b"),
              ::testing::ElementsAre("jb_rx R1 driven 0.25", "jb R3 independent"));
  EXPECT_EQ(TextOf(FindBody(parsed, "a")->FirstChildElement("parent"), "pointname"), "P");
}

// A rod from the base to a point of a slider, without the source's spelling.
Model TiedSlider() {
  const std::string bodies = BodyXml("b", "base", "origin", JointXml("j", "T2"),
                                     "<mass>1.0</mass>" + PointXml("end", 0, 3, 0));
  Model model = Read(
      File(bodies, "<cuts>" +
                       CutXml("rod", "tie", "base", "origin", "b", "end", "<length>2.0</length>") +
                       "</cuts>"));
  model.native.clear();
  return model;
}

TEST(MbsRoundTrip, RodsComeBackAsRods) {
  const std::string text = Write(TiedSlider());
  EXPECT_THAT(LoaderRules::Check(text), ::testing::IsEmpty());
  const Parsed parsed(text);
  const auto* rod = parsed.root()->FirstChildElement("cuts")->FirstChildElement("rod");
  ASSERT_NE(rod, nullptr);
  EXPECT_EQ(TextOf(rod, "name"), "tie");
  EXPECT_EQ(TextOf(rod, "length"), "2.0");
  EXPECT_EQ(TextOf(rod->FirstChildElement("endpoint2"), "bodyname"), "b");
}

TEST(MbsRoundTrip, ShapesKeepTheirSpellingAndNewOnesFollow) {
  const auto shape = [](const std::string& name) {
    return "<sphere><name>" + name +
           "</name><position><x>0.0</x><y>0.0</y><z>0.0</z></position><scale><x>1.0</x><y>1.0</y>"
           "<z>1.0</z></scale><rotation><x>0.0</x><y>0.0</y><z>0.0</z></rotation><color R=\"255\" "
           "G=\"0\" B=\"0\"/><transparency>0.0</transparency><radius>1.0</radius></sphere>";
  };
  Model model = Read(File(BodyXml("b", "base", "origin", JointXml("j", "R3"),
                                  "<mass>1.0</mass><graphics><x3D><x3D_shapes>" + shape("Eye") +
                                      shape("Nose") + "</x3D_shapes></x3D></graphics>")));
  std::vector<Visual>& visuals = model.link(*model.FindLink("b")).visuals;
  ASSERT_EQ(visuals.size(), 2u);
  visuals.push_back(visuals[0]);
  visuals[1].shape = Sphere{0.25};
  const std::string text = Write(model);
  // A shine is written with every shape that is not the source's own.
  std::size_t shines = 0;
  for (std::size_t at = text.find("<shininess>"); at != std::string::npos;
       at = text.find("<shininess>", at + 1))
    ++shines;
  EXPECT_EQ(shines, 2u);
  EXPECT_LT(text.find("<name>Nose</name>"), text.find("<shininess>"));
  const Model back = Read(text);
  ASSERT_EQ(back.link(*back.FindLink("b")).visuals.size(), 3u);
  EXPECT_EQ(std::get<Sphere>(back.link(*back.FindLink("b")).visuals[1].shape).radius, 0.25);
}

// Only the reader's own form of a rod is written as one: what differs would be lost.
TEST(MbsRoundTrip, WhatIsNotQuiteARodKeepsItsJoints) {
  const Model rod = TiedSlider();
  const auto is_rod = [](const Model& model) {
    const Parsed parsed(Write(model));
    const auto* cuts = parsed.root()->FirstChildElement("cuts");
    return cuts && cuts->FirstChildElement("rod");
  };
  const auto with = [&](const std::string& name, const auto& change) {
    Model model = rod;
    change(model.joint(*model.FindJoint(name)));
    return model;
  };
  ASSERT_TRUE(is_rod(rod));
  EXPECT_FALSE(is_rod(with("tie_ball", [](Joint& j) { j.name = "grip"; })));
  EXPECT_FALSE(is_rod(with("tie_universal", [](Joint& j) { j.name = "grip"; })));
  EXPECT_FALSE(is_rod(with("tie_ball", [](Joint& j) { j.X_PF.p.y() = 0.1; })));
  EXPECT_FALSE(is_rod(with("tie_ball", [](Joint& j) { j.X_PF.p.z() = 0.1; })));
  EXPECT_FALSE(is_rod(with("tie_universal", [](Joint& j) { j.X_SM.p.x() = 0.1; })));
  EXPECT_FALSE(is_rod(with("tie_universal", [](Joint& j) {
    j.kind = Universal{Vector3::UnitZ(), Vector3::UnitY()};
  })));
}

// The published loaders on our own output, with each optional part absent.
TEST(MbsRoundTrip, LoaderRulesHoldWithEachOptionalPartAbsent) {
  RandomMechanismOptions options;
  const Model full = RandomMechanism(15, options);
  std::vector<Model> models(6, full);
  models[1].couplings.clear();
  models[2].gravity.reset();
  static_cast<void>(models[3].RemoveJoints(
      [&](JointId id) { return models[3].joint(id).role == JointRole::kLoop; }));
  for (const LinkId link : Links(models[4])) models[4].link(link).inertial.reset();
  models[5] = Model();
  models[5].name = "empty";
  for (const Model& model : models)
    EXPECT_THAT(LoaderRules::Check(Write(model)), ::testing::IsEmpty()) << model.name;
}

}  // namespace
}  // namespace kinemorph::test
