// <attach>: a body, a frame or the whole world of another model with all that belongs to it, under
// names with a prefix.
#include <algorithm>
#include <array>
#include <filesystem>

#include "kinemorph/graph/base/overloaded.h"
#include "native.h"
#include "read/reader.h"
#include "xml_writer.h"

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

}  // namespace

// A part of the attached model on its way into this one.
struct Reader::Moved {
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
  void Native(NativeData& native, const RigidTransform* X = nullptr) const {
    ForEachIn(native.content, [&](NativeElement& element) {
      for (auto& [attribute, value] : element.attributes) {
        if (HoldsName(attribute))
          value = Name(value);
        else if (HoldsFile(attribute))
          value = Uri(value);
        else if (X != nullptr && &element == &native.content)
          value = Placed(attribute, value, *X);
      }
    });
    Place(native.where);
  }
  // Native elements of a body hold their pose as pos with quat or dir.
  static std::string Placed(std::string_view attribute, const std::string& value,
                            const RigidTransform& X) {
    const std::vector<double> numbers = xml::ParseNumbers(value).value_or(std::vector<double>());
    if (attribute == "pos" && numbers.size() == 3)
      return xml::VectorText(X.R * Vector3(numbers[0], numbers[1], numbers[2]) + X.p);
    if (attribute == "dir" && numbers.size() == 3)
      return xml::VectorText(X.R * Vector3(numbers[0], numbers[1], numbers[2]));
    if (attribute != "quat" || numbers.size() != 4) return value;
    return QuaternionText(X.R *
                          RotationFromQuaternion(numbers[0], numbers[1], numbers[2], numbers[3]));
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
  void Visual(kinemorph::Visual& visual) const {
    Geometry(visual);
    if (!visual.material) return;
    visual.material->name = Name(visual.material->name);
    Place(visual.material->where);
    if (visual.material->texture) visual.material->texture = Uri(*visual.material->texture);
  }
  void Link(kinemorph::Link& link) const {
    link.name = Name(link.name);
    link.scope = ScopeId{0};
    Place(link.where);
    Natives(link.native);
    if (link.inertial) Place(link.inertial->where);
    for (kinemorph::Visual& visual : link.visuals) Visual(visual);
    for (Collision& collision : link.collisions) Geometry(collision);
  }
};

namespace {

// Everything below the joints in `tops`; `inside` by link.
void TakeBelow(const Model& model, const std::vector<JointId>& tops, std::vector<bool>& inside) {
  for (const JointId top : tops) inside[Index(model.successor(top))] = true;
  // Joints stand in document order: those of a body before those of its children.
  for (const JointId id : Joints(model))
    if (model.joint(id).role != JointRole::kLoop && inside[Index(model.predecessor(id))])
      inside[Index(model.successor(id))] = true;
}

template <class Part>
void Append(const std::vector<Part>& from, std::size_t first, std::size_t last,
            std::vector<Part>& to) {
  for (std::size_t i = first; i < last; ++i) to.push_back(from[i]);
}

}  // namespace

// What of a model is attached: bodies, and parts of the one link that holds them.
struct Reader::Selection {
  LinkId holder = kWorld;
  RigidTransform X_HA;        ///< what is put onto the place of the attach, in the holder
  std::vector<JointId> tops;  ///< that hold the bodies
  kinemorph::Link parts;      ///< of the holder: visuals, collisions, native
  std::vector<Frame> frames;  ///< of the holder
  bool whole = false;         ///< nothing of the model is left behind
  bool world = false;         ///< the world itself comes, with its sites
};

struct Reader::Attached {
  ReadOptions options;
  std::unique_ptr<Reader> reader;
  bool read = false;        ///< then the model is the reader's
  std::uint32_t files = 0;  ///< its first file among ours
  std::string folder;
};

// A model without a name in this file has the one that its own file gives it.
Reader::Attached* Reader::OpenAttached(const xml::Element& attach, const std::string& name) {
  const auto known = [&] {
    const auto found = attached_.find(name);
    return found == attached_.end() ? nullptr : found->second.get();
  };
  const xml::Element asset = assets_.FindModel(name);
  if (!asset && !nameless_opened_) {
    nameless_opened_ = true;
    for (const xml::Element& nameless : assets_.nameless_models())
      static_cast<void>(OpenModel(nameless, ""));
  }
  if (Attached* const attached = known()) return attached->read ? attached : nullptr;
  if (!asset) {
    attach.Error("model-undefined", "attach: model '" + name +
                                        "' is not defined; write <asset><model name=\"" + name +
                                        "\" file=\"...\"/>");
    return nullptr;
  }
  return OpenModel(asset, name);
}

Reader::Attached* Reader::OpenModel(const xml::Element& asset, std::string name) {
  auto attached = std::make_shared<Attached>();
  if (!name.empty()) attached_[name] = attached;
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
  std::optional<Model> model = attached->reader->Read(resource->content);
  if (!model) return nullptr;
  attached->read = true;
  attached->reader->model_ = std::move(*model);
  const Model& source = attached->reader->model_;
  if (name.empty()) attached_.emplace(source.name, attached);
  attached->files = static_cast<std::uint32_t>(model_.files.size());
  model_.files.insert(model_.files.end(), source.files.begin(), source.files.end());
  attached->folder = std::filesystem::path(file).parent_path().generic_string();
  return attached.get();
}

bool Reader::IsWithin(int frame, int around) const {
  while (frame >= 0 && frame != around) frame = frames_[static_cast<std::size_t>(frame)].around;
  return frame >= 0;
}

// A body is attached with its pose in the frame or body that holds it.
Reader::Selection Reader::SelectBody(LinkId root) const {
  std::vector<JointId> parent(model_.num_links(), kNoJoint);
  for (const JointId id : Joints(model_))
    if (model_.joint(id).role != JointRole::kLoop) parent[Index(model_.successor(id))] = id;
  JointId top = parent[Index(root)];
  while (model_.link(model_.predecessor(top)).synthetic)  // links between its joints
    top = parent[Index(model_.predecessor(top))];
  Selection selection;
  selection.holder = model_.predecessor(top);
  selection.tops = {top};
  selection.whole = model_.num_links() > 1 && CountBelow(selection.tops) + 1 == model_.num_links();
  if (const auto frame = frame_of_top_.find(top); frame != frame_of_top_.end())
    selection.X_HA = frames_[static_cast<std::size_t>(frame->second)].X_BF;
  return selection;
}

Reader::Selection Reader::SelectWorld() const {
  Selection selection;
  selection.whole = selection.world = true;
  selection.parts = model_.link(kWorld);
  for (const JointId id : Joints(model_))
    if (model_.joint(id).role != JointRole::kLoop && model_.predecessor(id) == kWorld)
      selection.tops.push_back(id);
  for (const Frame& frame : model_.frames)
    if (frame.link == kWorld) selection.frames.push_back(frame);
  return selection;
}

Reader::Selection Reader::SelectFrame(int chosen) const {
  const FrameElement& frame = frames_[static_cast<std::size_t>(chosen)];
  Selection selection;
  selection.holder = frame.link;
  if (frame.around >= 0) selection.X_HA = frames_[static_cast<std::size_t>(frame.around)].X_BF;
  for (const auto& [top, around] : frame_of_top_)
    if (IsWithin(around, chosen)) selection.tops.push_back(top);
  const Link& link = model_.link(frame.link);
  for (const FrameParts& parts : frame_parts_) {
    if (!IsWithin(parts.frame, chosen)) continue;
    Append(link.visuals, parts.from.visuals, parts.to.visuals, selection.parts.visuals);
    Append(link.collisions, parts.from.collisions, parts.to.collisions, selection.parts.collisions);
    Append(link.native, parts.from.natives, parts.to.natives, selection.parts.native);
    for (std::size_t i = parts.from.frames; i < parts.to.frames; ++i)
      if (model_.frames[i].link == frame.link) selection.frames.push_back(model_.frames[i]);
  }
  return selection;
}

// Of `this`, the reader of the attached model.
std::optional<Reader::Selection> Reader::Select(const xml::Element& attach,
                                                const std::string& name) const {
  const auto body = attach.Attribute("body"), frame = attach.Attribute("frame");
  if (body && frame) {
    attach.Error("attach-twice", "attach of model '" + name + "': both a body and a frame");
    return std::nullopt;
  }
  if (frame) {
    for (std::size_t i = 0; i < frames_.size(); ++i)
      if (frames_[i].name == *frame) return SelectFrame(static_cast<int>(i));
    attach.Error("frame-undefined", "attach: frame '" + std::string(*frame) +
                                        "' is not defined in model '" + name + "'");
    return std::nullopt;
  }
  if (!body) return SelectWorld();
  const auto root = model_.FindLink(*body);
  if (!root) {
    attach.Error("body-undefined", "attach: body '" + std::string(*body) +
                                       "' is not defined in model '" + name + "'");
    return std::nullopt;
  }
  return *root == kWorld ? SelectWorld() : SelectBody(*root);
}

std::size_t Reader::CountBelow(const std::vector<JointId>& tops) const {
  std::vector<bool> inside(model_.num_links(), false);
  TakeBelow(model_, tops, inside);
  return static_cast<std::size_t>(std::count(inside.begin(), inside.end(), true));
}

// Parts of the world or a frame of another model become parts of `link`.
void Reader::MoveParts(const Link& parts, const RigidTransform& X, const Moved& moved,
                       LinkId link) {
  Link& to = model_.link(link);
  for (Visual visual : parts.visuals) {
    moved.Visual(visual);
    visual.X_LG = X * visual.X_LG;
    to.visuals.push_back(std::move(visual));
  }
  for (Collision collision : parts.collisions) {
    moved.Geometry(collision);
    collision.X_LG = X * collision.X_LG;
    if (!collision.name.empty()) geoms_by_name_[collision.name] = link;
    to.collisions.push_back(std::move(collision));
  }
  for (NativeData native : parts.native) {
    moved.Native(native, &X);
    to.native.push_back(std::move(native));
  }
}

void Reader::AddFrame(Frame frame, const Moved& moved, LinkId link, const xml::Element& attach) {
  frame.name = moved.Name(frame.name);
  frame.link = link;
  moved.Place(frame.where);
  moved.Natives(frame.native);
  if (Claim("site", frame.name, attach)) sites_by_name_[frame.name] = {link, frame.X_LF};
  model_.frames.push_back(std::move(frame));
}

void Reader::ReadAttach(const Item& item, LinkId link, bool weigh) {
  const xml::Element& element = item.element;
  element.Consume();
  const std::string name = element.Attribute("model", ""), prefix = element.Attribute("prefix", "");
  if (asked_ != nullptr) {
    for (const char* attribute : {"body", "frame"}) static_cast<void>(element.Attribute(attribute));
    return;
  }
  Attached* const attached = OpenAttached(element, name);
  if (attached == nullptr) return;
  const Model& source = attached->reader->model_;
  auto selection = attached->reader->Select(element, name);
  if (!selection) return;
  if (weigh && !(selection->parts.visuals.empty() && selection->parts.collisions.empty())) {
    element.Error("attach-geoms", "attach of model '" + name + "': its world or frame has geoms, " +
                                      "which would add to the inertia of the body they come to; " +
                                      "give that body an <inertial>");
    return;
  }
  incomplete_ = incomplete_ || attached->reader->incomplete_;
  const Moved moved{prefix, item.suffix, attached->folder, attached->files};
  std::vector<bool> inside(source.num_links(), false);
  TakeBelow(source, selection->tops, inside);
  const std::vector<RigidTransform>& X_WL = attached->reader->X_WL_;
  const RigidTransform X_LH = item.X_BF * selection->X_HA.inverse();
  const RigidTransform X_new = X_WL_[Index(link)] * X_LH * X_WL[Index(selection->holder)].inverse();
  const std::size_t first_joint = model_.num_joints();
  MoveParts(selection->parts, X_LH, moved, link);

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
  // Loops with the world stay loops with the world, but a site of the world went along.
  const auto at = [&](LinkId id) { return id == kWorld ? kWorld : link_of[Index(id)]; };
  for (const JointId id : Joints(source)) {
    const LinkId P = source.predecessor(id), S = source.successor(id);
    Joint copy = source.joint(id);
    copy.name = moved.Name(copy.name);
    copy.scope = ScopeId{0};
    moved.Place(copy.where);
    moved.Natives(copy.native);
    if (copy.role == JointRole::kLoop) {
      if (attached->reader->loops_by_sites_.contains(id) && (P == kWorld || S == kWorld)) {
        if (!selection->world && !selection->frames.empty())
          element.Error("attach-site", "attach of model '" + name + "': equality '" + copy.name +
                                           "' holds a site of its world, of which a part comes " +
                                           "along; attach the whole world");
        if (!selection->world) continue;  // the site stays behind, and so does what holds it
        RigidTransform& X_LS = P == kWorld ? copy.X_PF : copy.X_SM;
        X_LS = X_LH * X_LS;
        const auto end = [&](LinkId of) { return of == kWorld ? link : link_of[Index(of)]; };
        attached_loops_.push_back({end(P), end(S), std::move(copy)});
        continue;
      }
      // MuJoCo closes it where the bodies stand at qpos0, except a weld with a pose of its own.
      const bool closed =
          ((X_WL[Index(P)] * copy.X_PF).p - (X_WL[Index(S)] * copy.X_SM).p).norm() < 1e-9;
      if (closed && P == kWorld) copy.X_PF = X_new * copy.X_PF;
      if (closed && S == kWorld) copy.X_SM = X_new * copy.X_SM;
      if (at(P) != kNoLink && at(S) != kNoLink)
        attached_loops_.push_back({at(P), at(S), std::move(copy)});
      continue;
    }
    if (!inside[Index(S)]) continue;
    const bool top = link_of[Index(P)] == kNoLink;
    if (top) copy.X_PF = X_LH * copy.X_PF;
    if (std::holds_alternative<Free>(copy.kind) && link != kWorld)
      element.Error("freejoint-nested", "attach: body '" + source.link(S).name +
                                            "' has a free joint; only a body of the world can " +
                                            "have one");
    if (!copy.implicit) static_cast<void>(Claim("joint", copy.name, element));
    const std::string new_name = copy.name;
    joint_of[Index(id)] =
        model_.AddJoint(top ? link : link_of[Index(P)], link_of[Index(S)], std::move(copy));
    joints_by_name_[new_name] = joint_of[Index(id)];
  }
  if (item.frame >= 0)
    for (std::size_t i = first_joint; i < model_.num_joints(); ++i)
      if (const JointId id{static_cast<std::uint32_t>(i)}; model_.predecessor(id) == link)
        frame_of_top_[id] = item.frame;
  for (Frame& frame : selection->frames) {
    frame.X_LF = X_LH * frame.X_LF;
    AddFrame(std::move(frame), moved, link, element);
  }
  for (Frame frame : source.frames) {
    if (link_of[Index(frame.link)] == kNoLink) continue;
    const LinkId to = link_of[Index(frame.link)];
    AddFrame(std::move(frame), moved, to, element);
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
  for (const ContactPair& pair : source.contact_pairs) {
    const LinkId a = link_of[Index(pair.a)], b = link_of[Index(pair.b)];
    if (!selection->whole || a == kNoLink || b == kNoLink) continue;
    model_.contact_pairs.push_back({a, b, pair.where});
    moved.Place(model_.contact_pairs.back().where);
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
  for (NativeData native : source.native) {
    if (OneOf(native.element, {"option", "option/flag", "compiler", "size", "statistic", "visual"}))
      continue;
    const bool asset = OneOf(native.element, {"material", "asset/material", "texture", "hfield",
                                              "skin", "mesh", "asset/mesh"});
    moved.Native(native);
    if (!asset && (!selection->whole || native.element == "keyframe")) native.format.clear();
    model_.native.push_back(std::move(native));
  }
}

}  // namespace kinemorph::mjcf
