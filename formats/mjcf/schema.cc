// The table (MuJoCo's schema 3.12; which terms move a body was measured).
#include "schema.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "xml_reader.h"

namespace kinemorph::mjcf {
namespace {

using enum kinemorph::Weight;
using enum kinemorph::ContentRole;
using enum SchemaTrait;

// What no row names moves bodies.
// A path is element@attribute, with the section before some elements; without an element it holds
// wherever it stands. The third column is the value that says the same as nothing, so that its loss
// is none.
const std::vector<SchemaRow>& Rows() {
  static const std::vector<SchemaRow> kRows = {
      // Names and groups of anything.
      {"@name", kInterface, kName},
      {"@user", kInterface},
      {"@class", kInterface},
      {"@childclass", kInterface},
      {"@group", kLooks},
      // Spellings of one orientation.
      {"@euler", {}, {}, kOrientation},
      {"@quat", {}, {}, kOrientation},
      {"@axisangle", {}, {}, kOrientation},
      {"@xyaxes", {}, {}, kOrientation},
      {"@zaxis", {}, {}, kOrientation},
      // The value is the name of a part: it gets the prefix of an attached model.
      {"@joint", {}, kName},
      {"@joint1", {}, kName},
      {"@joint2", {}, kName},
      {"@jointinparent", {}, kName},
      {"@body", {}, kName},
      {"@body1", {}, kName},
      {"@body2", {}, kName},
      {"@site", {}, kName},
      {"@site1", {}, kName},
      {"@site2", {}, kName},
      {"@sidesite", {}, kName},
      {"@refsite", {}, kName},
      {"@slidersite", {}, kName},
      {"@cranksite", {}, kName},
      {"@geom", {}, kName},
      {"@geom1", {}, kName},
      {"@geom2", {}, kName},
      {"@tendon", {}, kName},
      {"@tendon1", {}, kName},
      {"@tendon2", {}, kName},
      {"@actuator", {}, kName},
      {"@mesh", {}, kName},
      {"@material", {}, kName},
      {"@texture", {}, kName},
      {"@hfield", {}, kName},
      {"@subtree1", {}, kName},
      {"@subtree2", {}, kName},
      {"@objname", {}, kName},
      {"@refname", {}, kName},
      {"@target", {}, kName},
      {"@camera", {}, kName},
      {"@instance", {}, kName},
      {"@flex", {}, kName},
      {"@node", {}, kName},
      // The value is the name of a file: it gets the folder of an attached model.
      {"@file", {}, {}, kNamesFile},
      {"@fileright", {}, {}, kNamesFile},
      {"@fileleft", {}, {}, kNamesFile},
      {"@fileup", {}, {}, kNamesFile},
      {"@filedown", {}, {}, kNamesFile},
      {"@filefront", {}, {}, kNamesFile},
      {"@fileback", {}, {}, kNamesFile},
      // What changes numbers is resolved, and the numbers are compared; muscles need lengthrange.
      {"compiler", kInterface},
      {"compiler@usethread", {}, kKept},
      {"compiler@saveinertial", {}, kKept},
      {"compiler@conflict", {}, kKept},
      {"compiler/lengthrange", kMotion},
      // Those of the option that are numerics, not physics.
      {"option@timestep", kInterface},
      {"option@integrator", kInterface},
      {"option@jacobian", kInterface},
      {"option@solver", kInterface},
      {"option@iterations", kInterface},
      {"option@tolerance", kInterface},
      {"option@ls_iterations", kInterface},
      {"option@ls_tolerance", kInterface},
      {"option@ccd_iterations", kInterface},
      {"option@ccd_tolerance", kInterface},
      {"option@sdf_iterations", kInterface},
      {"option@sdf_initpoints", kInterface},
      {"option@sleep_tolerance", kInterface},
      {"option@magnetic", kInterface},
      {"option@apirate", kInterface},
      {"option@mpr_iterations", kInterface},
      {"option@mpr_tolerance", kInterface},
      {"option@noslip_tolerance", kInterface},
      // Values that say the same as nothing.
      {"option@wind", kMotion, "0 0 0"},
      {"option@density", kMotion, "0", kActs},
      {"option@viscosity", kMotion, "0", kActs},
      {"option@impratio", kInterface, "1"},
      {"option@cone", kInterface, "pyramidal"},
      {"option@noslip_iterations", kInterface, "0"},

      // Flags of numerics and of output; those below them switch mechanics off.
      {"flag@warmstart", kInterface},
      {"flag@sensor", kInterface},
      {"flag@midphase", kInterface},
      {"flag@eulerdamp", kInterface},
      {"flag@autoreset", kInterface},
      {"flag@nativeccd", kInterface},
      {"flag@multiccd", kInterface},
      {"flag@island", kInterface},
      {"flag@energy", kInterface},
      {"flag@fwdinv", kInterface},
      {"flag@invdiscrete", kInterface},
      {"flag@sleep", kInterface},
      {"flag@diagexact", kInterface},
      {"flag@constraint", kMotion, "enable"},
      {"flag@equality", kMotion, "enable"},
      {"flag@frictionloss", kMotion, "enable"},
      {"flag@limit", kMotion, "enable"},
      {"flag@contact", kMotion, "enable"},
      {"flag@spring", kMotion, "enable"},
      {"flag@damper", kMotion, "enable"},
      {"flag@gravity", kMotion, "enable"},
      {"flag@clampctrl", kMotion, "enable"},
      {"flag@actuation", kMotion, "enable"},
      {"flag@filterparent", kMotion, "enable"},
      {"flag@refsafe", kMotion, "enable"},
      {"flag@override", kMotion, "disable"},
      {"flag@passive", kMotion, "enable"},
      {"size", kInterface},
      {"statistic", kLooks},
      {"visual", kLooks},
      {"size@nuserdata", kLooks},
      {"statistic@meaninertia", kInterface},
      // Meshes and height fields count with the shapes that use them.
      {"texture", kLooks},
      {"texture@name", kLooks, kName},
      {"material", kLooks},
      {"material@name", kLooks, kName},
      {"layer", kLooks},
      {"skin", kLooks},
      {"composite/skin", kLooks},
      {"mesh", kLooks},
      {"hfield", kLooks},

      // What a body says beside its pose, joints and shapes.
      {"body@mocap", kInterface, "false", kActs, kKept},  // a program puts it elsewhere
      {"body@gravcomp", kMotion, "0", kActs, kKept},
      {"body@sleep", kInterface, kKept},
      {"body@simple", kInterface, kKept},
      {"body@user", kInterface, kKept},
      // The parameters of limits and friction of a joint are MuJoCo's soft constraints: time
      // constant and damping ratio, and the impedance (ends, width, midpoint, power). What stops or
      // touches is the robot's; how softly is the solver's, and each engine has a law of its own. That
      // of friction acts all the time.
      {"joint@group", kLooks, kKept},
      {"joint@solreflimit", kInterface, "0.02 1", kKept},
      {"joint@solimplimit", kInterface, "0.9 0.95 0.001 0.5 2", kKept},
      {"joint@solreffriction", kMotion, "0.02 1", kKept},
      {"joint@solimpfriction", kMotion, "0.9 0.95 0.001 0.5 2", kKept},
      {"joint@margin", kInterface, "0", kKept},
      {"joint@actuatorgravcomp", kMotion, "false", kKept},
      {"joint@user", kInterface, kKept},
      {"joint@springdamper", kMotion, "0 0", kActs},
      {"joint@springyield", kMotion, "0", kActs},
      // These stay native only where a flag is off, the term is a polynomial, or nothing is limited.
      {"joint@damping", kMotion, "0", kActs},
      {"joint@stiffness", kMotion, "0", kActs},
      {"joint@frictionloss", kMotion, "0", kActs},
      {"joint@armature", kMotion, "0", kActs},
      {"joint@range", kInterface},
      {"joint@limited", kInterface},
      {"joint@actuatorfrcrange", kInterface},
      {"joint@actuatorfrclimited", kInterface},
      {"joint@align", kInterface},
      {"freejoint@align", kInterface},
      // Of contacts: dimensions of friction, priority, softness, distance.
      {"geom@condim", kMotion, "3", kKept},
      {"geom@group", kLooks, kKept},
      {"geom@priority", kMotion, "0", kKept},
      {"geom@solmix", kInterface, "1", kKept},
      {"geom@solref", kInterface, "0.02 1", kKept},
      {"geom@solimp", kInterface, "0.9 0.95 0.001 0.5 2", kKept},
      {"geom@margin", kInterface, "0", kKept},
      {"geom@gap", kInterface, "0", kKept},
      {"geom@fluidshape", kMotion, "none", kKept},
      {"geom@fluidcoef", {}, kKept},
      {"geom@surfacevel", {}, kKept},
      {"geom@adhesion", {}, kKept},
      {"geom@castshadow", kLooks, kKept},
      {"geom@user", kInterface, kKept},
      {"geom@rgba", kLooks},
      {"geom@size", kLooks},  // of a plane: the lines on it
      {"geom@material", kLooks},
      {"geom@contype", kMotion, "1"},
      {"geom@conaffinity", kMotion, "1"},
      // A frame that only shows or measures.
      {"site", kInterface},
      {"camera", kInterface},
      {"site@rgba", kLooks},
      {"site@material", kLooks},
      {"site@size", kLooks},
      {"site@type", kLooks},
      {"site@fromto", kLooks},
      {"light", kLooks},
      // Of loops and couplings: softness.
      {"equality@solref", kMotion, "0.02 1", kKept},
      {"equality@solimp", kMotion, "0.9 0.95 0.001 0.5 2", kKept},
      {"equality_axis@lever", kLooks, {}, ContentRole::kPlace},
      {"equality_tendons@tendon1", kLooks, {}, ContentRole::kPlace},
      {"equality_tendons@tendon2", kLooks, {}, ContentRole::kPlace},
      {"equality_tendons@polycoef", kLooks, {}, ContentRole::kPlace},
      {"equality_axis@solref", kMotion, "0.02 1"},
      {"equality_axis@solimp", kMotion, "0.9 0.95 0.001 0.5 2"},
      // A tendon without spring, damping, limit, friction or inertia moves nothing.
      {"tendon/fixed", kInterface},
      {"tendon/spatial", kInterface},
      {"tendon/fixed@width", kLooks},
      {"tendon/fixed@rgba", kLooks},
      {"tendon/fixed@material", kLooks},
      {"tendon/spatial@width", kLooks},
      {"tendon/spatial@rgba", kLooks},
      {"tendon/spatial@material", kLooks},
      {"tendon/fixed@stiffness", kMotion, "0", kActs},
      {"tendon/fixed@damping", kMotion, "0", kActs},
      {"tendon/fixed@springlength", kMotion, "-1"},
      {"tendon/fixed@armature", kMotion, "0", kActs},
      {"tendon/fixed@frictionloss", kMotion, "0", kActs},
      {"tendon/fixed@range", kMotion, "0 0"},
      {"tendon/fixed@limited", kMotion, "false"},
      {"tendon/fixed@margin", kInterface, "0"},
      {"tendon/fixed@solreflimit", kInterface},
      {"tendon/fixed@solimplimit", kInterface},
      {"tendon/fixed@solreffriction", kMotion},
      {"tendon/fixed@solimpfriction", kMotion},
      {"tendon/fixed@actuatorfrcrange", kMotion},
      {"tendon/fixed@actuatorfrclimited", kMotion},
      {"tendon/spatial@stiffness", kMotion, "0", kActs},
      {"tendon/spatial@damping", kMotion, "0", kActs},
      {"tendon/spatial@springlength", kMotion, "-1"},
      {"tendon/spatial@armature", kMotion, "0", kActs},
      {"tendon/spatial@frictionloss", kMotion, "0", kActs},
      {"tendon/spatial@range", kMotion, "0 0"},
      {"tendon/spatial@limited", kMotion, "false"},
      {"tendon/spatial@margin", kInterface, "0"},
      {"tendon/spatial@solreflimit", kInterface},
      {"tendon/spatial@solimplimit", kInterface},
      {"tendon/spatial@solreffriction", kMotion},
      {"tendon/spatial@solimpfriction", kMotion},
      {"tendon/spatial@actuatorfrcrange", kMotion},
      {"tendon/spatial@actuatorfrclimited", kMotion},

      // What measures, starts or comments the model and moves nothing by itself.
      {"sensor", kInterface},
      {"keyframe", kInterface},
      {"custom", kInterface},
      {"exclude@name", kInterface},
      {"pair@name", kInterface},
      {"pair@solref", kInterface},
      {"pair@solreffriction", kInterface},
      {"pair@solimp", kInterface},
      {"pair@margin", kInterface},
      {"pair@gap", kInterface},
  };
  return kRows;
}

// By element, empty for any, the attributes that have the trait, in the order of the table.
std::map<std::string_view, std::vector<std::string_view>> AttributesWith(SchemaTrait trait) {
  std::map<std::string_view, std::vector<std::string_view>> attributes;
  for (const SchemaRow& row : Rows()) {
    const std::size_t at = row.content.path.find('@');
    if (row.trait == trait && at != std::string_view::npos)
      attributes[row.content.path.substr(0, at)].push_back(row.content.path.substr(at + 1));
  }
  return attributes;
}

// The row of an attribute wherever it stands; null: it has none.
const SchemaRow* AnyElement(std::string_view attribute) {
  static const std::map<std::string_view, const SchemaRow*> kAny = [] {
    std::map<std::string_view, const SchemaRow*> any;
    for (const SchemaRow& row : Rows())
      if (row.content.path.starts_with('@')) any[row.content.path.substr(1)] = &row;
    return any;
  }();
  const auto found = kAny.find(attribute);
  return found == kAny.end() ? nullptr : found->second;
}

template <std::size_t N>
bool IsOneOf(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Which of the elements of a default class know which attributes.
struct OfDefault {
  std::string_view elements, attributes;
};

// What an actuator takes from a default of any kind (MuJoCo 4.0). A plugin is no default itself.
constexpr OfDefault kOfEveryActuator[] = {
    {"adhesion cylinder damper dcmotor general intvelocity motor muscle orientation pid plugin "
     "position velocity",
     "ctrlrange delay group interp nsample user"},
    {"adhesion cylinder damper general intvelocity motor muscle orientation pid plugin position "
     "velocity",
     "forcelimited forcerange"},
    {"cylinder damper dcmotor general intvelocity motor muscle pid plugin position velocity",
     "armature cranklength damping gear"},
    {"cylinder dcmotor general intvelocity motor muscle pid plugin position velocity",
     "ctrllimited"},
    {"general intvelocity plugin", "actrange"},
    {"general pid", "ffrange velrange"},
};

// What MuJoCo 4.0 knows beside these.
constexpr OfDefault kOfDefaults[] = {
    {"joint",
     "actuatorfrclimited actuatorfrcrange actuatorgravcomp armature axis damping "
     "frictionloss group limited margin pos range ref solimpfriction solimplimit "
     "solreffriction solreflimit springdamper springref springyield stiffness type user"},
    {"geom",
     "adhesion axisangle castshadow conaffinity condim contype density euler fitscale "
     "fluidcoef fluidshape friction fromto gap group hfield margin mass material mesh pos "
     "priority quat rgba shellinertia size solimp solmix solref surfacevel type user "
     "xyaxes zaxis"},
    {"site",
     "axisangle euler fromto group material mesh pos quat rgba size type user xyaxes "
     "zaxis"},
    {"camera",
     "axisangle euler focal focalpixel fovy ipd mode output pos principal principalpixel "
     "projection quat resolution sensorsize user xyaxes zaxis"},
    {"light",
     "active ambient attenuation bulbradius castshadow cutoff diffuse dir directional "
     "exponent intensity mode pos range softness specular type"},
    {"mesh", "inertia maxhullvert scale"},
    {"material",
     "emission metallic reflectance rgba roughness shininess specular texrepeat texture "
     "texuniform"},
    {"texture",
     "builtin colorspace embed gridlayout gridsize height hflip mark markrgb nchannel "
     "random rgb1 rgb2 type vflip width"},
    {"pair", "adhesion condim friction gap margin solimp solref solreffriction"},
    {"equality", "active solimp solref"},
    {"tendon",
     "actuatorfrclimited actuatorfrcrange armature damping frictionloss group limited "
     "margin material range rgba solimpfriction solimplimit solreffriction solreflimit "
     "springlength springyield stiffness user width"},
    {"general", "biasprm biastype gainprm gaintype inheritrange input"},
    {"general plugin", "actdim actearly actlimited dynprm dyntype"},
    {"position", "dampratio inheritrange kp kv timeconst"},
    {"velocity damper", "kv"},
    {"intvelocity", "actlimited dampratio inheritrange kp kv"},
    {"orientation", "dampratio input kp kv"},
    {"pid", "dampratio imax inheritrange input ki kp kv posrange slewmax"},
    {"cylinder", "area bias diameter timeconst"},
    {"muscle", "force fpmax fvmax lmax lmin range scale timeconst vmax"},
    {"adhesion", "gain"},
    {"dcmotor",
     "cogging controller inductance input lugre motorconst nominal resistance saturation "
     "thermal"},
};

using AttributesOf = std::map<std::string_view, std::set<std::string_view>>;  // by element

void AddTo(AttributesOf& attributes, std::span<const OfDefault> rows) {
  for (const OfDefault& row : rows)
    for (const std::string_view element : xml::SplitWords(row.elements))
      for (const std::string_view attribute : xml::SplitWords(row.attributes))
        attributes[element].insert(attribute);
}

}  // namespace

bool HoldsName(std::string_view attribute) {
  const SchemaRow* const row = AnyElement(attribute);
  return row != nullptr && row->trait == kName;
}

bool HoldsFile(std::string_view attribute) {
  const SchemaRow* const row = AnyElement(attribute);
  return row != nullptr && row->content.role == kNamesFile;
}

bool IsOfEveryActuator(std::string_view attribute) {
  static const AttributesOf kAttributes = [] {
    AttributesOf attributes;
    AddTo(attributes, kOfEveryActuator);
    return attributes;
  }();
  return kAttributes.at("general").contains(attribute);
}

const std::vector<std::string_view>& KeptOf(std::string_view element) {
  static const auto kAttributes = AttributesWith(kKept);
  return kAttributes.at(element);
}

std::size_t DefaultKind(std::string_view element) {
  constexpr std::array<std::string_view, 12> kActuators = {
      "general", "motor",  "position", "velocity", "intvelocity", "orientation",
      "pid",     "damper", "cylinder", "muscle",   "adhesion",    "dcmotor"};
  if (IsOneOf(element, kActuators)) element = "general";
  return static_cast<std::size_t>(std::find(kDefaultKinds.begin(), kDefaultKinds.end(), element) -
                                  kDefaultKinds.begin());
}

bool IsOfDefault(std::string_view element, std::string_view attribute) {
  static const AttributesOf kAttributes = [] {
    AttributesOf attributes;
    AddTo(attributes, kOfEveryActuator);
    AddTo(attributes, kOfDefaults);
    return attributes;
  }();
  const auto known = kAttributes.find(element);
  return known != kAttributes.end() && known->second.contains(attribute);
}

SectionFate FateOfSection(std::string_view section) {
  constexpr std::array<std::string_view, 7> kWholes = {
      "size", "visual", "statistic", "custom", "keyframe", "extension", "deformable"};
  constexpr std::array<std::string_view, 12> kReads = {"compiler",  "option",  "default",  "asset",
                                                       "worldbody", "contact", "equality", "tendon",
                                                       "actuator",  "sensor",  "include",  ""};
  if (IsOneOf(section, kWholes)) return SectionFate::kWhole;
  return IsOneOf(section, kReads) ? SectionFate::kRead : SectionFate::kUnknown;
}

}  // namespace kinemorph::mjcf

namespace kinemorph {

const std::vector<ContentWeight>* MjcfContentWeights() {
  static const std::vector<ContentWeight> kWeights = [] {
    std::vector<ContentWeight> weights;
    for (const mjcf::SchemaRow& row : mjcf::Rows()) weights.push_back(row.content);
    return weights;
  }();
  return &kWeights;
}

}  // namespace kinemorph
