// Frame semantics: where links and joints are.
#include <numbers>

#include "sdf_text.h"

namespace kinemorph::test {
namespace {

constexpr double kPi = std::numbers::pi;

TEST(SdfPoses, LinkPoseIsInTheModelAndTheModelInTheWorld) {
  const Model m =
      Read(InModel("<pose>1 0 0 0 0 1.5707963267948966</pose>" + LinkText("a", "1 0 0 0 0 0")));
  EXPECT_TRUE(Near(PoseOf(m, "a").p, Vector3(1, 1, 0)));
  EXPECT_EQ(m.scopes[0].X_WM.p, Vector3(1, 0, 0));
}

TEST(SdfPoses, RelativeToALinkAFrameAndAJoint) {
  const Model m = Read(InModel(LinkText("a", "1 0 0 0 0 0") +
                               "<frame name='f' attached_to='a'><pose>0 1 0 0 0 0</pose></frame>"
                               "<joint name='j' type='fixed'><pose>0 0 1 0 0 "
                               "0</pose><parent>a</parent><child>b</child></joint>"
                               "<link name='b'><pose relative_to='f'>0 1 0 0 0 0</pose></link>"
                               "<link name='c'><pose relative_to='j'/></link>"));
  EXPECT_TRUE(Near(PoseOf(m, "b").p, Vector3(1, 2, 0)));
  EXPECT_TRUE(Near(PoseOf(m, "c").p, Vector3(1, 2, 1)));
}

TEST(SdfPoses, JointPoseIsInTheChildUnlessSaidOtherwise) {
  const std::string links = LinkText("p", "1 0 0 0 0 0") + LinkText("c", "0 2 0 0 0 0");
  const Model in_child =
      Read(InModel(links + "<joint name='j' type='ball'><pose>0 0 3 0 0 "
                           "0</pose><parent>p</parent><child>c</child></joint>"));
  const Joint& j = in_child.joint(JointNamed(in_child, "j"));
  EXPECT_EQ(j.X_SM.p, Vector3(0, 0, 3));
  EXPECT_EQ(j.X_PF.p, Vector3(-1, 2, 3));
  const Model in_parent =
      Read(InModel(links + "<joint name='j' type='ball'><pose relative_to='p'>0 0 3 0 0 "
                           "0</pose><parent>p</parent><child>c</child></joint>"));
  EXPECT_EQ(in_parent.joint(JointNamed(in_parent, "j")).X_PF.p, Vector3(0, 0, 3));
  EXPECT_EQ(in_parent.joint(JointNamed(in_parent, "j")).X_SM.p, Vector3(1, -2, 3));
}

TEST(SdfPoses, DegreesAndQuaternions) {
  const Model m =
      Read(InModel("<link name='a'><pose degrees='true'>0 0 0 0 0 90</pose></link>"
                   "<link name='b'><pose rotation_format='quat_xyzw'>0 0 0 0 0 0.70710678118654757 "
                   "0.70710678118654757</pose></link>"));
  const Matrix3 quarter = RotationFromRpy({0, 0, kPi / 2});
  EXPECT_EQ(PoseOf(m, "a").R, quarter);
  EXPECT_TRUE(Near(PoseOf(m, "b").R, quarter));
}

TEST(SdfPoses, FrameAttributeBefore17MeansRelativeTo) {
  const Model m = Read(InModel(
      LinkText("a", "1 0 0 0 0 0") + "<link name='b'><pose frame='a'>0 1 0 0 0 0</pose></link>",
      "1.6"));
  EXPECT_TRUE(Near(PoseOf(m, "b").p, Vector3(1, 1, 0)));
}

TEST(SdfPoses, PlacementFrameGetsThePoseOfTheModel) {
  const Model m =
      Read(InModel("<pose>0 0 5 0 0 0</pose>" + LinkText("a", "1 0 0 0 0 0") +
                       "<frame name='f' attached_to='a'><pose>0 1 0 0 0 0</pose></frame>",
                   "1.8", " placement_frame='f'"));
  EXPECT_TRUE(Near(PoseOf(m, "a").p, Vector3(0, -1, 5)));
}

TEST(SdfPoses, ExplicitFramesKnowTheirLink) {
  const Model m = Read(
      InModel(LinkText("a", "1 0 0 0 0 0") + LinkText("b", "0 1 0 0 0 0") +
              "<frame name='f'><pose>0 0 1 0 0 0</pose></frame>"
              "<frame name='g' attached_to='b'><pose relative_to='f'>0 0 1 0 0 0</pose></frame>"
              "<frame name='h' attached_to='g'/>"));
  ASSERT_EQ(m.frames.size(), 3u);
  EXPECT_EQ(m.link(m.frames[0].link).name, "a");  // the model's canonical link
  EXPECT_TRUE(Near(m.frames[0].X_LF.p, Vector3(-1, 0, 1)));
  EXPECT_EQ(m.link(m.frames[1].link).name, "b");
  EXPECT_TRUE(Near(m.frames[1].X_LF.p, Vector3(0, -1, 2)));
  EXPECT_EQ(m.link(m.frames[2].link).name, "b");
}

TEST(SdfPoses, NestedModelsAreScopedWithColons) {
  const Model m = Read(
      InModel(LinkText("base") + "<model name='arm'><pose relative_to='base'>0 0 1 0 0 0</pose>" +
              LinkText("hand", "0 1 0 0 0 0") +
              "<frame name='tip' attached_to='hand'><pose>1 0 0 0 0 0</pose></frame></model>"
              "<joint name='j' type='fixed'><parent>base</parent><child>arm::tip</child></joint>"
              "<link name='tool'><pose relative_to='arm::tip'/></link>"));
  EXPECT_TRUE(Near(PoseOf(m, "arm::hand").p, Vector3(0, 1, 1)));
  EXPECT_TRUE(Near(PoseOf(m, "tool").p, Vector3(1, 1, 1)));
  const JointId j = JointNamed(m, "j");
  EXPECT_EQ(m.link(m.successor(j)).name, "arm::hand");
  EXPECT_EQ(m.joint(j).X_SM.p, Vector3(1, 0, 0));  // the joint frame is the child frame `tip`
  ASSERT_EQ(m.scopes.size(), 2u);
  EXPECT_EQ(m.scopes[1].name, "arm");
  EXPECT_EQ(m.scopes[1].parent, ScopeId{0});
  EXPECT_EQ(m.link(*m.scopes[1].canonical_link).name, "arm::hand");
}

TEST(SdfPoses, LongChainsOfFramesAreLinear) {
  std::string text = LinkText("l");
  for (int i = 0; i < 20000; ++i) {
    const std::string before = i == 0 ? "l" : "f" + std::to_string(i - 1);
    text += "<frame name='f" + std::to_string(i) + "' attached_to='" + before +
            "'><pose>0.001 0 0 0 0 0</pose></frame>\n";
  }
  const Model m = Read(InModel(text));
  ASSERT_EQ(m.frames.size(), 20000u);
  EXPECT_TRUE(Near(m.frames.back().X_LF.p, Vector3(20, 0, 0), 1e-9));
}

}  // namespace
}  // namespace kinemorph::test
