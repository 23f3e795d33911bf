// <attach>: a body of another model with all that belongs to it, under names with a prefix.
#include <algorithm>
#include <array>
#include <filesystem>

#include "kinemorph/graph/base/overloaded.h"
#include "read/reader.h"

namespace kinemorph::mjcf {
namespace {

constexpr int kMaxDepth = 16;  // models attached inside each other

bool OneOf(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Attributes whose value is the name of a part of the model.
bool HoldsName(std::string_view attribute) {
  return OneOf(attribute,
               {"name",    "joint",      "joint1",    "joint2",   "jointinparent", "body",
                "body1",   "body2",      "site",      "site1",    "site2",         "sidesite",
                "refsite", "slidersite", "cranksite", "geom",     "geom1",         "geom2",
                "tendon",  "tendon1",    "tendon2",   "actuator", "mesh",          "material",
                "texture", "hfield",     "objname",   "refname",  "target"});
}

bool HoldsFile(std::string_view attribute) {
  return OneOf(attribute,
               {"file", "fileright", "fileleft", "fileup", "filedown", "filefront", "fileback"});
}

// A part of the attached model on its way into this one.
struct Moved {
  std::string prefix, suffix;
  std::string folder;       // of the attached file, seen from the main one
  std::uint32_t files = 0;  // to be added to its file numbers

  [[nodiscard]] std::string Name(const std::string& name) const {
    return name.empty() ? name : prefix + name + suffix;
  }
  [[nodiscard]] std::string Uri(const std::string& uri) const {
    return folder.empty() || uri.empty() || uri.front() == '/' ||
                   uri.find("://") != std::string::npos
               ? uri
               : folder + "/" + uri;
  }
  void Place(SourceLocation& where) const {
    if (where.line > 0) where.file += files;
  }
  // The text of attributes stands between '="' and '"'; a '"' inside is escaped.
  void Native(NativeData& native) const {
    std::string out;
    std::string_view rest = native.xml;
    for (std::size_t at = rest.find("=\""); at != std::string_view::npos; at = rest.find("=\"")) {
      const std::size_t space = rest.find_last_of(" \t\r\n", at),
                        end = std::min(rest.find('"', at + 2), rest.size());
      const std::string_view attribute = rest.substr(space + 1, at - space - 1);
      const std::string value(rest.substr(at + 2, end - at - 2));
      out += rest.substr(0, at + 2);
      out += HoldsName(attribute) ? Name(value) : HoldsFile(attribute) ? Uri(value) : value;
      rest.remove_prefix(end);
    }
    native.xml = out + std::string(rest);
    Place(native.where);
  }
  void Natives(std::vector<NativeData>& natives) const {
    for (NativeData& native : natives) Native(native);
  }
  template <class Part>
  void Geometry(Part& part) const {
    part.name = Name(part.name);
    Place(part.where);
    Natives(part.native);
    std::visit(Overloaded{[&](Mesh& mesh) {
                            mesh.uri = Uri(mesh.uri);
                            mesh.name = Name(mesh.name);
                          },
                          [&](NativeShape& shape) { Native(shape.data); }, [](auto&) {}},
               part.shape);
  }
  void Link(kinemorph::Link& link) const {
    link.name = Name(link.name);
    link.scope = ScopeId{0};
    Place(link.where);
    Natives(link.native);
    if (link.inertial) Place(link.inertial->where);
    for (Visual& visual : link.visuals) {
      Geometry(visual);
      if (!visual.material) continue;
      visual.material->name = Name(visual.material->name);
      Place(visual.material->where);
      if (visual.material->texture) visual.material->texture = Uri(*visual.material->texture);
    }
    for (Collision& collision : link.collisions) Geometry(collision);
  }
};

// The links of the body called `root` and below, the links between its joints included; `top` is
// the joint that holds it.
std::vector<bool> Subtree(const Model& model, LinkId root, JointId& top) {
  std::vector<JointId> parent(model.num_links(), kNoJoint);
  for (const JointId id : Joints(model))
    if (model.joint(id).role != JointRole::kLoop) parent[Index(model.successor(id))] = id;
  std::vector<bool> inside(model.num_links(), false);
  inside[Index(root)] = true;
  for (top = parent[Index(root)]; model.link(model.predecessor(top)).synthetic;
       top = parent[Index(model.predecessor(top))])
    inside[Index(model.predecessor(top))] = true;
  // Joints stand in document order: those of a body before those of its children.
  for (const JointId id : Joints(model))
    if (model.joint(id).role != JointRole::kLoop && inside[Index(model.predecessor(id))])
      inside[Index(model.successor(id))] = true;
  return inside;
}

}  // namespace

struct Reader::Attached {
  ReadOptions options;
  std::unique_ptr<Reader> reader;
  std::optional<Model> model;
  std::uint32_t files = 0;  ///< its first file among ours
  std::string folder;
};

Reader::Attached* Reader::OpenAttached(const xml::Element& attach, const std::string& name) {
  if (const auto known = attached_.find(name); known != attached_.end())
    return known->second->model ? known->second.get() : nullptr;
  const xml::Element asset = assets_.FindModel(name);
  if (!asset) {
    attach.Error("model-undefined", "attach: model '" + name +
                                        "' is not defined; write <asset><model name=\"" + name +
                                        "\" file=\"...\"/>");
    return nullptr;
  }
  auto attached = std::make_shared<Attached>();
  attached_[name] = attached;
  const std::string file = asset.Attribute("file", "");
  static_cast<void>(asset.Attribute("content_type"));
  const auto refuse = [&](const std::string& why) -> Attached* {
    asset.Error("attach-not-found", "model '" + name + "': file '" + file + "' " + why +
                                        "; the bodies that come from it would be missing");
    return nullptr;
  };
  if (depth_ >= kMaxDepth) return refuse("is attached inside too many others, or inside itself");
  if (options_.resolver == nullptr) return refuse("cannot be opened here");
  std::string why;
  const auto resource = options_.resolver->Open(file, SourceTree::FileOf(asset), why);
  if (!resource) return refuse("cannot be read: " + why);
  attached->options = {resource->path, options_.resolver};
  attached->reader = std::make_unique<Reader>(attached->options, diagnostics_, nullptr);
  attached->reader->depth_ = depth_ + 1;
  attached->model = attached->reader->Read(resource->content);
  if (!attached->model) return nullptr;
  attached->files = static_cast<std::uint32_t>(model_.files.size());
  model_.files.insert(model_.files.end(), attached->model->files.begin(),
                      attached->model->files.end());
  attached->folder = std::filesystem::path(file).parent_path().generic_string();
  return attached.get();
}

void Reader::ReadAttach(const Item& item, LinkId link) {
  const xml::Element& element = item.element;
  element.Consume();
  const std::string name = element.Attribute("model", ""), body = element.Attribute("body", ""),
                    prefix = element.Attribute("prefix", "");
  if (asked_ != nullptr) return;
  Attached* const attached = OpenAttached(element, name);
  if (attached == nullptr) return;
  const Model& source = *attached->model;
  const auto root = body.empty() ? std::optional<LinkId>() : source.FindLink(body);
  if (!root || *root == kWorld) {
    element.Error("body-undefined",
                  body.empty()
                      ? "attach of model '" + name +
                            "': name the 'body' to attach; a whole world is not attached here"
                      : "attach: body '" + body + "' is not defined in model '" + name + "'");
    return;
  }
  const Moved moved{prefix, item.suffix, attached->folder, attached->files};
  JointId top = kNoJoint;
  const std::vector<bool> inside = Subtree(source, *root, top);
  const std::vector<RigidTransform>& X_WL = attached->reader->X_WL_;
  const RigidTransform X_new =
      X_WL_[Index(link)] * item.X_BF * X_WL[Index(source.predecessor(top))].inverse();

  std::vector<LinkId> link_of(source.num_links(), kNoLink);
  for (const LinkId id : Links(source)) {
    if (!inside[Index(id)]) continue;
    Link copy = source.link(id);
    moved.Link(copy);
    if (copy.synthetic) copy.name.clear();  // named last of all
    if (!copy.synthetic) static_cast<void>(Claim("body", copy.name, element));
    link_of[Index(id)] = model_.AddLink(std::move(copy));
    X_WL_.push_back(X_new * X_WL[Index(id)]);
    const std::string& new_name = model_.link(link_of[Index(id)]).name;
    if (!new_name.empty()) links_by_name_.emplace(new_name, link_of[Index(id)]);
    for (const Collision& collision : model_.link(link_of[Index(id)]).collisions)
      if (!collision.name.empty()) geoms_by_name_[collision.name] = link_of[Index(id)];
  }
  std::vector<JointId> joint_of(source.num_joints(), kNoJoint);
  for (const JointId id : Joints(source)) {
    const LinkId P = source.predecessor(id), S = source.successor(id);
    Joint copy = source.joint(id);
    copy.name = moved.Name(copy.name);
    copy.scope = ScopeId{0};
    moved.Place(copy.where);
    moved.Natives(copy.native);
    if (copy.role == JointRole::kLoop) {
      if (link_of[Index(P)] != kNoLink && link_of[Index(S)] != kNoLink)
        attached_loops_.push_back({link_of[Index(P)], link_of[Index(S)], std::move(copy)});
      continue;
    }
    if (!inside[Index(S)]) continue;
    if (id == top) copy.X_PF = item.X_BF * copy.X_PF;
    if (std::holds_alternative<Free>(copy.kind) && link != kWorld)
      element.Error(
          "freejoint-nested",
          "attach: body '" + body + "' has a free joint; only a body of the world can have one");
    if (!copy.implicit) static_cast<void>(Claim("joint", copy.name, element));
    const std::string new_name = copy.name;
    joint_of[Index(id)] =
        model_.AddJoint(id == top ? link : link_of[Index(P)], link_of[Index(S)], std::move(copy));
    joints_by_name_[new_name] = joint_of[Index(id)];
  }
  for (Frame frame : source.frames) {
    if (link_of[Index(frame.link)] == kNoLink) continue;
    frame.name = moved.Name(frame.name);
    frame.link = link_of[Index(frame.link)];
    moved.Place(frame.where);
    moved.Natives(frame.native);
    if (Claim("site", frame.name, element)) sites_by_name_[frame.name] = {frame.link, frame.X_LF};
    model_.frames.push_back(std::move(frame));
  }
  for (Coupling coupling : source.couplings) {
    const bool here = std::all_of(
        coupling.terms.begin(), coupling.terms.end(),
        [&](const CouplingTerm& t) { return joint_of[Index(t.coordinate.joint)] != kNoJoint; });
    if (!here) continue;
    coupling.name = moved.Name(coupling.name);
    for (CouplingTerm& term : coupling.terms)
      term.coordinate.joint = joint_of[Index(term.coordinate.joint)];
    moved.Place(coupling.where);
    moved.Natives(coupling.native);
    model_.couplings.push_back(std::move(coupling));
  }
  for (const ContactExclusion& pair : source.contact_exclusions) {
    if (link_of[Index(pair.a)] == kNoLink || link_of[Index(pair.b)] == kNoLink) continue;
    model_.contact_exclusions.push_back(
        {link_of[Index(pair.a)], link_of[Index(pair.b)], pair.where, moved.Name(pair.name)});
    moved.Place(model_.contact_exclusions.back().where);
  }
  for (Actuator actuator : source.actuators) {
    if (actuator.joint != kNoJoint && joint_of[Index(actuator.joint)] == kNoJoint) continue;
    actuator.name = moved.Name(actuator.name);
    if (actuator.joint != kNoJoint) actuator.joint = joint_of[Index(actuator.joint)];
    moved.Place(actuator.where);
    moved.Native(actuator.native);
    model_.actuators.push_back(std::move(actuator));
  }
  for (Sensor sensor : source.sensors) {
    if (sensor.link != kNoLink && link_of[Index(sensor.link)] == kNoLink) continue;
    if (sensor.joint != kNoJoint && joint_of[Index(sensor.joint)] == kNoJoint) continue;
    sensor.name = moved.Name(sensor.name);
    if (sensor.link != kNoLink) sensor.link = link_of[Index(sensor.link)];
    if (sensor.joint != kNoJoint) sensor.joint = joint_of[Index(sensor.joint)];
    moved.Place(sensor.where);
    moved.Native(sensor.native);
    model_.sensors.push_back(std::move(sensor));
  }
  // The attached model's settings do not count, its assets come along; the rest only where all of
  // the model does.
  const std::size_t bodies =
      static_cast<std::size_t>(std::count(inside.begin(), inside.end(), true));
  const bool whole = bodies + 1 == source.num_links();
  for (NativeData native : source.native) {
    if (OneOf(native.element, {"option", "option/flag", "compiler", "size", "statistic", "visual"}))
      continue;
    const bool asset = OneOf(native.element, {"material", "asset/material", "texture", "hfield",
                                              "skin", "mesh", "asset/mesh"});
    moved.Native(native);
    if (!asset && (!whole || native.element == "keyframe")) native.format.clear();
    model_.native.push_back(std::move(native));
  }
}

}  // namespace kinemorph::mjcf
