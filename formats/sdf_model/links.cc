// Scopes, links with their inertials, visuals, collisions and sensors, and explicit frames.

#include "drake.h"
#include "kinemorph/graph/model/model_dump.h"
#include "pose_text.h"
#include "sdf_model/builder.h"
#include "sdf_model/geometry.h"
#include "sdf_model/sensor_words.h"

namespace kinemorph::sdformat {

// The order of the builder: scopes first, so that links know theirs; links with all that hangs on
// them; then a check that each model has links; frames last, since they may be attached to any
// link. Poses in a link are in the link frame L: X_LI of the inertial (its axes are those of the
// tensor), X_LG of a shape, X_LS of a sensor.

namespace {

// The tensor of <inertia>; what is not written is 1 on the diagonal and 0 beside it.
Matrix3 ReadTensor(const xml::Element& inertia) {
  const auto entry = [&](const char* name, double fallback) {
    return inertia.ChildNumber(name).value_or(fallback);
  };
  const double ixx = entry("ixx", 1), iyy = entry("iyy", 1), izz = entry("izz", 1);
  const double ixy = entry("ixy", 0), ixz = entry("ixz", 0), iyz = entry("iyz", 0);
  Matrix3 I;
  I << ixx, ixy, ixz, ixy, iyy, iyz, ixz, iyz, izz;
  return I;
}

Inertial ReadInertial(const xml::Element& element, Version version) {
  Inertial inertial;
  inertial.where = element.where();
  const std::optional<double> mass = element.ChildNumber("mass");
  inertial.mass = mass.value_or(1);
  // The tensor is given in the axes of this pose, at the centre of mass, which is its origin.
  const PoseSpec pose = ReadPose(element, version);
  inertial.X_LI = pose.X;
  if (!pose.relative_to.empty()) {
    element.Warn("inertial-relative-to",
                 {"", element.path(),
                  "the pose of an inertial is always in its link; relative_to '" +
                      pose.relative_to + "' is not used"});
  }
  const xml::Element inertia = element.Child("inertia");
  inertial.I_I = ReadTensor(inertia);
  // Defaults that no author means: a missing number is told, since it weighs a kilogram.
  if (!element.HasChild("mass"))
    element.Note("inertial-default", "'" + element.path() + "' has no <mass>; SDFormat means 1 kg");
  if (!inertia)
    element.Note(
        "inertial-default",
        "'" + element.path() + "' has no <inertia>; SDFormat means 1 kg m^2 about each axis");
  for (const xml::Element child : element.Children()) {
    if (child.Is("fluid_added_mass") || IsForeign(child))
      inertial.native.push_back(NativeOf(child));
  }
  return inertial;
}

// <inertial auto="true">: from the collisions where their shapes have exact inertias, and a given
// <mass> scales the result.
void ApplyAutoInertia(const xml::Element& element, const std::vector<Collision>& collisions,
                      const std::vector<std::optional<double>>& densities, Inertial& inertial) {
  const double link_density = element.ChildNumber("density").value_or(1000);
  // What was written is kept beside the numbers that it gives: a version that can say so gets it
  // back.
  const auto say = [&](NativeElement said) {
    inertial.native.push_back({"sdf", kComputedInertia, std::move(said), element.where()});
  };
  say({.name = "inertial", .attributes = {{"auto", "true"}}});
  for (const xml::Element child : element.Children())
    if (child.IsOneOf({"mass", "density", "auto_inertia_params"})) say(child.Native().content);
  std::vector<double> all;
  for (const std::optional<double>& density : densities)
    all.push_back(density.value_or(link_density));
  // Collisions of the link with their own density, or that of the link, else of water (1000
  // kg/m^3), as the specification says.
  AutoInertia computed = InertiaOfCollisions(collisions, all);
  if (collisions.empty())
    computed.not_exact = "the link has no collisions";
  else if (computed.not_exact.empty() && computed.inertia.mass <= 0)
    computed.not_exact = "its collisions have no volume";
  // Meshes need their volume, which libsdformat leaves to its caller: there is no number of its own
  // to agree with. The mass is unknown then, and says so to the passes.
  if (!computed.not_exact.empty()) {
    element.Warn(
        "inertia-auto-lost",
        "'" + element.path() + "' asks for automatic inertia, which cannot be computed because " +
            computed.not_exact + "; " +
            (element.HasChild("mass") ? "the given mass and 1 kg m^2" : "1 kg and 1 kg m^2") +
            " are taken");
    inertial.I_I = Matrix3::Identity();
    inertial.unknown = computed.not_exact;
    return;
  }
  // A mass that is given scales the inertia of the shapes.
  const double scale = element.HasChild("mass") ? inertial.mass / computed.inertia.mass : 1;
  inertial.mass = computed.inertia.mass * scale;
  inertial.X_LI = RigidTransform::Translation(computed.inertia.p_BoBcm);
  inertial.I_I = computed.inertia.I_BBcm * scale;
  element.Note("inertia-auto", {"'" + element.path() + "'",
                                " has automatic inertia: " + FormatNumber(inertial.mass) +
                                    " kg computed from its collisions",
                                {{"mass", inertial.mass, "kg"}}});
}

}  // namespace

std::string Builder::Shown(int model, const std::string& name) const {
  // Full names as the file's outermost scope says them; a world with one model does without that
  // model's name.
  std::string full = description_.name_space(model).prefix + name;
  if (!hidden_prefix_.empty() && full.compare(0, hidden_prefix_.size(), hidden_prefix_) == 0)
    full.erase(0, hidden_prefix_.size());
  return full;
}

LinkId Builder::LinkOf(NodeId node) const {
  const int body = frames_.BodyOf(node);
  return body < 0 ? kWorld : link_ids_[static_cast<std::size_t>(body)];
}

bool Builder::IsStatic(int model) const {
  for (; model >= 0; model = description_.model(model).parent)
    if (description_.model(model).is_static) return true;
  return false;
}

RigidTransform Builder::PoseIn(NodeId owner, int model, const PoseSpec& pose,
                               const xml::Element& element) {
  // Without relative_to the pose is given in the owner already.
  if (pose.relative_to.empty()) return pose.X;
  const NodeId reference = frames_.Find(model, pose.relative_to);
  if (reference == kNoNode) {
    frames_.ReportUnknown(model, pose.relative_to, element, "relative_to");
    return pose.X;
  }
  return frames_.Relative(owner, reference) * pose.X;
}

void Builder::BuildScopes() {
  scope_ids_.assign(description_.models.size(), kNoScope);
  for (std::size_t m = 0; m < description_.models.size(); ++m) {
    const ModelItem& item = description_.models[m];
    if (item.merged) {  // a merged include is part of the model that it went into
      const ScopeId home = scope_ids_[static_cast<std::size_t>(item.name_space)];
      scope_ids_[m] = home;
      std::vector<NativeData>& native = model_.scopes[Index(home)].native;
      native.insert(native.end(), item.native.begin(), item.native.end());
      continue;
    }
    Scope scope;
    scope.name = item.name;
    scope.parent = item.parent < 0 ? kNoScope : scope_ids_[static_cast<std::size_t>(item.parent)];
    scope.X_WM = frames_.InWorld(frames_.of_model(static_cast<int>(m)));
    scope.is_static = item.is_static;
    scope.self_collide = item.self_collide;
    scope.is_world = item.is_world;
    scope.native = item.native;
    scope.where = item.element.where();
    scope_ids_[m] = ScopeId{static_cast<std::uint32_t>(model_.scopes.size())};
    model_.scopes.push_back(std::move(scope));
  }
}

// Links of a model that is there already (a <gazebo> block adds to the URDF's) come first, in its
// order, and have no element: their ids are known, the world being 0.
void Builder::BuildLinks() {
  model_.Reserve(description_.links.size(), description_.joints.size() + 1);
  for (std::size_t i = 0; i < description_.links.size(); ++i) {
    const LinkItem& item = description_.links[i];
    if (!item.element) {
      link_ids_.push_back(LinkId{static_cast<std::uint32_t>(i + 1)});
      continue;
    }
    if (description_.model(item.model).is_world || description_.name_space(item.model).is_world) {
      item.element.Error(
          "link-in-world",
          "'" + item.name + "' is a link outside of all models; put the link into a model");
    }
    Link link;
    link.name = Shown(item.model, item.name);
    link.scope = scope_ids_[static_cast<std::size_t>(item.model)];
    link.where = item.element.where();
    link_ids_.push_back(LinkId{static_cast<std::uint32_t>(model_.num_links())});
    ReadLinkContent(item, i, link);
    model_.AddLink(std::move(link));
  }
}

// A model without links is refused by libsdformat unless it is static. Models stand before those
// that they hold, so the walk goes backwards.
void Builder::CheckModels() {
  std::vector<bool> has_links(description_.models.size(), false);
  for (const LinkItem& item : description_.links) {
    has_links[static_cast<std::size_t>(item.model)] = true;
    has_links[static_cast<std::size_t>(description_.model(item.model).name_space)] = true;
  }
  for (std::size_t m = description_.models.size(); m-- > 0;) {
    const ModelItem& item = description_.models[m];
    if (item.parent >= 0)
      has_links[static_cast<std::size_t>(item.parent)] =
          true;  // a nested model counts: it says so itself if it is empty
    if (!has_links[m] && !item.is_world && !item.is_static) {
      item.element.Error("model-without-links",
                         "'" + item.name + "' has no links; a model needs one unless it is static");
    }
    // The link that the model's frame is attached to; the first one where none is named.
    const int canonical = frames_.CanonicalLink(static_cast<int>(m));
    if (canonical >= 0 && !item.merged && !item.is_world)
      model_.scopes[Index(scope_ids_[m])].canonical_link =
          link_ids_[static_cast<std::size_t>(canonical)];
  }
}

void Builder::ReadLinkContent(const LinkItem& item, std::size_t index, Link& link) {
  const Version version = description_.model(item.model).version;
  const LinkId id = link_ids_[index];
  std::vector<std::optional<double>> densities;
  std::vector<std::vector<NativeData>> weighing;  // by collision, what only automatic inertia reads
  for (const xml::Element child : item.element.Children()) {
    if (child.Is("visual")) {
      child.Consume();
      ReadVisual(child, item, index, link);
    } else if (child.Is("collision")) {
      child.Consume();
      const std::size_t before = link.collisions.size();
      ReadCollision(child, item, index, link);
      if (link.collisions.size() == before) continue;
      densities.push_back(child.ChildNumber("density"));
      std::vector<NativeData>& texts = weighing.emplace_back();
      for (const xml::Element each : child.Children())
        if (each.IsOneOf({"density", "auto_inertia_params"}))
          texts.push_back({"sdf", kComputedInertia, each.Native().content, each.where()});
    } else if (child.Is("sensor")) {
      ReadSensor(child, item.model, frames_.of_link(index), id, kNoJoint);
    } else if (child.Is("gravity")) {  // acts where nothing is written
      child.Consume();
      if (!link.gravity && child.TextBoolean() == false) link.gravity = false;
    } else if (child.Is("self_collide")) {
      child.Consume();
      if (!link.self_collide) link.self_collide = child.TextBoolean();
    } else if (child.IsOneOf({"kinematic", "must_be_base_link", "velocity_decay", "enable_wind",
                              "light", "projector", "audio_sink", "audio_source", "battery",
                              "particle_emitter", "plugin"}) ||
               IsForeign(child)) {
      TellWeldOf(child, link.name);
      if (!IsDefault(child)) link.native.push_back(NativeOf(child));
    }
  }
  const xml::Element inertial = item.element.Child("inertial");
  if (inertial) {
    link.inertial = ReadInertial(inertial, version);
    if (!inertial.Boolean("auto").value_or(false)) return;
    ApplyAutoInertia(inertial, link.collisions, densities, *link.inertial);
    for (std::size_t i = 0; i < weighing.size(); ++i)
      for (NativeData& each : weighing[i]) link.collisions[i].native.push_back(std::move(each));
    if (IsStatic(item.model)) link.inertial->unknown.clear();  // it moves nothing
    return;
  }
  // Nothing written does not mean massless here.
  link.inertial.emplace();
  link.inertial->mass = 1;
  link.inertial->I_I = Matrix3::Identity();
  link.inertial->where = link.where;
  if (!IsStatic(item.model))
    item.element.Note(
        "inertial-default",
        "'" + link.name + "' has no <inertial>; SDFormat means 1 kg and 1 kg m^2 about each axis");
}

void Builder::ReadVisual(const xml::Element& element, const LinkItem& item, std::size_t index,
                         Link& link) {
  Visual visual;
  visual.name = element.Attribute("name", "");
  visual.where = element.where();
  visual.X_LG = PoseIn(frames_.of_link(index), item.model,
                       ReadPose(element, description_.model(item.model).version), element);
  if (const xml::Element material = element.Child("material"))
    visual.material = ReadMaterial(material);
  visual.transparency = element.ChildNumber("transparency");
  // Elements that say what their absence says are dropped, or each visual would carry text along.
  if (visual.transparency == 0) visual.transparency.reset();
  for (const xml::Element child : element.Children()) {
    if (child.IsOneOf({"cast_shadows", "laser_retro", "visibility_flags", "meta", "plugin"}) ||
        IsForeign(child)) {
      if (!IsDefault(child)) visual.native.push_back(NativeOf(child));
    }
  }
  auto shape = ReadGeometry(element);
  if (!shape) return;
  visual.shape = std::move(*shape);
  link.visuals.push_back(std::move(visual));
}

void Builder::ReadCollision(const xml::Element& element, const LinkItem& item, std::size_t index,
                            Link& link) {
  Collision collision;
  collision.name = element.Attribute("name", "");
  collision.where = element.where();
  collision.X_LG = PoseIn(frames_.of_link(index), item.model,
                          ReadPose(element, description_.model(item.model).version), element);
  if (const xml::Element surface = element.Child("surface")) ReadSurface(surface, collision);
  for (const xml::Element child : element.Children()) {
    if (child.Is("drake:proximity_properties")) {
      model_.dialect = "drake";
      if (auto rest = xml::ReadDrakeProximity(child, xml::DrakeForm::kText, collision))
        collision.native.push_back(std::move(*rest));
    } else if (child.IsOneOf({"laser_retro", "max_contacts"}) || IsForeign(child)) {
      if (!IsDefault(child)) collision.native.push_back(NativeOf(child));
    }
  }
  auto shape = ReadGeometry(element);
  if (!shape) return;
  collision.shape = std::move(*shape);
  link.collisions.push_back(std::move(collision));
}

void Builder::ReadSensor(const xml::Element& element, int model, NodeId owner, LinkId link,
                         JointId joint) {
  element.Consume();
  Sensor sensor;
  sensor.name = element.Attribute("name", "");
  sensor.link = link;
  sensor.joint = joint;
  const PoseSpec pose = ReadPose(element, description_.model(model).version);
  sensor.X_LS = PoseIn(owner, model, pose, element);
  sensor.native = NativeOf(element);
  // The text keeps its own pose, which has to hold when that frame is gone from the model.
  if (!pose.relative_to.empty())  // what it was relative to may go
    xml::SetPose(sensor.native.content, sensor.X_LS);
  static_cast<void>(ReadSensorWords(sensor.native.content, sensor));
  sensor.where = element.where();
  model_.sensors.push_back(std::move(sensor));
}

void Builder::BuildFrames() {
  for (std::size_t i = 0; i < description_.frames.size(); ++i) {
    const FrameItem& item = description_.frames[i];
    const NodeId node = frames_.of_frame(i);
    Frame frame;
    frame.name = Shown(item.model, item.name);
    frame.link = LinkOf(node);
    const int body = frames_.BodyOf(node);
    // Of the world: a frame that is attached to nothing that moves.
    frame.X_LF = body < 0 ? frames_.InWorld(node)
                          : frames_.Relative(frames_.of_link(static_cast<std::size_t>(body)), node);
    frame.native_type = "frame";
    frame.scope = scope_ids_[static_cast<std::size_t>(item.model)];
    frame.where = item.element.where();
    model_.frames.push_back(std::move(frame));
  }
}

}  // namespace kinemorph::sdformat
