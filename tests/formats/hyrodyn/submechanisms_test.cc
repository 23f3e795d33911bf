// submechanisms.yml: what its rows mean, what HyRoDyn's files do, and what a hostile one may not.
#include "kinemorph/formats/submechanisms.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "conversion.h"
#include "kinemorph/converters/verify.h"
#include "kinemorph/graph/mechanics/coordinates.h"
#include "kinemorph/graph/mechanics/mechanism.h"

namespace kinemorph::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// A tree of hinges about y in one plane, a cylinder, and a free end: base - arm; base - tube - rod.
// The last link 'tool' turns about x, out of the plane.
constexpr const char* kTree = R"(<robot name="r">
  <link name="base"/><link name="arm"/><link name="tube"/><link name="rod"/><link name="tool"/>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="arm"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="9" velocity="9"/></joint>
  <joint name="pin" type="revolute"><parent link="base"/><child link="tube"/>
    <origin xyz="0.2 0 0"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="9" velocity="9"/></joint>
  <joint name="slide" type="prismatic"><parent link="tube"/><child link="rod"/>
    <origin xyz="-0.1 0 0.3"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="9" velocity="9"/></joint>
  <joint name="wrist" type="revolute"><parent link="rod"/><child link="tool"/>
    <axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="9" velocity="9"/></joint>
</robot>)";

std::string Part(const std::string& loops, const std::string& type = "NUMERICAL",
                 const std::string& spanning = "[shoulder, pin, slide]",
                 const std::string& independent = "[shoulder]",
                 const std::string& active = "[slide]") {
  return "- contextual_name: leg\n  type: " + type + "\n  jointnames_spanningtree: " + spanning +
         "\n  jointnames_independent: " + independent + "\n  jointnames_active: " + active + "\n" +
         loops;
}
std::string Loop(const std::vector<std::string>& axes, const std::string& cut = "slide",
                 const std::string& P = "arm", const std::string& S = "rod") {
  std::string text = "  - cut_joint: " + cut + "\n    predecessor_body: " + P +
                     "\n    successor_body: " + S + "\n    constraint_axes:\n";
  for (const std::string& axis : axes) text += "    - {name: row, axis: [" + axis + "]}\n";
  return text;
}
std::string Loops(const std::vector<std::string>& axes) {
  return "  loop_constraints:\n" + Loop(axes);
}
std::string File(const std::string& parts) { return "submechanisms:\n" + parts; }

struct Read {
  std::optional<Model> model;
  Diagnostics diagnostics;
  [[nodiscard]] std::string said() const { return Rendered(diagnostics, Severity::kNote); }
};
Read ReadWith(const std::string& yaml, const std::string& urdf = kTree,
              const ResourceResolver* resolver = nullptr) {
  Read read;
  ReadOptions options;
  options.file_name = "r.urdf";
  read.model = ReadModel(urdf, nullptr, options, read.diagnostics);
  const auto file = ParseSubmechanisms(yaml, "r.yml", read.diagnostics);
  if (!file || !read.model || !AddSubmechanisms(*file, resolver, *read.model, read.diagnostics))
    read.model.reset();
  return read;
}

const Joint* LoopOf(const Read& read) {
  if (!read.model) return nullptr;
  for (const JointId id : Joints(*read.model))
    if (read.model->joint(id).role == JointRole::kLoop) return &read.model->joint(id);
  return nullptr;
}

constexpr const char *kTx = "0,0,0,1,0,0", *kTy = "0.,0.,0.,0.,1.,0.", *kTz = "0,0,0,0,0,1",
                     *kRx = "1,0,0,0,0,0", *kRy = "0,1,0,0,0,0", *kRz = "0,0,+1,0,0,0";

TEST(Submechanisms, RowsAreJoints) {
  struct Case {
    std::vector<std::string> rows;
    std::string kind;
    Vector3 axis;
  };
  const std::vector<Case> cases = {
      {{kTx, kTy, kTz}, "ball", {}},
      {{kTx, kTy, kTz, kRx, kRy}, "revolute", Vector3::UnitZ()},
      {{kRy, kTx, kTy, kTz, kRz}, "revolute", Vector3::UnitX()},
      {{kRx, kRy, kRz, kTx, kTy, kTz}, "fixed", {}},
      {{kRx, kRy, kRz, kTx, kTy}, "prismatic", Vector3::UnitZ()},
      {{kRx, kRy, kTx, kTy}, "cylindrical", Vector3::UnitZ()},
      {{kRx, kRy, kTz}, "planar", Vector3::UnitZ()},
      {{kTz, kTx}, "revolute", Vector3::UnitY()},  // in the plane of the hinges about y
      {{"0,0,0,1,0,1", "0,0,0,1,0,-1"}, "revolute", Vector3::UnitY()},
  };
  for (const Case& c : cases) {
    const Read read = ReadWith(File(Part(Loops(c.rows))));
    const Joint* loop = LoopOf(read);
    ASSERT_NE(loop, nullptr) << c.kind << "\n" << read.said();
    EXPECT_EQ(KindName(loop->kind), c.kind);
    const std::vector<Vector3> axes = AxesOf(loop->kind);
    if (!axes.empty()) { EXPECT_LT(axes[0].cross(c.axis).norm(), 1e-12) << c.kind; }
    EXPECT_EQ(loop->name, "slide_loop");
  }
}

TEST(Submechanisms, RowsThatAreNoJointAreSaidAndLostEverywhere) {
  for (const auto& rows : std::vector<std::vector<std::string>>{
           {kTx, kTy},               // across the plane of the loop
           {kTx},                    // a point in a plane
           {kRx},                    // hinges alone
           {"1,0,0,1,0,0"},          // a screw's row
           {"0,0,0,0,0,0"},          // nothing
           {kTx, kTy, kTz, kRx},     // a universal joint, its axis fixed to one side
           {kRx, kRy, kTx, kTz}}) {  // a cylinder whose axes disagree
    const Read read = ReadWith(File(Part(Loops(rows))));
    ASSERT_TRUE(read.model) << read.said();
    EXPECT_EQ(LoopOf(read), nullptr);
    EXPECT_THAT(read.said(), HasSubstr("r.yml:8: warning: 'r.yml': the rows "));
    EXPECT_THAT(read.said(), HasSubstr("[submechanisms-not-held]"));
    ConvertOptions options;
    options.target = TargetNamed("mjcf");
    Diagnostics diagnostics;
    const std::optional<LossReport> report = Check(*read.model, options, diagnostics);
    ASSERT_TRUE(report) << Rendered(diagnostics);
    const bool lost =
        std::any_of(report->losses.begin(), report->losses.end(),
                    [](const Loss& loss) { return loss.feature == Feature::kNativeData; });
    EXPECT_TRUE(lost) << "the law of conservation did not see it";
  }
}

TEST(Submechanisms, TheCutFrameIsWhereTheLoopStands) {
  const Read read = ReadWith(File(Part(Loops({kTx, kTy, kTz}))));
  const Joint* loop = LoopOf(read);
  ASSERT_NE(loop, nullptr) << read.said();
  EXPECT_TRUE(loop->X_SM.IsExactlyIdentity());
  EXPECT_LT((loop->X_PF.p - Vector3(0.1, 0, 0.3)).norm(), 1e-15);
  // Predecessor and successor the other way round, as in published elbows: the same place.
  const Read turned =
      ReadWith(File(Part("  loop_constraints:\n" + Loop({kTx, kTy, kTz}, "slide", "rod", "arm"))));
  ASSERT_NE(LoopOf(turned), nullptr);
  EXPECT_TRUE(LoopOf(turned)->X_PF.IsExactlyIdentity());
  // A cut joint that leads to neither is taken, and said.
  const Read elsewhere =
      ReadWith(File(Part("  loop_constraints:\n" + Loop({kTx, kTy, kTz}, "pin", "arm", "rod"))));
  ASSERT_NE(LoopOf(elsewhere), nullptr);
  EXPECT_LT((LoopOf(elsewhere)->X_PF.p - Vector3(0.2, 0, 0)).norm(), 1e-15);
  EXPECT_THAT(elsewhere.said(), HasSubstr("[submechanisms-cut-elsewhere]"));
}

TEST(Submechanisms, CoordinatesAndDrives) {
  const Read read = ReadWith(File(Part(Loops({kTz, kTx}))));
  ASSERT_TRUE(read.model) << read.said();
  const auto nature = [&](const char* name) {
    return read.model->joint(*read.model->FindJoint(name)).independent;
  };
  EXPECT_EQ(nature("shoulder"), true);
  EXPECT_EQ(nature("pin"), false);
  EXPECT_EQ(nature("slide"), false);
  EXPECT_EQ(nature("wrist"), std::nullopt);
  ASSERT_EQ(read.model->actuators.size(), 1u);
  EXPECT_EQ(read.model->joint(read.model->actuators[0].joint).name, "slide");
  EXPECT_EQ(read.model->format, "urdf+");
  const Coordinates coordinates = AnalyseCoordinates(Compile(*read.model));
  EXPECT_EQ(coordinates.mobility, 2);  // the shoulder, and the wrist behind the loop
  EXPECT_TRUE(coordinates.independent_ok);
}

TEST(Submechanisms, TypesThatImplyTheirLoop) {
  const Read elbow = ReadWith(File(Part("", "rrPr")));
  const Joint* loop = LoopOf(elbow);
  ASSERT_NE(loop, nullptr) << elbow.said();
  EXPECT_EQ(KindName(loop->kind), "revolute");
  EXPECT_THAT(elbow.said(), HasSubstr("[submechanisms-closure-implied]"));
  const Read by_rows = ReadWith(File(Part(Loops({kTz, kTx}))));
  VerifyOptions options;
  EXPECT_TRUE(VerifyEquivalent(*elbow.model, *by_rows.model, options).equivalent);
  // Two cylinders where there is one: said, not guessed.
  const Read wrong = ReadWith(File(Part("", "2SPU+1U")));
  EXPECT_EQ(LoopOf(wrong), nullptr);
  EXPECT_THAT(wrong.said(), HasSubstr("[submechanisms-closure-unknown]"));
  // A type that implies nothing here.
  const Read unknown = ReadWith(File(Part("", "3RUS2")));
  EXPECT_EQ(LoopOf(unknown), nullptr);
  EXPECT_THAT(unknown.said(), HasSubstr("write loop_constraints"));
  // A chain closes nothing, and nothing is missing.
  const Read chain =
      ReadWith(File(Part("", "RRP", "[shoulder, pin, slide]", "[shoulder, pin, slide]")));
  EXPECT_THAT(chain.said(), Not(HasSubstr("[submechanisms-closure-unknown]")));
}

TEST(Submechanisms, HabitsOfPublishedFiles) {
  // The type commented out above the one that counts; names with a slash; a free flyer; fixed
  // joints in jointnames; the same file twice; Phobos' key; anchors.
  const std::string yaml = R"(submechanisms:
- contextual_name: flyer
  type: "3T+3R"
  jointnames_spanningtree: [X, Y, Z, RX, RY, RZ]
  jointnames_independent: [X, Y, Z, RX, RY, RZ]
  jointnames_active: []
- contextual_name: leg
  file_path: leg.urdf
  jointnames: [Connector/Body, shoulder, pin, slide]
#  type: rrPr
  type: "NUMERICAL"
  jointnames_spanningtree: &all [shoulder, pin, slide]
  jointnames_independent: [shoulder]
  jointnames_active: [slide]
  loop_constraints:
  - joint: slide
    predecessor_body: rod
    successor_body: arm
    constraint_axes:
    - name: loopTX
      axis: [0., 0., 0., 1., 0., 0.]
      baumgarte_stabilization_parameter: 0.01
    - name: loopTZ
      axis: [0., 0., 0., 0., 0., 1.]
- contextual_name: wrist
  file_path: leg.urdf
  type: R
  jointnames_spanningtree: [wrist]
  jointnames_independent: [wrist]
  jointnames_active: [wrist]
)";
  const Read read = ReadWith(yaml);
  ASSERT_NE(LoopOf(read), nullptr) << read.said();
  EXPECT_EQ(KindName(LoopOf(read)->kind), "revolute");
  EXPECT_THAT(read.said(), HasSubstr("[submechanisms-free-flyer]"));
  EXPECT_THAT(read.said(), HasSubstr("baumgarte_stabilization_parameter"));
  EXPECT_FALSE(read.diagnostics.has_errors());
  EXPECT_EQ(read.model->actuators.size(), 2u);
}

TEST(Submechanisms, ALoopThatTheFileHasItselfIsNotAddedAgain) {
  std::string urdf = kTree;
  urdf.insert(urdf.find("</robot>"),
              R"(<loop name="own" type="revolute"><predecessor link="arm"><origin xyz="0.1 0 0.3"/>
                 </predecessor><successor link="rod"/><axis xyz="0 1 0"/></loop>)");
  const Read read = ReadWith(File(Part(Loops({kTz, kTx}))), urdf);
  ASSERT_TRUE(read.model) << read.said();
  EXPECT_EQ(LoopOf(read)->name, "own");
  EXPECT_THAT(read.said(), HasSubstr("[submechanisms-loop-known]"));
  EXPECT_EQ(AnalyseCoordinates(Compile(*read.model)).mobility, 2);
}

constexpr const char* kHead = R"(<robot name="head">
  <link name="base"/><link name="a"/><link name="b"/><link name="c"/>
  <joint name="yaw" type="continuous"><parent link="base"/><child link="a"/></joint>
  <joint name="left" type="continuous"><parent link="base"/><child link="b"/></joint>
  <joint name="roll" type="continuous"><parent link="a"/><child link="c"/></joint>
  %s</robot>)";
constexpr const char* kSum =
    "<transmission name=\"t\"><type>MultiJointLinearTransmission</type><joint name=\"left\">"
    "<depends_on joint=\"roll\" multiplier=\"2\" offset=\"0.25\"/>"
    "<depends_on joint=\"yaw\" multiplier=\"-1\" offset=\"0.5\"/></joint></transmission>";

std::string Head(const std::string& transmission) {
  std::string text = kHead;
  return text.replace(text.find("%s"), 2, transmission);
}

TEST(Submechanisms, TransmissionsAreSums) {
  Diagnostics diagnostics;
  const std::optional<Model> model = ReadText(Head(kSum), "head.urdf", diagnostics);
  ASSERT_TRUE(model) << Rendered(diagnostics);
  ASSERT_EQ(model->couplings.size(), 1u);
  const Coupling& sum = model->couplings[0];
  ASSERT_EQ(sum.terms.size(), 3u);
  EXPECT_EQ(sum.terms[0].coefficients[0], 1);
  EXPECT_EQ(sum.terms[1].coefficients[0], -2);
  EXPECT_EQ(sum.terms[2].coefficients[0], 1);
  EXPECT_EQ(sum.constant, 0.75);
  EXPECT_TRUE(model->actuators.empty());
  EXPECT_EQ(AnalyseCoordinates(Compile(*model)).mobility, 2);
  // Both ways: the same equation stands in plain URDF, and in URDF+.
  for (const char* to : {"urdf", "urdf+"}) {
    ConvertOptions options;
    options.target = TargetNamed(to);
    const std::optional<Converted> out = Convert(*model, options, diagnostics);
    ASSERT_TRUE(out) << Rendered(diagnostics);
    EXPECT_TRUE(out->lowered.report.losses.empty()) << LossReportText(out->lowered.report);
    const std::optional<Model> back = ReadText(out->text, "out.urdf", diagnostics);
    ASSERT_TRUE(back) << Rendered(diagnostics);
    ASSERT_EQ(back->couplings.size(), 1u) << out->text;
    EXPECT_EQ(back->couplings[0].name, "t");
    EXPECT_TRUE(VerifyEquivalent(*model, *back, {}).equivalent);
  }
}

TEST(Submechanisms, ATransmissionThatCannotBeStaysText) {
  for (const char* joint : {"nobody", "left"}) {
    std::string text = kSum;
    text.replace(text.find("\"roll\""), 6, "\"" + std::string(joint) + "\"");
    Diagnostics diagnostics;
    const std::optional<Model> model = ReadText(Head(text), "head.urdf", diagnostics);
    ASSERT_TRUE(model) << Rendered(diagnostics);
    EXPECT_TRUE(model->couplings.empty());
    EXPECT_EQ(model->actuators.size(), 1u);
    EXPECT_THAT(Rendered(diagnostics, Severity::kNote), HasSubstr("[transmission-not-linear]"));
  }
}

TEST(Submechanisms, ThePartsOwnFileHasItsTransmission) {
  const std::string yaml = File(
      "- contextual_name: head\n  type: TRANSMISSION\n  file_path: part.urdf\n"
      "  jointnames_spanningtree: [yaw, left, roll]\n  jointnames_independent: [yaw, roll]\n"
      "  jointnames_active: [left, yaw]\n");
  const MemoryResolver files({{"part.urdf", Head(kSum)}});
  const Read read = ReadWith(yaml, Head(""), &files);
  ASSERT_TRUE(read.model) << read.said();
  ASSERT_EQ(read.model->couplings.size(), 1u) << read.said();
  EXPECT_EQ(read.model->FileName(read.model->couplings[0].where), "part.urdf");
  EXPECT_TRUE(AnalyseCoordinates(Compile(*read.model)).independent_ok);
  const MemoryResolver nothing({});
  const Read missing = ReadWith(yaml, Head(""), &nothing);
  EXPECT_THAT(missing.said(), HasSubstr("[submechanisms-part-missing]"));
  EXPECT_THAT(missing.said(), HasSubstr("[submechanisms-closure-unknown]"));
}

TEST(Submechanisms, ErrorsHaveFileAndLine) {
  struct Case {
    std::string yaml, says;
  };
  const std::string good = Part(Loops({kTz, kTx}));
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = File(good);
    return text.replace(text.find(from), from.size(), to);
  };
  const std::vector<Case> cases = {
      {"", "r.yml: error: 'r.yml': has no list 'submechanisms'"},
      {"submechanisms: []", "[submechanisms-missing]"},
      {"submechanisms: {}", "[submechanisms-missing]"},
      {"limits: {names: [a]}", "[submechanisms-missing]"},
      {"submechanisms: [1]", "entry 1 of 'submechanisms' is not a map [submechanisms-value]"},
      {with("  type: NUMERICAL\n", ""), "r.yml:2: error: 'r.yml': a part has no 'type'"},
      {with("[shoulder, pin, slide]", "shoulder"), "r.yml:4: error"},
      {with("[shoulder, pin, slide]", "[shoulder, [pin], slide]"), "[submechanisms-value]"},
      {with("pin", "pim"), "did you mean 'pin'?"},
      {with("[slide]", "[wrist]"), "[submechanisms-not-spanning]"},
      {with("[shoulder, pin, slide]", "[shoulder, pin, pin]"), "[submechanisms-joint-twice]"},
      {with("predecessor_body: arm", "predecessor_body: leg"), "link 'leg' is not in 'r.urdf'"},
      {with("predecessor_body: arm", "predecessor_body: rod"), "[self-joint]"},
      {with("0,0,0,0,0,1", "0,0,0,0,1"), "r.yml:12: error"},
      {with("0,0,0,0,0,1", "0,0,0,0,0,one"), "'one' in an 'axis' is not a finite number"},
      {with("0,0,0,0,0,1", "0,0,0,0,0,.inf"), "[submechanisms-axis]"},
      {with("0,0,0,0,0,1", "0,0,0,0,0,1e999"), "[submechanisms-axis]"},
      {with("  type: NUMERICAL\n", "  type: NUMERICAL\n  type: R\n"),
       "r.yml:4: error: 'r.yml': the key 'type' is twice in one map [yaml-key-twice]"},
      {"submechanisms: [", "[yaml-malformed]"},
      {"submechanisms:\n\t- a", "r.yml:2: error"},
      {"submechanisms: *nobody", "[yaml-malformed]"},
      {"submechanisms: &a [*a]", "r.yml:1: error: 'r.yml': an anchor is used inside itself"},
      {"&a submechanisms: *a", "[submechanisms-missing]"},
      {"&a a: 1\n*a : 2\n", "r.yml:2: error: 'r.yml': an alias is in the place of a key"},
      {"? [a, b]\n: c\n", "[yaml-key]"},
  };
  for (const Case& c : cases) {
    const Read read = ReadWith(c.yaml);
    EXPECT_FALSE(read.model) << c.yaml;
    EXPECT_TRUE(read.diagnostics.has_errors()) << c.yaml;
    EXPECT_THAT(read.said(), HasSubstr(c.says)) << c.yaml;
  }
  const Read unknown = ReadWith(with("contextual_name: leg", "contextual_nam: leg"));
  EXPECT_TRUE(unknown.model);
  EXPECT_THAT(unknown.said(), HasSubstr("[submechanisms-key-unknown]"));
  EXPECT_THAT(unknown.said(), HasSubstr("did you mean 'contextual_name'?"));
  EXPECT_THAT(unknown.said(), HasSubstr("[submechanisms-name-missing]"));
}

// Whoever writes such a file gets an answer at once, and no memory.
TEST(Submechanisms, HostileFilesAreRefusedQuickly) {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string before = "*a" + std::to_string(i - 1), name = "a" + std::to_string(i);
    bomb += name + ": &" + name + " [";
    for (int j = 0; j < 10; ++j) bomb += (j == 0 ? "" : ", ") + before;
    bomb += "]\n";
  }
  std::string names =
      "submechanisms:\n- &p {contextual_name: a, type: R, jointnames_independent: "
      "&n [";
  for (int i = 0; i < 20000; ++i) names += "x, ";
  names += "x], jointnames_active: *n, jointnames_spanningtree: *n}\n";
  for (int i = 0; i < 2000; ++i) names += "- *p\n";
  std::string deep;
  for (int i = 1; i < 40; ++i) deep += "\n" + std::string(static_cast<std::size_t>(i), ' ') + "a:";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {std::string(200000, '['), "yaml-"},
      {"submechanisms:" + deep, "[yaml-too-deep]"},
      {std::string(200000, '{'), "yaml-"},
      {"submechanisms: " + std::string(100000, '-'), "[submechanisms-missing]"},
      {bomb + "submechanisms: *a11\n", "error"},
      {names, "[yaml-too-large]"},
      {"submechanisms: [" + std::string(2200000, ',') + "]", "yaml-"},
      {std::string((16u << 20) + 1, ' '), "[yaml-too-large]"},
      {std::string("submechanisms: \x01\x02\xff\xfe\x00", 19), "error"},
  };
  for (const auto& [yaml, says] : cases) {
    const auto start = std::chrono::steady_clock::now();
    const Read read = ReadWith(yaml);
    EXPECT_FALSE(read.model);
    EXPECT_THAT(read.said().substr(0, 4000), HasSubstr(says)) << yaml.substr(0, 60);
    // No bound on time that a loaded machine could break: only a hang is caught.
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
  }
}

TEST(Submechanisms, OnlyUrdf) {
  Diagnostics diagnostics;
  std::optional<Model> model =
      ReadFile(Fixtures() + "/mechanisms/four_bar/four_bar.sdf", diagnostics);
  const auto file = ParseSubmechanisms(File(Part("")), "r.yml", diagnostics);
  ASSERT_TRUE(model && file) << Rendered(diagnostics);
  EXPECT_FALSE(AddSubmechanisms(*file, nullptr, *model, diagnostics));
  EXPECT_THAT(Rendered(diagnostics), HasSubstr("[submechanisms-format]"));
  EXPECT_TRUE(LooksLikeSubmechanisms("# x\nsubmechanisms:\n"));
  EXPECT_FALSE(LooksLikeSubmechanisms("my_submechanisms:\n"));
}

TEST(Submechanisms, UnknownJointsTellAnotherRobot) {
  Diagnostics diagnostics;
  const auto file =
      ParseSubmechanisms(File(Part("", "R", "[hip, pin, knee]")), "r.yml", diagnostics);
  ReadOptions options;
  const std::optional<Model> model = ReadModel(kTree, nullptr, options, diagnostics);
  ASSERT_TRUE(file && model) << Rendered(diagnostics);
  EXPECT_THAT(UnknownJoints(*file, *model, 5), ElementsAre("hip", "knee"));
}

}  // namespace
}  // namespace kinemorph::test
