// What nobody read: said, and kept by name, so that every target tells that it is lost.
#include <algorithm>
#include <array>
#include <cmath>

#include "mujoco_words.h"
#include "read/builder.h"
#include "read/values.h"

namespace kinemorph::usd {
namespace {

constexpr std::size_t kLongest = 400;  // bytes of a value that are kept

// Of no meaning for a robot: how a picture is made, and what is there for other programs.
// Drawing aids that every exporter writes; to name them each time would hide what matters.
bool IsQuiet(std::string_view name) {
  constexpr std::array<std::string_view, 9> kNames = {
      "extent",    "doubleSided", "orientation",  "subdivisionScheme",      "purpose",
      "proxyPrim", "visibility",  "xformOpOrder", "physics:simulationOwner"};
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end() ||
         name.starts_with("primvars:") || name.starts_with("ui:") ||
         name.starts_with("material:binding") || name.starts_with("outputs:");
}

// What is so where nothing is written.
// A switch in its usual position, a number that means "none": no loss.
bool IsDefault(const Property& p) {
  if (!p.value) return !p.connect && !p.samples;
  if (*p.value == "None" || *p.value == "false" || *p.value == "[]") return true;
  if (p.name == "physics:rigidBodyEnabled" || p.name == "physics:collisionEnabled" ||
      p.name == "physics:jointEnabled" || p.name == "newton:mimicEnabled")
    return BooleanIn(*p.value) == true;
  if (p.name == "physics:approximation")
    return *p.value == "\"none\"" || *p.value == "\"convexHull\"";
  const std::optional<std::vector<double>> numbers = NumbersIn(*p.value, 16);
  if (!numbers || numbers->empty()) return false;
  const bool cone = p.name.starts_with("physics:coneAngle");
  return std::all_of(numbers->begin(), numbers->end(), [&](double x) {
    return x == 0 || (std::abs(x) >= 1e37 && !p.name.starts_with("mjc:")) || (cone && x < 0);
  });
}

// What holds others, or is read with them.
bool IsGroup(std::string_view type) {
  return type.empty() || type == "Xform" || type == "Scope" || type == "GeomSubset" ||
         type == "PhysicsScene" || type == "SkelRoot";
}

}  // namespace

// What MJCF says in such an element, as it would.
void Builder::KeepMujoco(PrimId prim, std::string_view element, std::vector<NativeData>& list) {
  const std::string name(element.substr(element.find('/') + 1));  // "flag" of "option/flag"
  NativeData data{"mjcf", std::string(element), {.name = name}, Where(prim)};
  for (const Property& property : layer_.prims[prim].properties) {
    if (!property.name.starts_with("mjc:") || !property.value) continue;
    auto attribute = MujocoAttribute(element, property.name, *property.value);
    if (!attribute) continue;
    property.used = true;
    if (data.content.attributes.empty()) data.where = Where(prim, property.line);
    data.content.attributes.push_back(std::move(*attribute));
  }
  if (!data.content.attributes.empty()) list.push_back(std::move(data));
}

// A body whose weight is borne whole has none.
void Builder::KeepOfLink(PrimId prim, Link& link) {
  std::vector<NativeData> said;
  KeepMujoco(prim, "body", said);
  const std::string* const borne =
      said.empty() ? nullptr : said.front().content.Attribute("gravcomp");
  if (borne != nullptr && *borne == "1")
    link.gravity = false;
  else if (borne != nullptr && *borne != "0")
    link.native.push_back(std::move(said.front()));
  Keep(prim, link.native, "link '" + link.name + "'", false);
}

// How softly it is held is said of a loop, or of the relation that it follows by.
void Builder::KeepOfJoint(PrimId prim, Joint& joint, Coupling* follows) {
  KeepMujoco(prim, "joint", joint.native);
  if (joint.role == JointRole::kLoop) KeepMujoco(prim, "equality", joint.native);
  if (follows != nullptr) KeepMujoco(prim, "equality", follows->native);
  Keep(prim, joint.native, About("joint", joint.name), false);
}

// `whole`: the prim itself is nothing that is read.
void Builder::Keep(PrimId prim, std::vector<NativeData>& list, const std::string& owner,
                   bool whole) {
  const Prim& p = layer_.prims[prim];
  const std::string type = p.type.empty() ? "prim" : std::string(p.type);
  NativeElement content{.name = type};
  content.line = Where(prim).line;
  std::string names;
  std::size_t count = 0;
  SourceLocation where = Where(prim);
  // At most four names in a message, all of them in the model.
  for (const Property& property : p.properties) {
    if (property.used || IsQuiet(property.name) || IsDefault(property)) continue;
    if (count == 0) where = Where(prim, property.line);
    if (++count <= 4) names += (names.empty() ? "'" : ", '") + std::string(property.name) + "'";
    const std::string_view value = property.value.value_or("");
    content.attributes.emplace_back(property.name, value.substr(0, kLongest));
  }
  if (count > 4) names += " and " + std::to_string(count - 4) + " more";
  if (whole) where = Where(prim);
  if (!whole && count == 0) return;
  Say(Severity::kWarning, "not-used", where,
      whole ? Statement(stage_.Named(prim), "a prim of type '" + type + "' is not used")
            : Statement(owner, names + (count == 1 ? " is" : " are") + " not used"));
  list.push_back({"usd", type, std::move(content), where});
}

void Builder::KeepLeftovers() {
  std::map<PrimId, JointId> joint_of;
  for (const auto& [prim, joint] : joints_) joint_of.emplace(prim, joint);
  std::map<JointId, Coupling*> follower;
  for (Coupling& coupling : model_.couplings)
    if (!coupling.terms.empty())
      follower.emplace(coupling.terms.front().coordinate.joint, &coupling);
  // Whole branches are told once: shaders of a material, shapes that could not be read.
  std::vector<bool> inside(stage_.num_prims());  // of what is read or told as a whole
  std::size_t custom = 0;
  for (PrimId i = 0; i < stage_.num_prims(); ++i) {
    const Prim& p = layer_.prims[i];
    if (!stage_.Stands(i)) continue;
    custom += p.custom_data ? 1 : 0;
    inside[i] = (p.parent != kNoPrim && inside[p.parent]) || p.type == "Material" ||
                p.type == "Shader" || p.type == "NodeGraph" || told_[i];
    if (inside[i]) continue;
    if (link_of_[i] != kNoLink) {
      KeepOfLink(i, model_.link(link_of_[i]));
    } else if (const auto joint = joint_of.find(i); joint != joint_of.end()) {
      const auto follows = follower.find(joint->second);
      KeepOfJoint(i, model_.joint(joint->second),
                  follows == follower.end() ? nullptr : follows->second);
    } else if (const auto shape = collision_of_.find(i); shape != collision_of_.end()) {
      std::vector<NativeData>& list =
          model_.link(shape->second.first).collisions[shape->second.second].native;
      KeepMujoco(i, "geom", list);
      Keep(i, list, stage_.Named(i), false);
    } else if (const auto drawn = visual_of_.find(i); drawn != visual_of_.end()) {
      Keep(i, model_.link(drawn->second.first).visuals[drawn->second.second].native,
           stage_.Named(i), false);
    } else if (const auto frame = frame_of_.find(i); frame != frame_of_.end()) {
      Keep(i, model_.frames[frame->second].native, stage_.Named(i), false);
    } else if (IsGroup(p.type)) {
      for (const char* const element : {"option", "option/flag"})
        if (p.type == "PhysicsScene") KeepMujoco(i, element, model_.native);
      Keep(i, model_.native, stage_.Named(i), false);
    } else {
      inside[i] = true;
      Keep(i, model_.native, "", true);
    }
  }
  if (custom > 0)
    Say(Severity::kNote, "usd-custom-data", 0,
        std::to_string(custom) + (custom == 1 ? " prim carries" : " prims carry") +
            " customData, which is not read");
}

}  // namespace kinemorph::usd
