// Nothing vanishes: each attribute of the MJCF schema (MuJoCo 3.14) is written back, or what it was
// resolved into is, or it is said.
#include "mjcf_text.h"
#include "native_xml.h"

namespace kinemorph {
namespace {

using test::Xml;

struct Place {
  std::string element;
  std::string
      sections;  ///< a part of the model and what replaces it, with @ where the attribute goes
  std::vector<std::string>
      attributes;  ///< `name="value"`, or `name="value" => what is written (or said) instead`
};

// A model with one thing of each sort, a part of it replaced.
std::string ModelWith(const std::string& row_sections, const std::string& attribute) {
  std::map<std::string, std::string> parts = {
      {"compiler", R"(<compiler angle="radian"/>)"},
      {"option", ""},
      {"asset", ""},
      {"body", "<body name=\"b\">"},
      {"inertial", R"(<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>)"},
      {"joint", R"(<joint name="j"/>)"},
      {"geom", R"(<geom name="g" type="box" size="1 1 1"/>)"},
      {"site", R"(<site name="s"/>)"},
      {"more", ""},
      {"sections", ""},
  };
  const std::size_t colon = row_sections.find(':');
  std::string text = row_sections.substr(colon + 1);
  if (const std::size_t at = text.find('@'); at != std::string::npos)
    text.replace(at, 1, attribute);
  parts[row_sections.substr(0, colon)] = text;
  return "<mujoco>" + parts["compiler"] + parts["option"] + "<asset>" + parts["asset"] +
         R"(<material name="steel" rgba="1 0 0 1"/><mesh name="tet" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset><worldbody>)" +
         R"(<body name="a"><freejoint name="f"/><geom name="ga" size="1"/><site name="sa"/></body>)" +
         parts["body"] + parts["inertial"] + parts["joint"] + parts["geom"] + parts["site"] +
         parts["more"] +
         R"(<body name="c"><joint name="k"/><geom name="gc" size="1"/></body></body></worldbody>)" +
         parts["sections"] + "</mujoco>";
}

const std::string kSolImp = R"(solimp="0.9 0.95 0.001 0.5 2")", kSolRef = R"(solref="0.1 1")";
const std::vector<std::string> kSolLimits = {
    R"(solreflimit="0.1 1")", R"(solimplimit="0.9 0.95 0.001 0.5 2")", R"(solreffriction="0.1 1")",
    R"(solimpfriction="0.9 0.95 0.001 0.5 2")"};

std::vector<std::string> operator+(std::vector<std::string> a, const std::vector<std::string>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::vector<std::string> Named(const std::string& names) {
  std::vector<std::string> attributes;
  std::istringstream stream(names);
  for (std::string name; stream >> name;) attributes.push_back(name + "=\"1 2\"");
  return attributes;
}

std::vector<Place> Places() {
  const std::string tendon =
      R"(<tendon><fixed name="t"><joint joint="j" coef="2"/><joint joint="k" coef="-1"/></fixed></tendon>)";
  const std::string vertices = R"( vertex="0 0 0 1 0 0 0 1 0 0 0 1")";
  std::vector<Place> places = {
      {"joint", "joint:<joint name=\"j\" @/>",
       std::vector<std::string>{
           R"(type="slide")", R"(group="2")", R"(pos="1 0 0")", R"(axis="1 0 0")",
           R"(limited="true" range="0 1")", R"(range="0 1")",
           R"(actuatorfrclimited="true" actuatorfrcrange="-1 1")", R"(actuatorfrcrange="-1 1")",
           R"(stiffness="3")", R"(stiffness="3 1 2")", R"(damping="3")", R"(damping="3 1")",
           R"(actuatorgravcomp="true")", R"(margin="0.1")", R"(ref="0.3")", R"(springref="0.2")",
           R"(armature="0.2")", R"(frictionloss="0.1")", R"(user="1 2")",
           // 1 kg m^2 about z, the body below turning freely.
           R"(springdamper="0.5 1" => damping="4.0000000000)",
           R"(springdamper="0.5 1" => stiffness="4.0000000000)"} +
           kSolLimits},
      {"body",
       "body:<body name=\"b\" @>",
       {R"(pos="1 2 3")", R"(quat="0 1 0 0")", R"(axisangle="1 0 0 3.141592653589793" => quat=")",
        R"(euler="1 0 0" => quat=")", R"(mocap="true")", R"(gravcomp="1")", R"(sleep="never")",
        R"(simple="true")", R"(user="1 2")"}},
      {"inertial",
       "inertial:<inertial mass=\"2\" pos=\"0 0 0\" @/>",
       {R"(diaginertia="1 2 2.5")", R"(fullinertia="2 2 3 0 0 0" => diaginertia="2 2 3")"}},
      {"freejoint",
       "joint:</body><body name=\"d\"><freejoint name=\"j\" @/>",
       {R"(group="2")", R"(align="true" => [freejoint-align])"}},
      {"geom",
       "geom:<geom name=\"g\" type=\"box\" size=\"1 1 1\" @/>",
       {R"(contype="2")",
        R"(conaffinity="2")",
        R"(condim="4")",
        R"(group="3")",
        R"(priority="2")",
        R"(friction="0.5 0.1 0.2")",
        R"(solmix="2")",
        kSolRef,
        kSolImp,
        R"(margin="0.1")",
        R"(gap="0.1")",
        R"(surfacevel="1 0 0")",
        R"(adhesion="1")",
        R"(material="steel")",
        R"(rgba="1 0 0 1")",
        R"(fluidshape="ellipsoid")",
        R"(fluidcoef="1 1 1 1 1")",
        R"(user="1 2")",
        R"(pos="1 2 3")",
        R"(contype="0" conaffinity="0" friction="0.5 0.1 0.2" => friction="0.5 0.1 0.2")"}},
      {"geom by ends",
       "geom:<geom name=\"g\" type=\"capsule\" size=\"0.1\" @/>",
       {R"(fromto="0 0 0 0 0 2" => size="0.1 1")"}},
      {"geom that weighs",
       "inertial:<geom name=\"w\" type=\"box\" size=\"0.5 0.5 0.5\" @/>",
       {R"(mass="3" => <inertial pos="0 0 0" mass="8003")", R"(density="3" => mass="8003")",
        R"(mass="3" shellinertia="true" => diaginertia="5334.1666)"}},
      {"geom with a plugin",
       "geom:<geom name=\"g\" type=\"sdf\" mesh=\"tet\"><plugin @/></geom>",
       {R"(plugin="x")", R"(instance="i")"}},
      {"geom fitted",
       "geom:<geom name=\"g\" type=\"box\" mesh=\"tet\" @/>",
       {R"(fitscale="2" => type="box" size=")"}},
      {"site",
       "site:<site name=\"s\" @/>",
       {R"(type="box")", R"(group="2")", R"(pos="1 2 3")", R"(material="steel")", R"(size="1 2 3")",
        R"(rgba="1 0 0 1")", R"(user="1 2")",
        R"(fromto="0 0 0 0 0 2" type="capsule" size="0.1" => size="0.1 1 0")",
        R"(fromto="0 0 0 0 0 2" type="box" => size="0.005 0.005 1")"}},
      {"camera",
       "more:<camera name=\"m\" @/>",
       {R"(projection="orthographic")", R"(fovy="30")", R"(ipd="0.1")", R"(resolution="10 10")",
        R"(output="depth")", R"(pos="1 2 3")", R"(mode="track")", R"(target="c")", R"(focal="1 1")",
        R"(focalpixel="1 1")", R"(principal="1 1")", R"(principalpixel="1 1")",
        R"(sensorsize="1 1")", R"(user="1 2")"}},
      {"light",
       "more:<light name=\"m\" @/>",
       {R"(directional="true")", R"(type="spot")", R"(castshadow="false")", R"(active="false")",
        R"(pos="1 2 3")", R"(dir="0 1 0")", R"(bulbradius="0.1")", R"(intensity="1")",
        R"(range="3")", R"(attenuation="1 2 3")", R"(cutoff="10")", R"(softness="0.1")",
        R"(exponent="2")", R"(ambient="1 1 1")", R"(diffuse="1 1 0")", R"(specular="1 0 1")",
        R"(mode="track")", R"(target="c")", R"(texture="x")"}},
      {"body plugin", "more:<plugin @/>", {R"(plugin="x")", R"(instance="i")"}},
      {"contact pair",
       "sections:<contact><pair name=\"p\" geom1=\"ga\" geom2=\"gc\" @/></contact>",
       {R"(condim="3")", R"(friction="1 1 1 1 1")", kSolRef, R"(solreffriction="0.1 1")", kSolImp,
        R"(gap="0.1")", R"(margin="0.2")", R"(adhesion="1")"}},
      {"contact exclusion",
       "sections:<contact><exclude body1=\"a\" body2=\"c\" @/></contact>",
       {R"(name="x")"}},
      {"connect",
       "sections:<equality><connect body1=\"a\" body2=\"c\" anchor=\"1 0 0\" @/></equality>",
       {R"(name="x")", R"(active="false")", kSolRef, kSolImp, R"(name="x" => anchor="1 0 0")"}},
      {"weld",
       "sections:<equality><weld body1=\"a\" body2=\"c\" @/></equality>",
       {R"(name="x")", R"(active="false")", kSolRef, kSolImp, R"(anchor="1 0 0")",
        R"(torquescale="2")", R"(torquescale="0" => <connect)",
        R"(relpose="1 2 3 1 0 0 0" => relpose="1 2 3 1 0 0 0")"}},
      {"joint equality",
       "sections:<equality><joint joint1=\"k\" joint2=\"j\" @/></equality>",
       {R"(name="x")", R"(active="false")", kSolRef, kSolImp, R"(polycoef="1 2 3 4 5")"}},
      {"tendon equality",
       "sections:" + tendon + "<equality><tendon tendon1=\"t\" @/></equality>",
       {R"(name="x")", R"(active="false")", kSolRef, kSolImp,
        R"(polycoef="1 0 0 0 0" => tendon1="t" polycoef="1 0 0 0 0")"}},
      {"flex equality",
       "sections:<equality><flex flex=\"f\" @/></equality>",
       {R"(name="x")", R"(active="false")", kSolRef, kSolImp}},
      {"flexvert equality", "sections:<equality><flexvert flex=\"f\" @/></equality>", {kSolRef}},
      {"flexstrain equality",
       "sections:<equality><flexstrain flex=\"f\" @/></equality>",
       {R"(cell="1 2 3")"}},
      {"spatial tendon",
       "sections:<tendon><spatial name=\"t\" @><site site=\"s\"/><pulley divisor=\"2\"/><geom "
       "geom=\"g\" sidesite=\"s\"/>"
       "<site site=\"sa\"/></spatial></tendon>",
       {R"(width="0.1")", R"(material="steel")", R"(rgba="1 0 0 1")",
        R"(group="2" => <pulley divisor="2"/>)", R"(group="2" => <geom geom="g" sidesite="s"/>)"}},
      {"keyframe",
       "sections:<keyframe><key name=\"x\" @/></keyframe>",
       {R"(time="1")", R"(qpos="0 0 0 1 0 0 0 1 1")", R"(qvel="0 0 0 0 0 0 1 1")", R"(act="1")",
        R"(ctrl="1")", R"(mpos="0 0 0")", R"(mquat="1 0 0 0")"}},
      {"mesh of a file",
       "asset:<mesh name=\"m\" file=\"m.obj\" @/>",
       {R"(scale="1 1 2")", R"(maxhullvert="10")", R"(inertia="exact")", R"(smoothnormal="true")",
        R"(material="steel")", R"(content_type="model/obj")", R"(texcoord="0 0 0 0")",
        R"(normal="0 0 1")", R"(refpos="0 0 1")", R"(refquat="0 1 0 0")"}},
      {"mesh of vertices",
       "asset:<mesh name=\"m\"" + vertices + " @/>",
       {R"(scale="1 1 2")", R"(maxhullvert="10")", R"(inertia="exact")", R"(smoothnormal="true")",
        R"(material="steel")", R"(texcoord="0 0 0 0")", R"(normal="0 0 1")", R"(face="0 1 2")",
        R"(refpos="0 0 1")", R"(refquat="0 1 0 0")"}},
      {"mesh of a shape", "asset:<mesh name=\"m\" builtin=\"sphere\" @/>", {R"(params="1 2")"}},
      {"mesh of a file and a plugin",
       "geom:<geom name=\"g\" type=\"mesh\" mesh=\"m\"/></body></worldbody><asset><mesh name=\"m\" "
       "file=\"m.obj\"><plugin "
       "@/></mesh></asset><worldbody><body>",
       {R"(plugin="x")"}},
      {"mesh of a plugin",
       "asset:<mesh name=\"m\"><plugin @/></mesh>",
       {R"(plugin="x")", R"(instance="i")"}},
      {"material",
       "asset:<material name=\"m\" @/>",
       {R"(texrepeat="2 2")", R"(texuniform="true")", R"(emission="1")", R"(specular="0.3")",
        R"(shininess="0.2")", R"(reflectance="0.1")", R"(metallic="0.2")", R"(roughness="0.2")",
        R"(rgba="0 1 0 1")"}},
      {"material layer",
       "asset:<material name=\"m\"><layer texture=\"x\" @/></material>",
       {R"(role="rgb")"}},
      {"texture", "asset:<texture name=\"m\" type=\"2d\" @/>",
       Named("colorspace gridsize gridlayout builtin rgb1 rgb2 mark markrgb random width height "
             "hflip vflip nchannel content_type")},
      {"height field", "asset:<hfield name=\"m\" @/>", Named("nrow ncol elevation content_type")},
      {"skin", "asset:<skin name=\"m\" @/>",
       Named("material rgba inflate vertex texcoord face group")},
      {"option", "option:<option @/>",
       Named("timestep impratio tolerance ls_tolerance noslip_tolerance ccd_tolerance "
             "sleep_tolerance wind magnetic density viscosity "
             "o_margin o_solref o_solimp o_friction integrator cone jacobian solver iterations "
             "ls_iterations noslip_iterations "
             "ccd_iterations sdf_iterations sdf_initpoints actuatorgroupdisable") +
           std::vector<std::string>{R"(gravity="0 0 -1")"}},
      {"flag", "option:<option><flag @/></option>",
       Named("constraint filterparent multiccd override energy sleep diagexact")},
      {"compiler, resolved",
       "compiler:<compiler angle=\"radian\" @/>",
       {R"(boundmass="3" => mass="3")", R"(boundinertia="2" => diaginertia="2 2 2")",
        R"(settotalmass="3" => boundmass="0")",
        R"(balanceinertia="true" => balanceinertia="false")",
        R"(inertiafromgeom="true" => mass="8000")",
        R"(inertiafromgeom="true" inertiagrouprange="2 3" => mass="1")",
        R"(autolimits="false" => autolimits="true")", R"(eulerseq="XYZ" => angle="radian")",
        R"(meshdir="x" => angle="radian")", R"(texturedir="x" => angle="radian")",
        R"(assetdir="x" => angle="radian")", R"(strippath="true" => angle="radian")",
        R"(fitaabb="true" => angle="radian")", R"(coordinate="local" => angle="radian")",
        R"(exactmeshinertia="true" => angle="radian")"}},
      {"compiler, said",
       "compiler:<compiler angle=\"radian\" @/>",
       {R"(fusestatic="true" => [compiler-fusestatic])",
        R"(discardvisual="true" => [compiler-discardvisual])",
        R"(alignfree="true" => [compiler-alignfree])",
        R"(convexhull="false" => [compiler-convexhull])"}},
      {"compiler, kept",
       "compiler:<compiler angle=\"radian\" @/>",
       {R"(usethread="false")", R"(saveinertial="true")", R"(conflict="merge")"}},
      {"lengthrange", "compiler:<compiler angle=\"radian\"><lengthrange @/></compiler>",
       Named("mode useexisting uselimit accel maxforce timeconst timestep inttotal interval "
             "tolrange")},
      {"sections",
       "sections:@",
       {"<size memory=\"1M\"/>", "<statistic extent=\"2\"/>",
        "<visual><map force=\"2\"/></visual> => <map force=\"2\"/>",
        "<custom><numeric name=\"n\" data=\"1 2\"/></custom> => <numeric name=\"n\" data=\"1 2\"/>",
        "<extension><plugin plugin=\"x\"><instance name=\"i\"/></plugin></extension> => <instance "
        "name=\"i\"/>",
        "<deformable><flex name=\"f\" dim=\"1\"/></deformable> => <flex name=\"f\" dim=\"1\"/>"}},
  };
  const std::vector<std::string> tendon_attributes =
      std::vector<std::string>{R"(group="2")",
                               R"(limited="true")",
                               R"(range="0 1")",
                               R"(actuatorfrclimited="true")",
                               R"(actuatorfrcrange="-1 1")",
                               R"(frictionloss="0.1")",
                               R"(springlength="0.1")",
                               R"(margin="0.1")",
                               R"(stiffness="3 1")",
                               R"(damping="2 1")",
                               R"(armature="0.1")",
                               R"(user="1 2")"} +
      kSolLimits;
  places.push_back(
      {"fixed tendon",
       R"(sections:<tendon><fixed name="t" @><joint joint="j" coef="2"/></fixed></tendon>)",
       tendon_attributes});
  places.push_back(
      {"spatial tendon",
       R"(sections:<tendon><spatial name="t" @><site site="s"/><site site="sa"/></spatial></tendon>)",
       tendon_attributes});
  const std::string shared =
      "group nsample interp delay ctrlrange user ctrllimited forcelimited forcerange lengthrange "
      "gear damping armature cranklength ";
  for (const auto& [kind, own] : std::map<std::string, std::string>{
           {"general",
            "actlimited actrange actdim input velrange ffrange dyntype gaintype biastype dynprm "
            "gainprm biasprm actearly"},
           {"motor", ""},
           {"position", "inheritrange kp kv dampratio timeconst"},
           {"velocity", "kv"},
           {"intvelocity", "actlimited actrange inheritrange kp kv dampratio"},
           {"orientation", "kp kv dampratio input"},
           {"pid", "posrange velrange ffrange inheritrange kp kv dampratio ki imax slewmax input"},
           {"damper", "kv"},
           {"cylinder", "timeconst area diameter bias"},
           {"muscle", "timeconst tausmooth range force scale lmin lmax vmax fpmax fvmax"},
           {"adhesion", "gain"},
           {"dcmotor",
            "motorconst resistance nominal saturation inductance cogging controller thermal lugre "
            "input"}})
    places.push_back({kind,
                      "sections:<actuator><" + kind + " name=\"m\" joint=\"j\" @/></actuator>",
                      Named(shared + own)});
  places.push_back({"actuator on",
                    "sections:" + tendon + "<actuator><general name=\"m\" @/></actuator>",
                    {R"(joint="j")", R"(jointinparent="j")", R"(tendon="t")", R"(site="s")",
                     R"(refsite="sa")", R"(body="c")", R"(slidersite="s")", R"(cranksite="sa")"}});
  places.push_back({"plugin actuator",
                    "sections:<actuator><plugin name=\"m\" joint=\"j\" plugin=\"x\"><config "
                    "@/></plugin></actuator>",
                    {R"(key="k")", R"(value="1")"}});
  for (const char* kind :
       {"jointpos", "touch", "framepos", "rangefinder", "user", "contact", "tactile", "plugin"})
    places.push_back({kind, std::string("sections:<sensor><") + kind + " name=\"m\" @/></sensor>",
                      Named("nsample interp delay interval cutoff noise user joint site objtype "
                            "objname reftype refname dim data num")});
  return places;
}

TEST(MjcfAttributes, AreWrittenBackOrSaid) {
  int tried = 0;
  for (const Place& place : Places()) {
    for (const std::string& row : place.attributes) {
      const std::size_t arrow = row.find(" => ");
      const std::string attribute = row.substr(0, arrow),
                        expected = arrow == std::string::npos ? row : row.substr(arrow + 4);
      const std::string text = ModelWith(place.sections, attribute);
      Diagnostics diagnostics;
      const MemoryResolver resolver({{"robot.xml", text}});
      const auto model = FindFormat("mjcf")->read(text, {"robot.xml", &resolver}, diagnostics);
      ASSERT_TRUE(model) << place.element << " " << attribute;
      std::string output = FindFormat("mjcf")->write(*model, {}, diagnostics).text;
      for (const Diagnostic& d : diagnostics.items()) output += Render(d) + "\n";
      EXPECT_FALSE(diagnostics.has_errors()) << place.element << " " << attribute << "\n" << output;
      EXPECT_NE(output.find(expected), std::string::npos)
          << place.element << ": " << attribute << "\n"
          << output;
      ++tried;
    }
  }
  EXPECT_GT(tried, 550);
}

// What makes bodies that are not read is a loss for every target, MJCF itself included.
TEST(MjcfAttributes, WhatIsNotReadIsNobodysNativeData) {
  for (const char* element : {"<composite type=\"grid\" count=\"3 1 1\" size=\"1\"/>",
                              "<flexcomp name=\"f\" type=\"mesh\" file=\"f.obj\"/>",
                              "<flexcomp name=\"f\" type=\"box\" rigid=\"true\"/>"}) {
    const MjcfRead read =
        ReadMjcfText(World(std::string("<body name=\"b\">") + element + "</body>"));
    ASSERT_EQ(read.warnings.size(), 1u) << element;
    ASSERT_EQ(LinkNamed(read.model, "b").native.size(), 1u) << element;
    EXPECT_EQ(LinkNamed(read.model, "b").native[0].format, "");
    EXPECT_EQ(WriteMjcfText(read.model).find(element), std::string::npos);
  }
}

TEST(MjcfAttributes, WhatRefersToPartsThatAreNotReadGoesWithThem) {
  const MjcfRead read = ReadMjcfText(
      R"(<mujoco><worldbody><body name="b"><composite prefix="r" type="rope" count="3 1 1" size="1"/></body></worldbody>
    <equality><connect body1="rB_last" anchor="0 0 0"/></equality><actuator><motor name="m" joint="rJ_1"/></actuator>
    <sensor><jointpos name="s" joint="rJ_1"/></sensor></mujoco>)");
  EXPECT_TRUE(read.errors.empty());
  EXPECT_EQ(read.warnings.size(), 4u);
  EXPECT_EQ(read.model.native.size(), 3u);
  const std::string text = WriteMjcfText(read.model);
  for (const char* part : {"connect", "motor", "jointpos"})
    EXPECT_EQ(text.find(part), std::string::npos) << part;
}

TEST(MjcfAttributes, TheMeshOfASignedDistanceFieldStays) {
  const MjcfRead read = ReadMjcfText(
      R"(<mujoco><extension><plugin plugin="mujoco.sdf.gear"><instance name="g"/></plugin></extension>
    <asset><mesh name="gear"><plugin instance="g"/></mesh></asset>
    <worldbody><geom type="sdf" mesh="gear"><plugin instance="g"/></geom></worldbody></mujoco>)");
  EXPECT_TRUE(read.errors.empty());
  const std::string text = WriteMjcfText(read.model);
  EXPECT_NE(text.find("<mesh name=\"gear\">"), std::string::npos) << text;
  EXPECT_TRUE(ReadMjcfText(text).errors.empty());
}

// What is written has an inertia, of which MuJoCo would make another spring.
TEST(MjcfAttributes, SpringDampersOfUnknownInertiaAreNotRead) {
  const MjcfRead read =
      ReadMjcfText(R"(<mujoco><asset><mesh name="m" file="gone.stl"/></asset><worldbody>
    <body name="b"><joint name="j" springdamper="0.1 1"/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>)");
  ASSERT_EQ(read.warnings.size(), 3u);  // the mass, the spring, the mesh
  EXPECT_NE(read.warnings[1].find("[springdamper]"), std::string::npos);
  EXPECT_FALSE(JointNamed(read.model, "j").axes[0].spring_stiffness);
  const std::vector<NativeData>& native = JointNamed(read.model, "j").native;
  ASSERT_EQ(native.size(), 1u);
  EXPECT_EQ(native[0].format, "") << "lost by every target, and said";
  EXPECT_NE(Xml(native[0]).find("springdamper=\"0.1 1\""), std::string::npos) << Xml(native[0]);
  EXPECT_EQ(WriteMjcfText(read.model).find("springdamper"), std::string::npos);
}

}  // namespace
}  // namespace kinemorph
