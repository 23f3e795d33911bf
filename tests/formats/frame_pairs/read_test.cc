// Pairs of frames beside a URDF: every spelling, what Gepetto's loader does with a wrong file, and
// what a hostile one may not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "conversion.h"
#include "kinemorph/formats/frame_pairs.h"
#include "kinemorph/graph/mechanics/coordinates.h"
#include "kinemorph/graph/mechanics/mechanism.h"

namespace kinemorph::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Crank() { return ReadAll(Fixtures() + "/sidecars/crank.urdf"); }
std::string SideCar(const std::string& name) { return ReadAll(Fixtures() + "/sidecars/" + name); }

struct Read {
  std::optional<Model> model;
  Diagnostics diagnostics;
  [[nodiscard]] std::string said() const { return Rendered(diagnostics, Severity::kNote); }
  [[nodiscard]] int mobility() const { return AnalyseCoordinates(Compile(*model)).mobility; }
};
Read ReadWith(const std::string& yaml, const std::string& urdf = Crank()) {
  Read read;
  ReadOptions options;
  options.file_name = "r.urdf";
  read.model = ReadModel(urdf, nullptr, options, read.diagnostics);
  const auto file = ParseFramePairs(yaml, "r.yaml", read.diagnostics);
  if (!file || !read.model || !AddFramePairs(*file, *read.model, read.diagnostics))
    read.model.reset();
  return read;
}

std::string Gepetto(const std::string& pairs = "[[closedloop1_A, closedloop1_B]]",
                    const std::string& types = "['3d']", const std::string& rest = "") {
  return "closed_loop: " + pairs + "\ntype: " + types + "\nname_mot: [motor]\n" + rest;
}

const Joint& OnlyLoop(const Model& model) {
  const Joint* loop = nullptr;
  for (const JointId id : Joints(model))
    if (model.joint(id).role == JointRole::kLoop) loop = &model.joint(id);
  return *loop;
}

TEST(FramePairs, EverySpellingClosesTheSameLoop) {
  for (const char* name : {"crank.yaml", "crank_closing_joints.yml", "crank_loop_closures.yml"}) {
    const Read read = ReadWith(SideCar(name));
    ASSERT_TRUE(read.model) << name << "\n" << read.said();
    EXPECT_EQ(read.mobility(), 1) << name;
    const Coordinates coordinates = AnalyseCoordinates(Compile(*read.model));
    EXPECT_TRUE(coordinates.assembles) << name;
    EXPECT_FALSE(coordinates.open_at_zero) << name;
  }
}

TEST(FramePairs, GepettosTypes) {
  const Read point = ReadWith(Gepetto());
  ASSERT_TRUE(point.model) << point.said();
  EXPECT_EQ(OnlyLoop(*point.model).name, "closedloop1");
  EXPECT_TRUE(std::holds_alternative<Ball>(OnlyLoop(*point.model).kind));
  EXPECT_EQ(OnlyLoop(*point.model).where.line, 1u);
  ASSERT_EQ(point.model->actuators.size(), 1u);
  EXPECT_EQ(point.model->joint(point.model->actuators[0].joint).name, "motor");
  EXPECT_TRUE(point.model->joint(*point.model->FindJoint("motor")).independent.value_or(false));
  const Read weld = ReadWith(Gepetto("[[closedloop1_A, closedloop1_B]]", "['6D']"));
  ASSERT_TRUE(weld.model) << weld.said();
  EXPECT_TRUE(std::holds_alternative<Fixed>(OnlyLoop(*weld.model).kind));
  EXPECT_EQ(weld.mobility(), 0);
  const Read other = ReadWith(Gepetto("[[closedloop1_A, closedloop1_B]]", "[point]"));
  ASSERT_TRUE(other.model);
  EXPECT_TRUE(std::holds_alternative<Fixed>(OnlyLoop(*other.model).kind));
  EXPECT_THAT(other.said(), HasSubstr("r.yaml:2: warning: 'r.yaml': the type 'point' is neither"));
}

TEST(FramePairs, JointsAreRetyped) {
  const Read read = ReadWith(Gepetto(
      "[]", "[]", "joint_name: [pin, pivot, motor]\njoint_type: [SPHERICAL, UJOINT_ZY, FIXED]\n"));
  ASSERT_TRUE(read.model) << read.said();
  const auto kind = [&](const char* name) {
    return read.model->joint(*read.model->FindJoint(name)).kind;
  };
  EXPECT_TRUE(std::holds_alternative<Ball>(kind("pin")));
  const JointKind pivot = kind("pivot");
  ASSERT_TRUE(std::holds_alternative<Universal>(pivot));
  EXPECT_EQ(std::get<Universal>(pivot).axis1, Vector3::UnitZ());
  EXPECT_EQ(std::get<Universal>(pivot).axis2, Vector3::UnitY());
  EXPECT_TRUE(std::holds_alternative<Fixed>(kind("motor")));
  EXPECT_THAT(read.said(),
              HasSubstr("r.yaml:4: note: 'r.yaml': joint 'motor' stays at its zero position"));
  EXPECT_EQ(read.mobility(), 5);
}

TEST(FramePairs, LimitsOfARetypedJointAreNotThoseOfABall) {
  std::string urdf = Crank();
  urdf.replace(urdf.find("name=\"pin\" type=\"continuous\">"), 29,
               "name=\"pin\" type=\"revolute\"><limit lower=\"-1\" upper=\"1\" effort=\"3\" "
               "velocity=\"3\"/>");
  const Read read =
      ReadWith(Gepetto("[]", "[]", "joint_name: [pin]\njoint_type: [SPHERICAL]\n"), urdf);
  ASSERT_TRUE(read.model) << read.said();
  EXPECT_THAT(read.said(),
              HasSubstr("r.yaml:4: warning: 'r.yaml': joint 'pin' becomes ball: its limits"));
}

TEST(FramePairs, FusionsOriginIsInTheParentAndKeepsItsLimits) {
  const Read read = ReadWith(SideCar("crank_closing_joints.yml"));
  ASSERT_TRUE(read.model) << read.said();
  const Joint& loop = OnlyLoop(*read.model);
  EXPECT_EQ(loop.name, "knuckle");
  EXPECT_NEAR((loop.X_PF.p - Vector3(0.2, 0, 0)).norm(), 0, 1e-12);
  EXPECT_NEAR((loop.X_PF.R * std::get<Revolute>(loop.kind).axis - Vector3::UnitY()).norm(), 0,
              1e-12);
  EXPECT_NEAR((loop.X_SM.p - Vector3(0.02, 0, 0.12)).norm(), 0, 1e-12);
  EXPECT_EQ(loop.axes[0].lower, -2);
  EXPECT_EQ(loop.axes[0].upper, 2);
}

TEST(FramePairs, Sw2robotDeclaresAllJoints) {
  const Read read = ReadWith(SideCar("crank_loop_closures.yml"));
  ASSERT_TRUE(read.model) << read.said();
  EXPECT_EQ(read.model->joint(*read.model->FindJoint("pin")).independent, false);
  EXPECT_EQ(read.model->joint(*read.model->FindJoint("motor")).independent, true);
  EXPECT_EQ(OnlyLoop(*read.model).name, "coupler_rocker_loop");
}

TEST(FramePairs, NamesOfLinksSayIt) {
  Diagnostics diagnostics;
  ReadOptions options;
  std::string urdf = Crank();
  std::optional<Model> model = ReadModel(urdf, nullptr, options, diagnostics);
  FramePairs pairs = PairsByName(*model, "r.urdf");
  ASSERT_EQ(pairs.pairs.size(), 1u);
  EXPECT_EQ(pairs.pairs[0].name, "closedloop1");
  EXPECT_TRUE(std::holds_alternative<Fixed>(pairs.pairs[0].kind));
  for (const auto& [from, to] : {std::pair("closedloop1_A", "closing_knuckle_1"),
                                 std::pair("closedloop1_B", "closing_knuckle_2")})
    for (std::size_t at = urdf.find(from); at != std::string::npos; at = urdf.find(from))
      urdf.replace(at, std::string(from).size(), to);
  model = ReadModel(urdf, nullptr, options, diagnostics);
  pairs = PairsByName(*model, "r.urdf");
  ASSERT_EQ(pairs.pairs.size(), 1u);
  EXPECT_TRUE(std::holds_alternative<Ball>(pairs.pairs[0].kind));
  ASSERT_TRUE(AddFramePairs(pairs, *model, diagnostics)) << Rendered(diagnostics);
  EXPECT_EQ(AnalyseCoordinates(Compile(*model)).mobility, 1);
}

TEST(FramePairs, ThreeHingesInAPointAreOneBallToGepetto) {
  constexpr const char* kUrdf = R"(<robot name="r">
  <link name="base"/><link name="a"/><link name="b"/>
  <link name="c"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <joint name="x" type="continuous"><parent link="base"/><child link="a"/><axis xyz="1 0 0"/></joint>
  <joint name="y" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/></joint>
  <joint name="z" type="continuous"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/></joint>
</robot>)";
  const Read read = ReadWith("closed_loop: []\ntype: []\nname_mot: [x]\n", kUrdf);
  ASSERT_TRUE(read.model) << read.said();
  EXPECT_THAT(read.said(), HasSubstr("r.urdf:4: note: joint 'x': Gepetto's loader makes one ball"));
}

// Gepetto's names are those of frames, and in Pinocchio each joint is one.
TEST(FramePairs, AJointIsAFrameWhereItsChildIs) {
  constexpr const char* kUrdf = R"(<robot name="r">
  <link name="base"/><link name="left"/><link name="bar"/><link name="right"/><link name="p"/><link name="q"/>
  <joint name="m1" type="continuous"><parent link="base"/><child link="left"/><axis xyz="0 0 1"/></joint>
  <joint name="m2" type="continuous"><parent link="base"/><child link="right"/><origin xyz="0.3 0 0"/><axis xyz="0 0 1"/></joint>
  <joint name="m3" type="continuous"><parent link="left"/><child link="bar"/><origin xyz="0 0.2 0"/><axis xyz="0 0 1"/></joint>
  <joint name="closedloop1_A" type="continuous"><parent link="bar"/><child link="p"/><origin xyz="0.3 0 0"/><axis xyz="0 0 1"/></joint>
  <joint name="closedloop1_B" type="fixed"><parent link="right"/><child link="q"/><origin xyz="0 0.2 0"/></joint>
</robot>)";
  const std::string yaml =
      "closed_loop: [[closedloop1_A, closedloop1_B]]\ntype: ['6d']\nname_mot: [m1]\n";
  const Read read = ReadWith(yaml, kUrdf);
  ASSERT_TRUE(read.model) << read.said();
  EXPECT_EQ(read.mobility(), 1);
  EXPECT_EQ(OnlyLoop(*read.model).name, "closedloop1");
  EXPECT_THAT(read.said(),
              HasSubstr("r.yaml:1: note: 'r.yaml': frame 'closedloop1_A' is a joint of the URDF, "
                        "and stands for the link 'p' that the joint leads to, as in Pinocchio "
                        "(and 1 more) [frame-pairs-joint]"));
  const Read link = ReadWith("closed_loop: [[p, q]]\ntype: ['6d']\nname_mot: [m1]\n", kUrdf);
  EXPECT_THAT(link.said(), Not(HasSubstr("[frame-pairs-joint]")));

  Diagnostics diagnostics;
  const auto model = ReadModel(kUrdf, nullptr, {}, diagnostics);
  const auto file = ParseFramePairs(yaml, "r.yaml", diagnostics);
  EXPECT_TRUE(UnknownNames(*file, *model, 1).empty());
  ASSERT_EQ(PairsByName(*model, "r.urdf").pairs.size(), 1u);
  EXPECT_EQ(PairsByName(*model, "r.urdf").pairs[0].line, 6u);
}

struct Wrong {
  const char *name, *yaml, *said;
};
constexpr Wrong kWrong[] = {
    {"short_types", "closed_loop: [[closedloop1_A, closedloop1_B]]\ntype: []\nname_mot: [motor]\n",
     "r.yaml:1: error: 'r.yaml': 'closed_loop' has 1 pairs and 'type' 0 words"},
    {"no_motors", "closed_loop: []\ntype: []\n",
     "r.yaml:1: error: 'r.yaml': the file has no 'name_mot'"},
    {"no_types", "closed_loop: []\nname_mot: []\n", "error: 'r.yaml': the file has no 'type'"},
    {"no_pairs", "type: []\nname_mot: []\n", "error: 'r.yaml': the file has no 'closed_loop'"},
    {"unknown_frame",
     "closed_loop:\n- [closedloop1_A, closedloop1_C]\ntype: [6d]\nname_mot: [motor]\n",
     "r.yaml:2: error: 'r.yaml': frame 'closedloop1_C' is not in 'r.urdf'"},
    {"unknown_motor", "closed_loop: []\ntype: []\nname_mot: [engine]\n",
     "r.yaml:3: error: 'r.yaml': joint 'engine' is not in 'r.urdf'"},
    {"motor_twice", "closed_loop: []\ntype: []\nname_mot: [motor, motor]\n",
     "r.yaml:3: error: 'r.yaml': joint 'motor' is twice"},
    {"one_frame", "closed_loop: [[closedloop1_A]]\ntype: [6d]\nname_mot: [motor]\n",
     "r.yaml:1: error: 'r.yaml': entry 1 of 'closed_loop' is not a pair"},
    {"itself", "closed_loop: [[closedloop1_A, closedloop1_A]]\ntype: [6d]\nname_mot: [motor]\n",
     "r.yaml:1: error: 'r.yaml': a pair joins 'closedloop1_A' to itself"},
    {"words", "closed_loop: yes\ntype: []\nname_mot: [motor]\n",
     "r.yaml:1: error: 'r.yaml': 'closed_loop' must be a list, and is a plain text"},
    {"retyped_to",
     "closed_loop: []\ntype: []\nname_mot: [motor]\njoint_name: [pin]\njoint_type: [UJOINT_XX]\n",
     "r.yaml:5: error: 'r.yaml': the joint type 'UJOINT_XX' is none of"},
    {"retyped_short",
     "closed_loop: []\ntype: []\nname_mot: [motor]\njoint_name: [pin]\njoint_type: []\n",
     "r.yaml:4: error: 'r.yaml': 'joint_name' has 1 names and 'joint_type' 0 types"},
    {"retyped_fixed_joint",
     "closed_loop: []\ntype: []\nname_mot: [motor]\njoint_name: [end_of_rocker]\njoint_type: "
     "[SPHERICAL]\n",
     "r.yaml:4: error: 'r.yaml': joint 'end_of_rocker' is fixed in the URDF"},
    {"closing_type",
     "closing_joints:\n- {name: k, type: gear, parent: coupler, child: rocker, origin_xyz_m: [0, "
     "0, 0]}\n",
     "r.yaml:2: error: 'r.yaml': the type 'gear' of a closing joint is none of"},
    {"closing_origin",
     "closing_joints:\n- {name: k, type: fixed, parent: coupler, child: rocker, origin_xyz_m: [0, "
     "0]}\n",
     "r.yaml:2: error: 'r.yaml': 'origin_xyz_m' must be three numbers, and has 2"},
    {"closing_number",
     "closing_joints:\n- {name: k, type: fixed, parent: coupler, child: rocker, origin_xyz_m: [0, "
     "0, nan]}\n",
     "r.yaml:2: error: 'r.yaml': 'nan' of 'origin_xyz_m' is not a finite number"},
    {"closing_axis",
     "closing_joints:\n- {name: k, type: revolute, parent: coupler, child: rocker, origin_xyz_m: "
     "[0, 0, 0], axis: [0, 0, 0]}\n",
     "r.yaml:2: error: 'r.yaml': 'axis' has no direction"},
    {"closing_parent",
     "closing_joints:\n- {name: k, type: fixed, child: rocker, origin_xyz_m: [0, 0, 0]}\n",
     "r.yaml:2: error: 'r.yaml': a closing joint has no 'parent'"},
    {"closures_scalar", "closures: 3\n", "r.yaml:1: error: 'r.yaml': 'closures' must be a list"},
    {"no_map", "- closed_loop:\n", "r.yaml:1: error: 'r.yaml': is not a map of keys"},
    {"no_yaml", "closed_loop: [\n", "error: 'r.yaml': is not YAML"},
    {"circle", "closed_loop: &a [*a]\ntype: []\nname_mot: []\n",
     "r.yaml:1: error: 'r.yaml': an anchor is used inside itself"},
};
class WrongFramePairs : public ::testing::TestWithParam<Wrong> {};
TEST_P(WrongFramePairs, AreErrorsWithFileAndLine) {
  const Read read = ReadWith(GetParam().yaml);
  EXPECT_FALSE(read.model);
  EXPECT_THAT(read.said(), HasSubstr(GetParam().said));
}
INSTANTIATE_TEST_SUITE_P(Each, WrongFramePairs, ::testing::ValuesIn(kWrong),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(FramePairs, AKeyThatIsNotKnownIsTold) {
  const Read read = ReadWith(Gepetto("[]", "[]", "name_motor: [x]\n"));
  EXPECT_TRUE(read.model);
  EXPECT_THAT(
      read.said(),
      HasSubstr("r.yaml:4: warning: 'r.yaml': the key 'name_motor' of the file is not known"));
  EXPECT_THAT(read.said(), HasSubstr("did you mean 'name_mot'?"));
}

TEST(FramePairs, HugeFilesEndSoon) {
  std::string pairs = "[", types = "[", motors = "[";
  for (int i = 0; i < 100000; ++i) pairs += "[a, b],", types += "6d,", motors += "motor,";
  const auto start = std::chrono::steady_clock::now();
  for (const std::string& yaml : std::vector<std::string>{
           Gepetto(pairs + "]", types + "]"), Gepetto(pairs + "]", "[]"),
           "closed_loop: []\ntype: []\nname_mot: " + motors + "]\n",
           "closures: " + std::string(400000, '['),
           "a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\n"
           "c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nclosed_loop: [*c,*c]\ntype: []\nname_mot: "
           "[]\n"}) {
    const Read read = ReadWith(yaml);
    EXPECT_FALSE(read.model);
    EXPECT_GT(read.diagnostics.num_errors(), 0u);
    EXPECT_LT(read.diagnostics.items().size(), 3000u);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

TEST(FramePairs, GoWithUrdfAlone) {
  Diagnostics diagnostics;
  std::optional<Model> model =
      ReadFile(Fixtures() + "/mechanisms/four_bar/four_bar.sdf", diagnostics);
  const auto file = ParseFramePairs(SideCar("crank.yaml"), "crank.yaml", diagnostics);
  ASSERT_TRUE(model && file);
  EXPECT_FALSE(AddFramePairs(*file, *model, diagnostics));
  EXPECT_THAT(Rendered(diagnostics), HasSubstr("goes with a URDF, and this is sdf"));
}

TEST(FramePairs, ALoopThatTheUrdfHasIsNotClosedTwice) {
  std::string urdf = Crank();
  urdf.insert(urdf.find("</robot>"),
              "<loop name=\"l\" type=\"fixed\"><predecessor link=\"closedloop1_A\"/>"
              "<successor link=\"closedloop1_B\"/></loop>");
  const Read read = ReadWith(Gepetto("[[closedloop1_A, closedloop1_B]]", "[6d]"), urdf);
  ASSERT_TRUE(read.model) << read.said();
  EXPECT_THAT(read.said(), HasSubstr("is in the URDF too"));
}

}  // namespace
}  // namespace kinemorph::test
