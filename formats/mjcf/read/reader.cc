// ReadMjcf: the order of the sections, options, and names for what has none.
#include "read/reader.h"

#include <algorithm>

#include "kinemorph/formats/xml_tags.h"
#include "leftovers.h"
#include "mjcf.h"
#include "native.h"
#include "xml_writer.h"

namespace kinemorph {

std::optional<Model> ReadMjcf(std::string_view text, const ReadOptions& options,
                              Diagnostics& diagnostics) {
  std::optional<Model> model = mjcf::Reader(options, diagnostics, nullptr).Read(text);
  if (model) mjcf::TakeCameras(*model);
  return model;
}

namespace mjcf {
namespace {

// The order of Read follows what hangs on what: settings before all numbers, classes before
// elements, assets before geoms, bodies before what names them. Springdampers take the masses of
// all bodies, materials the kept content of all sections, and names for what has none come last,
// since they must avoid all others.

// Roots of files that others include: MuJoCo's own word, and sections that stand alone.
bool IsFragment(std::string_view root) {
  static constexpr std::string_view kRoots[] = {
      "mujocoinclude", "compiler",   "option",   "size",    "visual",   "statistic", "default",
      "asset",         "worldbody",  "body",     "contact", "sensor",   "equality",  "tendon",
      "actuator",      "deformable", "keyframe", "custom",  "extension"};
  return std::find(std::begin(kRoots), std::end(kRoots), root) != std::end(kRoots);
}

}  // namespace

std::optional<Model> Reader::Read(std::string_view text) {
  text_ = text;
  if (!sources_.Load(text, options_, model_.files, diagnostics_, asked_)) return std::nullopt;
  const xml::Element root = sources_.root();
  if (IsFragment(root.name())) {
    root.Error("mjcf-fragment",
               {"", std::string(root.name()),
                "the file is a fragment, no model; convert the file that includes it"});
    return std::nullopt;
  }
  if (root.name() != "mujoco") {
    root.Error("not-mjcf",
               "the root element is '" + std::string(root.name()) + "', expected 'mujoco'");
    return std::nullopt;
  }
  ReadRoot();
  // What the portable profile wrote says so in a remark, and keeps the profile when it is converted
  // again.
  if (WordBeforeRoot(text, "MJCF profile: ") == kPortable) model_.dialect = kPortable;
  compiler_ = ReadCompiler(sources_);
  KeepCompilerSettings();
  defaults_.Read(sources_);
  assets_.Read(sources_, defaults_, compiler_, model_);
  ReadBodies();
  ApplyTotalMass();
  ReadTendons();
  ReadEqualities();
  ReadContacts();
  ReadActuators();
  ReadGravityCompensation();
  ApplySpringDampers();
  TakeDriveLaws();
  KeepUnusedMeshes();
  ReadSensors();
  ReadRest();
  KeepMaterials();
  NameTheNameless();
  // The second reading notes what was asked for; its messages and its model are thrown away.
  if (asked_ != nullptr) return std::move(model_);
  // From here on the model is complete; what follows looks at kept text.
  assets_.missing().Report(model_, diagnostics_);
  TurnKeys();
  CheckKeys();
  defaults_.ConsumeKnown();
  KeepLeftovers(text);
  return std::move(model_);
}

// Only when something was not consumed: then the file is read again by a reader that notes each
// question, so that misspelt names can be told from those that are not asked for here.
void Reader::KeepLeftovers(std::string_view text) {
  xml::Leftovers leftovers(model_.native, [&](xml::Asked& names) {
    Diagnostics said;
    static_cast<void>(Reader(options_, said, &names).Read(text));
  });
  for (const auto& document : sources_.documents()) leftovers.Add(*document);
}

void Reader::ReadRoot() {
  const xml::Element root = sources_.root();
  root.Consume();
  model_.format = "mjcf";
  model_.unsaid = UnsaidIndependence::kNothing;
  model_.name = root.Attribute("model", "MuJoCo Model");
  model_.scopes.push_back({});
  model_.scopes.front().name = model_.name;
  model_.scopes.front().where = root.where();
  // Options come first of all: which flags are off decides what joints and equalities say.
  for (const xml::Element section : sources_.Children(root))
    if (section.name() == "option") ReadOption(section);
  if (IsOff("gravity")) model_.gravity = Vector3(0, 0, 0);
}

// What the writer does not decide itself: of several sections the last one wins.
void Reader::KeepCompilerSettings() {
  AttributeList kept;
  xml::Element origin, children;
  for (const xml::Element section : sources_.Children(sources_.root())) {
    if (section.name() != "compiler") continue;
    origin = section;
    if (section.HasChild("lengthrange")) children = section;
    for (auto& [name, value] : KeptAttributes(Attributes(section), "compiler"))
      SetAttribute(kept, name, std::move(value));
  }
  if (kept.empty() && !children) return;
  model_.native.push_back(
      MakeNative(children ? children : origin, "compiler", kept, static_cast<bool>(children)));
  for (const xml::Element child : children.Children("lengthrange")) child.ConsumeAll();
}

void Reader::ReadOption(const xml::Element& option) {
  option.Consume();
  const Attributes attributes(option);
  if (const auto gravity = attributes.Vector("gravity")) model_.gravity = *gravity;
  const AttributeList rest = AttributesExcept(attributes, {"gravity"});
  KeepOption(option, "option", rest);
  for (const xml::Element flags : option.Children("flag")) ReadFlags(flags);
}

// The flags of an attached model do not count.
bool Reader::IsOff(std::string_view part) const {
  if (outer_ != nullptr) return outer_->IsOff(part);
  const bool passive = part == "spring" || part == "damper";
  const bool constraint =
      part == "equality" || part == "frictionloss" || part == "limit" || part == "contact";
  return off_.count(part) != 0 || (passive && off_.count("passive") != 0) ||
         (constraint && off_.count("constraint") != 0);
}

// What is off is not read as part of the mechanism. Gravity that is off is zero; the other flags
// are kept for MJCF.
void Reader::ReadFlags(const xml::Element& flags) {
  AttributeList kept;

  // The last word counts, over all sections; "enable" takes back what a file included before has
  // switched off.
  for (const auto& [name, value] : Attributes(flags).All()) {
    if (value == "disable")
      off_.insert(name);
    else
      off_.erase(name);
    if (name != "gravity") kept.emplace_back(name, value);
  }
  KeepOption(flags, "option/flag", kept);
  if (!kept.empty() && IsOff("contact"))
    flags.Note(
        "mjcf-contact-off",
        {"flag", "contact",
         "contacts are switched off; other formats have no such flag, so shapes will touch"});
}

void Reader::KeepOption(const xml::Element& origin, std::string_view element,
                        const AttributeList& attributes) {
  if (attributes.empty()) return;
  // MuJoCo has one option and one flag element, however many sections say something of them.
  auto found = std::find_if(model_.native.begin(), model_.native.end(),
                            [&](const NativeData& n) { return n.element == element; });
  AttributeList all;
  if (found == model_.native.end())
    found = model_.native.emplace(found);
  else
    all = found->content.attributes;
  for (const auto& [name, value] : attributes) SetAttribute(all, name, value);
  *found = MakeNative(origin, origin.name(), all);
  found->element = element;
}

// Generated names: body_3 (its place among the bodies), <body>_joint, <body>_fixed, <body>_link for
// links between joints.
void Reader::NameTheNameless() {
  // Numbers count along all bodies, so that a name does not change when another body gets one.
  std::size_t body = 0;
  for (const LinkId id : Links(model_)) {
    Link& link = model_.link(id);
    if (link.synthetic) continue;
    ++body;
    if (link.name.empty()) link.name = names_["body"].Take("body_" + std::to_string(body));
  }
  for (const JointId id : Joints(model_)) {
    Joint& joint = model_.joint(id);
    if (joint.role == JointRole::kLoop) {
      if (joint.name.empty())
        joint.name = "loop_" + model_.link(model_.predecessor(id)).name + "_" +
                     model_.link(model_.successor(id)).name;
      joint.name = names_["joint"].Take(joint.name);
      continue;
    }
    // The body a link between joints belongs to is the next one that has a name.
    // Joints of a chain stand one after the other; each synthetic link on the way is followed by
    // the joint below it.
    LinkId owner = model_.successor(id);
    for (std::uint32_t i = static_cast<std::uint32_t>(Index(id));
         model_.link(owner).synthetic && i + 1 < model_.num_joints(); ++i) {
      owner = model_.successor(JointId{i + 1});
    }
    const std::string& name = model_.link(owner).name;
    if (joint.name.empty())
      joint.name = names_["joint"].Take(name + (joint.implicit ? "_fixed" : "_joint"));
    if (Link& between = model_.link(model_.successor(id)); between.synthetic)
      between.name = names_["body"].Take(name + "_link");
  }
  for (std::size_t i = 0; i < model_.couplings.size(); ++i) {
    Coupling& coupling = model_.couplings[i];
    if (coupling.name.empty()) coupling.name = "equality_" + std::to_string(i + 1);
    coupling.name = names_["equality"].Take(coupling.name);
  }
  for (std::size_t i = 0; i < model_.actuators.size(); ++i) {
    if (model_.actuators[i].name.empty())
      model_.actuators[i].name = names_["actuator"].Take("actuator_" + std::to_string(i + 1));
  }
  for (std::size_t i = 0; i < model_.sensors.size(); ++i) {
    if (model_.sensors[i].name.empty())
      model_.sensors[i].name = names_["sensor"].Take("sensor_" + std::to_string(i + 1));
  }
}

}  // namespace mjcf
}  // namespace kinemorph
