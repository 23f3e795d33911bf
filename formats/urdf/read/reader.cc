// Reading a URDF text: the order of the parts, the robot's own attributes, checks of the tree, and
// what is kept as text.
#include "read/reader.h"

#include <algorithm>
#include <cmath>

#include "commanded.h"
#include "kinemorph/formats/submechanisms.h"
#include "kinemorph/formats/xml_tags.h"
#include "kinemorph/graph/model/model_dump.h"
#include "leftovers.h"
#include "missing_files.h"
#include "urdf.h"

namespace kinemorph {
namespace urdf_format {
namespace {

// RobotReader::Read takes the elements of <robot> kind by kind, whatever their order in the file,
// because each kind refers to the ones before: materials, links, joints, loops and couplings, then
// <gazebo>, whose joints and tags may name all of them. What no part knows stays as text.

// "robots/arm.v2.urdf" -> "arm.v2"; "<text>" -> "robot".
std::string FileStem(const std::string& file_name) {
  const std::size_t slash = file_name.find_last_of("/\\");
  std::string base = slash == std::string::npos ? file_name : file_name.substr(slash + 1);
  const std::size_t dot = base.find_last_of('.');
  if (dot != std::string::npos && dot > 0) base.resize(dot);
  return base.empty() || base.front() == '<' || base == "-" ? "robot" : base;
}

bool IsConstraintElement(std::string_view name) {
  return name == "loop" || name == "coupling" || name == "constraint" ||
         name == "loop_constraint" || name == "joint_constraint" || name == "loop_joint";
}

// Extensions that many files carry and that are well kept as text.
bool IsKnownExtension(std::string_view name) {
  constexpr std::string_view kKnown[] = {"gazebo", "ros2_control", "mujoco",           "contact",
                                         "sensor", "transmission", "hardwareInterface"};
  return std::find(std::begin(kKnown), std::end(kKnown), name) != std::end(kKnown);
}

// Of several joints to one link the last name leads there in the tree (ChooseParents); the others
// are read after all joints, as loops are.
void PutFurtherParentsLast(std::vector<xml::Element>& joints) {
  // The partition is stable: joints keep the order of the file otherwise, and with it the numbers
  // that they have in the model.
  const auto name = [](const xml::Element& joint) {
    return std::string(joint.Attribute("name", ""));
  };
  const auto child = [](const xml::Element& joint) {
    return std::string(joint.Child("child").Attribute("link", ""));
  };
  std::unordered_map<std::string, std::string> last;
  for (const xml::Element& joint : joints) {
    std::string& of_child = last[child(joint)];
    of_child = std::max(of_child, name(joint));
  }
  std::stable_partition(joints.begin(), joints.end(), [&](const xml::Element& joint) {
    return child(joint).empty() || last[child(joint)] == name(joint);
  });
}

// The comment before the root, as it is written and as it was: "URDF, profile drake" and "URDF
// profile: drake".
bool SaysProfile(std::string_view text, const std::string& format, std::string_view profile) {
  return WordBeforeRoot(text, format + ", profile ") == profile ||
         WordBeforeRoot(text, format + " profile: ") == profile;
}

// A word of xacro in an attribute, which no reader of URDF takes for what it is. What a plugin is told
// is its own business.
bool HoldsSubstitution(std::string_view text) {
  if (text.find("$(") == text.npos) return false;
  // A scan of the text, with no tree: only its attributes are wanted, and the file may not even be
  // well-formed XML of URDF.
  constexpr std::string_view kWords[] = {"$(find ",   "$(arg ",     "$(env ",
                                         "$(optenv ", "$(dirname)", "$(eval "};
  bool in_plugin = false;
  for (std::optional<XmlTag> tag = NextTag(text); tag; tag = NextTag(text, tag->end)) {
    const std::string_view written = text.substr(tag->begin, tag->end - tag->begin);
    if (tag->name == "plugin") in_plugin = !tag->closes && !tag->empty;
    if (in_plugin || tag->name == "plugin") continue;
    if (std::any_of(std::begin(kWords), std::end(kWords),
                    [&](std::string_view word) { return written.find(word) != written.npos; }))
      return true;
  }
  return false;
}

}  // namespace

RobotReader::RobotReader(const xml::Element& robot, const ReadOptions& options, Profile profile)
    : robot_(robot),
      options_(options),
      paper_(profile.paper),
      axis_missing_is_ball_(profile.axis_missing_is_ball) {}

Model RobotReader::Read() && {
  ReadRobotAttributes();
  std::size_t links = 0;
  std::vector<xml::Element> joints, constraints, others;
  for (const xml::Element child : robot_.Children()) {
    const std::string_view name = child.name();
    if (name == "link") {
      ++links;
    } else if (name == "joint" || name == "drake:joint") {
      joints.push_back(child);
      looks_plus_ = looks_plus_ || (name == "joint" && child.Has("independent"));
    } else if (IsConstraintElement(name)) {
      constraints.push_back(child);
      looks_plus_ = true;
    } else if (name == "drake:ball_constraint") {
      constraints.push_back(child);
    } else if (name != "material") {
      others.push_back(child);
    }
  }
  model_.Reserve(links, joints.size() + constraints.size());
  links_.Reserve(links);
  joints_.Reserve(joints.size() + constraints.size());
  constraints_.Reserve(constraints.size());
  // Materials at the level of the robot come first, because a visual's own definition of the same
  // name gives way to them.
  for (const xml::Element material : robot_.Children("material")) ReadGlobalMaterial(material);
  for (const xml::Element link : robot_.Children("link")) ReadLink(link);
  ResolveMaterials();
  // The world is link 0.
  if (model_.num_links() == 1)
    robot_.Error("no-links", {"robot", model_.name, "has no <link>; a robot has at least one"});
  named_as_child_.assign(model_.num_links(), false);
  joint_to_.assign(model_.num_links(), kNoJoint);
  PutFurtherParentsLast(joints);
  for (const xml::Element& joint : joints) ReadJoint(joint);
  // The tree stands from here on. Couplings and loops are rows along its paths, so that it must be
  // known, and found sound, before they are read.
  ChooseParents();
  ReadMimics();
  tree_ = BuildLinkTree(model_);
  ReportRoots();
  ReportCycles();
  for (const xml::Element& constraint : constraints) {
    if (constraint.name() == "drake:ball_constraint")
      ReadBallConstraint(constraint);
    else
      ReadLoopLike(constraint);
  }
  // Points of Drake become joints together: two between the same links are one hinge.
  AddBallConstraints();
  // What <gazebo> says of the robot first: other blocks may refer to joints in it.
  FindPartNames(others);
  const auto has_reference = [](const xml::Element& child) {
    return child.name() == "gazebo" && child.Has("reference");
  };
  for (const xml::Element& other : others)
    if (!has_reference(other)) ReadOther(other);
  BuildGazeboParts();
  for (const xml::Element& other : others)
    if (has_reference(other)) ReadOther(other);
  // Blocks may speak of one link several times; what counts of their tags is decided when all are
  // read.
  ApplyGazeboTags();
  TellMergedEnds();
  xml::MarkCommandedJoints(model_);
  HoldStill();
  JoinHalves();
  model_.format = plus_ ? "urdf+" : "urdf";
  model_.unsaid = declares_ ? UnsaidIndependence::kEverywhere
                  : plus_   ? UnsaidIndependence::kNothing
                            : UnsaidIndependence::kInTrees;
  return std::move(model_);
}

void RobotReader::ReadRobotAttributes() {
  model_.files.push_back(options_.file_name);
  model_.name = robot_.Attribute("name", "");
  if (model_.name.empty()) {
    model_.name = FileStem(options_.file_name);
    robot_.Warn(
        "robot-name-missing",
        {"robot", model_.name, "the file gives no name; kinemorph uses the name of the file"});
  }
  if (const auto version = robot_.Attribute("version")) {
    model_.format_version = std::string(*version);
    // A version to come is read as the latest that is known.
    const std::optional<double> number = xml::ParseNumber(*version);
    if (number && (*number == 1.0 || *number == 1.1 || *number == 1.2)) {
      minor_version_ = static_cast<int>(std::lround((*number - 1.0) * 10));
    } else {
      minor_version_ = number && *number > 1.2 ? 2 : 0;
      robot_.Warn("version-unknown",
                  {"robot", model_.name,
                   "version '" + std::string(*version) + "' is not known; read as URDF 1." +
                       std::to_string(minor_version_)});
    }
  }
  Scope scope;
  scope.name = model_.name;
  scope.where = robot_.where();
  model_.scopes.push_back(std::move(scope));
}

void RobotReader::ReadOther(const xml::Element& child) {
  if (child.name() == "gazebo") {
    ReadGazebo(child);
  } else if (child.name() == "transmission") {
    ReadTransmission(child);
  } else if (child.name() == "sensor") {
    ReadSensor(child);
  } else if (child.name() == "ros2_control") {
    parts_.plugins.push_back({0, child});
  } else if (child.name() == "drake:tendon_constraint" && ReadTendonConstraint(child)) {
    return;
  } else if (child.name() == "drake:collision_filter_group" && ReadFilterGroups()) {
    return;
  } else {
    if (!IsKnownExtension(child.name())) {
      // The words among which a misspelt one is looked for; extensions are well known and get no
      // warning.
      static const std::vector<std::string> kChildren{
          "link", "joint", "loop", "coupling", "material", "gazebo", "transmission", "sensor"};
      Diagnostic& warning = child.Warn(
          "element-unknown", {"element", std::string(child.name()),
                              "is not part of URDF; only URDF output keeps this element, as text"});
      warning.suggestion = NearestName(child.name(), kChildren);
      if (child.name() == "drake:linear_bushing_rpy")
        warning.notes.push_back(
            "a bushing of Drake replaces a loop joint by a spring; if the bushing closes a loop, "
            "also write a <loop>");
      if (child.name() == "drake:distance_constraint")
        warning.notes.push_back(
            "a distance constraint is a rod with a ball at both ends: the model moves as if it "
            "were not there; write the rod as a link and close the loop with two balls");
    }
    model_.native.push_back(child.Native());
  }
}

// The gear and the joint are read; the rest stays text.
void RobotReader::ReadTransmission(const xml::Element& transmission) {
  Actuator actuator;
  actuator.where = transmission.where();
  actuator.name = transmission.Attribute("name", "");
  actuator.type = transmission.Attribute("type", transmission.Child("type").Text());
  if (actuator.type == kLinearTransmission && ReadLinearTransmission(transmission)) return;
  // The reduction stands at the transmission, the joint or the actuator, by the age of the file;
  // the first that is found counts. Ratio: motor turns per joint turn.
  std::size_t joints = 0, actuators = 0;
  std::string joint_name;
  std::optional<double> reduction = transmission.ChildNumber("mechanicalReduction");
  for (const xml::Element joint : transmission.Children("joint")) {
    if (joints++ == 0) joint_name = joint.Attribute("name", "");
    if (!reduction) reduction = joint.ChildNumber("mechanicalReduction");
  }
  for (const xml::Element motor : transmission.Children("actuator")) {
    ++actuators;
    if (!reduction) reduction = motor.ChildNumber("mechanicalReduction");
  }
  // One joint and one motor make a drive of the model. A differential has two of each, which no
  // gear of a single joint could say: it stays text.
  if (joints == 1 && actuators <= 1) {
    if (const JointId* const found = joints_.Find(joint_name)) {
      actuator.joint = *found;
    } else if (!IsToldOf(joint_name)) {
      Diagnostic& warning = transmission.Warn(
          "transmission-joint-unknown",
          {"transmission", actuator.name,
           "joint '" + joint_name + "' is not defined; kinemorph keeps the transmission as text"});
      warning.suggestion = NearestName(joint_name, JointNames());
    }
    if (reduction) actuator.gear = *reduction;
    if (actuator.type.empty() || actuator.type.ends_with("SimpleTransmission"))
      actuator.kind = DriveKind::kEffort;
  } else {  // a differential: no single joint is its own
    for (const xml::Element joint : transmission.Children("joint"))
      if (const JointId* const found = joints_.Find(joint.Attribute("name", "")))
        model_.joint(*found).commanded = true;
  }
  actuator.native = transmission.Native();
  if (actuator.joint != kNoJoint && actuators == 1)
    ReadRotor(transmission.Child("actuator"), actuator);
  model_.actuators.push_back(std::move(actuator));
}

void RobotReader::ReadSensor(const xml::Element& element) {
  Sensor sensor;
  sensor.where = element.where();
  sensor.name = element.Attribute("name", "");
  sensor.type = element.Attribute("type", "");
  const xml::Element parent = element.Child("parent");
  const std::string link = parent.Attribute("link", ""), joint = parent.Attribute("joint", "");
  // A sensor of URDF 1.0 stands on a link or on a joint; its pose is in the frame of that.
  if (const LinkId* const found = links_.Find(link)) sensor.link = *found;
  if (const JointId* const found = joints_.Find(joint)) sensor.joint = *found;
  sensor.X_LS = ReadPose(element.Child("origin"));
  sensor.native = element.Native();
  if (sensor.link == kNoLink && sensor.joint == kNoJoint) {
    element.Warn(
        "sensor-parent-unknown",
        {"sensor", sensor.name,
         "its parent is not a link or joint of this robot; kinemorph keeps the sensor as text"});
    model_.native.push_back(std::move(sensor.native));
    return;
  }
  model_.sensors.push_back(std::move(sensor));
}

void RobotReader::ReportRoots() {
  // A link that a joint in error names as its child is no root of the author's.
  std::vector<LinkId> roots;
  for (const LinkId root : tree_.roots)
    if (!named_as_child_[Index(root)]) roots.push_back(root);
  // Where joints are in error, roots may be what those would have led to.
  if (roots.size() < 2 + faulty_joints_.size()) return;
  const Link& second = model_.link(roots[1]);
  // Six names are enough to see the pattern, in a file where every link is a root too.
  std::string others;
  for (std::size_t i = 0; i < roots.size() && i < 6; ++i)
    others += (i ? ", '" : "'") + model_.link(roots[i]).name + "'";
  if (roots.size() > 6) others += ", ...";
  Diagnostic diagnostic =
      MakeDiagnostic(Severity::kError, "several-roots", options_.file_name, second.where.line,
                     "robot/link[" + second.name + "]",
                     {"link", second.name,
                      "no joint leads to it, nor to '" + model_.link(roots[0]).name +
                          "', but a robot has one root link (" + std::to_string(roots.size()) +
                          " here: " + others + ")"});
  diagnostic.notes.push_back("join them: <joint name=\"...\" type=\"fixed\"> <parent link=\"" +
                             model_.link(roots[0]).name + "\"/> <child link=\"" + second.name +
                             "\"/> </joint>");
  robot_.context().diagnostics->Add(std::move(diagnostic));
}

void RobotReader::ReportCycles() {
  // Walk up from every link that the root does not reach; a walk that meets itself has found a
  // cycle.
  std::vector<std::uint32_t> walk(model_.num_links(), 0);
  std::uint32_t number = 0;
  for (const LinkId start : Links(model_)) {
    if (tree_.reached[Index(start)] || walk[Index(start)] != 0) continue;
    ++number;
    LinkId link = start;
    while (walk[Index(link)] == 0) {
      walk[Index(link)] = number;
      link = tree_.parent[Index(link)];
    }
    if (walk[Index(link)] != number) continue;
    // `link` is on the cycle; its last joint in the file is the one to change.
    JointId last = tree_.parent_joint[Index(link)];
    std::vector<LinkId> members{link};
    for (LinkId up = tree_.parent[Index(link)]; up != link; up = tree_.parent[Index(up)]) {
      members.push_back(up);
      last = std::max(last, tree_.parent_joint[Index(up)]);
    }
    const Joint& joint = model_.joint(last);
    const std::string P = model_.link(model_.predecessor(last)).name,
                      S = model_.link(model_.successor(last)).name;
    // The path is told from the joint's lower end upwards, against the direction of the parents.
    std::string path;
    const auto at =
        std::find(members.begin(), members.end(), model_.successor(last)) - members.begin();
    for (std::size_t i = 0; i <= members.size() && i <= 8; ++i) {
      const std::size_t k =
          (static_cast<std::size_t>(at) + members.size() * 2 - i) % members.size();
      path += (i ? " -> '" : "'") + model_.link(members[k]).name + "'";
    }
    Diagnostic diagnostic =
        MakeDiagnostic(Severity::kError, "joint-cycle", options_.file_name, joint.where.line,
                       "robot/joint[" + joint.name + "]",
                       {"joint", joint.name,
                        "closes a cycle of joints (" + path + (members.size() > 8 ? " ..." : "") +
                            "), but the joints of a robot form a tree"});
    diagnostic.notes.push_back("write it as a loop: <loop name=\"" + joint.name + "\" type=\"" +
                               joint.native_type + "\"> <predecessor link=\"" + P +
                               "\"/> <successor link=\"" + S +
                               "\"/> </loop>, and join the links to the root by another joint");
    robot_.context().diagnostics->Add(std::move(diagnostic));
  }
}

void RobotReader::KeepUnknown(const xml::Element& element,
                              std::initializer_list<std::string_view> known,
                              std::vector<NativeData>& native) {
  for (const xml::Element child : element.Children()) {
    if (std::find(known.begin(), known.end(), child.name()) != known.end()) continue;
    // Once per kind: an exporter's habit repeats in every link.
    if (!IsKnownExtension(child.name()) &&
        told_.insert(std::string(element.name()) + "/" + std::string(child.name())).second) {
      Diagnostic& warning = child.Warn(
          "element-unknown", {"element '" + std::string(child.name()) + "' in", element.path(),
                              "is not part of URDF; only URDF output keeps this element and "
                              "others like it, as text"});
      warning.suggestion =
          NearestName(child.name(), std::vector<std::string>(known.begin(), known.end()));
    }
    native.push_back(child.Native());
  }
}

void RobotReader::Dialect(const std::string& kind, const xml::Element& element, Statement statement,
                          std::string code) {
  if (told_.insert(kind).second) element.Warn(std::move(code), std::move(statement));
}

std::string RobotReader::UnusedName(const std::string& base) {
  if (!written_names_) {
    // Names of the whole file, also of elements that are not read yet: a made-up name must not take
    // one that the author uses further down.
    written_names_.emplace();
    for (const xml::Element child : robot_.Children()) {
      if (child.name() != "joint" && !IsConstraintElement(child.name())) continue;
      for (const auto& [attribute, value] : child.Attributes())
        if (attribute == "name") written_names_->Add(std::string(value));
    }
  }
  return written_names_->TakeNumbered(base);
}

}  // namespace urdf_format

namespace {

std::optional<Model> Read(std::string_view text, const ReadOptions& options,
                          Diagnostics& diagnostics, xml::Asked* asked) {
  // `asked` is set on the second reading of the same text, which only records the names of elements
  // and attributes that the reader knows to ask for, for suggestions about leftovers.
  const auto document = xml::Document::Parse(text, {.diagnostics = &diagnostics,
                                                    .file_name = options.file_name,
                                                    .file = 0,
                                                    .format = "urdf",
                                                    .asked = asked});
  if (!document) return std::nullopt;
  const xml::Element root = document->root();
  if (root.name() != "robot") {
    root.Error("root-element", "the root element is '" + std::string(root.name()) +
                                   "', but a URDF file has <robot name=\"...\">");
    return std::nullopt;
  }
  Model model = urdf_format::RobotReader(root, options,
                                         // It switches the reading of the ratio and of loops
                                         // without axis in files that were written before their
                                         // elements said it.
                                         {urdf_format::SaysProfile(text, "URDF+", "paper"),
                                          urdf_format::SaysProfile(text, "URDF+", "grbda")})
                    .Read();
  // The writer's own comment: with it a conversion back asks for the same profile.
  for (const char* dialect : {"paper", "grbda"})
    if (urdf_format::SaysProfile(text, "URDF+", dialect)) model.dialect = dialect;
  if (urdf_format::SaysProfile(text, "URDF", "drake")) model.dialect = "drake";
  if (model.dialect == "drake") model.contact_rule = ContactRule::kUnlessTreeJoined;
  if (asked) return model;
  // Text in ${} that is no number has given errors already; one hint says why. $() may pass as a
  // text, such as the name of a mesh, and is looked for on its own.
  const bool computes =
      text.find("\"${") != std::string_view::npos || text.find("\"$(") != std::string_view::npos;
  if ((diagnostics.has_errors() && computes) || urdf_format::HoldsSubstitution(text)) {
    root.Note("xacro-not-expanded",
              {"robot", model.name,
               "the file holds xacro expressions such as ${...} and $(find ...); expand it first: "
               "kinemorph expand FILE -o FILE.urdf"});
  }
  // Last, when everything has been read: files that are named and not there, and what nobody asked
  // for.
  xml::MissingFiles missing(options);
  missing.LookForAll(model);
  missing.Report(model, diagnostics);
  xml::Leftovers leftovers(model.native, [&](xml::Asked& names) {
    Diagnostics said;
    static_cast<void>(Read(text, options, said, &names));
  });
  leftovers.Add(*document);
  return model;
}

}  // namespace

std::optional<Model> ReadUrdf(std::string_view text, const ReadOptions& options,
                              Diagnostics& diagnostics) {
  return Read(text, options, diagnostics, nullptr);
}

}  // namespace kinemorph
