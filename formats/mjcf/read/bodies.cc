// The tree of bodies: frames and replicates opened, links and their contents made in document
// order.
#include <algorithm>
#include <cmath>

#include "native.h"
#include "read/orientation.h"
#include "read/reader.h"
#include "xml_writer.h"

namespace kinemorph::mjcf {
namespace {

// What replicates may add to a file: elements, and bytes of attributes and suffixes.
constexpr std::size_t kMaxCopies = 100'000;
constexpr double kMaxCount = 200'000;  // of one replicate
constexpr std::size_t kMaxReplicatedText = std::size_t{64} << 20;
constexpr std::size_t kMaxBodyNesting = 4000;

// What stands for bodies below a body.
bool MakesBodies(std::string_view name) {
  return name == "body" || name == "attach" || name == "composite" || name == "flexcomp";
}

std::string Padded(int index, int count) {
  std::string digits = std::to_string(index);
  const std::size_t width = std::to_string(count).size();
  return std::string(width - std::min(width, digits.size()), '0') + digits;
}

// What it would change, masses and springs too, is not read.
void RefuseScale(const xml::Element& frame) {
  for (const char* attribute : {"scale", "massscale"})
    if (frame.Number(attribute, 1) != 1)
      frame.Error("frame-scale", {"", frame.path(),
                                  std::string("kinemorph does not read '") + attribute +
                                      "'; write what is in the frame in its true size"});
  static_cast<void>(frame.Attribute("scaling"));
}

// Pose of a body, site or frame that MJCF can always hold: quaternions, no angles.
void SetPose(AttributeList& attributes, const RigidTransform& X) {
  SetAttribute(attributes, "pos", xml::VectorText(X.p));
  SetAttribute(attributes, "quat", QuaternionText(X.R));
}

}  // namespace

// A body is read in two passes over its children. Expand flattens <frame> and <replicate> into a
// list of items that carry pose, class and suffix; then joints, contents and inertia are made from
// the items, and the bodies among them wait on the stack of ReadWorld.

bool Reader::Claim(const char* kind, const std::string& name, const xml::Element& element) {
  if (names_[kind].Add(name)) return true;
  element.Error("duplicate-name", std::string(kind) + " '" + name + "' is defined twice");
  return false;
}

void Reader::ReadBodies() {
  X_WL_ = {RigidTransform()};
  names_["body"].Add("world");
  for (const xml::Element section : sources_.Children(sources_.root())) {
    if (section.name() == "worldbody") ReadWorld(section);
  }
}

// Remembers what `work` makes of an element in a frame.
template <class Work>
void Reader::WithParts(const Item& item, LinkId link, const Work& work) {
  const PartCount before = CountParts(link);
  work();
  if (item.frame >= 0) frame_parts_.push_back({item.frame, link, before, CountParts(link)});
}

// Depth first with an explicit stack, so that links come in document order and a deep chain is no
// danger.
void Reader::ReadWorld(const xml::Element& worldbody) {
  worldbody.Consume();
  Body world;
  world.element = worldbody;
  world.childclass = defaults_.ClassOf(worldbody, "childclass", defaults_.main());
  Expand(worldbody, world.childclass, world);
  ReadBodyContents(world);

  // The items of a body live shorter than its tasks; a task holds by value what its body must tell
  // its children.
  struct Task {
    Item item;
    LinkId parent;
    std::size_t depth;
    bool weigh;                      // geoms make the parent's inertia
    const DefaultClass* childclass;  // of the parent
  };
  std::vector<Task> tasks;
  const auto push = [&](const Body& body, std::size_t depth) {
    const bool weigh = WeighsGeoms(body);
    // Pushed backwards, so that the first child is popped first.
    for (auto it = body.items.rbegin(); it != body.items.rend(); ++it)
      if (MakesBodies(it->element.name()))
        tasks.push_back({*it, body.link, depth, weigh, body.childclass});
  };
  push(world, 1);
  while (!tasks.empty()) {
    const Task task = tasks.back();
    tasks.pop_back();
    if (task.depth > kMaxBodyNesting) {
      task.item.element.Error("nesting-too-deep", "more than " + std::to_string(kMaxBodyNesting) +
                                                      " bodies inside each other");
      return;
    }
    const std::string_view kind = task.item.element.name();
    if (kind == "body") {
      push(ReadBody(task.item, task.parent), task.depth + 1);
    } else if (kind == "flexcomp") {
      // The bodies of a flexcomp do not see the frame around it, so neither does their class.
      Item item = task.item;
      item.childclass = task.childclass;
      ReadFlexcomp(item, task.parent);
    } else {
      WithParts(task.item, task.parent, [&] {
        if (kind == "attach")
          ReadAttach(task.item, task.parent, task.weigh);
        else
          ReadComposite(task.item, task.parent);
      });
    }
  }
}

Body Reader::ReadBody(const Item& item, LinkId parent) {
  const xml::Element& element = item.element;
  element.Consume();
  Body body;
  body.element = element;
  body.suffix = item.suffix;
  body.copy = item.copy;
  body.childclass = defaults_.ClassOf(element, "childclass", item.childclass);
  const Attributes attributes(element);
  // X_BF is the frame around the body in its parent; the pose of the element counts from there.
  body.X_PB = item.X_BF * ReadPose(attributes, compiler_);
  Link link;
  link.name = element.Attribute("name", "");
  link.where = element.where();
  link.scope = ScopeId{0};
  if (!link.name.empty()) {
    NoteCopied("body", link.name, item.copy);
    link.name += item.suffix;
    static_cast<void>(Claim("body", link.name, element));
  }
  const AttributeList rest = KeptAttributes(attributes, "body");
  if (!rest.empty()) link.native.push_back(MakeNative(element, "body", rest));
  body.link = model_.AddLink(std::move(link));
  X_WL_.push_back(X_WL_[Index(parent)] * body.X_PB);
  if (!model_.link(body.link).name.empty())
    links_by_name_.emplace(model_.link(body.link).name, body.link);
  if (attributes.Boolean("mocap", false)) mocap_.insert(body.link);
  Expand(element, body.childclass, body);

  std::vector<BodyJoint> joints;
  // Several joints move one after the other, in document order; Connect makes the chain of links.
  for (const Item& child : body.items) {
    const std::string_view kind = child.element.name();
    if (kind != "joint" && kind != "freejoint") continue;
    joints.push_back(ReadJoint(child));
    const BodyJoint& joint = joints.back();
    const bool leaf = std::none_of(body.items.begin(), body.items.end(), [](const Item& each) {
      return MakesBodies(each.element.name());
    });
    if (joint.aligned) {
      if (leaf) aligned_.insert(body.link);
      child.element.Note("freejoint-align",
                         {"freejoint of", child.element.path(),
                          std::string("align is not applied; the body frame stays as drawn") +
                              (leaf ? ", and keyframes are turned to it"
                                    : ", as MuJoCo leaves it where bodies are below")});
    }
    if (!joint.joint.name.empty()) {
      NoteCopied("joint", child.element.Attribute("name", ""), child.copy);
      static_cast<void>(Claim("joint", joint.joint.name, child.element));
    }
    if (std::holds_alternative<Free>(joint.joint.kind) && parent != kWorld) {
      child.element.Error("freejoint-nested", {"free joint of body", element.Attribute("name", ""),
                                               "only a body of the world can have one"});
    }
  }
  CheckJoints(body, joints);
  // The first joint of the chain, which Connect is about to add, is the one that stands in the
  // frame.
  if (item.frame >= 0)
    frame_of_top_[JointId{static_cast<std::uint32_t>(model_.num_joints())}] = item.frame;
  Connect(body, parent, std::move(joints));
  ReadBodyContents(body);
  return body;
}

// Counts the children of a replicate, or of something inside one, before they are copied. False
// (reported once) when it is too much.
bool Reader::ChargeCopies(const xml::Element& parent, const std::vector<xml::Element>& children,
                          std::size_t count, std::size_t suffix_length) {
  // Bounds before anything is copied: replicates inside each other multiply, and a file of a few
  // lines could ask for more than any memory holds.
  std::size_t text = children.size() * suffix_length;
  for (const xml::Element& child : children)
    for (const auto& attribute : child.Attributes()) text += attribute.second.size();
  const bool fits = children.size() * count <= kMaxCopies - copies_ &&
                    (text == 0 || count <= (kMaxReplicatedText - copied_text_) / text);
  if (fits) {
    copies_ += children.size() * count;
    copied_text_ += text * count;
  } else if (!too_many_copies_) {
    too_many_copies_ = true;
    parent.Error("too-many-elements",
                 "replicates make more than " + std::to_string(kMaxCopies) + " elements or " +
                     std::to_string(kMaxReplicatedText >> 20) + " MiB of attributes");
  }
  return fits;
}

// What MuJoCo makes of a composite or flexcomp is written as a text and read like any other body;
// every message about it names the line of the original element (made_by).
std::vector<xml::Element> Reader::MadeBodies(const xml::Element& element, const std::string& text,
                                             std::size_t elements) {
  if (elements > kMaxCopies - copies_ || text.size() > kMaxReplicatedText - copied_text_) {
    element.Error("too-many-elements", std::string(element.name()) + " makes more than " +
                                           std::to_string(kMaxCopies) + " elements");
    return {};
  }
  copies_ += elements, copied_text_ += text.size();
  xml::Context context = element.context();
  context.asked = nullptr;
  context.made_by = element.where();
  made_.push_back(xml::Document::Parse(text, std::move(context)));
  std::vector<xml::Element> bodies;
  if (made_.back() == nullptr) return bodies;
  for (const xml::Element body : made_.back()->root().Children("body")) bodies.push_back(body);
  return bodies;
}

// Frames and replicates vanish; what stands in them gets their pose, class and suffix.
// With a stack instead of recursion, since nesting is the author's; children are pushed backwards
// to keep the document order.
void Reader::Expand(const xml::Element& parent, const DefaultClass* childclass, Body& body) {
  std::vector<Item> stack;
  const auto push_children = [&](const xml::Element& element, const RigidTransform& X,
                                 const DefaultClass* defaults, const std::string& own_suffix,
                                 int frame, const Copy* copy) {
    if (!own_suffix.empty() && too_many_copies_) return;
    const std::vector<xml::Element> children = sources_.Children(element);
    if (!own_suffix.empty() && !ChargeCopies(element, children, 1, own_suffix.size())) return;
    for (auto it = children.rbegin(); it != children.rend(); ++it)
      stack.push_back({*it, X, defaults, own_suffix, frame, copy});
  };
  push_children(parent, {}, childclass, body.suffix, -1, body.copy);
  while (!stack.empty()) {
    const Item item = stack.back();
    stack.pop_back();
    if (item.element.name() == "frame") {
      item.element.Consume();
      RefuseScale(item.element);
      const std::string name = item.element.Attribute("name", "");
      const RigidTransform X_BG = item.X_BF * ReadPose(Attributes(item.element), compiler_);
      frames_.push_back({name.empty() ? name : name + item.suffix, item.frame, body.link, X_BG});
      push_children(item.element, X_BG,
                    defaults_.ClassOf(item.element, "childclass", item.childclass), item.suffix,
                    static_cast<int>(frames_.size()) - 1, item.copy);
    } else if (item.element.name() == "replicate") {
      std::vector<Item> copies;
      ExpandReplicate(item, copies);
      for (auto it = copies.rbegin(); it != copies.rend(); ++it) stack.push_back(*it);
    } else {
      body.items.push_back(item);
    }
  }
}

void Reader::ExpandReplicate(const Item& item, std::vector<Item>& items) {
  const xml::Element& element = item.element;
  element.Consume();
  if (too_many_copies_) return;
  const Attributes attributes(element);
  const double count = attributes.Number("count", -1);
  if (!(count >= 0) || count != std::floor(count) || count > kMaxCount) {
    element.Error("replicate-count",
                  "replicate: count must be a whole number between 0 and 200000");
    return;
  }
  const RigidTransform offset =
      RigidTransform::Translation(attributes.Vector("offset").value_or(Vector3(0, 0, 0)));
  const Vector3 euler =
      attributes.Vector("euler").value_or(Vector3(0, 0, 0)).unaryExpr([&](double a) {
        return Angle(a, compiler_);
      });
  const std::string separator = element.Attribute("sep", "");
  const DefaultClass* childclass = defaults_.ClassOf(element, "childclass", item.childclass);
  const std::vector<xml::Element> children = sources_.Children(element);
  const int copies = static_cast<int>(count);
  const std::size_t suffix_length =
      separator.size() + std::to_string(copies).size() + item.suffix.size();
  if (children.empty() ||
      !ChargeCopies(element, children, static_cast<std::size_t>(std::max(copies, 1)),
                    suffix_length))
    return;
  // Each copy is moved from the one before it by the offset, in the axes of that one; X.p adds
  // these up.
  RigidTransform step = offset;
  step.R = RotationFromEuler(euler, compiler_.eulerseq);
  RigidTransform X;  // of copy i; its rotation is computed afresh for precision
  // Inside the copies of another replicate this is one and the same.
  const auto [known, fresh] = replicate_at_.emplace(element.place(), replicates_.size());
  const std::size_t index = known->second;
  if (fresh) replicates_.push_back({element, {}, {}});
  for (int i = 0; i < copies; ++i) {
    const std::string own = separator + Padded(i, copies);
    if (fresh) replicates_[index].suffixes.push_back(own);
    copies_made_.push_back({index, static_cast<std::size_t>(i), own, item.copy});
    const Matrix3 R = RotationFromEuler(i * euler, compiler_.eulerseq);
    const RigidTransform X_BF = item.X_BF * RigidTransform{R, X.p};
    X = RigidTransform{R, X.p} * step;
    // Inner copies get their number first, so the outer suffix comes after what is inside.
    for (const xml::Element& child : children)
      items.push_back(
          {child, X_BF, childclass, own + item.suffix, item.frame, &copies_made_.back()});
  }
}

void Reader::ReadBodyContents(const Body& body) {
  const bool world = body.link == kWorld;
  xml::Element inertial;
  std::vector<GeomMass> geoms;
  std::string unknown;
  const bool weigh = WeighsGeoms(body);
  for (const Item& item : body.items) {
    if (item.element.name() == "inertial") inertial = item.element;
    WithParts(item, body.link, [&] { ReadContent(item, body, weigh, geoms, unknown); });
  }
  if (!world) ReadInertia(body, inertial, geoms, unknown);
}

bool Reader::WeighsGeoms(const Body& body) const {
  const bool inertial = std::any_of(body.items.begin(), body.items.end(), [](const Item& item) {
    return item.element.name() == "inertial";
  });
  return body.link != kWorld &&
         (compiler_.inertiafromgeom == InertiaFromGeom::kTrue ||
          (!inertial && compiler_.inertiafromgeom == InertiaFromGeom::kAuto));
}

PartCount Reader::CountParts(LinkId link) const {
  const Link& parts = model_.link(link);
  return {parts.visuals.size(), parts.collisions.size(), parts.native.size(), model_.frames.size()};
}

// Bodies, joints, inertia and what is attached are read elsewhere.
void Reader::ReadContent(const Item& item, const Body& body, bool weigh,
                         std::vector<GeomMass>& geoms, std::string& unknown) {
  const bool world = body.link == kWorld;
  const std::string_view kind = item.element.name();
  if (MakesBodies(kind)) return;
  if (world && (kind == "inertial" || kind == "joint" || kind == "freejoint")) {
    item.element.ConsumeAll();
    item.element.Error("world-" + std::string(kind), {kind, item.element.Attribute("name", ""),
                                                      "the world body cannot have one"});
  } else if (kind == "joint" || kind == "freejoint" || kind == "inertial") {
    return;  // read with the body
  } else if (kind == "geom") {
    if (auto mass = ReadGeom(item, body.link, weigh, unknown)) geoms.push_back(*mass);
  } else if (kind == "site") {
    ReadSite(item, body.link);
  } else if (kind == "camera" || kind == "light") {
    ReadCameraOrLight(item, body.link);
  } else if (kind == "plugin") {
    model_.link(body.link).native.push_back(item.element.Native());
    item.element.Warn("mjcf-plugin", {"plugin of body", model_.link(body.link).name,
                                      "only MJCF keeps this element"});
  } else {
    ReportUnknown(item.element, "element-unknown",
                  "element '" + std::string(kind) + "' is not known below a body", kind,
                  {"body", "joint", "freejoint", "geom", "site", "camera", "light", "inertial",
                   "frame", "attach", "replicate", "composite", "flexcomp", "plugin"});
  }
}

void Reader::ReportUnknown(const xml::Element& element, const char* code, Statement statement,
                           std::string_view word, const std::vector<std::string>& known) {
  element.ConsumeAll();
  Diagnostic& error = element.Error(code, std::move(statement));
  error.suggestion = NearestName(word, known);
}

void Reader::ReadSite(const Item& item, LinkId link) {
  const xml::Element& element = item.element;
  element.Consume();
  const Attributes attributes(element, defaults_.ClassOf(element, "class", item.childclass),
                              "site");
  RigidTransform X_FS = ReadPose(attributes, compiler_);
  AttributeList rest = AttributesExcept(
      attributes, {"name", "pos", "quat", "axisangle", "xyaxes", "zaxis", "euler", "fromto"});
  if (const auto ends = attributes.Numbers("fromto", 6, 6)) {
    const Vector3 from((*ends)[0], (*ends)[1], (*ends)[2]), to((*ends)[3], (*ends)[4], (*ends)[5]);
    X_FS.p = (from + to) / 2;
    if ((from - to).norm() > 0) X_FS.R = RotationFromZ((from - to).normalized());
    // The half length, which is the second size of round shapes and the third of the others.
    const std::vector<double> sizes = attributes.Overlaid("size", {0.005, 0.005, 0.005});
    const std::string type = attributes.Text("type", "sphere");
    const bool round = type == "capsule" || type == "cylinder";
    const double half = (from - to).norm() / 2;
    SetAttribute(
        rest, "size",
        xml::VectorText(round ? Vector3(sizes[0], half, 0) : Vector3(sizes[0], sizes[0], half)));
  }
  const RigidTransform X_LS = item.X_BF * X_FS;
  std::string name = element.Attribute("name", "");
  if (name.empty()) {
    // Nothing can refer to it: it is only drawn.
    SetPose(rest, X_LS);
    model_.link(link).native.push_back(MakeNative(element, "site", rest));
    return;
  }
  NoteCopied("site", name, item.copy);
  name += item.suffix;
  if (!Claim("site", name, element)) return;
  sites_by_name_[name] = {link, X_LS};
  Frame frame;
  frame.name = name;
  frame.link = link;
  frame.X_LF = X_LS;
  frame.native_type = "site";
  frame.scope = ScopeId{0};
  frame.where = element.where();
  if (!rest.empty()) frame.native.push_back(MakeNative(element, "site", rest));
  model_.frames.push_back(std::move(frame));
}

void Reader::ReadCameraOrLight(const Item& item, LinkId link) {
  const xml::Element& element = item.element;
  element.Consume();
  const Attributes attributes(element, defaults_.ClassOf(element, "class", item.childclass),
                              element.name());
  AttributeList all = AttributesExcept(attributes, {"axisangle", "xyaxes", "zaxis", "euler"});
  const RigidTransform X_LC = item.X_BF * ReadPose(attributes, compiler_);
  if (element.name() == "camera") {
    // A chip decides the angle, wherever each of the two is said; both are no schema.
    const auto chip = attributes.Numbers("sensorsize", 2, 2);
    const bool decides = chip && (*chip)[0] > 0 && (*chip)[1] > 0;
    std::erase_if(
        all, [&](const auto& a) { return chip && a.first == (decides ? "fovy" : "sensorsize"); });
    SetPose(all, X_LC);
  } else {
    SetAttribute(all, "pos", xml::VectorText(X_LC.p));
    SetAttribute(
        all, "dir",
        xml::VectorText(item.X_BF.R * attributes.Vector("dir").value_or(Vector3(0, 0, -1))));
  }
  if (element.name() == "camera") NoteCopied("camera", element.Attribute("name", ""), item.copy);
  // What it looks at is copied with it.
  for (auto& [key, value] : all)
    if (key == "name" || key == "target") value += item.suffix;
  model_.link(link).native.push_back(MakeNative(element, element.name(), all));
}

}  // namespace kinemorph::mjcf
