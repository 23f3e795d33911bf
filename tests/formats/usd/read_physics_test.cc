// What UsdPhysics means: units, frames, defaults that say nothing, drives, mimics, filters.
#include <cmath>
#include <numbers>

#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "kinemorph/graph/mechanics/start_posture.h"
#include "kinemorph/graph/model/zero_poses.h"
#include "read.h"

namespace kinemorph::test::usd {
namespace {

using testing::HasSubstr;
using testing::Not;
constexpr double kDegree = std::numbers::pi / 180;

// The same written by hand in another format: an arm on a post, on the moon.
TEST(UsdRead, CentimetresGramsAndYUp) {
  Diagnostics said;
  const std::optional<Model> stage = ReadFile(Fixtures() + "/usd/centimetres.usda", said);
  ASSERT_TRUE(stage) << Rendered(said);
  const std::optional<Model> twin = ReadText(
      "<mujoco model='post'><compiler angle='radian'/><option gravity='0 0 -1.62'/><worldbody>"
      "<body name='base' quat='1 1 0 0'><inertial pos='0 0.1 0' mass='2' diaginertia='0.004 0.002 "
      "0.004'/><geom name='column' type='cylinder' size='0.04 0.15' pos='0 0.15 0' quat='1 -1 -1 "
      "-1' rgba='0.2 0.4 0.6 1' contype='0' conaffinity='0'/>"
      "<body name='arm' pos='0 0.3 0'><inertial pos='0.2 0 0' mass='0.5' diaginertia='0.00005 "
      "0.002 0.002'/><joint name='swing' type='hinge' axis='0 1 0' range='-1.5707963267948966 "
      "1.5707963267948966' frictionloss='0.001'/><site name='tip' pos='0.4 0 0'/>"
      "<body name='slider'><inertial pos='0 0 0' mass='0.1' diaginertia='0.00001 0.00001 0.00001'/>"
      "<joint name='slide' type='slide' axis='1 0 0' range='0 0.35'/>"
      "<geom name='block' type='box' size='0.02 0.02 0.02' group='3'/></body></body></body>"
      "</worldbody></mujoco>",
      "m.xml", said);
  ASSERT_TRUE(twin) << Rendered(said);
  const VerifyResult result = Compared(*stage, *twin);
  EXPECT_NE(result.verdict, Verdict::kDifferent) << result.line;
  EXPECT_NEAR((*stage->gravity - Vector3(0, 0, -1.62)).norm(), 0, 1e-15);
}

// As simulators' own: the loop joint is the excluded one, a body stands in another.
TEST(UsdRead, AFourBarOfFlatAndNestedBodies) {
  Diagnostics said;
  const std::optional<Model> stage = ReadFile(Fixtures() + "/usd/four_bar.usda", said);
  ASSERT_TRUE(stage) << Rendered(said);
  const auto body = [](const std::string& name, const std::string& pose, const std::string& mass,
                       const std::string& com, const std::string& moments) {
    std::istringstream in(moments);
    std::string x, y, z;
    in >> x >> y >> z;
    return "<link name='" + name + "'><pose>" + pose + " 0 0 0</pose><inertial><pose>" + com +
           " 0 0 0</pose><mass>" + mass + "</mass><inertia><ixx>" + x + "</ixx><iyy>" + y +
           "</iyy><izz>" + z + "</izz></inertia></inertial></link>";
  };
  const auto hinge = [](const std::string& name, const std::string& p, const std::string& s,
                        const std::string& at, const std::string& limit = "") {
    return "<joint name='" + name + "' type='revolute'><pose>" + at + " 0 0 0</pose><parent>" + p +
           "</parent><child>" + s + "</child><axis><xyz>1 0 0</xyz>" + limit + "</axis></joint>";
  };
  const std::string range = "<lower>-0.87266462599716477</lower><upper>0.87266462599716477</upper>";
  const std::string sdf =
      "<sdf version='1.9'><model name='four_bar'>" +
      body("ground", "0 0 0", "8", "0 0 -0.05", "0.12 0.01 0.12") +
      body("left", "0 -0.15 0", "1", "0 0 0.2", "0.014 0.014 0.0004") +
      body("coupler", "0 -0.15 0.4", "1", "0 0.15 0", "0.008 0.0003 0.008") +
      body("pole", "0 0 0.4", "0.5", "0 0 0.3", "0.03 0.03 0.0002") +
      body("right", "0 0.15 0", "1", "0 0 0.2", "0.014 0.014 0.0004") +
      "<joint name='root_joint' type='fixed'><parent>world</parent><child>ground</child></joint>" +
      hinge("ground_left", "ground", "left", "0 0 0",
            "<limit>" + range + "<effort>300</effort></limit>") +
      hinge("left_coupler", "left", "coupler", "0 0 0") +
      hinge("coupler_right", "coupler", "right", "0 0 0.4") +
      hinge("right_ground", "right", "ground", "0 0.15 0", "<limit>" + range + "</limit>") +
      hinge("coupler_pole", "coupler", "pole", "0 0 0") + "</model></sdf>";
  const std::optional<Model> twin = ReadText(sdf, "m.sdf", said);
  ASSERT_TRUE(twin) << Rendered(said);
  std::string differs;
  for (const VerifyCheck& check : Compared(*twin, *stage).checks)
    if (check.max_error > check.tolerance) differs += check.what + ": " + check.worst + "\n";
  EXPECT_THAT(differs, Not(HasSubstr("mass"))) << differs;
  EXPECT_THAT(differs, Not(HasSubstr("mobility"))) << differs;
  EXPECT_THAT(differs, Not(HasSubstr("accelerations"))) << differs;
  EXPECT_THAT(differs, Not(HasSubstr("limits"))) << differs;
  EXPECT_THAT(differs, Not(HasSubstr("poses"))) << differs;
  const Joint& loop = stage->joint(*stage->FindJoint("right_ground"));
  EXPECT_EQ(loop.role, JointRole::kLoop);
  EXPECT_EQ(stage->joint(*stage->FindJoint("ground_left")).role, JointRole::kTree);
  EXPECT_FALSE(*stage->scopes[0].self_collide);
}

TEST(UsdRead, NamesMassesAndDrivesOfANestedHand) {
  Diagnostics said;
  const std::optional<Model> hand = ReadFile(Fixtures() + "/usd/nested.usda", said);
  ASSERT_TRUE(hand) << Rendered(said);
  EXPECT_EQ(hand->name, "left hand");
  ASSERT_TRUE(hand->FindLink("driver-link"));
  const Inertial& palm = *hand->link(*hand->FindLink("palm")).inertial;
  EXPECT_NEAR(palm.mass, 500 * 0.1 * 0.2 * 0.05, 1e-12);
  EXPECT_NEAR(palm.I_I(0, 0), palm.mass / 12 * (0.04 + 0.0025), 1e-12);
  const Inertial& driver = *hand->link(*hand->FindLink("driver-link")).inertial;
  EXPECT_NEAR(driver.I_I(2, 2), 0.4 * 0.05 * 0.02 * 0.02, 1e-15) << "of the ball, at its mass";
  const Matrix3 I = hand->link(*hand->FindLink("finger")).inertial->InLink().I_BBcm;
  EXPECT_NEAR(I(1, 1), 5e-6, 1e-12);
  EXPECT_NEAR(I(2, 2), 2e-5, 1e-12);
  const JointAxis& axis = hand->joint(*hand->FindJoint("hinge")).axes[0];
  EXPECT_EQ(axis.damping, 0.02);
  EXPECT_EQ(axis.armature, 0.001);
  EXPECT_EQ(axis.effort, 2);
  EXPECT_FALSE(axis.spring_stiffness) << "a drive with gains and a limit follows a command";
  ASSERT_EQ(hand->actuators.size(), 1u);
  EXPECT_EQ(hand->actuators[0].kind, DriveKind::kPosition);
  EXPECT_NEAR(hand->actuators[0].stiffness.value_or(0), 5 * 180 / std::numbers::pi, 1e-12);
  EXPECT_EQ(hand->joint(*hand->FindJoint("Equality")).role, JointRole::kLoop);
  ASSERT_TRUE(hand->FindJoint("hinge_2"));
  ASSERT_EQ(hand->contact_exclusions.size(), 1u);
}

TEST(UsdRead, SixMotions) {
  Diagnostics said;
  const std::optional<Model> stack = ReadFile(Fixtures() + "/usd/six_motions.usda", said);
  ASSERT_TRUE(stack) << Rendered(said);
  const Joint& glide = stack->joint(*stack->FindJoint("glide"));
  ASSERT_TRUE(std::holds_alternative<Planar>(glide.kind));
  EXPECT_NEAR((glide.X_PF.R.col(2) - Vector3::UnitX()).norm(), 0, 1e-15) << "about x";
  EXPECT_EQ(glide.axes[0].lower, -0.5) << "along y";
  EXPECT_EQ(glide.axes[0].upper, 0.25);
  EXPECT_FALSE(glide.axes[1].lower);
  const auto* cardan = std::get_if<Universal>(&stack->joint(*stack->FindJoint("cardan")).kind);
  ASSERT_NE(cardan, nullptr);
  EXPECT_EQ(cardan->axis1, Vector3::UnitX());
  EXPECT_EQ(cardan->axis2, Vector3::UnitZ());
  const Joint& bush = stack->joint(*stack->FindJoint("bush"));
  ASSERT_TRUE(std::holds_alternative<Cylindrical>(bush.kind));
  EXPECT_NEAR(*bush.axes[0].lower, -30 * kDegree, 1e-15);
  EXPECT_FALSE(bush.axes[1].lower);
  EXPECT_TRUE(stack->FindJoint("arm_transX"));
  EXPECT_TRUE(stack->FindJoint("arm_rotY"));
}

TEST(UsdRead, KindsOfAPhysicsJointByWhatIsLocked) {
  const auto kind = [](const std::vector<const char*>& locked) {
    std::string more;
    for (const std::string& token : std::vector<std::string>(locked.begin(), locked.end()))
      more += "float limit:" + token + ":physics:low = 1\nfloat limit:" + token +
              ":physics:high = -1\n";
    return std::string(KindName(JointIn(JointOf("PhysicsJoint", more)).kind));
  };
  EXPECT_EQ(kind({"transX", "transY", "transZ", "rotX", "rotY", "rotZ"}), "fixed");
  EXPECT_EQ(kind({"transX", "transY", "transZ", "rotX", "rotZ"}), "revolute");
  EXPECT_EQ(kind({"transX", "transY", "rotX", "rotY", "rotZ"}), "prismatic");
  EXPECT_EQ(kind({"transX", "transY", "transZ"}), "ball");
  const Read free = ReadStage(TwoBodies(JointOf("PhysicsJoint")));
  ASSERT_TRUE(free.model);
  EXPECT_THAT(free.said, HasSubstr("[usd-joint-free]")) << "plainly typed: all is free";
}

TEST(UsdRead, DefaultsSayNothing) {
  const Read read = ReadStage(
      Robot("def Xform \"a\" (\n apiSchemas = [\"PhysicsRigidBodyAPI\", \"PhysicsMassAPI\"]\n)\n{\n"
            "float physics:mass = 2\nfloat3 physics:diagonalInertia = (0, 0, 0)\n"
            "quatf physics:principalAxes = (0, 0, 0, 0)\npoint3f physics:centerOfMass = (-inf, "
            "-inf, -inf)\n"
            "bool physics:kinematicEnabled = 0\nvector3f physics:velocity = (0, 0, 0)\n"
            "def Cylinder \"c\" (\n apiSchemas = [\"PhysicsCollisionAPI\"]\n)\n{\ndouble height = "
            "2\ndouble radius = 1\n"
            "double3 xformOp:translate = (0, 0, 3)\nuniform token[] xformOpOrder = "
            "[\"xformOp:translate\"]\n}\n}\n"));
  ASSERT_TRUE(read.model) << read.said;
  const Inertial& inertial = *read.model->link(LinkId{1}).inertial;
  EXPECT_EQ(inertial.mass, 2);
  EXPECT_NEAR(inertial.X_LI.p.z(), 3, 1e-12);
  EXPECT_NEAR(inertial.I_I(2, 2), 1, 1e-12);
  EXPECT_NEAR(inertial.I_I(0, 0), 2 * (3 + 4) / 12.0, 1e-12);
  EXPECT_THAT(read.said, Not(HasSubstr("not-used")));
  const Joint& base = read.model->joint(JointId{0});
  EXPECT_TRUE(std::holds_alternative<Free>(base.kind)) << "nothing connects it to the world";
  EXPECT_TRUE(base.implicit);
}

TEST(UsdRead, AMassThatNobodyKnowsIsSaid) {
  const Read read =
      ReadStage(Robot("def Xform \"a\" (\n apiSchemas = [\"PhysicsRigidBodyAPI\"]\n) { }\n"));
  ASSERT_TRUE(read.model) << read.said;
  EXPECT_THAT(read.said, HasSubstr("its mass and inertia are not written, and no shape of it"));
  EXPECT_NE(read.model->link(LinkId{1}).inertial->unknown, "");
}

TEST(UsdRead, NewtonsTensorIsExactAndWins) {
  const Read read =
      ReadStage(Robot(RigidBody("a", "double[] newton:inertia = [3, 4, 5, 0.1, 0.2, 0.3]\n")));
  ASSERT_TRUE(read.model) << read.said;
  const Matrix3 I = read.model->link(LinkId{1}).inertial->InLink().I_BBcm;
  EXPECT_EQ(I(0, 0), 3);
  EXPECT_EQ(I(0, 1), 0.1) << "xx yy zz xy xz yz";
  EXPECT_EQ(I(0, 2), 0.2);
  EXPECT_EQ(I(1, 2), 0.3);
}

TEST(UsdRead, LimitsAreDegreesAndInfinityIsNone) {
  const Joint j = JointIn(JointOf(
      "PhysicsRevoluteJoint", "float physics:lowerLimit = -90\nfloat physics:upperLimit = inf\n"));
  EXPECT_NEAR(*j.axes[0].lower, -std::numbers::pi / 2, 1e-15);
  EXPECT_FALSE(j.axes[0].upper);
  EXPECT_EQ(std::get<Revolute>(j.kind).axis, Vector3::UnitX()) << "the axis that is not written";
  const Joint slide = JointIn(
      JointOf("PhysicsPrismaticJoint",
              "uniform token physics:axis = \"Y\"\nfloat physics:upperLimit = 3.4028235e38\n"));
  EXPECT_FALSE(slide.axes[0].upper);
  EXPECT_THAT(
      ReadStage(TwoBodies(JointOf("PhysicsRevoluteJoint", "uniform token physics:axis = \"Q\"\n")))
          .said,
      HasSubstr("its axis is 'Q', expected"));
}

TEST(UsdRead, FramesOfJointsInScaledTurnedAndNestedPrims) {
  const std::string frame =
      "def Xform \"f\"\n{\nfloat3 xformOp:rotateXYZ = (0, 0, 90)\ndouble3 xformOp:translate = (1, "
      "0, 0)\n"
      "uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:rotateXYZ\"]\n}\n";
  const std::string scaled =
      "double3 xformOp:scale = (2, 2, 2)\nuniform token[] xformOpOrder = [\"xformOp:scale\"]\n";
  const Read read = ReadStage(Robot(
      RigidBody("a", frame) + RigidBody("b", scaled) +
      "def PhysicsFixedJoint \"j\"\n{\nrel physics:body0 = </r/a/f>\nrel physics:body1 = </r/b>\n"
      "point3f physics:localPos0 = (0, 1, 0)\npoint3f physics:localPos1 = (0, 0, 3)\n}\n"));
  ASSERT_TRUE(read.model) << read.said;
  const Joint& j = read.model->joint(*read.model->FindJoint("j"));
  EXPECT_EQ(read.model->predecessor(*read.model->FindJoint("j")), *read.model->FindLink("a"));
  EXPECT_NEAR((j.X_PF.p - Vector3(0, 0, 0)).norm(), 0, 1e-15) << "turned by 90 degrees";
  EXPECT_NEAR(j.X_PF.R(1, 0), 1, 1e-15);
  EXPECT_NEAR((j.X_SM.p - Vector3(0, 0, 6)).norm(), 0, 1e-15) << "scaled with its body";
}

TEST(UsdRead, OperationsOfTheFrame) {
  const auto pose = [](const std::string& ops, const std::string& order) {
    const Read read =
        ReadStage(Robot("double3 xformOp:translate = (5, 0, 0)\nuniform token[] xformOpOrder = "
                        "[\"xformOp:translate\"]\n" +
                        RigidBody("a", ops + "uniform token[] xformOpOrder = [" + order + "]\n")));
    EXPECT_TRUE(read.model) << read.said;
    return read.model ? read.model->joint(JointId{0}).X_PF : RigidTransform();
  };
  EXPECT_NEAR((pose("double3 xformOp:translate = (1, 2, 3)\n", "\"xformOp:translate\"").p -
               Vector3(6, 2, 3))
                  .norm(),
              0, 1e-14);
  EXPECT_EQ(pose("double3 xformOp:translate = (1, 2, 3)\n",
                 "\"!resetXformStack!\", \"xformOp:translate\"")
                .p,
            Vector3(1, 2, 3));
  EXPECT_EQ(pose("double3 xformOp:translate = (1, 2, 3)\n", "").p, Vector3(5, 0, 0))
      << "what the order does not name does not act";
  const std::string pivot =
      "float3 xformOp:translate:pivot = (1, 0, 0)\nfloat xformOp:rotateZ:a = 90\n";
  EXPECT_NEAR((pose(pivot,
                    "\"xformOp:translate:pivot\", \"xformOp:rotateZ:a\", "
                    "\"!invert!xformOp:translate:pivot\"")
                   .p -
               Vector3(6, -1, 0))
                  .norm(),
              0, 1e-14);
  const Matrix3 R = pose("float3 xformOp:rotateXYZ = (90, 0, 90)\n", "\"xformOp:rotateXYZ\"").R;
  EXPECT_NEAR((R * Vector3::UnitZ() - Vector3::UnitX()).norm(), 0, 1e-15) << "x turns first";
  const RigidTransform X = pose(
      "matrix4d xformOp:transform = ((0, 1, 0, 0), (-1, 0, 0, 0), (0, 0, 1, 0), (7, 8, 9, 1))\n",
      "\"xformOp:transform\"");
  EXPECT_NEAR((X.R * Vector3::UnitX() - Vector3::UnitY()).norm(), 0, 1e-15) << "points are rows";
  EXPECT_NEAR((X.p - Vector3(12, 8, 9)).norm(), 0, 1e-14);
  EXPECT_NEAR(
      (pose("quatd xformOp:orient = (0, 0, 0, 1)\n", "\"xformOp:orient\"").R * Vector3::UnitX() +
       Vector3::UnitX())
          .norm(),
      0, 1e-15)
      << "w comes first";
}

TEST(UsdRead, DampingIsPerDegreeAndArmatureIsNot) {
  const Joint newton = JointIn(JointOf(
      "PhysicsRevoluteJoint",
      "float newton:damping = 1\nfloat newton:armature = 2\nfloat newton:friction = 3\nfloat "
      "newton:velocityLimit = 180\n"));
  EXPECT_NEAR(*newton.axes[0].damping, 1 / kDegree, 1e-12);
  EXPECT_EQ(newton.axes[0].armature, 2);
  EXPECT_EQ(newton.axes[0].friction, 3);
  EXPECT_NEAR(*newton.axes[0].velocity, std::numbers::pi, 1e-15);
  const Joint physx = JointIn(
      JointOf("PhysicsRevoluteJoint",
              "float physxJoint:armature = 1\nfloat physxJointAxis:angular:armature = 2\nfloat "
              "physxJointAxis:angular:viscousFrictionCoefficient = 1\n"));
  EXPECT_EQ(physx.axes[0].armature, 2) << "the axis wins over the joint";
  EXPECT_NEAR(*physx.axes[0].damping, 1 / kDegree, 1e-12);
}

TEST(UsdRead, ADriveIsALimitASpringOrAnActuator) {
  const auto drive = [](const std::string& more) {
    return ReadStage(
        TwoBodies(JointOf("PhysicsRevoluteJoint", more, "\"PhysicsDriveAPI:angular\"")));
  };
  const Read limit = drive("float drive:angular:physics:maxForce = 7\n");
  EXPECT_EQ(limit.model->joint(*limit.model->FindJoint("j")).axes[0].effort, 7);
  EXPECT_TRUE(limit.model->actuators.empty());
  const Read spring = drive(
      "float drive:angular:physics:stiffness = 1\nfloat drive:angular:physics:targetPosition = 90\n"
      "float drive:angular:physics:damping = 2\n");
  const JointAxis& axis = spring.model->joint(*spring.model->FindJoint("j")).axes[0];
  EXPECT_NEAR(*axis.spring_stiffness, 1 / kDegree, 1e-12);
  EXPECT_NEAR(*axis.spring_reference, std::numbers::pi / 2, 1e-15);
  EXPECT_NEAR(*axis.damping, 2 / kDegree, 1e-12);
  const Read motor = drive(
      "float drive:angular:physics:maxForce = 7\nfloat drive:angular:physics:stiffness = 1\n");
  ASSERT_EQ(motor.model->actuators.size(), 1u);
  EXPECT_EQ(motor.model->actuators[0].joint, *motor.model->FindJoint("j"));
}

TEST(UsdRead, MimicsOfNewtonAndOfPhysx) {
  const auto mimic = [](const std::string& more, const std::string& api) {
    return ReadStage(Robot(RigidBody("a") + RigidBody("b") + RigidBody("c") +
                           "def PhysicsFixedJoint \"w\" { rel physics:body1 = </r/a> }\n"
                           "def PhysicsRevoluteJoint \"l\" { rel physics:body0 = </r/a>\nrel "
                           "physics:body1 = </r/c> }\n" +
                           JointOf("PhysicsRevoluteJoint", more, api)));
  };
  const Read newton = mimic(
      "rel newton:mimicJoint = </r/l>\nfloat newton:mimicCoef0 = 90\nfloat newton:mimicCoef1 = 2\n",
      "\"NewtonMimicAPI\"");
  ASSERT_TRUE(newton.model) << newton.said;
  ASSERT_EQ(newton.model->couplings.size(), 1u);
  EXPECT_NEAR(newton.model->couplings[0].constant, std::numbers::pi / 2, 1e-15) << "degrees";
  EXPECT_EQ(newton.model->couplings[0].terms[1].coefficients[0], -2);
  const Read physx = mimic(
      "float physxMimicJoint:rotX:gearing = -2\nfloat physxMimicJoint:rotX:offset = -90\nrel "
      "physxMimicJoint:rotX:referenceJoint = </r/l>\n",
      "\"PhysxMimicJointAPI:rotX\"");
  ASSERT_TRUE(physx.model) << physx.said;
  EXPECT_EQ(Compared(*newton.model, *physx.model).verdict, Verdict::kEquivalent)
      << "q + gearing l + offset = 0";
  EXPECT_THAT(mimic("rel newton:mimicJoint = </r/w>\n", "\"NewtonMimicAPI\"").said,
              HasSubstr("[usd-target]"));
  // PhysX passes over one that names nobody.
  for (const char* none : {"rel physxMimicJoint:rotX:referenceJoint = None\n", ""}) {
    const Read alone = mimic(none, "\"PhysxMimicJointAPI:rotX\"");
    ASSERT_TRUE(alone.model) << alone.said;
    EXPECT_TRUE(alone.model->couplings.empty());
    EXPECT_THAT(alone.said,
                HasSubstr("names no joint; the joint follows nothing [usd-mimic-alone]"));
  }
}

// MuJoCo's limits and its spring count from ref, which the coordinate reads where the frames meet.
TEST(UsdRead, MujocosRefIsWhereItsLimitsCountFrom) {
  const JointAxis axis =
      JointIn(JointOf("PhysicsRevoluteJoint",
                      "uniform double mjc:ref = -0.5\nfloat mjc:stiffness = 2\n"
                      "float physics:lowerLimit = -90\nfloat physics:upperLimit = 0\n",
                      "\"MjcJointAPI\""))
          .axes[0];
  EXPECT_NEAR(*axis.lower, 0.5 - std::numbers::pi / 2, 1e-15);
  EXPECT_NEAR(*axis.upper, 0.5, 1e-15);
  EXPECT_EQ(axis.spring_reference, 0.5);
  EXPECT_EQ(axis.position_offset, -0.5);
}

// As OpenUSD divides a frame: a mirror is in all three scales, and turns nothing that is mirrored
// through its origin.
TEST(UsdRead, AMirroredFrameIsNotTurned) {
  const auto placed = [](const char* scale) {
    const Read read = ReadStage(
        Robot("def Xform \"a\" (\n prepend apiSchemas = [\"PhysicsRigidBodyAPI\", "
              "\"PhysicsMassAPI\"]\n)\n{\nfloat physics:mass = 1\npoint3f physics:centerOfMass = "
              "(100, 0, "
              "0)\nfloat3 physics:diagonalInertia = (1, 2, 3)\nfloat3 xformOp:scale = " +
              std::string(scale) + "\nuniform token[] xformOpOrder = [\"xformOp:scale\"]\n}\n"));
    EXPECT_TRUE(read.model) << read.said;
    const LinkId link = *read.model->FindLink("a");
    return std::pair(ZeroPoses(*read.model, ChooseSpanningTree(*read.model))[Index(link)].R,
                     read.model->link(link).inertial->X_LI.p);
  };
  const auto [R, p] = placed("(-0.001, -0.001, -0.001)");
  EXPECT_TRUE(R.isApprox(Matrix3::Identity(), 1e-12));
  EXPECT_NEAR((p - Vector3(-0.1, 0, 0)).norm(), 0, 1e-12);
  const auto [turned, there] = placed("(0.001, 0.001, -0.001)");
  EXPECT_NEAR((turned * there - Vector3(0.1, 0, 0)).norm(), 0, 1e-12);
}

TEST(UsdRead, AWeldWithoutTorquesIsABall) {
  const auto weld = [](const char* scale) {
    return JointIn(JointOf("PhysicsFixedJoint", std::string("float mjc:torqueScale = ") + scale,
                           "\"MjcEqualityWeldAPI\""));
  };
  EXPECT_EQ(KindName(weld("0\n").kind), "ball");
  EXPECT_EQ(KindName(weld("0.5\n").kind), "fixed");
}

// Simulators write matrices in single precision, whose scales are off by some 1e-7.
TEST(UsdRead, AScaleThatIsRoundedIsNone) {
  const auto turned = [](const char* second) {
    const Read read = ReadStage(Robot(RigidBody(
        "a", std::string("def Capsule \"c\" {\n uniform token axis = \"X\"\n"
                         "double radius = 0.5\ndouble height = 2\nmatrix4d xformOp:transform = ("
                         "(0.7071067, 0.7071068, 0, 0), (") +
                 second +
                 ", 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))\n"
                 "uniform token[] xformOpOrder = [\"xformOp:transform\"]\n}\n")));
    EXPECT_TRUE(read.model) << read.said;
    return read.said;
  };
  EXPECT_THAT(turned("-0.7071068, 0.7071067"), Not(HasSubstr("[usd-shape-unread]")));
  EXPECT_THAT(turned("-0.708, 0.708"), HasSubstr("[usd-shape-unread]"));
}

// A loop that is open at zero is closed where its author has closed it: in the second of the two
// postures of this triangle.
TEST(UsdRead, AClosedPostureOfTheAuthorIsKept) {
  const auto body = [](const std::string& name, const std::string& place, const char* turn) {
    return RigidBody(name, "double3 xformOp:translate = (" + place +
                               ")\nquatf xformOp:orient = " + turn +
                               "\nuniform token[] xformOpOrder = [\"xformOp:translate\", "
                               "\"xformOp:orient\"]\n");
  };
  const auto hinge = [](const char* name, const char* from, const char* to,
                        const std::string& more) {
    return std::string("def PhysicsRevoluteJoint \"") + name +
           "\"\n{\nuniform token physics:axis = \"Y\"\nrel physics:body0 = </r" + from +
           ">\nrel physics:body1 = </r/" + to + ">\n" + more + "}\n";
  };
  const std::string stage =
      Robot(body("crank", "0, 0, 0", "(0.64278761, 0, -0.766044443, 0)") +
            body("rod", "-0.0347296355, 0, 0.196961551", "(0.992144073, 0, -0.125100513, 0)") +
            body("rocker", "0.4, 0, 0", "(0.649038075, 0, -0.760755925, 0)") +
            hinge("a", "", "crank", "") +
            hinge("b", "/crank", "rod", "point3f physics:localPos0 = (0.2, 0, 0)\n") +
            hinge("c", "", "rocker", "point3f physics:localPos0 = (0.4, 0, 0)\n") +
            hinge("d", "/rod", "rocker",
                  "point3f physics:localPos0 = (0.4, 0, 0)\npoint3f physics:localPos1 = (0.3, 0, "
                  "0)\nuniform bool physics:excludeFromArticulation = true\n"));
  const Read read = ReadStage(stage);
  ASSERT_TRUE(read.model) << read.said;
  for (const char* to : {"sdf", "mjcf", "usda"}) {
    Diagnostics said;
    ConvertOptions options;
    options.target = TargetNamed(to);
    const std::optional<Converted> converted = Convert(*read.model, options, said);
    ASSERT_TRUE(converted) << Rendered(said);
    const std::optional<Model> again =
        ReadText(converted->text, std::string("o") + Extension(to), said);
    ASSERT_TRUE(again) << Rendered(said);
    const StartPosture posture = StartPostureOf(*again);
    // In the crank's frame its tip lies along x; in the world 100 degrees up.
    const Vector3 tip = posture.X_WL[Index(*again->FindLink("crank"))] * Vector3(0.2, 0, 0);
    EXPECT_NEAR((tip - Vector3(-0.0347296355, 0, 0.196961551)).norm(), 0, 1e-5) << to;
  }
}

// Where its bodies stand a robot starts; what kinemorph chose is no word of the author.
TEST(UsdRead, BodiesStandWhereTheirJointsStart) {
  const auto start = [](const std::string& in_robot, const std::string& in_joint = "") {
    const Read read =
        ReadStage(Robot(in_robot + RigidBody("a") +
                        RigidBody("b",
                                  "quatf xformOp:orient = (0.9659258, 0.258819, 0, 0)\n"
                                  "uniform token[] xformOpOrder = [\"xformOp:orient\"]\n") +
                        "def PhysicsFixedJoint \"w\"\n{\n    rel physics:body1 = </r/a>\n}\n" +
                        JointOf("PhysicsRevoluteJoint", in_joint)));
    EXPECT_TRUE(read.model) << read.said;
    return read.model->joint(*read.model->FindJoint("j")).axes[0].initial_position;
  };
  ASSERT_TRUE(start(""));
  EXPECT_NEAR(*start(""), std::numbers::pi / 6, 1e-6);
  EXPECT_NEAR(*start("", "float newton:angular:position = 90\n"), std::numbers::pi / 2, 1e-15);
  EXPECT_NEAR(*start("", "float state:angular:physics:position = 90\n"), std::numbers::pi / 2,
              1e-15);
  EXPECT_FALSE(start("custom bool kinemorph:startIsChosen = true\n"));
}

TEST(UsdRead, TheWorldIsNoTargetOrOneThatMovesWithNoBody) {
  for (const char* rel : {"", "rel physics:body0 = </r>\n", "rel physics:body0 = None\n",
                          "rel physics:body0 = []\n"}) {
    const Read read = ReadStage(Robot(RigidBody("a") + "def PhysicsFixedJoint \"w\"\n{\n" + rel +
                                      "rel physics:body1 = </r/a>\n}\n"));
    ASSERT_TRUE(read.model) << read.said;
    EXPECT_EQ(read.model->num_joints(), 1u);
    EXPECT_EQ(read.model->predecessor(JointId{0}), kWorld);
  }
  EXPECT_THAT(ReadStage(Robot(RigidBody("a") + "def PhysicsFixedJoint \"w\" { rel physics:body0 = "
                                               "</r/nobody>\nrel physics:body1 = </r/a> }\n"))
                  .said,
              HasSubstr("names '/r/nobody', which is not a defined and active prim"));
  EXPECT_THAT(ReadStage(TwoBodies("def PhysicsFixedJoint \"j\" { rel physics:body0 = </r/a>\nrel "
                                  "physics:body1 = </r/a> }\n"))
                  .said,
              HasSubstr("[usd-joint-loose]"));
}

TEST(UsdRead, ALoopThatNobodyExcludesIsCutLater) {
  const auto hinge = [](const std::string& name, const std::string& p, const std::string& s) {
    return "def PhysicsRevoluteJoint \"" + name + "\" { rel physics:body0 = </r/" + p +
           ">\nrel physics:body1 = </r/" + s + "> }\n";
  };
  const Read read = ReadStage(TwoBodies(RigidBody("c") + hinge("ab", "a", "b") +
                                        hinge("bc", "b", "c") + hinge("ca", "c", "a")));
  ASSERT_TRUE(read.model) << read.said;
  for (const JointId id : Joints(*read.model))
    EXPECT_EQ(read.model->joint(id).role, JointRole::kUndecided);
  EXPECT_EQ(ChooseSpanningTree(*read.model).loop_joints.size(), 1u);
}

TEST(UsdRead, AWrongTargetIsOneMessageWithTheNearestBody) {
  std::string joint = JointOf("PhysicsRevoluteJoint");
  joint.replace(joint.find("</r/b>"), 6, "</r/bb>");
  const std::string said = ReadStage(TwoBodies(joint)).said;
  EXPECT_THAT(said, HasSubstr("'physics:body1' names '/r/bb'"));
  EXPECT_THAT(said, HasSubstr("did you mean '/r/"));
  EXPECT_THAT(said, Not(HasSubstr("[not-used]")));
}

TEST(UsdRead, AnExcludedJointThatClosesNoLoopIsOfTheTree) {
  const Joint j = JointIn(
      JointOf("PhysicsRevoluteJoint", "uniform bool physics:excludeFromArticulation = true\n"));
  EXPECT_EQ(j.role, JointRole::kTree);
}

// What is excluded and drawn open pulls a free body; what is drawn turned starts as it is drawn.
TEST(UsdRead, AnExcludedJointThatIsDrawnOpenPullsAFreeBody) {
  const auto excluded = [](const std::string& type, const std::string& frames) {
    return ReadStage(TwoBodies(
        JointOf(type, "    uniform bool physics:excludeFromArticulation = true\n" + frames)));
  };
  const std::string apart = "    point3f physics:localPos0 = (0, 0, 1)\n",
                    turned = "    quatf physics:localRot0 = (0.8, 0.6, 0, 0)\n";
  for (const auto& [type, frames, loop] : {std::tuple("PhysicsSphericalJoint", apart, true),
                                           {"PhysicsFixedJoint", apart, true},
                                           {"PhysicsFixedJoint", turned, true},
                                           {"PhysicsRevoluteJoint", turned, false},
                                           {"PhysicsPrismaticJoint", apart, false},
                                           {"PhysicsSphericalJoint", turned, false}}) {
    const Read read = excluded(type, frames);
    ASSERT_TRUE(read.model) << read.said;
    const Joint& joint = read.model->joint(*read.model->FindJoint("j"));
    EXPECT_EQ(joint.role == JointRole::kLoop, loop) << type << frames;
    if (std::holds_alternative<Ball>(joint.kind) && !loop) {
      EXPECT_TRUE((joint.X_PF.R - joint.X_SM.R).isZero(1e-12));
    }
  }
}

// A limit of 0 and 0 is a lock only where no motion is locked by a low above its high.
TEST(UsdRead, ALimitOfNothingIsALockWhereNothingElseIs) {
  const auto kind = [](const std::string& low, const std::string& high) {
    std::string limits =
        "    float limit:rotX:physics:low = 0\n    float limit:rotX:physics:high = 0\n";
    for (const char* axis : {"transX", "transY", "transZ", "rotY"})
      limits += "    float limit:" + std::string(axis) + ":physics:low = " + low +
                "\n    float limit:" + axis + ":physics:high = " + high + "\n";
    return JointIn(JointOf("PhysicsJoint", limits,
                           "\"PhysicsLimitAPI:transX\", \"PhysicsLimitAPI:transY\", "
                           "\"PhysicsLimitAPI:transZ\", \"PhysicsLimitAPI:rotX\", "
                           "\"PhysicsLimitAPI:rotY\""))
        .kind;
  };
  EXPECT_TRUE(std::holds_alternative<Universal>(kind("1", "-1")));
  EXPECT_TRUE(std::holds_alternative<Revolute>(kind("0", "0")));
}

// A joint to the world keeps its body from nothing that stands there.
TEST(UsdRead, AJointToTheWorldExcludesNoContact) {
  const std::string box =
      "def Cube \"c\" (\n    prepend apiSchemas = [\"PhysicsCollisionAPI\"]\n)\n{\n}\n";
  const auto pairs = [&](const std::string& filter) {
    const Read read =
        ReadStage(Robot(box + RigidBody("a", box + filter) +
                        "def PhysicsRevoluteJoint \"j\"\n{\n    rel physics:body1 = </r/a>\n}\n"));
    EXPECT_TRUE(read.model) << read.said;
    return read.model ? read.model->contact_pairs.size() : 0;
  };
  EXPECT_EQ(pairs(""), 1u);
  EXPECT_EQ(pairs("    rel physics:filteredPairs = </r/c>\n"), 0u) << "all of its shapes";
  EXPECT_EQ(pairs("    rel physics:filteredPairs = </r>\n"), 0u);
}

// Nothing moves in it, and it is a scene all the same.
TEST(UsdRead, ASceneMayHoldWhatStandsStillAlone) {
  const Read read = ReadStage(
      kHead +
      "def PhysicsScene \"s\"\n{\n}\ndef Xform \"r\"\n{\n    def Cube \"c\"\n    {\n    }\n}\n");
  ASSERT_TRUE(read.model) << read.said;
  EXPECT_EQ(read.model->link(kWorld).visuals.size(), 1u);
}

TEST(UsdRead, CollidersGuidesAndAxesOfShapes) {
  const Read read = ReadStage(Robot(RigidBody(
      "a",
      "def Cylinder \"both\" (\n apiSchemas = [\"PhysicsCollisionAPI\"]\n) { uniform token axis = "
      "\"X\"\ndouble radius = 1\ndouble height = 4 }\n"
      "def Scope \"hidden\" { token visibility = \"invisible\"\n def Capsule \"only\" (\n "
      "apiSchemas = "
      "[\"PhysicsCollisionAPI\"]\n) { } }\n"
      "def Sphere \"egg\" { double radius = 1\ndouble3 xformOp:scale = (1, 2, 3)\nuniform token[] "
      "xformOpOrder = [\"xformOp:scale\"] }\n"
      "def Cone \"flat\" { double3 xformOp:scale = (1, 2, 1)\nuniform token[] xformOpOrder = "
      "[\"xformOp:scale\"] }\n")));
  ASSERT_TRUE(read.model) << read.said;
  const Link& link = read.model->link(LinkId{1});
  ASSERT_EQ(link.collisions.size(), 2u);
  ASSERT_EQ(link.visuals.size(), 3u) << "a collider that is not a guide is drawn too";
  EXPECT_NEAR((link.collisions[0].X_LG.R.col(2) - Vector3::UnitX()).norm(), 0, 1e-15);
  EXPECT_EQ(std::get<Capsule>(link.collisions[1].shape).radius, 0.5);
  EXPECT_EQ(std::get<Ellipsoid>(link.visuals[1].shape).radii, Vector3(1, 2, 3));
  EXPECT_TRUE(std::holds_alternative<NativeShape>(link.visuals[2].shape));
}

// Two hinges between the same bodies: too much by UsdPhysics, two freedoms to MuJoCo and, where the
// articulation says so, to Newton.
TEST(UsdRead, StackedJointsAddUpWhereTheStageSaysSo) {
  const auto stage = [](const std::string& api, const std::string& of_root) {
    const auto hinge = [&](const std::string& name, const std::string& axis) {
      return "def PhysicsRevoluteJoint \"" + name + "\" (\n prepend apiSchemas = [" + api +
             "]\n)\n{ rel physics:body0 = </r/a>\nrel physics:body1 = </r/b>\n" +
             "uniform token physics:axis = \"" + axis +
             "\"\npoint3f physics:localPos0 = (0, 0, 1)\n"
             "point3f physics:localPos1 = (0, 0, -0.5)\n}\n";
    };
    const Read read =
        ReadStage(Robot(RigidBody("a", of_root) +
                        RigidBody("b",
                                  "double3 xformOp:translate = (0, 0, 1.5)\n"
                                  "uniform token[] xformOpOrder = "
                                  "[\"xformOp:translate\"]\n") +
                        "def PhysicsFixedJoint \"w\" { rel physics:body1 = </r/a> }\n" +
                        hinge("x", "X") + hinge("y", "Y")));
    EXPECT_TRUE(read.model) << read.said;
    return read.model.value_or(Model());
  };
  for (const Model& m : {stage("\"MjcJointAPI\"", ""),
                         stage("", "uniform bool newton:jointsAddMobility = true\n")}) {
    const Joint& y = m.joint(m.FindJoint("y").value());
    EXPECT_EQ(m.predecessor(*m.FindJoint("x")), *m.FindLink("a"));
    EXPECT_EQ(m.predecessor(*m.FindJoint("y")), m.successor(*m.FindJoint("x")));
    EXPECT_EQ(m.successor(*m.FindJoint("y")), *m.FindLink("b"));
    EXPECT_EQ(y.X_PF.p, Vector3(0, 0, -0.5));
    EXPECT_TRUE(m.link(m.successor(*m.FindJoint("x"))).synthetic);
    EXPECT_EQ(m.contact_exclusions.size(), 1u);
  }
  const Model plain = stage("", "");
  EXPECT_EQ(plain.successor(*plain.FindJoint("x")), *plain.FindLink("b"));
}

// MuJoCo's own relation between joints counts in radians; the target leads.
TEST(UsdRead, MuJoCosJointEqualityIsACoupling) {
  const Read read =
      ReadStage(Robot(RigidBody("a") + RigidBody("b") + RigidBody("c") +
                      "def PhysicsFixedJoint \"w\" { rel physics:body1 = </r/a> }\n"
                      "def PhysicsRevoluteJoint \"k\" { rel physics:body0 = </r/a>\n"
                      "rel physics:body1 = </r/c>\nuniform token physics:axis = \"X\" }\n" +
                      JointOf("PhysicsRevoluteJoint",
                              "uniform token physics:axis = \"X\"\nuniform double mjc:coef0 = 0.1\n"
                              "uniform double mjc:coef1 = -2\nrel mjc:target = </r/k>\n",
                              "\"MjcEqualityJointAPI\"")));
  ASSERT_TRUE(read.model) << read.said;
  ASSERT_EQ(read.model->couplings.size(), 1u) << read.said;
  const Coupling& coupling = read.model->couplings[0];
  EXPECT_NEAR(coupling.constant, 0.1, 1e-15);
  ASSERT_EQ(coupling.terms.size(), 2u);
  EXPECT_EQ(coupling.terms[1].coefficients[0], 2);
  EXPECT_THAT(read.said, Not(HasSubstr("is not used")));
}

TEST(UsdRead, WhatIsNotReadIsALossByName) {
  const Read read = ReadStage(Robot(RigidBody("a", "float physxRigidBody:linearDamping = 0.5\n") +
                                    "def DomeLight \"sun\" { }\n"));
  ASSERT_TRUE(read.model) << read.said;
  EXPECT_THAT(read.said, HasSubstr("link 'a': 'physxRigidBody:linearDamping' is not used"));
  EXPECT_THAT(read.said, HasSubstr("'/r/sun': a prim of type 'DomeLight' is not used"));
  for (const char* target : {"sdf", "usda"}) {
    ConvertOptions options;
    options.target = TargetNamed(target);
    Diagnostics converting;
    const std::optional<Converted> converted = Convert(*read.model, options, converting);
    ASSERT_TRUE(converted) << Rendered(converting);
    std::map<Weight, int> weights;
    for (const Loss& loss : converted->lowered.report.losses)
      if (loss.feature == Feature::kNativeData) ++weights[loss.weight];
    EXPECT_EQ(weights[Weight::kMotion], 1) << target;
    EXPECT_EQ(weights[Weight::kLooks], 1) << target;
  }
}

}  // namespace
}  // namespace kinemorph::test::usd
