#include "kinemorph/formats/srdf.h"

#include <set>
#include <unordered_map>
#include <unordered_set>

#include "kinemorph/formats/xml_tags.h"
#include "xml_reader.h"

namespace kinemorph {
namespace urdf_format {
namespace {

// An SRDF tells MoveIt and Pinocchio what a URDF cannot say. Four things of it belong to the model:
// passive joints, links that do not collide, rotors, and where joints start. Groups and planners do
// not, and are passed over.
class SrdfAddition {
 public:
  SrdfAddition(const std::string& file, Model& model, Diagnostics& diagnostics)
      : model_(model), diagnostics_(diagnostics) {
    for (const JointId id : Joints(model))
      if (model.joint(id).role != JointRole::kLoop) joints_.emplace(model.joint(id).name, id);
    for (const LinkId id : Links(model)) links_.emplace(model.link(id).name, id);
    links_.emplace("world", kWorld);
    model.files.push_back(file);
  }

  bool Run(const xml::Element& root) {
    const std::size_t errors_before = diagnostics_.num_errors();
    if (const std::string name = root.Attribute("name", ""); name != model_.name)
      root.Warn("srdf-name",
                {"robot", name,
                 "the URDF's is '" + model_.name + "', and MoveIt takes them for two robots"});
    // An SRDF that goes with the robot decides for all joints: what it does not call passive is
    // independent.
    for (const auto& entry : joints_)
      if (NumVelocities(model_.joint(entry.second).kind) > 0)
        model_.joint(entry.second).independent = true;
    for (const xml::Element element : root.Children()) {
      if (diagnostics_.num_errors() > errors_before + kMostErrors) return false;
      if (element.name() == "passive_joint")
        Passive(element);
      else if (element.name() == "disable_collisions")
        Exclude(element);
      else if (element.name() == "rotor_params")
        Rotors(element);
      else if (element.name() == "group_state" && element.Attribute("name", "") == "initial")
        Start(element);
    }
    if (diagnostics_.num_errors() > errors_before) return false;
    model_.unsaid = UnsaidIndependence::kEverywhere;
    return true;
  }

 private:
  static constexpr std::size_t kMostErrors = 100;

  template <typename Id>
  std::optional<Id> Find(const std::unordered_map<std::string, Id>& all,
                         const xml::Element& element, const char* attribute) {
    const std::string name = element.Attribute(attribute, "");
    const auto found = all.find(name);
    if (found != all.end()) return found->second;
    element.Error("srdf-unknown", "<" + std::string(element.name()) + ">: '" + name.substr(0, 200) +
                                      "' of '" + attribute + "' is not in '" +
                                      model_.files.front() + "'");
    return std::nullopt;
  }

  void Passive(const xml::Element& element) {
    if (const auto id = Find(joints_, element, "name");
        id && NumVelocities(model_.joint(*id).kind) > 0)
      model_.joint(*id).independent = false;
  }

  void Exclude(const xml::Element& element) {
    const auto a = Find(links_, element, "link1"), b = Find(links_, element, "link2");
    const std::string reason = element.Attribute("reason", "User");
    // "Adjacent", "Never" and others are results of the setup assistant's sampling, true of the
    // shapes as they are. Only a pair that somebody chose says something of its own.
    if (!a || !b || reason != "User" || !pairs_.insert(std::minmax(*a, *b)).second) return;
    model_.contact_exclusions.push_back({*a, *b, Place(element)});
  }

  void Rotors(const xml::Element& element) {
    for (const xml::Element joint : element.Children("joint")) {
      const auto id = Find(joints_, joint, "name");
      // Pinocchio's words: "mass" is the rotor's inertia (kg m^2) before the gear.
      const double gear = joint.Number("gear_ratio", 1), inertia = joint.Number("mass", 0);
      if (id && model_.joint(*id).axes.size() == 1 && inertia != 0)
        model_.joint(*id).axes[0].armature = gear * gear * inertia;
    }
  }

  void Start(const xml::Element& element) {
    for (const xml::Element joint : element.Children("joint")) {
      const auto id = Find(joints_, joint, "name");
      const auto value = joint.Number("value");
      // Joints of several coordinates have their values in one text, in an order of MoveIt's.
      if (id && value && NumVelocities(model_.joint(*id).kind) == 1)
        model_.joint(*id).axes[0].initial_position = value;
    }
  }

  [[nodiscard]] SourceLocation Place(const xml::Element& element) const {
    return {static_cast<std::uint32_t>(model_.files.size() - 1), element.where().line};
  }

  Model& model_;
  Diagnostics& diagnostics_;
  std::unordered_map<std::string, JointId> joints_;
  std::unordered_map<std::string, LinkId> links_;
  std::set<std::pair<LinkId, LinkId>> pairs_;
};

}  // namespace
}  // namespace urdf_format

bool LooksLikeSrdf(std::string_view text) {
  bool any = false;
  std::size_t seen = 0;
  for (std::optional<XmlTag> tag = NextTag(text); tag; tag = NextTag(text, tag->end)) {
    // A URDF and an SRDF have one root element: only a URDF has inertials and axes, and only an
    // SRDF groups. The first thousand tags settle it.
    if (++seen == 1 && tag->name != "robot") return false;
    if (tag->name == "inertial" || tag->name == "axis") return false;
    any = any || tag->name == "passive_joint" || tag->name == "disable_collisions" ||
          tag->name == "group" || tag->name == "group_state" || tag->name == "virtual_joint" ||
          tag->name == "rotor_params";
    if (seen > 1000) break;
  }
  return any;
}

bool AddSrdf(std::string_view text, const std::string& file, Model& model,
             Diagnostics& diagnostics) {
  if (model.format != "urdf" && model.format != "urdf+") {
    diagnostics.Add(MakeDiagnostic(Severity::kError, "srdf-format", file, 0, "",
                                   {"", file, "goes with a URDF, and this is " + model.format}));
    return false;
  }
  const auto document = xml::Document::Parse(
      text, {.diagnostics = &diagnostics, .file_name = file, .file = 0, .format = "urdf"});
  if (!document) return false;
  if (document->root().name() != "robot") {
    document->root().Error("root-element", "the root element of an SRDF is <robot name=\"...\">");
    return false;
  }
  return urdf_format::SrdfAddition(file, model, diagnostics).Run(document->root());
}

}  // namespace kinemorph
