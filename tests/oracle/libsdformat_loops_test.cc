// Loops of plain URDF in <gazebo>: libsdformat reads the URDF text itself, links on fixed joints
// made one and kept apart, and sees the robot of the source.
#include <gtest/gtest.h>

#include <cstdlib>

#include "conversion.h"
#include "kinemorph/converters/verify.h"
#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "sdf_bodies.h"

namespace kinemorph::test {
namespace {

std::string Inertial(const std::string& at = "0 0 0.1") {
  return "<inertial><origin xyz=\"" + at +
         "\"/><mass value=\"1\"/><inertia ixx=\"0.02\" ixy=\"0.001\" ixz=\"0\" iyy=\"0.03\" "
         "iyz=\"0\" izz=\"0.04\"/></inertial>";
}
std::string Link(const std::string& name, bool weighs = true) {
  return "<link name=\"" + name + "\">" + (weighs ? Inertial() : "") + "</link>\n";
}
std::string Hinge(const std::string& name, const std::string& parent, const std::string& child,
                  const std::string& origin, const std::string& axis = "0 1 0",
                  const std::string& type = "continuous") {
  return "<joint name=\"" + name + "\" type=\"" + type + "\"><parent link=\"" + parent +
         "\"/><child link=\"" + child + "\"/><origin " + origin + "/>" +
         (type == "fixed" || type == "floating" ? "" : "<axis xyz=\"" + axis + "\"/>") +
         "</joint>\n";
}

// Three moving links of a four-bar that is no parallelogram; `rest` closes it.
std::string FourBar(const std::string& rest) {
  return "<robot name=\"four_bar\">\n" + Link("base") + Link("crank") + Link("coupler") +
         Link("rocker") + Hinge("a", "base", "crank", "xyz=\"0 0 0\"") +
         Hinge("b", "crank", "coupler", "xyz=\"0 0 0.2\"") +
         Hinge("c", "base", "rocker", "xyz=\"0.4 0 -0.1\" rpy=\"0 0.5 0\"") + rest + "</robot>\n";
}
// A loop joint of SDFormat; poses count from the child without `relative_to`.
std::string Pin(const std::string& type, const std::string& pose, const std::string& parent,
                const std::string& child, const std::string& more,
                const std::string& name = "pin") {
  return "<gazebo><joint name=\"" + name + "\" type=\"" + type + "\">" + pose + "<parent>" +
         parent + "</parent><child>" + child + "</child>" + more + "</joint></gazebo>\n";
}
constexpr const char* kAtTip = "<pose relative_to=\"coupler\">0.4 0 0.1 0 0 0</pose>";
constexpr const char* kAboutY = "<axis><xyz>0 1 0</xyz></axis>";

struct Trap {
  const char* name;
  std::string source;
  bool massless = false;  // masses differ by what is given to links without mass
  bool chained = false;   // as a weld it has links of little mass
};
void PrintTo(const Trap& trap, std::ostream* out) { *out << trap.name; }

std::vector<Trap> Traps() {
  const std::string limits =
      "<axis><xyz>0 1 0</xyz><limit><lower>-1</lower><upper>2</upper></limit>"
      "<dynamics><damping>0.1</damping><friction>0.2</friction></dynamics></axis>";
  const std::string hand = Link("hand") + Hinge("wrist", "coupler", "hand",
                                                "xyz=\"0.4 0 0\" rpy=\"0.3 0.2 0.1\"", "", "fixed");
  const std::string at_hand = "<pose relative_to=\"coupler\">0.4 0 0.1 0 0 0</pose>";
  std::string massless_hand = hand;
  massless_hand.erase(massless_hand.find("<inertial>"),
                      massless_hand.find("</inertial>") + 11 - massless_hand.find("<inertial>"));
  const std::string keep =
      "<gazebo reference=\"wrist\"><preserveFixedJoint>true</preserveFixedJoint></gazebo>\n";
  return {
      {"Revolute", FourBar(Pin("revolute", kAtTip, "coupler", "rocker", limits))},
      {"Continuous", FourBar(Pin("continuous", kAtTip, "coupler", "rocker", kAboutY))},
      {"Ball", FourBar(Pin("ball", kAtTip, "coupler", "rocker", ""))},
      {"Fixed", FourBar(Pin("fixed", kAtTip, "coupler", "rocker", ""))},
      {"Prismatic", FourBar(Pin("prismatic", kAtTip, "coupler", "rocker", limits))},
      {"Universal",
       FourBar(Pin("universal", kAtTip, "coupler", "rocker",
                   "<axis><xyz>0 1 0</xyz></axis><axis2><xyz>1 0 0</xyz></axis2>")),
       false, true},
      {"Screw",
       FourBar(Pin("screw", kAtTip, "coupler", "rocker",
                   std::string(kAboutY) + "<thread_pitch>-4</thread_pitch>")),
       false, true},
      {"PoseInTheTurnedChild",
       FourBar(Pin("revolute", "<pose>0.1 0 0.3 0 0.2 0</pose>", "coupler", "rocker", limits))},
      {"NoPose", FourBar(Pin("revolute", "", "coupler", "rocker", kAboutY))},
      {"AxisInAnotherFrame",
       FourBar(Pin("revolute", kAtTip, "coupler", "rocker",
                   "<axis><xyz expressed_in=\"rocker\">0.6 0.8 0</xyz></axis>"))},
      {"TwoInOneBlock",
       FourBar(Pin("ball", kAtTip, "coupler", "rocker",
                   "</joint><joint name=\"second\" type=\"ball\"><pose>0 0.1 0 0 0 0</pose>"
                   "<parent>crank</parent><child>rocker</child>"))},
      {"ParentIsLumped", FourBar(hand + Pin("revolute", at_hand, "hand", "rocker", kAboutY))},
      {"ChildIsLumped", FourBar(hand + Pin("revolute", at_hand, "rocker", "hand", kAboutY))},
      {"EndIsKeptApart",
       FourBar(hand + keep + Pin("revolute", at_hand, "hand", "rocker", kAboutY))},
      {"MasslessTip", FourBar(massless_hand + Pin("ball", at_hand, "hand", "rocker", ""))},
      {"FrameOnAFrame", FourBar(massless_hand + Link("finger", false) +
                                Hinge("grip", "hand", "finger", "xyz=\"0 0 0.1\"", "", "fixed") +
                                Pin("ball", at_hand, "hand", "rocker", ""))},
      {"MasslessTipKeptApart",
       FourBar(massless_hand + keep + Pin("ball", at_hand, "hand", "rocker", ""))},
      {"MovingLinkWithoutMass",
       FourBar(Link("rod", false) + Hinge("d", "coupler", "rod", "xyz=\"0.4 0 0\"") +
               Pin("ball", at_hand, "rod", "rocker", "")),
       true},
      {"BallBesideAFixedJoint",
       FourBar(hand + Hinge("out", "rocker", "tip", "xyz=\"0 0.1 0\"", "1 0 0") + Link("tip") +
               Pin("ball", at_hand, "hand", "tip", "")),
       false, true},
      {"BothEndsWithoutMass",
       "<robot name=\"four_bar\">\n" + Link("base") + Link("crank", false) +
           Link("coupler", false) + Link("rocker", false) +
           Hinge("a", "base", "crank", "xyz=\"0 0 0\"") +
           Hinge("b", "crank", "coupler", "xyz=\"0 0 0.2\"") +
           Hinge("c", "base", "rocker", "xyz=\"0.4 0 -0.1\"") +
           Pin("revolute", kAtTip, "coupler", "rocker", kAboutY) + "</robot>\n",
       true},
      {"SpatialToTheWorld",
       FourBar(Link("world", false) +
               Hinge("mount", "world", "base", "xyz=\"0 0 1\"", "", "fixed") +
               Hinge("out", "coupler", "tip", "xyz=\"0 0.1 0\"", "1 0 0") + Link("tip") +
               Pin("ball", "<pose relative_to=\"tip\">0 0 0 0 0 0</pose>", "tip", "world", "")),
       false, true},
      {"NameOfAJoint", FourBar(Pin("ball", kAtTip, "coupler", "rocker", "", "rocker"))},
      {"ToTheWorld", FourBar(Link("world", false) +
                             Hinge("mount", "world", "base", "xyz=\"0 0 1\"", "", "fixed") +
                             Pin("ball", kAtTip, "coupler", "world", ""))},
      {"FloatingBase",
       FourBar(Link("ground", false) +
               Hinge("mount", "ground", "base", "xyz=\"0 0 1\" rpy=\"0.1 0 0\"", "", "floating") +
               Pin("ball", kAtTip, "coupler", "rocker", "")),
       true},
      {"TwoFreeBodies",
       FourBar(Link("world", false) + Link("ball") +
               Hinge("mount", "world", "base", "xyz=\"0 0 1\"", "", "floating") +
               Hinge("thrown", "world", "ball", "xyz=\"0 1 1\" rpy=\"0 0.3 0\"", "", "floating") +
               Pin("ball", kAtTip, "coupler", "rocker", ""))},
      {"BesideOtherWords", FourBar(Pin("ball", kAtTip, "coupler", "rocker", "") +
                                   "<gazebo><self_collide>true</self_collide></gazebo>")},
  };
}

// The same text where libsdformat makes no two links one.
std::string Apart(const Model& model, std::string text) {
  std::string tags;
  for (const JointId id : Joints(model)) {
    const LinkId p = model.predecessor(id), s = model.successor(id);
    const auto weighs = [&](LinkId link) {
      return model.link(link).inertial && model.link(link).inertial->mass > 0;
    };
    if (std::holds_alternative<Fixed>(model.joint(id).kind) && weighs(p) && weighs(s) &&
        model.joint(id).role != JointRole::kLoop)
      tags += "<gazebo reference=\"" + model.joint(id).name +
              "\"><preserveFixedJoint>true</preserveFixedJoint></gazebo>";
  }
  return text.insert(text.rfind("</robot>"), tags);
}

std::size_t LoopsOf(const Model& model) { return ChooseSpanningTree(model).loop_joints.size(); }

class LoopInGazebo : public testing::TestWithParam<Trap> {};

// The source in URDF, and that read again: with as many loops, and by verify the same mechanism.
struct InUrdf {
  std::optional<Model> source, again;
  std::optional<Converted> urdf;
};
InUrdf Proved(const Trap& trap, const char* target) {
  InUrdf all;
  Diagnostics said;
  all.source = ReadText(trap.source, "in.urdf", said);
  EXPECT_TRUE(all.source && !said.has_errors()) << Rendered(said);
  if (!all.source) return all;
  EXPECT_GT(LoopsOf(*all.source), 0u);
  ConvertOptions options;
  options.target = TargetNamed(target);
  all.urdf = Convert(*all.source, options, said);
  EXPECT_TRUE(all.urdf) << Rendered(said);
  if (!all.urdf) return all;
  all.again = ReadText(all.urdf->text, "out.urdf", said);
  EXPECT_TRUE(all.again) << Rendered(said);
  if (!all.again) return all;
  EXPECT_EQ(LoopsOf(*all.again), LoopsOf(*all.source));
  VerifyOptions verify;
  verify.report = &all.urdf->lowered.report;
  verify.written = &all.urdf->lowered.model;
  const VerifyResult proof = VerifyEquivalent(*all.source, *all.again, verify);
  EXPECT_NE(proof.verdict, Verdict::kDifferent) << proof.line << "\n" << all.urdf->text;
  return all;
}

TEST_P(LoopInGazebo, IsThatOfTheSourceByLibsdformat) {
  const auto [source, again, urdf] = Proved(GetParam(), "urdf");
  ASSERT_TRUE(again);
  Diagnostics reading;
  ConvertOptions options;
  options.target = TargetNamed("urdf");
  const std::optional<Converted> twice = Convert(*again, options, reading);
  ASSERT_TRUE(twice) << Rendered(reading);
  EXPECT_EQ(twice->text, urdf->text);

  if (!HaveLibsdformat()) GTEST_SKIP() << "libsdformat 12 is not installed";
  setenv("HOME", ::testing::TempDir().c_str(), 1);  // libsdformat keeps a log there
  options.target = TargetNamed("sdf");
  const std::optional<Converted> sdf = Convert(*source, options, reading);
  ASSERT_TRUE(sdf) << Rendered(reading);
  SdfFacts wanted = FactsOfText(sdf->text);
  ASSERT_TRUE(wanted.ok) << wanted.errors;
  std::map<std::string, std::string> source_of;  // by name in the SDFormat file
  for (const NameChange& name : sdf->lowered.report.names) source_of[name.to] = name.from;
  for (const NameChange& name : urdf->lowered.report.names) {
    const auto renamed = std::find_if(source_of.begin(), source_of.end(), [&](const auto& each) {
      return each.second == name.from && wanted.joints.count(each.first) > 0;
    });
    auto node = wanted.joints.extract(renamed != source_of.end() ? renamed->first : name.from);
    if (!node) continue;
    node.key() = name.to;
    wanted.joints.insert(std::move(node));
  }
  for (const std::string& text : {urdf->text, Apart(*again, urdf->text)}) {
    const SdfFacts seen = FactsOfText(text);
    ASSERT_TRUE(seen.ok) << seen.errors << "\n" << text;
    if (!GetParam().massless) { EXPECT_EQ(DifferencesOfBodies(wanted, seen), "") << text; }
    for (const JointId id : ChooseSpanningTree(*again).loop_joints)
      EXPECT_TRUE(seen.joints.count(again->joint(id).name)) << text;
  }
}

// The parts that gz sim welds are links of libsdformat's model, with coincident frames; together they
// weigh what the source does, and by our reader they are its loops.
void ExpectWelded(const Trap& trap, const char* target) {
  const auto [source, again, urdf] = Proved(trap, target);
  ASSERT_TRUE(again);

  if (!HaveLibsdformat()) GTEST_SKIP() << "libsdformat 12 is not installed";
  setenv("HOME", ::testing::TempDir().c_str(), 1);
  const SdfFacts seen = FactsOfText(urdf->text);
  ASSERT_TRUE(seen.ok) << seen.errors << "\n" << urdf->text;
  std::size_t welds = 0;
  const auto between = [&](const std::string& tag, std::size_t from) {
    const std::size_t begin = urdf->text.find("<" + tag + ">", from) + tag.size() + 2;
    return urdf->text.substr(begin, urdf->text.find('<', begin) - begin);
  };
  for (std::size_t at = urdf->text.find("DetachableJoint"); at != std::string::npos;
       at = urdf->text.find("DetachableJoint", at + 1), ++welds) {
    const auto tip = seen.links.find(between("parent_link", at)),
               half = seen.links.find(between("child_link", at));
    ASSERT_TRUE(tip != seen.links.end() && half != seen.links.end()) << urdf->text;
    EXPECT_TRUE((tip->second.X_W.inverse() * half->second.X_W).IsNearIdentity(1e-9));
    // Of a light link libsdformat's reader of URDF makes nothing; that of SDFormat asks for mass.
    EXPECT_GT(half->second.inertia.mass, std::string_view(target).starts_with("urdf") ? 1e-6 : 0);
    EXPECT_EQ(between("child_model", at), "__model__");
  }
  EXPECT_EQ(welds, LoopsOf(*source));
  double ours = 0, theirs = 0;
  for (const LinkId id : Links(*source))
    ours += source->link(id).inertial ? source->link(id).inertial->mass : 0;
  for (const auto& [name, link] : seen.links) theirs += link.inertia.mass;
  EXPECT_NEAR(ours, theirs, trap.massless ? 1e-4 : trap.chained ? 1e-5 : 1e-9);
}

TEST_P(LoopInGazebo, IsWeldedOfPartsThatLibsdformatKeeps) {
  ExpectWelded(GetParam(), "urdf detachable");
}

TEST_P(LoopInGazebo, IsWeldedOfPartsInSdformat) { ExpectWelded(GetParam(), "sdf detachable"); }

INSTANTIATE_TEST_SUITE_P(Traps, LoopInGazebo, testing::ValuesIn(Traps()),
                         [](const auto& trap) { return std::string(trap.param.name); });

}  // namespace
}  // namespace kinemorph::test
