// Parts of an attached model become parts of this one.
#include <algorithm>

#include "kinemorph/graph/base/overloaded.h"
#include "native.h"
#include "read/attach.h"
#include "xml_writer.h"

namespace kinemorph::mjcf {
namespace {

bool OneOf(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

void TakeBelow(const Model& model, const std::vector<JointId>& tops, std::vector<bool>& inside) {
  for (const JointId top : tops) inside[Index(model.successor(top))] = true;
  // Joints stand in document order: those of a body before those of its children.
  for (const JointId id : Joints(model))
    if (model.joint(id).role != JointRole::kLoop && inside[Index(model.predecessor(id))])
      inside[Index(model.successor(id))] = true;
}

// The attached model has names, files, lines and poses of its own. Moved turns the first three into
// those of this model; Arrival puts the parts in: links and joints first, then what refers to them
// by id (link_of_, joint_of_), each only where all it refers to has come along.

std::string Reader::Moved::Prefixed(const std::string& name) const {
  return name.empty() ? name : prefix + name;
}

std::string Reader::Moved::Name(const std::string& name) const {
  return name.empty() ? name : prefix + name + suffix;
}

// Of a list of names.
std::string Reader::Moved::Names(const std::string& names) const {
  std::string moved;
  for (const std::string_view name : xml::SplitWords(names))
    moved += (moved.empty() ? "" : " ") + Name(std::string(name));
  return moved;
}

std::string Reader::Moved::Uri(const std::string& uri) const {
  return folder.empty() || uri.empty() || uri.front() == '/' || uri.find("://") != std::string::npos
             ? uri
             : folder + "/" + uri;
}

void Reader::Moved::Place(SourceLocation& where) const {
  if (where.line > 0) where.file += files;
}

// The schema knows which attributes hold names and files, also inside kept content. A pose stands
// in the outer element alone, and only what leaves its link for another one needs X.
void Reader::Moved::Native(NativeData& native, const RigidTransform* X) const {
  ForEachIn(native.content, [&](NativeElement& element) {
    for (auto& [attribute, value] : element.attributes) {
      if (element.name == "flex" && OneOf(attribute, {"body", "node"}))
        value = Names(value);
      else if (HoldsName(attribute))
        value = Name(value);
      else if (HoldsFile(attribute))
        value = Uri(value);
      else if (X != nullptr && &element == &native.content)
        value = Placed(attribute, value, *X);
    }
  });
  Place(native.where);
}

std::string Reader::Moved::Placed(std::string_view attribute, const std::string& value,
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

void Reader::Moved::Natives(std::vector<NativeData>& natives) const {
  for (NativeData& native : natives) Native(native);
}

template <class Part>
void Reader::Moved::Geometry(Part& part) const {
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

void Reader::Moved::Visual(kinemorph::Visual& visual) const {
  Geometry(visual);
  if (!visual.material) return;
  visual.material->name = Name(visual.material->name);
  Place(visual.material->where);
  if (visual.material->texture) visual.material->texture = Uri(*visual.material->texture);
}

void Reader::Moved::Link(kinemorph::Link& link) const {
  link.name = Name(link.name);
  link.scope = ScopeId{0};
  Place(link.where);
  Natives(link.native);
  if (link.inertial) Place(link.inertial->where);
  for (kinemorph::Visual& visual : link.visuals) Visual(visual);
  for (Collision& collision : link.collisions) Geometry(collision);
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

// What refers to these names is copied with the replicate that they come into.
void Reader::Arrival::NoteParts(const kinemorph::Link& parts) const {
  for (const kinemorph::Visual& visual : parts.visuals) Note("geom", visual.name);
  for (const Collision& collision : parts.collisions) Note("geom", collision.name);
  for (const NativeData& native : parts.native)
    if (const std::string* const name = native.content.Attribute("name"))
      Note(native.element.c_str(), *name);
}

void Reader::Arrival::Note(const char* kind, const std::string& name) const {
  to_.NoteCopied(kind, moved_.Prefixed(name), item_.copy);
}

// X_LH places the body or frame that held the parts in the new link L; X_new takes poses of the old
// world to the new one, both at qpos0.
Reader::Arrival::Arrival(Reader& to, const Item& item, LinkId link, Attached& from,
                         Selection selection, const std::string& prefix)
    : to_(to),
      item_(item),
      link_(link),
      from_(from),
      source_(from.reader->model_),
      selection_(std::move(selection)),
      moved_{prefix, item.suffix, from.folder, from.files},
      inside_(source_.num_links(), false),
      // A is the frame that <attach> names, in the holder H; it comes to stand where the <attach>
      // stands.
      X_LH_(item.X_BF * selection_.X_HA.inverse()),
      X_new_(to.X_WL_[Index(link)] * X_LH_ *
             from.reader->X_WL_[Index(selection_.holder)].inverse()),
      link_of_(source_.num_links(), kNoLink),
      joint_of_(source_.num_joints(), kNoJoint) {
  TakeBelow(source_, selection_.tops, inside_);
}

void Reader::Arrival::Take() {
  to_.incomplete_ = to_.incomplete_ || from_.reader->incomplete_;
  const std::size_t first_joint = to_.model_.num_joints();
  to_.MoveParts(selection_.parts, X_LH_, moved_, link_);
  NoteParts(selection_.parts);
  TakeLinks();
  TakeJoints();
  // A model that attaches this one may choose the frame around this <attach>: what hangs there
  // belongs to the frame.
  for (std::size_t i = first_joint; item_.frame >= 0 && i < to_.model_.num_joints(); ++i)
    if (const JointId id{static_cast<std::uint32_t>(i)}; to_.model_.predecessor(id) == link_)
      to_.frame_of_top_[id] = item_.frame;
  TakeFrames();
  TakeCouplings();
  TakeContacts();
  TakeDevices();
  TakeRest();
}

void Reader::Arrival::TakeLinks() {
  for (const LinkId id : Links(source_)) {
    if (!inside_[Index(id)]) continue;
    kinemorph::Link copy = source_.link(id);
    Note("body", copy.name);
    NoteParts(copy);
    moved_.Link(copy);
    // Its name comes from the body that it belongs to, which has its final name at the end only.
    if (copy.synthetic) copy.name.clear();  // named last of all
    if (!copy.synthetic) static_cast<void>(to_.Claim("body", copy.name, item_.element));
    const LinkId own = link_of_[Index(id)] = to_.model_.AddLink(std::move(copy));
    to_.X_WL_.push_back(X_new_ * from_.reader->X_WL_[Index(id)]);
    for (std::set<LinkId> Reader::*marked :
         {&Reader::mocap_, &Reader::aligned_, &Reader::weighed_in_axes_})
      if ((from_.reader.get()->*marked).contains(id)) (to_.*marked).insert(own);
    const kinemorph::Link& link = to_.model_.link(own);
    if (!link.name.empty()) to_.links_by_name_.emplace(link.name, own);
    for (const Collision& collision : link.collisions)
      if (!collision.name.empty()) to_.geoms_by_name_[collision.name] = own;
  }
}

void Reader::Arrival::TakeJoints() {
  for (const JointId id : Joints(source_)) {
    const LinkId P = source_.predecessor(id), S = source_.successor(id);
    Joint copy = source_.joint(id);
    if (copy.role != JointRole::kLoop) Note("joint", copy.name);
    copy.name = moved_.Name(copy.name);
    copy.scope = ScopeId{0};
    moved_.Place(copy.where);
    moved_.Natives(copy.native);
    if (copy.role == JointRole::kLoop) {
      TakeLoop(id, std::move(copy));
      continue;
    }
    if (!inside_[Index(S)]) continue;
    const bool top = link_of_[Index(P)] == kNoLink;
    if (top) copy.X_PF = X_LH_ * copy.X_PF;

    // A free joint counts from the world, so MuJoCo allows it to none but children of the world.
    if (std::holds_alternative<Free>(copy.kind) && link_ != kWorld)
      item_.element.Error("freejoint-nested",
                          "attach: body '" + source_.link(S).name +
                              "' has a free joint; only a body of the world can have one");
    if (!copy.implicit) static_cast<void>(to_.Claim("joint", copy.name, item_.element));
    const std::string new_name = copy.name;
    joint_of_[Index(id)] =
        to_.model_.AddJoint(top ? link_ : link_of_[Index(P)], link_of_[Index(S)], std::move(copy));
    to_.joints_by_name_[new_name] = joint_of_[Index(id)];
  }
}

// Loops with the world stay loops with the world, but a site of the world went along.
void Reader::Arrival::TakeLoop(JointId id, Joint copy) {
  const LinkId P = source_.predecessor(id), S = source_.successor(id);
  if (from_.reader->loops_by_sites_.contains(id) && (P == kWorld || S == kWorld)) {
    if (!selection_.world && !selection_.frames.empty())
      item_.element.Error("attach-site",
                          {"attach of model", item_.element.Attribute("model", ""),
                           "equality '" + copy.name +
                               "' holds a site of its world, of which a part comes along; attach "
                               "the whole world"});
    if (!selection_.world) return;  // the site stays behind, and so does what holds it
    RigidTransform& X_LS = P == kWorld ? copy.X_PF : copy.X_SM;
    X_LS = X_LH_ * X_LS;
    const auto end = [&](LinkId of) { return of == kWorld ? link_ : link_of_[Index(of)]; };
    to_.attached_loops_.push_back({end(P), end(S), std::move(copy)});
    return;
  }
  // MuJoCo closes it where the bodies stand at qpos0, except a weld with a pose of its own.
  const std::vector<RigidTransform>& X_WL = from_.reader->X_WL_;
  const bool closed =
      ((X_WL[Index(P)] * copy.X_PF).p - (X_WL[Index(S)] * copy.X_SM).p).norm() < 1e-9;
  if (closed && P == kWorld) copy.X_PF = X_new_ * copy.X_PF;
  if (closed && S == kWorld) copy.X_SM = X_new_ * copy.X_SM;
  const auto at = [&](LinkId of) { return of == kWorld ? kWorld : link_of_[Index(of)]; };
  if (at(P) != kNoLink && at(S) != kNoLink)
    to_.attached_loops_.push_back({at(P), at(S), std::move(copy)});
}

void Reader::Arrival::TakeFrames() {
  for (Frame& frame : selection_.frames) {
    Note("site", frame.name);
    frame.X_LF = X_LH_ * frame.X_LF;
    to_.AddFrame(std::move(frame), moved_, link_, item_.element);
  }
  for (Frame frame : source_.frames) {
    const LinkId own = link_of_[Index(frame.link)];
    if (own == kNoLink) continue;
    Note("site", frame.name);
    to_.AddFrame(std::move(frame), moved_, own, item_.element);
  }
}

void Reader::Arrival::TakeCouplings() {
  for (Coupling coupling : source_.couplings) {
    const bool here = std::all_of(
        coupling.terms.begin(), coupling.terms.end(),
        [&](const CouplingTerm& t) { return joint_of_[Index(t.coordinate.joint)] != kNoJoint; });
    if (!here) continue;
    coupling.name = moved_.Name(coupling.name);
    for (CouplingTerm& term : coupling.terms)
      term.coordinate.joint = joint_of_[Index(term.coordinate.joint)];
    moved_.Place(coupling.where);
    moved_.Natives(coupling.native);
    to_.model_.couplings.push_back(std::move(coupling));
  }
}

void Reader::Arrival::TakeContacts() {
  for (const ContactExclusion& pair : source_.contact_exclusions) {
    const LinkId a = link_of_[Index(pair.a)], b = link_of_[Index(pair.b)];
    if (a == kNoLink || b == kNoLink) continue;
    to_.model_.contact_exclusions.push_back({a, b, pair.where, moved_.Name(pair.name)});
    moved_.Place(to_.model_.contact_exclusions.back().where);
  }
  for (const ContactPair& pair : source_.contact_pairs) {
    const LinkId a = link_of_[Index(pair.a)], b = link_of_[Index(pair.b)];
    if (!selection_.whole || a == kNoLink || b == kNoLink) continue;
    to_.model_.contact_pairs.push_back({a, b, pair.where});
    moved_.Place(to_.model_.contact_pairs.back().where);
  }
}

void Reader::Arrival::TakeDevices() {
  const ListPlace place = to_.PlaceOf(item_.element, item_.copy);
  const auto arrives = [&](LinkId link, JointId joint) {
    return (link == kNoLink || link_of_[Index(link)] != kNoLink) &&
           (joint == kNoJoint || joint_of_[Index(joint)] != kNoJoint);
  };
  for (Actuator actuator : source_.actuators) {
    if (!arrives(kNoLink, actuator.joint)) continue;
    Note("actuator", actuator.name);
    actuator.name = moved_.Name(actuator.name);
    if (actuator.joint != kNoJoint) actuator.joint = joint_of_[Index(actuator.joint)];
    moved_.Place(actuator.where);
    moved_.Native(actuator.native);
    to_.model_.actuators.push_back(std::move(actuator));
    to_.actuator_places_.push_back(place);
  }
  for (Sensor sensor : source_.sensors) {
    if (!arrives(sensor.link, sensor.joint)) continue;
    sensor.name = moved_.Name(sensor.name);
    if (sensor.link != kNoLink) sensor.link = link_of_[Index(sensor.link)];
    if (sensor.joint != kNoJoint) sensor.joint = joint_of_[Index(sensor.joint)];
    moved_.Place(sensor.where);
    moved_.Native(sensor.native);
    to_.model_.sensors.push_back(std::move(sensor));
    to_.sensor_places_.push_back(place);
  }
}

// With conflict="merge" the attached model's options count too, which kinemorph does not do: what
// they would change is lost.
void Reader::Arrival::TellUnmerged(NativeData native) {
  const auto said_by = [&](std::string_view element, std::string_view name) {
    for (const NativeData& own : to_.model_.native)
      if (own.element == element)
        if (const std::string* const value = own.content.Attribute(name)) return *value;
    return std::string();
  };
  if (said_by("compiler", "conflict") != "merge") return;
  std::erase_if(native.content.attributes,
                [&](const auto& a) { return said_by(native.element, a.first) == a.second; });
  if (native.content.attributes.empty()) return;
  moved_.Place(native.where);
  native.format.clear();
  to_.model_.native.push_back(std::move(native));
}

// The attached model's settings do not count, its assets come along; the rest only where all of
// the model does.
void Reader::Arrival::TakeRest() {
  for (const NativeData& source : source_.native) {
    NativeData native = source;
    if (OneOf(native.element, {"option", "option/flag"})) TellUnmerged(native);
    if (OneOf(native.element, {"option", "option/flag", "compiler", "size", "statistic", "visual"}))
      continue;
    const bool asset = OneOf(native.element, {"material", "asset/material", "texture", "hfield",
                                              "skin", "mesh", "asset/mesh"});
    // Assets are names that shapes refer to; they come along even where only a part of the bodies
    // does.
    moved_.Native(native);
    // Keyframes count the coordinates of a whole model that is no more.
    if (!asset && (!selection_.whole || native.element == "keyframe")) native.format.clear();
    if (!native.format.empty() && native.element.starts_with("tendon/"))
      TakeTendon(source.content.Attribute("name"));
    to_.model_.native.push_back(std::move(native));
  }
}

// What this model says of it by its new name.
void Reader::Arrival::TakeTendon(const std::string* old_name) {
  if (old_name == nullptr) return;
  Note("tendon", *old_name);
  const std::string name = moved_.Name(*old_name);
  to_.names_["tendon"].Add(name);
  const auto known = from_.reader->fixed_tendons_.find(*old_name);
  if (known == from_.reader->fixed_tendons_.end()) return;
  std::vector<TendonTerm> terms = known->second;
  for (TendonTerm& term : terms) term.joint = joint_of_[Index(term.joint)];
  to_.fixed_tendons_[name] = std::move(terms);
}

}  // namespace kinemorph::mjcf
