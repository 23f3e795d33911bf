// Every error of the reader, as the user sees it.
#include "sdf_text.h"

namespace kinemorph::test {
namespace {

struct Case {
  const char* name;
  std::string text, message;
};

const std::string kLinks = LinkText("shank") + LinkText("foot");  // lines 2 and 3
std::string JointAt4(const std::string& attributes, const std::string& content) {
  return InModel(kLinks + "<joint " + attributes + ">" + content + "</joint>\n");
}
const std::string kAxis = "<axis><xyz>0 0 1</xyz></axis>";

const std::vector<Case>& Cases() {
  static const auto& cases = *new std::vector<Case>{
      {"unknown child",
       JointAt4("name='j' type='fixed'", "<parent>shank</parent><child>fot</child>"),
       "m.sdf:4: error: joint 'j': child 'fot' is not defined [joint-child-undefined]\n    did you "
       "mean 'foot'?\n"},
      {"unknown parent",
       JointAt4("name='j' type='fixed'", "<parent>xyzzy</parent><child>foot</child>"),
       "m.sdf:4: error: joint 'j': parent 'xyzzy' is not defined [joint-parent-undefined]\n"},
      {"no child", JointAt4("name='j' type='fixed'", "<parent>shank</parent>"),
       "m.sdf:4: error: joint 'j' has no <child> [joint-child-missing]\n"},
      {"no parent", JointAt4("name='j' type='fixed'", "<child>foot</child>"),
       "m.sdf:4: error: joint 'j' has no <parent> [joint-parent-missing]\n"},
      {"child is the world",
       JointAt4("name='j' type='fixed'", "<parent>shank</parent><child>world</child>"),
       "m.sdf:4: error: joint 'j': the child may not be the world; swap parent and child "
       "[joint-child-world]\n"},
      {"self joint", JointAt4("name='j' type='fixed'", "<parent>foot</parent><child>foot</child>"),
       "m.sdf:4: error: joint 'j': parent and child are both 'foot'; a joint joins two links "
       "[joint-self]\n"},
      {"both ends on one link",
       InModel(kLinks + "<frame name='f' attached_to='foot'/><joint name='j' "
                        "type='fixed'><parent>f</parent><child>foot</child></joint>\n"),
       "m.sdf:4: error: joint 'j': 'f' and 'foot' both belong to link 'foot'; a joint joins two "
       "links [joint-self]\n"},
      {"joint type",
       JointAt4("name='j' type='revolut'", "<parent>shank</parent><child>foot</child>"),
       "m.sdf:4: error: joint 'j': 'revolut' is not a joint type of SDFormat [joint-type]\n    did "
       "you mean 'revolute'?\n"},
      {"joint whose parent is itself",
       JointAt4("name='j' type='fixed'", "<parent>j</parent><child>foot</child>"),
       "m.sdf:4: error: joint 'j': its parent is the joint itself; a joint joins two links "
       "[joint-self]\n"},
      {"zero axis",
       JointAt4("name='j' type='revolute'",
                "<parent>shank</parent><child>foot</child><axis><xyz>0 0 0</xyz></axis>"),
       "m.sdf:4: error: joint 'j': the axis has zero length; kinemorph uses 0 0 1 [axis-zero]\n"},
      {"expressed_in",
       JointAt4("name='j' type='revolute'",
                "<parent>shank</parent><child>foot</child><axis><xyz expressed_in='shnk'>0 0 "
                "1</xyz></axis>"),
       "m.sdf:4: error: joint 'j': expressed_in names 'shnk', which is not a link, joint, frame or "
       "model here [frame-unknown]\n    did you "
       "mean 'shank'?\n"},
      {"thread pitch",
       JointAt4("name='j' type='screw'",
                "<parent>shank</parent><child>foot</child><thread_pitch>0</thread_pitch>" + kAxis),
       "m.sdf:4: error: joint 'j': thread_pitch is 0; its unit is radians per metre, so zero is "
       "impossible "
       "[screw-pitch]\n"},
      {"gearbox ratio",
       JointAt4("name='g' type='gearbox'",
                "<parent>shank</parent><child>foot</child><gearbox_ratio>0</gearbox_ratio>"),
       "m.sdf:4: error: gearbox 'g': the ratio is 0, which says that the child does not turn; use "
       "a fixed joint for that "
       "[gearbox-ratio]\n"},
      {"gearbox reference",
       JointAt4("name='g' type='gearbox'",
                "<parent>shank</parent><child>foot</child><gearbox_reference_body>shin</"
                "gearbox_reference_body>"),
       "m.sdf:4: error: gearbox 'g': reference body 'shin' is not defined [gearbox-reference]\n"},
      {"mimic leader",
       JointAt4("name='j' type='revolute'",
                "<parent>shank</parent><child>foot</child><axis><xyz>0 0 1</xyz><mimic "
                "joint='k'/></axis>"),
       "m.sdf:4: error: joint 'j' mimics 'k', which is not a joint here [mimic-joint-undefined]\n  "
       "  "
       "did you mean 'j'?\n"},
      {"relative_to unknown", InModel("<link name='foot'><pose relative_to='shank'/></link>\n"),
       "m.sdf:2: error: 'sdf/model[m]/link[foot]': relative_to names 'shank', which is not a link, "
       "joint, frame or model here "
       "[frame-unknown]\n"},
      {"relative_to cycle",
       InModel("<link name='a'><pose relative_to='f'/></link>\n<frame name='f'><pose "
               "relative_to='g'/></frame>\n<frame name='g'><pose "
               "relative_to='a'/></frame>\n"),
       "m.sdf:2: error: 'a' has a circular relative_to: a -> f -> g -> a [pose-cycle]\n"},
      {"attached_to cycle",
       InModel(LinkText("a") + "<frame name='f' attached_to='g'><pose "
                               "relative_to='a'/></frame>\n<frame name='g' attached_to='f'><pose "
                               "relative_to='a'/></frame>\n"),
       "m.sdf:3: error: 'f' has a circular attached_to: f -> g -> f [attached-to-cycle]\n"},
      {"attached_to cycle without poses",
       InModel(LinkText("a") +
               "<frame name='f' attached_to='g'/>\n<frame name='g' attached_to='f'/>\n"),
       "m.sdf:3: error: 'f' has a circular attached_to: f -> g -> f [attached-to-cycle]\n"},
      {"pose with three numbers", InModel("<link name='a'>\n<pose>0 0 1</pose></link>\n"),
       "m.sdf:3: error: the text of 'sdf/model[m]/link[a]/pose' has 3 numbers, expected 6: '0 0 1' "
       "[bad-vector]\n"},
      {"zero quaternion",
       InModel("<link name='a'>\n<pose rotation_format='quat_xyzw'>0 0 0 0 0 0 0</pose></link>\n"),
       "m.sdf:3: error: 'sdf/model[m]/link[a]/pose' has a quaternion of zero length; taken as no "
       "rotation [pose-rotation]\n"},
      {"decimal comma", InModel("<link name='a'><inertial>\n<mass>1,5</mass></inertial></link>\n"),
       "m.sdf:3: error: the text of 'sdf/model[m]/link[a]/inertial/mass' is '1,5', which is not a "
       "number [bad-number]\n    the decimal sign is a dot: 1.5\n"},
      {"duplicate link", InModel(LinkText("a") + LinkText("a")),
       "m.sdf:3: error: 'a' is the name of two links; every name may be used once in a model "
       "[name-duplicate]\n"},
      {"link and frame of one name", InModel(LinkText("a") + "<frame name='a'/>\n"),
       "m.sdf:3: error: 'a' is the name of this frame and of another element; a model, link, joint "
       "or frame needs its own name since "
       "SDFormat 1.7 [name-duplicate]\n"},
      {"reserved name", InModel(LinkText("__evil__")),
       "m.sdf:2: error: '__evil__' is a reserved name and no name for a link [name-reserved]\n"},
      {"colons in a name", InModel(LinkText("a::b")),
       "m.sdf:2: error: 'a::b': a name may not hold '::' since SDFormat 1.8; nest a <model> "
       "instead [name-delimiter]\n"},
      {"no name", InModel("<link/>\n"),
       "m.sdf:2: error: 'sdf/model[m]/link' has no name; every link needs one [name-missing]\n"},
      {"no links", "<sdf version='1.9'>\n<model name='m'/></sdf>",
       "m.sdf:2: error: 'm' has no links; a model needs one unless it is static "
       "[model-without-links]\n"},
      {"canonical link", InModel(LinkText("a"), "1.9", " canonical_link='b'"),
       "m.sdf:1: error: 'b' is the canonical link of model 'm' but is not a link of the model "
       "[canonical-link]\n"},
      {"no model", "<sdf version='1.9'>\n</sdf>",
       "m.sdf:1: error: 'm.sdf' holds no model and no world [no-model]\n"},
      {"another root", "<robot name='r'/>",
       "m.sdf:1: error: 'robot' is not the root of an SDFormat file; expected <sdf> "
       "[root-element]\n"},
  };
  return cases;
}

class SdfErrors : public ::testing::TestWithParam<std::size_t> {};
TEST_P(SdfErrors, Message) {
  const Case& c = Cases()[GetParam()];
  EXPECT_EQ(Errors(c.text), c.message) << c.name;
}
INSTANTIATE_TEST_SUITE_P(All, SdfErrors, ::testing::Range(std::size_t{0}, Cases().size()),
                         [](const ::testing::TestParamInfo<std::size_t>& param) {
                           std::string name = Cases()[param.param].name;
                           for (char& c : name)
                             if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                           return name;
                         });

// std::stod stops at the second dot, and libsdformat with it.
TEST(SdfWarnings, ANumberEndsAtItsSecondDot) {
  const std::string text = InModel(LinkText("foot", "0 0 -0.125.75 0 0 0"));
  EXPECT_EQ(Warnings(text),
            "m.sdf:2: warning: the text of 'sdf/model[m]/link[foot]/pose' is '-0.125.75', which is "
            "read as -0.125, as libsdformat does; write one number [number-cut]\n");
  const ReadResult read = ReadText(text);
  ASSERT_TRUE(read.model);
  EXPECT_EQ(PoseOf(*read.model, "foot").p.z(), -0.125);
  EXPECT_NE(Errors(InModel(LinkText("foot", "0 0 -0.125.x 0 0 0"))).find("[bad-number]"),
            std::string::npos);
  EXPECT_NE(Errors(InModel(LinkText("foot", "0 0 -0.125.75 0 0"))).find("[bad-vector]"),
            std::string::npos);
}

TEST(SdfWarnings, OldFilesMayShareNames) {
  EXPECT_EQ(
      Warnings(InModel(
          kLinks +
              "<joint name='foot' type='fixed'><parent>shank</parent><child>foot</child></joint>\n",
          "1.5")),
      "m.sdf:4: warning: 'foot' is the name of this joint and of another element, which SDFormat "
      "1.7 no longer allows; both are kept "
      "[name-shared]\n");
}

TEST(SdfWarnings, MissingAxisAndContinuousLimits) {
  EXPECT_EQ(
      Warnings(JointAt4("name='j' type='revolute'", "<parent>shank</parent><child>foot</child>")),
      "m.sdf:4: warning: joint 'j' has no <axis>; kinemorph uses 0 0 1 [axis-missing]\n");
  EXPECT_EQ(Warnings(JointAt4("name='j' type='continuous'",
                              "<parent>shank</parent><child>foot</child><axis><xyz>0 0 "
                              "1</xyz><limit><lower>-1</lower></limit></axis>")),
            "m.sdf:4: warning: joint 'j' is continuous; its lower and upper limits are not used "
            "[continuous-limit]\n");
}

TEST(SdfErrors, TheFirstFiftyMistakesGetASuggestion) {
  std::string text = LinkText("shank");
  for (int i = 0; i < 60; ++i)
    text += "<frame name='f" + std::to_string(i) + "' attached_to='shankk'/>\n";
  const std::string said = Errors(InModel(text));
  std::size_t suggested = 0;
  for (std::size_t at = said.find("did you mean 'shank'"); at != std::string::npos;
       at = said.find("did you mean 'shank'", at + 1))
    ++suggested;
  EXPECT_EQ(suggested, 50u);
}

}  // namespace
}  // namespace kinemorph::test
