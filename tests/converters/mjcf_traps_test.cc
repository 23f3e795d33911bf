// The traps between MJCF and the other formats, one row each: a snippet, a target, and what must
// (not) stand in the output or be said.
//
// Section and first words of the trap -> the row of the same words below, or the tests that prove
// it elsewhere:
//   3.0 "Inertia: rotate"        also ReadInertial.RotatesTheTensorWithBothSides,
//                                MjcfInertial.FullInertiaOrderIsXxYyZzXyXzYz
//   3.0 "Debian's tinyxml2 9"    also MjcfWriter.DeepNestingThatNobodyReadsIsRefused
//   3.0 "Real files are often"   also Tolerated.*
//   3.0 "Numbers"                also FormatNumber.*, WriteUrdf.NumbersReadBackExactly
//   3.0 "Names"                  also Names.*, Features.NamesThatClashOrAreReserved
//   3.0 "Zero-limits"            also ReadLimit.*, SdfJoints.LimitsThatMeanNoLimitAreAbsent
//   3.0 "Units"                  also MjcfJoint.DegreesApply..., SdfPoses.DegreesAndQuaternions,
//                                SdfJoints.ScrewPitchInBothConventions
//   3.0 "Fixed base"             also Base.*
//   3.3 "Inertial rpy"           also MjcfWriter.ATensorIsWrittenOneWayOnly,
//                                MjcfInertial.FullInertiaBesideAQuaternionIsAnError
//   3.3 "A+B>=C"                 also PhysicalInertia.*
//   3.3 "contact"                SelfCollision.*,
//                                MujocoCompiler.LinksOnALoopOrAStandingBaseDoNotTouch
//   3.3 "meshes"                 also MjcfWriter.OneMeshAssetPerFileAndScale,
//                                MjcfMesh.AMirroredMeshWeighsTheSame
//   3.4 "Compile first"          MjcfDefaults.*, MjcfTree.*, MjcfOrientation.*, MjcfMesh.*, and
//                                MuJoCo itself over the corpus
//   3.4 "body frame"             also MjcfJoint.SeveralJointsOfABodyAreAChainInDeclarationOrder
//   3.4 "mesh frames"            MujocoDifferential.TheCorpusReadsAsTheNewestMujocoCompilesIt, and
//                                the row
//   3.4 "equality"               MjcfEquality.*, and the row
//   3.5 "Loops"                  LowerLoops.*,
//                                MjcfWriter.ABallLoopIsOneConnectARevoluteTwoAFixedAWeld
//   3.5 "Two connects"           MujocoConversion.* compares the rank of MuJoCo's Jacobian with
//                                ours
//   3.5 "equality by bodies"     Assemble.*, MjcfWriter.AnOpenLoopIsHeldBetweenSites...
//   3.5 "weld relpose"           MjcfEquality.WeldTakesItsPoseFromQpos0OrFromRelpose,
//                                MujocoDifferential.*
//   3.5 "inverse"                MjcfEquality.OneConnect..., TwoConnects..., ThreeConnects...
//   3.5 "MJCF degree", "limits"  MjcfJoint.DegreesApply..., ARangeLimitsByItself...,
//                                MuJoCosOwnRulesAreKept
//   3.5 "<compiler>"             MjcfInertial.TheCompilerCorrectsOnRequest,
//                                TotalMassIsSetLastOfAll, InertiaFromGeom..., and the rows
//   3.5 "defaults"
//                                MjcfDefaults.AClassReplacesTheChildclassAndInheritsFromItsParentOnly
//   3.7 SDFormat versions        SdfJoints.AxisFramesByVersion, SdfFiles.Versions, SdfPoses.*,
//                                WriteVersion.RisesOnlyWhenNeeded
//   3.7 URDF versions            ReadLimit.MissingBoundsAreZeroInUrdf10,
//                                MissingBoundsAreInfiniteInUrdf12, Urdf12Adds...
//   3.7 MJCF versions            MjcfTree.GlobalCoordinates..., MjcfInertial.ACapsule...,
//                                MjcfAttributes.*, and the rows
#include <gtest/gtest.h>

#include "conversion.h"

namespace kinemorph::test {
namespace {

struct Trap {
  std::string name;  ///< section, first words
  std::string file;  ///< its extension is the source format
  std::string text;  ///< the source
  std::string target;
  std::vector<std::string> has, lacks;  ///< of the output
  std::vector<std::string> says = {};   ///< of the messages and the loss report
  BaseChoice base = BaseChoice::kAuto;
};

const std::string kMass =
    R"(<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>)";
const std::string kSdfMass =
    "<inertial><mass>1</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>";
const std::string kBodyMass = R"(<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>)";

// Link 'a', a joint 'j' of a type with these children, link 'b' with these contents.
std::string Urdf(const std::string& type, const std::string& joint, const std::string& b = kMass,
                 const std::string& more = "", const std::string& attributes = "") {
  return "<robot name=\"r\"" + attributes + "><link name=\"a\">" + kMass +
         "</link><link name=\"b\">" + b + "</link><joint name=\"j\" type=\"" + type +
         "\"><parent link=\"a\"/><child link=\"b\"/>" + joint + "</joint>" + more + "</robot>";
}
std::string UrdfLink(const std::string& contents, const std::string& attributes = "") {
  return "<robot name=\"r\"" + attributes + "><link name=\"a\">" + kMass + contents +
         "</link></robot>";
}
std::string Sdf(const std::string& joints, const std::string& in_a = "",
                const std::string& of_model = "") {
  return "<sdf version=\"1.9\"><model name=\"r\">" + of_model + "<link name=\"a\">" + kSdfMass +
         in_a + "</link><link name=\"b\"><pose>1 0 0 0 0 0</pose>" + kSdfMass + "</link>" + joints +
         "</model></sdf>";
}
std::string SdfJoint(const std::string& type, const std::string& contents) {
  return Sdf("<joint name=\"j\" type=\"" + type + "\"><parent>a</parent><child>b</child>" +
             contents + "</joint>");
}
std::string Mjcf(const std::string& world, const std::string& sections = "",
                 const std::string& compiler = "angle=\"radian\"") {
  return "<mujoco><compiler " + compiler + "/><worldbody>" + world + "</worldbody>" + sections +
         "</mujoco>";
}
// Body 'b' with a joint of these attributes.
std::string MjcfJoint(const std::string& attributes,
                      const std::string& compiler = "angle=\"radian\"",
                      const std::string& sections = "") {
  return Mjcf("<body name=\"b\"><joint name=\"j\" " + attributes + "/>" + kBodyMass + "</body>",
              sections, compiler);
}
std::string TwoBodies(const std::string& j, const std::string& k, const std::string& sections,
                      const std::string& compiler = "angle=\"radian\"") {
  return Mjcf("<body name=\"b\"><joint name=\"j\" " + j + "/>" + kBodyMass +
                  "</body><body name=\"c\" pos=\"1 0 0\"><joint name=\"k\" " + k + "/>" +
                  kBodyMass + "</body>",
              sections, compiler);
}
std::string Deep(int bodies) {
  std::string text;
  for (int i = 0; i < bodies; ++i) text += "<body><joint/>" + kBodyMass;
  for (int i = 0; i < bodies; ++i) text += "</body>";
  return Mjcf(text);
}

const std::string kOnAxis = "<axis xyz=\"0 0 1\"/>";
const std::string kZ = "<axis><xyz>0 0 1</xyz></axis>";
const std::string kXandY = "<axis><xyz>1 0 0</xyz></axis><axis2><xyz>0 1 0</xyz></axis2>";

std::vector<Trap> AllPairs() {
  return {
      {"3.0 Full vs half size: URDF box",
       "r.urdf",
       UrdfLink("<collision><geometry><box size=\"2 4 6\"/></geometry></collision>"),
       "mjcf",
       {"type=\"box\" size=\"1 2 3\""},
       {}},
      {"3.0 Full vs half size: URDF cylinder",
       "r.urdf",
       UrdfLink(
           "<collision><geometry><cylinder radius=\"0.5\" length=\"2\"/></geometry></collision>"),
       "mjcf",
       {"type=\"cylinder\" size=\"0.5 1\""},
       {}},
      {"3.0 Full vs half size: URDF 1.1 capsule",
       "r.urdf",
       UrdfLink(
           "<collision><geometry><capsule radius=\"0.5\" length=\"2\"/></geometry></collision>",
           " version=\"1.1\""),
       "mjcf",
       {"type=\"capsule\" size=\"0.5 1\""},
       {}},
      {"3.0 Full vs half size: SDF capsule",
       "r.sdf",
       Sdf("",
           "<collision "
           "name=\"c\"><geometry><capsule><radius>0.5</radius><length>2</length></capsule></"
           "geometry></collision>"),
       "mjcf",
       {"type=\"capsule\" size=\"0.5 1\""},
       {}},
      {"3.0 Full vs half size: MJCF capsule",
       "r.xml",
       Mjcf("<body name=\"b\"><geom type=\"capsule\" size=\"0.5 1\"/></body>"),
       "sdf",
       {"<radius>0.5</radius>", "<length>2</length>"},
       {}},
      {"3.0 Full vs half size: MJCF box",
       "r.xml",
       Mjcf("<body name=\"b\"><geom type=\"box\" size=\"1 2 3\"/></body>"),
       "urdf",
       {"<box size=\"2 4 6\"/>"},
       {}},

      {"3.0 Default axis: URDF x",
       "r.urdf",
       Urdf("continuous", ""),
       "mjcf",
       {"axis=\"1 0 0\""},
       {}},
      {"3.0 Default axis: MJCF z", "r.xml", MjcfJoint(""), "urdf", {"<axis xyz=\"0 0 1\"/>"}, {}},
      {"3.0 Default axis: SDF z",
       "r.sdf",
       SdfJoint("revolute", "<axis/>"),
       "mjcf",
       {"axis=\"0 0 1\""},
       {}},
      {"3.0 Default axis: URDF+ loop x",
       "r.urdf",
       Urdf("continuous", kOnAxis, kMass,
            "<link name=\"c\">" + kMass +
                "</link><joint name=\"k\" type=\"continuous\"><parent link=\"a\"/><child "
                "link=\"c\"/></joint><loop name=\"l\" "
                "type=\"continuous\"><predecessor link=\"b\"/><successor link=\"c\"/></loop>"),
       "sdf",
       {"<xyz>1 0 0</xyz>"},
       {}},
      {"3.0 Axis not unit: URDF",
       "r.urdf",
       Urdf("continuous", "<axis xyz=\"0 0 2\"/>"),
       "mjcf",
       {"axis=\"0 0 1\""},
       {},
       {"joint 'j'"}},
      {"3.0 Axis not unit: MJCF",
       "r.xml",
       MjcfJoint("axis=\"0 3 4\""),
       "urdf",
       {"<axis xyz=\"0 0.6 0.8\"/>"},
       {}},
      {"3.0 Axis not unit: zero in MJCF",
       "r.xml",
       MjcfJoint("axis=\"0 0 0\""),
       "urdf",
       {},
       {},
       {"[zero-axis]"}},
      {"3.0 Axis not unit: zero in SDF",
       "r.sdf",
       SdfJoint("revolute", "<axis><xyz>0 0 0</xyz></axis>"),
       "mjcf",
       {},
       {},
       {"axis"}},
      {"3.0 Axis not unit: fixed joints have none",
       "r.urdf",
       Urdf("fixed", "<axis xyz=\"0 0 0\"/>"),
       "mjcf",
       {"<body name=\"b\">"},
       {}},
      // Rz(0.5) Ry(0.4) Rx(0.3), w first.
      {"3.0 Rotations: fixed axes",
       "r.urdf",
       Urdf("fixed", "<origin rpy=\"0.3 0.4 0.5\"/>"),
       "mjcf",
       {"quat=\"0.9462808319656"},
       {"euler"}},
      {"3.0 Rotations: w first",
       "r.xml",
       Mjcf("<body name=\"b\" quat=\"0 0 0 1\"/>"),
       "urdf",
       {"rpy=\"0 0 3.14159265358979"},
       {}},
      {"3.0 Rotations: upper case is extrinsic",
       "r.xml",
       Mjcf("<body name=\"b\" euler=\"0.3 0.4 0.5\"/>", "", "angle=\"radian\" eulerseq=\"XYZ\""),
       "urdf",
       {"rpy=\"0.3 0.4 0.5\""},
       {}},
      {"3.0 Inertia: order of fullinertia",
       "r.xml",
       Mjcf("<body name=\"b\"><inertial pos=\"0 0 0\" mass=\"1\" fullinertia=\"10 20 25 1 2 "
            "3\"/></body>"),
       "urdf",
       {R"(<inertia ixx="10" ixy="1" ixz="2" iyy="20" iyz="3" izz="25"/>)"},
       {}},
      {"3.0 Inertia: R I R^T",
       "r.urdf",
       "<robot name=\"r\"><link name=\"a\"><inertial><origin rpy=\"0 0 1.5707963267948966\"/><mass "
       "value=\"1\"/><inertia ixx=\"1\" "
       "iyy=\"2\" izz=\"2.5\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link></robot>",
       "mjcf",
       {R"(quat="0.7071067811865)", R"(diaginertia="1 2 2.5")"},
       {"fullinertia"}},
      {"3.0 Debian's tinyxml2 9: reading", "r.xml", Deep(110), "urdf", {}, {}, {"[xml-too-deep]"}},
      {"3.0 Real files are often not well-formed: dashes",
       "r.xml",
       "<!-- a -- b -->" + MjcfJoint(""),
       "urdf",
       {"\"j\""},
       {},
       {"[xml-double-dash]"}},
      {"3.0 Real files are often not well-formed: text before the declaration",
       "r.xml",
       "x <?xml version=\"1.0\"?>" + MjcfJoint(""),
       "urdf",
       {"\"j\""},
       {},
       {"[xml-junk-before-root]"}},
      {"3.0 Real files are often not well-formed: prefixes",
       "r.urdf",
       UrdfLink("<x:y/>"),
       "mjcf",
       {"\"a\""},
       {},
       {"[xml-unbound-prefix]"}},
      {"3.0 Numbers",
       "r.urdf",
       Urdf("fixed", "<origin xyz=\"0.30000000000000004 1e-17 3\"/>"),
       "mjcf",
       {"pos=\"0.30000000000000004 1e-17 3\""},
       {}},
      {"3.0 Names: link and joint",
       "r.urdf",
       Urdf("continuous", "", kMass,
            "<link name=\"j\">" + kMass +
                "</link><joint name=\"k\" type=\"fixed\"><parent link=\"b\"/><child "
                "link=\"j\"/></joint>"),
       "mjcf",
       {"<body name=\"j\"", "<joint name=\"j\""},
       {}},
      {"3.0 Names: SDF has one space",
       "r.xml",
       Mjcf("<body name=\"x\"><joint name=\"x\"/>" + kBodyMass + "</body>"),
       "sdf",
       {"<link name=\"x\">", "<joint name=\"x_joint\""},
       {},
       {"x_joint"}},
      {"3.0 Names: none, and a scope",
       "r.xml",
       Mjcf("<body name=\"arm/hand\"><joint/>" + kBodyMass + "<body/></body>"),
       "urdf",
       {"<link name=\"arm/hand\">", "<link name=\"body_2\">", "<joint name=\"arm/hand_joint\""},
       {}},
      {"3.0 Zero-limits: URDF 1.0",
       "r.urdf",
       Urdf("revolute", "<limit effort=\"1\" velocity=\"1\"/>"),
       "mjcf",
       {"range=\"0 1.1754943508222875e-38\""},
       {},
       {"[limit-default-zero]"}},
      {"3.0 Zero-limits: URDF 1.2",
       "r.urdf",
       Urdf("revolute", "<limit effort=\"1\" velocity=\"1\"/>", kMass, "", " version=\"1.2\""),
       "mjcf",
       {"limited=\"false\""},
       {" range="}},
      {"3.0 Zero-limits: SDF",
       "r.sdf",
       SdfJoint("revolute", "<axis><limit><lower>-1e16</lower><upper>2</upper></limit></axis>"),
       "mjcf",
       {"range=\"-1e+16 2\""},
       {}},
      {"3.0 Zero-limits: MJCF",
       "r.xml",
       MjcfJoint("range=\"0 0\""),
       "urdf",
       {"continuous"},
       {"lower"}},
      {"3.0 Units: degrees are MJCF's default",
       "r.xml",
       MjcfJoint("range=\"-90 180\" damping=\"2\" stiffness=\"3\"", ""),
       "sdf",
       {"<lower>-1.5707963267948966</lower>", "<upper>3.141592653589793</upper>",
        "<damping>2</damping>", "<spring_stiffness>3</spring_stiffness>"},
       {}},
      {"3.0 Units: slides have none",
       "r.xml",
       MjcfJoint("type=\"slide\" range=\"-10 20\"", ""),
       "urdf",
       {"lower=\"-10\" upper=\"20\""},
       {}},
      {"3.0 Units: meshes in mm",
       "r.urdf",
       UrdfLink("<visual><geometry><mesh filename=\"m.stl\" scale=\"0.001 0.001 "
                "0.001\"/></geometry></visual>"),
       "mjcf",
       {"scale=\"0.001 0.001 0.001\""},
       {}},
      {"3.0 Fixed base: URDF link world",
       "r.urdf",
       "<robot name=\"r\"><link name=\"world\"/><link name=\"b\">" + kMass +
           "</link><joint name=\"j\" type=\"fixed\"><parent link=\"world\"/><child "
           "link=\"b\"/></joint></robot>",
       "mjcf",
       {"<worldbody>\n    <body name=\"b\">"},
       {"<joint", "name=\"world\""}},
      {"3.0 Fixed base: URDF says nothing",
       "r.urdf",
       UrdfLink(""),
       "mjcf",
       {},
       {"<joint"},
       {"[base-fixed]"}},
      {"3.0 Fixed base: floating on request",
       "r.urdf",
       UrdfLink(""),
       "mjcf",
       {"type=\"free\""},
       {},
       {},
       BaseChoice::kFloating},
      {"3.0 Fixed base: SDF free", "r.sdf", Sdf("", ""), "mjcf", {"type=\"free\""}, {}},
      {"3.0 Fixed base: SDF static",
       "r.sdf",
       Sdf("", "", "<static>true</static>"),
       "mjcf",
       {"<body name=\"a\">"},
       {"<joint"}},
      {"3.0 Fixed base: MJCF body without joint",
       "r.xml",
       Mjcf("<body name=\"b\">" + kBodyMass + "</body>"),
       "sdf",
       {"<parent>world</parent>"},
       {}},
      {"3.0 Fixed base: MJCF freejoint",
       "r.xml",
       Mjcf("<body name=\"b\"><freejoint/>" + kBodyMass + "</body>"),
       "sdf",
       {"<link name=\"b\">"},
       {"<joint"}},
  };
}

std::vector<Trap> UrdfToMjcf() {
  const std::string limited = "<limit lower=\"-1\" upper=\"1\" effort=\"20\" velocity=\"3\"/>";
  const std::string mesh = "<geometry><mesh filename=\"y.stl\"/></geometry>",
                    mirror = "<geometry><mesh filename=\"y.stl\" scale=\"1 -1 1\"/></geometry>";
  return {
      {"3.3 parent/child fixed", "r.urdf", Urdf("fixed", ""), "mjcf", {"<body name=\"b\">"}, {}},
      {"3.3 Inertial rpy + full tensor",
       "r.urdf",
       "<robot name=\"r\"><link name=\"a\"><inertial><origin rpy=\"0.1 0.2 0.3\"/><mass "
       "value=\"1\"/><inertia ixx=\"2\" iyy=\"2\" "
       "izz=\"3\" ixy=\"0.1\" ixz=\"0\" iyz=\"0\"/></inertial></link></robot>",
       "mjcf",
       {"quat=", "diaginertia="},
       {"fullinertia"}},
      {"3.3 A+B>=C",
       "r.urdf",
       Urdf("continuous", "",
            "<inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"4\" ixy=\"0\" "
            "ixz=\"0\" iyz=\"0\"/></inertial>"),
       "mjcf",
       {"balanceinertia=\"false\" boundmass=\"0\" boundinertia=\"0\""},
       {"diaginertia=\"2 2 2\""},
       {"[unphysical-inertia]"}},
      {"3.3 inertiafromgeom: fixed links stay massless",
       "r.urdf",
       Urdf("fixed", "", "<visual><geometry><box size=\"2 4 6\"/></geometry></visual>"),
       "mjcf",
       {"<body name=\"b\">\n        <inertial pos=\"0 0 0\" mass=\"0\" diaginertia=\"0 0 0\"/>",
        "contype=\"0\" conaffinity=\"0\" mass=\"0\""},
       {"inertiafromgeom=\"auto\""}},
      {"3.3 inertiafromgeom: moving links say what is assumed",
       "r.urdf",
       Urdf("continuous", "", "<visual><geometry><box size=\"2 4 6\"/></geometry></visual>"),
       "mjcf",
       {"mass=\"1e-07\" diaginertia=\"1e-09 1e-09 1e-09\""},
       {},
       {"[massless-link]"}},
      {"3.3 limits: explicit",
       "r.urdf",
       Urdf("revolute", limited),
       "mjcf",
       {"autolimits=\"true\"", "limited=\"true\" range=\"-1 1\""},
       {}},
      {"3.3 limits: one-sided",
       "r.urdf",
       Urdf("revolute", "<limit lower=\"-1\" effort=\"1\" velocity=\"1\"/>", kMass, "",
            " version=\"1.2\""),
       "mjcf",
       {"range=\"-1 1e+16\""},
       {}},
      {"3.3 limits: lower=upper",
       "r.urdf",
       Urdf("revolute", "<limit lower=\"0.5\" upper=\"0.5\" effort=\"1\" velocity=\"1\"/>"),
       "mjcf",
       {"range=\"0.5 0.5000000596046448\""},
       {}},
      {"3.3 limits: continuous with limits",
       "r.urdf",
       Urdf("continuous", limited),
       "mjcf",
       {"limited=\"false\""},
       {" range="},
       {"[limit-on-continuous]"}},
      {"3.3 effort is symmetric",
       "r.urdf",
       Urdf("revolute", limited),
       "mjcf",
       {"actuatorfrclimited=\"true\" actuatorfrcrange=\"-20 20\""},
       {},
       {"[velocity-limit]"}},
      {"3.3 effort: asymmetric",
       "r.xml",
       MjcfJoint("actuatorfrcrange=\"-1 3\""),
       "urdf",
       {"effort=\"3\""},
       {},
       {"[asymmetric-effort-limit]"}},
      {"3.3 friction",
       "r.urdf",
       Urdf("continuous", "<dynamics damping=\"0.5\" friction=\"0.25\"/>"),
       "mjcf",
       {"damping=\"0.5\" frictionloss=\"0.25\""},
       {}},
      {"3.3 friction: never scaled by degree",
       "r.xml",
       MjcfJoint("damping=\"0.5\" frictionloss=\"0.25\"", "angle=\"degree\""),
       "urdf",
       {"damping=\"0.5\" friction=\"0.25\""},
       {}},
      {"3.3 mimic",
       "r.urdf",
       Urdf("continuous", kOnAxis, kMass,
            "<link name=\"c\">" + kMass +
                "</link><joint name=\"k\" type=\"continuous\"><parent link=\"a\"/><child "
                "link=\"c\"/><mimic joint=\"j\" multiplier=\"2\" "
                "offset=\"0.25\"/></joint>"),
       "mjcf",
       {R"(joint1="k" joint2="j" polycoef="0.25 2 0 0 0")"},
       {}},
      {"3.3 mimic: polycoef[0] is radians and ref plays no part",
       "r.xml",
       TwoBodies(
           "ref=\"30\"", "ref=\"-20\"",
           "<equality><joint joint1=\"k\" joint2=\"j\" polycoef=\"0.25 2 0 0 0\"/></equality>", ""),
       "urdf",
       {R"(<mimic joint="j" multiplier="2" offset="0.25"/>)"},
       {}},
      {"3.3 meshes: no .dae",
       "r.urdf",
       UrdfLink("<visual><geometry><mesh filename=\"x.dae\"/></geometry></visual>"),
       "mjcf",
       {},
       {"x.dae"},
       {"[shape-mesh]"}},
      {"3.3 meshes: one asset per file and scale",
       "r.urdf",
       UrdfLink("<visual>" + mesh + "</visual><visual>" + mirror + "</visual><collision>" + mesh +
                "</collision>"),
       "mjcf",
       {"<mesh name=\"y\" file=\"y.stl\"/>",
        "<mesh name=\"y_2\" file=\"y.stl\" scale=\"1 -1 1\"/>"},
       {"y_3"}},
      {"3.3 one visual/collision pair",
       "r.urdf",
       UrdfLink("<visual name=\"g\"><geometry><sphere radius=\"1\"/></geometry></visual><collision "
                "name=\"g\"><geometry><sphere "
                "radius=\"1\"/></geometry></collision>"),
       "mjcf",
       {R"(size="1" group="2" contype="0" conaffinity="0" mass="0")",
        R"(size="1" group="3" mass="0")", "name=\"g_2\""},
       {}},
      {"3.3 planar",
       "r.urdf",
       Urdf("planar", kOnAxis),
       "mjcf",
       {R"(<joint name="j_1" type="slide" axis="1 0 0")",
        R"(<joint name="j_2" type="slide" axis="0 1 0")",
        R"(<joint name="j_3" type="hinge" axis="0 0 1")"},
       {}},
      {"3.3 floating: only at top level",
       "r.urdf",
       Urdf("floating", ""),
       "mjcf",
       {"<worldbody>\n    <body name=\"b\">", "type=\"free\""},
       {}},
  };
}

std::vector<Trap> MjcfToUrdf() {
  const std::string mesh = "<asset><mesh name=\"m\" file=\"m.stl\" refpos=\"0 0 1\"/></asset>";
  return {
      {"3.4 Compile first",
       "r.xml",
       "<mujoco><default><joint damping=\"1\"/><default class=\"k\"><joint damping=\"2\" axis=\"0 "
       "1 0\"/></default></default><worldbody>"
       "<frame pos=\"0 0 1\"><body name=\"b\" childclass=\"k\" pos=\"1 0 0\"><joint "
       "name=\"j\"/><joint name=\"k\" class=\"main\"/>" +
           kBodyMass + "</body></frame></worldbody></mujoco>",
       "urdf",
       {"<origin xyz=\"1 0 1\"", "<axis xyz=\"0 1 0\"/>", "<dynamics damping=\"2\"",
        "<dynamics damping=\"1\""},
       {}},
      {"3.4 body frame",
       "r.xml",
       Mjcf("<body name=\"b\" pos=\"0 0 5\"><joint name=\"j\" type=\"slide\" axis=\"1 0 "
            "0\"/><joint name=\"k\" pos=\"0 0 1\"/>" +
            kBodyMass + "</body>"),
       "urdf",
       {"<joint name=\"j\" type=\"prismatic\">\n    <parent link=\"world\"/>\n    <child "
        "link=\"b_link\"/>\n    <origin xyz=\"0 0 5\"",
        "<joint name=\"k\" type=\"continuous\">\n    <parent link=\"b_link\"/>\n    <child "
        "link=\"b\"/>\n    <origin xyz=\"0 0 1\"",
        "<inertial>\n      <origin xyz=\"0 0 -1\""},
       {}},
      {"3.4 body frame: ball and free",
       "r.xml",
       Mjcf("<body name=\"f\"><freejoint name=\"fj\"/>" + kBodyMass +
            "<body name=\"b\"><joint name=\"j\" type=\"ball\"/>" + kBodyMass + "</body></body>"),
       "urdf",
       {"<joint name=\"fj\" type=\"floating\">", "<joint name=\"j_1\"", "<joint name=\"j_2\"",
        "<joint name=\"j_3\""},
       {}},
      {"3.4 ref",
       "r.xml",
       MjcfJoint(
           R"(ref="0.5" range="0 1" springref="0.25" stiffness="3" armature="0.1" frictionloss="0.2")"),
       "urdf",
       {"lower=\"-0.5\" upper=\"0.5\"", "friction=\"0.2\"", "<springStiffness>3</springStiffness>",
        "<springReference>-0.25</springReference>"},
       {},
       {"[armature]", "[position-offset]"}},
      {"3.4 ref: MJCF keeps it",
       "r.xml",
       MjcfJoint(R"(ref="0.5" range="0 1" springref="0.25" stiffness="3" armature="0.1")"),
       "mjcf",
       {R"(ref="0.5" limited="true" range="0 1")", R"(stiffness="3" springref="0.25")",
        R"(armature="0.1")"},
       {}},
      {"3.4 ref: gear",
       "r.xml",
       MjcfJoint("", "", "<actuator><motor name=\"m\" joint=\"j\" gear=\"3\"/></actuator>"),
       "urdf",
       {"<mechanicalReduction>3</mechanicalReduction>"},
       {}},
      {"3.4 mesh frames",
       "r.xml",
       "<mujoco>" + mesh + "<worldbody><body name=\"b\">" + kBodyMass +
           "<geom type=\"mesh\" mesh=\"m\" pos=\"1 2 3\"/></body></worldbody></mujoco>",
       "urdf",
       {"<origin xyz=\"1 2 2\""},
       {}},
      {"3.4 worldbody geoms",
       "r.xml",
       Mjcf("<geom type=\"box\" size=\"1 1 1\" pos=\"0 0 -1\"/><body name=\"b\">" + kBodyMass +
            "</body>"),
       "urdf",
       {"<link name=\"world\">\n    <visual>"},
       {}},
      {"3.4 worldbody: sites, cameras, lights",
       "r.xml",
       Mjcf("<body name=\"b\"><joint/>" + kBodyMass +
            "<site name=\"s\" pos=\"1 0 0\"/><camera name=\"c\"/><light/></body>"),
       "urdf",
       {"<link name=\"s\">", "<sensor name=\"c\" type=\"camera\">"},
       {},
       {"<light"}},
      {"3.4 worldbody: ellipsoid, plane, hfield",
       "r.xml",
       Mjcf("<geom type=\"plane\" size=\"1 1 1\"/><geom type=\"ellipsoid\" size=\"1 2 3\"/><geom "
            "type=\"hfield\" hfield=\"h\"/>",
            "<asset><hfield name=\"h\" nrow=\"2\" ncol=\"2\" size=\"1 1 1 1\"/></asset>"),
       "urdf",
       {},
       {},
       {"[shape-plane]", "[shape-ellipsoid]", "[shape-native]"}},
      {"3.4 equality",
       "r.xml",
       TwoBodies("", "", "<equality><weld name=\"w\" body1=\"b\" body2=\"c\"/></equality>"),
       "urdf+",
       {"<loop name=\"w\" type=\"fixed\">"},
       {}},
      {"3.4 contype/conaffinity",
       "r.xml",
       Mjcf("<body name=\"b\"><joint/>" + kBodyMass +
            "<geom size=\"1\" contype=\"2\" conaffinity=\"4\"/></body>"),
       "urdf",
       {"<collision"},
       {},
       {}},
      {"3.4 contype: exclusions",
       "r.xml",
       TwoBodies("", "", "<contact><exclude body1=\"b\" body2=\"c\"/></contact>"),
       "urdf",
       {},
       {},
       {}},  // without shapes nothing collides
      {"3.4 keyframes",
       "r.xml",
       MjcfJoint("", "",
                 "<keyframe><key qpos=\"1\"/></keyframe><custom><numeric name=\"n\" "
                 "data=\"1\"/></custom>"),
       "urdf",
       {},
       {},
       {"<keyframe", "<custom"}},
  };
}

std::vector<Trap> SdfAndMjcf() {
  const std::string gearbox =
      "<joint name=\"g\" "
      "type=\"gearbox\"><parent>b</parent><child>c</child><gearbox_ratio>2</"
      "gearbox_ratio><gearbox_reference_body>a"
      "</gearbox_reference_body>" +
      kZ + "<axis2><xyz>0 0 1</xyz></axis2></joint>";
  const std::string c = "<link name=\"c\"><pose>2 0 0 0 0 0</pose>" + kSdfMass +
                        "</link><joint name=\"k\" type=\"revolute\"><parent>a</parent>"
                        "<child>c</child>" +
                        kZ + "</joint>";
  const std::string j =
      "<joint name=\"j\" type=\"revolute\"><parent>a</parent><child>b</child>" + kZ + "</joint>";
  const auto loop = [&](const std::string& type) {
    return Sdf(j + c + "<joint name=\"l\" type=\"" + type +
               "\"><parent>b</parent><child>c</child>" + (type == "fixed" ? "" : kZ) + "</joint>");
  };
  return {
      {"3.5 Joint pose",
       "r.sdf",
       SdfJoint("revolute", "<pose>0 0 1 0 0 0</pose>" + kZ),
       "mjcf",
       {"<body name=\"b\" pos=\"1 0 0\">", "pos=\"0 0 1\" axis=\"0 0 1\""},
       {}},
      {"3.5 Joint pose: expressed_in",
       "r.sdf",
       SdfJoint("revolute",
                "<pose>0 0 0 0 0 1.5707963267948966</pose><axis><xyz expressed_in=\"__model__\">0 "
                "1 0</xyz></axis>"),
       "mjcf",
       {" axis=\"0 1 0\""},
       {}},
      {"3.5 SDF ball", "r.sdf", SdfJoint("ball", ""), "mjcf", {"type=\"ball\""}, {}},
      {"3.5 SDF universal",
       "r.sdf",
       SdfJoint("universal", kXandY),
       "mjcf",
       {R"(<joint name="j_1" type="hinge" axis="1 0 0")",
        R"(<joint name="j_2" type="hinge" axis="0 1 0")"},
       {}},
      {"3.5 SDF revolute2",
       "r.sdf",
       SdfJoint("revolute2", kXandY),
       "mjcf",
       {"name=\"j_1\"", "name=\"j_2\""},
       {}},
      {"3.5 SDF screw",
       "r.sdf",
       SdfJoint("screw", kZ + "<thread_pitch>-6.283185307179586</thread_pitch>"),
       "mjcf",
       {"type=\"slide\"", "polycoef=\"0 0.1591549430918953"},
       {}},
      {"3.5 SDF gearbox",
       "r.sdf",
       Sdf(j + c + gearbox),
       "mjcf",
       {R"(joint1="k" joint2="j" polycoef="0 -2 0 0 0")"},
       {}},
      {"3.5 Loops: ball", "r.sdf", loop("ball"), "mjcf", {"<connect"}, {"_axis\"", "<weld"}},
      {"3.5 Loops: revolute",
       "r.sdf",
       loop("revolute"),
       "mjcf",
       {"<connect", "_axis\""},
       {"<weld"}},
      {"3.5 Loops: fixed", "r.sdf", loop("fixed"), "mjcf", {"<weld"}, {"<connect"}},
      {"3.5 Loops: prismatic",
       "r.sdf",
       loop("prismatic"),
       "mjcf",
       {"<equality>", "type=\"slide\""},
       {}},
      {"3.5 Loops: universal",
       "r.sdf",
       Sdf(j + c + "<joint name=\"l\" type=\"universal\"><parent>b</parent><child>c</child>" +
           kXandY + "</joint>"),
       "mjcf",
       {"<equality>"},
       {}},
      {"3.5 gravity",
       "r.sdf",
       "<sdf version=\"1.9\"><world name=\"w\"><gravity>0 0 -3</gravity><model name=\"m\"><link "
       "name=\"a\">" +
           kSdfMass + "</link></model></world></sdf>",
       "mjcf",
       {"gravity=\"0 0 -3\""},
       {}},
      {"3.5 gravity: back",
       "r.xml",
       "<mujoco><option gravity=\"0 0 -3\"/><worldbody><body name=\"b\">" + kBodyMass +
           "</body></worldbody></mujoco>",
       "sdf",
       {"<gravity>0 0 -3</gravity>"},
       {}},
      {"3.5 gravity: friction",
       "r.sdf",
       Sdf("",
           "<collision "
           "name=\"c\"><geometry><sphere><radius>1</radius></sphere></"
           "geometry><surface><friction><ode><mu>0.7</mu></ode>"
           "</friction></surface></collision>",
           "<self_collide>true</self_collide>"),
       "mjcf",
       {"friction=\"0.7 0.005 0.0001\""},
       {"exclude"},
       {}},
      {"3.5 SDF <light>: no pose is guessed",
       "r.sdf",
       Sdf("",
           "<light name=\"l\" type=\"point\"/><sensor name=\"eye\" "
           "type=\"camera\"><camera/></sensor>"),
       "mjcf",
       {"<camera name=\"eye\""},
       {"<light"},
       {"<light"}},
      {"3.5 MJCF group conventions",
       "r.sdf",
       Sdf("",
           "<visual "
           "name=\"v\"><geometry><sphere><radius>1</radius></sphere></geometry></visual><collision "
           "name=\"c\"><geometry><sphere>"
           "<radius>2</radius></sphere></geometry></collision>"),
       "mjcf",
       {"size=\"1\" group=\"2\"", "size=\"2\" group=\"3\""},
       {}},
      {"3.5 <compiler>: the last of an include wins",
       "r.xml",
       "<mujoco><compiler angle=\"radian\"/><worldbody><body name=\"b\" euler=\"0 0 "
       "90\"/></worldbody><compiler "
       "angle=\"degree\"/></mujoco>",
       "urdf",
       {"rpy=\"0 0 1.570796326794"},
       {}},
      {"3.5 <compiler>: storage settings",
       "r.xml",
       MjcfJoint("", R"(fusestatic="true" discardvisual="true" alignfree="true")"),
       "mjcf",
       {},
       {"fusestatic", "discardvisual"},
       {"[compiler-fusestatic]", "[compiler-discardvisual]", "[compiler-alignfree]"}},
      {"3.5 <compiler>: strippath and meshdir",
       "r.xml",
       "<mujoco><compiler strippath=\"true\" meshdir=\"d\"/><asset><mesh name=\"m\" "
       "file=\"x/m.stl\"/></asset><worldbody><body "
       "name=\"b\">" +
           kBodyMass + "<geom type=\"mesh\" mesh=\"m\"/></body></worldbody></mujoco>",
       "urdf",
       {"filename=\"d/m.stl\""},
       {}},
  };
}

std::vector<Trap> Versions() {
  return {
      {"3.7 MJCF: coordinate=\"global\"",
       "r.xml",
       Mjcf("", "", "coordinate=\"global\""),
       "urdf",
       {},
       {},
       {"[coordinate-global]"}},
      {"3.7 MJCF: autolimits",
       "r.xml",
       MjcfJoint("range=\"-1 1\"", "autolimits=\"false\""),
       "urdf",
       {},
       {},
       {"[limited-missing]"}},
      {"3.7 MJCF: site equality",
       "r.xml",
       Mjcf("<body name=\"b\"><joint/>" + kBodyMass +
                "<site name=\"s\"/></body><body name=\"c\" pos=\"1 0 0\"><joint/>" + kBodyMass +
                "<site name=\"t\" pos=\"-1 0 0\"/></body>",
            "<equality><connect name=\"l\" site1=\"s\" site2=\"t\"/></equality>"),
       "urdf+ paper",
       {"<loop name=\"l\"", "spherical"},
       {}},
      // One face is turned over: legacy inertia does not mind, exact inertia refuses.
      {"3.7 MJCF: exactmeshinertia",
       "r.xml",
       "<mujoco><compiler exactmeshinertia=\"true\"/><asset><mesh name=\"m\" vertex=\"1 0 0 2 0 0 "
       "1 1 0 1 0 1\" face=\"0 1 2 0 1 3 0 3 2 1 "
       "2 "
       "3\"/></asset><worldbody><body name=\"b\"><geom type=\"mesh\" "
       "mesh=\"m\"/></body></worldbody></mujoco>",
       "urdf",
       {"<link name=\"b\""},
       {"<mass"},
       {"inconsistent orientation"}},
      {"3.7 MJCF: polynomial stiffness",
       "r.xml",
       MjcfJoint("stiffness=\"3 0 1\""),
       "sdf",
       {"<spring_stiffness>3</spring_stiffness>"},
       {},
       {"stiffness=\"3 0 1\""}},
      {"3.7 MJCF: polynomial stiffness stays",
       "r.xml",
       MjcfJoint("stiffness=\"3 0 1\" damping=\"1 2\""),
       "mjcf",
       {"stiffness=\"3 0 1\"", "damping=\"1 2\""},
       {"stiffness=\"3\""}},
      {"3.7 MJCF: actuator armature and damping",
       "r.xml",
       MjcfJoint("", "",
                 "<actuator><motor name=\"m\" joint=\"j\" gear=\"3\" armature=\"0.1\" "
                 "damping=\"0.2\"/></actuator>"),
       "mjcf",
       {"armature=\"0.1\"", "damping=\"0.2\""},
       {}},
      {"3.7 MJCF: margin and gap",
       "r.xml",
       Mjcf("<body name=\"b\"><joint/><geom size=\"1\" margin=\"0.1\" gap=\"0.2\"/></body>"),
       "mjcf",
       {"margin=\"0.1\" gap=\"0.2\""},
       {}},
      {"3.7 SDF: thread_pitch",
       "r.sdf",
       SdfJoint("screw", kZ + "<screw_thread_pitch>1</screw_thread_pitch>"),
       "mjcf",
       {"<equality>"},
       {}},
      {"3.7 URDF: version",
       "r.urdf",
       UrdfLink("", " version=\"1.0\""),
       "mjcf",
       {"<body name=\"a\">"},
       {}},
  };
}

void PrintTo(const Trap& trap, std::ostream* stream) { *stream << trap.name; }

class MjcfTraps : public testing::TestWithParam<Trap> {};

TEST_P(MjcfTraps, IsAvoided) {
  const Trap& trap = GetParam();
  Diagnostics diagnostics;
  const std::optional<Model> model = ReadText(trap.text, trap.file, diagnostics);
  std::string output, said;
  if (model) {
    ConvertOptions options;
    options.target = TargetNamed(trap.target);
    options.base = trap.base;
    if (const auto converted = Convert(*model, options, diagnostics)) {
      output = converted->text;
      for (const Loss& loss : converted->lowered.report.losses)
        said += Text(loss.subject) + ": " + loss.what + " [" +
                std::string(FeatureName(loss.feature)) + "]\n";
      for (const NameChange& change : converted->lowered.report.names)
        said += change.from + " -> " + change.to + "\n";
    }
  }
  said += Rendered(diagnostics, Severity::kNote);
  EXPECT_EQ(output.empty(), diagnostics.has_errors()) << said;
  EXPECT_TRUE(!output.empty() || (trap.has.empty() && trap.lacks.empty())) << said;
  for (const std::string& part : trap.has)
    EXPECT_NE(output.find(part), std::string::npos) << part << "\nin\n" << output << said;
  for (const std::string& part : trap.lacks)
    EXPECT_EQ(output.find(part), std::string::npos) << part << "\nin\n" << output;
  for (const std::string& part : trap.says)
    EXPECT_NE(said.find(part), std::string::npos) << part << "\nin\n" << said << output;
}

std::string NameOf(const testing::TestParamInfo<Trap>& info) {
  std::string name;
  for (const char c : info.param.name)
    name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(AllPairs, MjcfTraps, testing::ValuesIn(AllPairs()), NameOf);
INSTANTIATE_TEST_SUITE_P(UrdfToMjcf, MjcfTraps, testing::ValuesIn(UrdfToMjcf()), NameOf);
INSTANTIATE_TEST_SUITE_P(MjcfToUrdf, MjcfTraps, testing::ValuesIn(MjcfToUrdf()), NameOf);
INSTANTIATE_TEST_SUITE_P(SdfAndMjcf, MjcfTraps, testing::ValuesIn(SdfAndMjcf()), NameOf);
INSTANTIATE_TEST_SUITE_P(Versions, MjcfTraps, testing::ValuesIn(Versions()), NameOf);

}  // namespace
}  // namespace kinemorph::test
