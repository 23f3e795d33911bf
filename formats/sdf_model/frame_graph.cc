// Names and edges of the frame graph.
#include "sdf_model/frame_graph.h"

#include <algorithm>

// Two trees over one set of nodes. The pose tree says in which frame each pose is given, and is
// resolved first, at zero; the tree of attachment says what moves with what. Names are resolved in
// the scope of their model, with "::" for nested ones, and errors fall back to the model's own
// frame so that one of them does not spoil all poses.

namespace kinemorph::sdformat {

FrameGraph::FrameGraph(const Description& description) : description_(description) {
  first_link_ = first_model_ + static_cast<int>(description.models.size());
  first_joint_ = first_link_ + static_cast<int>(description.links.size());
  first_frame_ = first_joint_ + static_cast<int>(description.joints.size());
  nodes_.resize(static_cast<std::size_t>(first_frame_) + description.frames.size());
  Register();
  FindCanonicalLinks();
  LinkPoses();
  // Placement frames change the pose of a model, for which its inner edges must be free of cycles;
  // attachment does not depend on poses.
  BreakCycles(&Node::pose_parent, "pose-cycle", "relative_to");
  PlaceModels();
  ResolvePoses();
  LinkBodies();
  BreakCycles(&Node::attached, "attached-to-cycle", "attached_to");
  ResolveBodies();
}

// Before 1.7 a joint could have the name of a link. Two of one kind were never allowed.
void FrameGraph::ReportDuplicate(const std::string& full, const xml::Element& element,
                                 const std::string& what, Version version, bool same_kind) {
  duplicates_ = duplicates_ || same_kind || version >= Version{1, 7};
  if (same_kind) {
    element.Error("name-duplicate", "'" + full + "' is the name of two " + what +
                                        "s; every name may be used once in a model");
  } else if (version >= Version{1, 7}) {
    element.Error("name-duplicate", "'" + full + "' is the name of this " + what +
                                        " and of another element; a model, link, joint or frame "
                                        "needs its own name since SDFormat 1.7");
  } else {
    element.Warn("name-shared",
                 "'" + full + "' is the name of this " + what +
                     " and of another element, which SDFormat 1.7 no longer allows; both are kept");
  }
}

// Links first: in old files, where a joint may share the name of a link, a name means the link.
void FrameGraph::Register() {
  const auto add = [&](int model, const std::string& name, NodeId id, const xml::Element& element,
                       const char* what) {
    if (name.empty()) return;
    const std::string full = description_.name_space(model).prefix + name;
    const auto [it, fresh] = by_name_.emplace(full, id);
    if (fresh || !element) return;
    const auto kind = [&](NodeId node_id) {
      return (node_id >= first_link_) + (node_id >= first_joint_) + (node_id >= first_frame_);
    };
    ReportDuplicate(full, element, what, description_.model(model).version,
                    kind(it->second) == kind(id));
  };
  for (std::size_t i = 0; i < description_.links.size(); ++i)
    add(description_.links[i].model, description_.links[i].name, of_link(i),
        description_.links[i].element, "link");
  for (std::size_t m = 1; m < description_.models.size(); ++m) {
    const ModelItem& item = description_.models[m];
    // Several includes may be merged into one model: each keeps a frame of its own, under the name
    // that libsdformat gives it.
    if (item.merged)
      by_name_.emplace(item.prefix + "_merged__" + item.name + "__model__",
                       of_model(static_cast<int>(m)));
    else
      add(item.parent, item.name, of_model(static_cast<int>(m)), item.element, "model");
  }
  // Two joints of one name are an error even when a link has that name too, so joints and frames
  // keep their own list.
  std::unordered_map<std::string, bool> own;
  const auto add_own = [&](int model, const std::string& name, NodeId id,
                           const xml::Element& element, const char* what) {
    if (name.empty()) return;
    const std::string full = description_.name_space(model).prefix + name;
    if (!own.emplace(what + ("/" + full), true).second && element)
      ReportDuplicate(full, element, what, description_.model(model).version, true);
    else
      add(model, name, id, element, what);
  };
  for (std::size_t i = 0; i < description_.joints.size(); ++i)
    add_own(description_.joints[i].model, description_.joints[i].name, of_joint(i),
            description_.joints[i].element, "joint");
  for (std::size_t i = 0; i < description_.frames.size(); ++i)
    add_own(description_.frames[i].model, description_.frames[i].name, of_frame(i),
            description_.frames[i].element, "frame");
}

NodeId FrameGraph::Find(int model, const std::string& name) const {
  // The names that SDFormat keeps: a model's own frame, and in a world the world. A name with
  // __model__ at its end means the frame of the nested model.
  if (name == "__model__") return of_model(model);
  if (description_.model(model).is_world && name == "world") return world();
  std::string full = description_.name_space(model).prefix + name;
  if (const auto exact = by_name_.find(full); exact != by_name_.end()) return exact->second;
  constexpr std::string_view kModelFrame = "::__model__";
  if (full.size() > kModelFrame.size() &&
      full.compare(full.size() - kModelFrame.size(), kModelFrame.size(), kModelFrame) == 0)
    full.resize(full.size() - kModelFrame.size());
  const auto found = by_name_.find(full);
  return found == by_name_.end() ? kNoNode : found->second;
}

std::string FrameGraph::Nearest(int model, const std::string& name) const {
  // Every suggestion looks at all names; a file that is wrong everywhere gets the first few.
  if (suggestions_left_ == 0) return "";
  --suggestions_left_;
  std::vector<std::string> names;
  const std::string& prefix = description_.name_space(model).prefix;
  for (const auto& [full, id] : by_name_)
    if (full.compare(0, prefix.size(), prefix) == 0) names.push_back(full.substr(prefix.size()));
  std::sort(names.begin(), names.end());
  return NearestName(name, names);
}

std::string FrameGraph::NameOf(NodeId id) const {
  if (id == world()) return "world";
  if (id < first_link_) {
    const ModelItem& item = description_.model(id - first_model_);
    return item.parent < 0 ? "__model__" : description_.name_space(item.parent).prefix + item.name;
  }
  const auto full = [&](int model, const std::string& name) {
    return description_.name_space(model).prefix + name;
  };
  if (id < first_joint_) {
    const LinkItem& l = description_.links[static_cast<std::size_t>(id - first_link_)];
    return full(l.model, l.name);
  }
  if (id < first_frame_) {
    const JointItem& j = description_.joints[static_cast<std::size_t>(id - first_joint_)];
    return full(j.model, j.name);
  }
  const FrameItem& f = description_.frames[static_cast<std::size_t>(id - first_frame_)];
  return full(f.model, f.name);
}

const xml::Element* FrameGraph::ElementOf(NodeId id) const {
  if (id < first_model_) return nullptr;
  if (id < first_link_) return &description_.model(id - first_model_).element;
  if (id < first_joint_)
    return &description_.links[static_cast<std::size_t>(id - first_link_)].element;
  if (id < first_frame_)
    return &description_.joints[static_cast<std::size_t>(id - first_joint_)].element;
  return &description_.frames[static_cast<std::size_t>(id - first_frame_)].element;
}

// The link that stands for a model where a frame is attached to it. Explicit where canonical_link
// says so; else the first link of the model, else that of the first nested model with one.
void FrameGraph::FindCanonicalLinks() {
  const std::size_t n = description_.models.size();
  canonical_.assign(n, -1);
  // Own links first: the first of the namespace. A merged model has its first own link too.
  for (std::size_t i = description_.links.size(); i-- > 0;) {
    const int model = description_.links[i].model;
    canonical_[static_cast<std::size_t>(model)] = static_cast<int>(i);
    canonical_[static_cast<std::size_t>(description_.model(model).name_space)] =
        static_cast<int>(i);
  }
  // Then the first nested model that has one; children stand after their parents, so going
  // backwards finishes children first.
  std::vector<int> nested(n, -1);
  for (std::size_t m = n; m-- > 0;) {
    const ModelItem& item = description_.models[m];
    if (canonical_[m] < 0) canonical_[m] = nested[m];
    // It may be a link of a nested model: "arm::base".
    if (!item.canonical_link.empty()) {
      const NodeId link = Find(static_cast<int>(m), item.canonical_link);
      if (link >= first_link_ && link < first_joint_)
        canonical_[m] = link - first_link_;
      else
        item.element.Error("canonical-link", "'" + item.canonical_link +
                                                 "' is the canonical link of model '" + item.name +
                                                 "' but is not a link of the model");
    }
    if (item.parent >= 0 && canonical_[m] >= 0)
      nested[static_cast<std::size_t>(item.parent)] = canonical_[m];
  }
}

NodeId FrameGraph::Reference(int model, const std::string& name, const xml::Element& element,
                             const char* attribute, NodeId fallback) {
  if (name.empty()) return fallback;
  const NodeId found = Find(model, name);
  if (found != kNoNode) return found;
  ReportUnknown(model, name, element, attribute);
  return fallback;
}

void FrameGraph::ReportUnknown(int model, const std::string& name, const xml::Element& element,
                               const char* attribute) const {
  Diagnostic& error =
      element.Error("frame-unknown", {"", element.path(),
                                      std::string(attribute) + " names '" + name +
                                          "', which is not a link, joint, frame or model here"});
  if (name == "world")
    error.notes.emplace_back("a model has no frame of the world; its own is called __model__");
  else
    error.suggestion = Nearest(model, name);
}

// Where each pose is given when nothing else is said: a model in the model around it, a link in its
// model, a joint in its child, a frame in what it is attached to.
void FrameGraph::LinkPoses() {
  const auto set = [&](NodeId id, int model, const PoseSpec& pose, const xml::Element& element,
                       NodeId default_frame) {
    node(id).pose_parent =
        Reference(model, pose.relative_to, element, "relative_to", default_frame);
    node(id).X_parent = pose.X;
  };
  node(0).pose_parent = kNoNode;
  for (std::size_t m = 0; m < description_.models.size(); ++m) {
    const ModelItem& item = description_.models[m];
    const NodeId id = of_model(static_cast<int>(m));
    // The file's own model has nothing around it but the world.
    if (item.parent < 0) {
      if (!item.pose.relative_to.empty() && item.pose.relative_to != "world") {
        item.element.Error("frame-unknown", {"", item.name,
                                             "relative_to names '" + item.pose.relative_to +
                                                 "', but nothing surrounds the file's model"});
      }
      node(id).pose_parent = world();
      node(id).X_parent = item.pose.X;
    } else {
      set(id, item.parent, item.pose, item.element, of_model(item.parent));
    }
  }
  for (std::size_t i = 0; i < description_.links.size(); ++i) {
    const LinkItem& item = description_.links[i];
    set(of_link(i), item.model, item.pose, item.element, of_model(item.model));
  }
  for (std::size_t i = 0; i < description_.joints.size(); ++i) {
    const JointItem& item = description_.joints[i];
    // A joint's pose is given in its child. An unknown child is reported where the ends are read.
    const NodeId child = item.child.empty() ? kNoNode : Find(item.model, item.child);
    set(of_joint(i), item.model, item.pose, item.element,
        child == kNoNode ? of_model(item.model) : child);
  }
  for (std::size_t i = 0; i < description_.frames.size(); ++i) {
    const FrameItem& item = description_.frames[i];
    const NodeId attached = item.attached_to.empty() ? kNoNode : Find(item.model, item.attached_to);
    set(of_frame(i), item.model, item.pose, item.element,
        attached == kNoNode ? of_model(item.model) : attached);
  }
}

void FrameGraph::LinkBodies() {
  // Links end the search for the body (they are attached to nothing); so do the world and models
  // that cannot move.
  node(0).attached = kNoNode;
  for (std::size_t m = 0; m < description_.models.size(); ++m) {
    const int canonical = canonical_[m];
    node(of_model(static_cast<int>(m))).attached =
        canonical < 0 || description_.models[m].is_world
            ? world()
            : of_link(static_cast<std::size_t>(canonical));
  }
  for (std::size_t i = 0; i < description_.links.size(); ++i) node(of_link(i)).attached = kNoNode;
  for (std::size_t i = 0; i < description_.joints.size(); ++i) {
    const JointItem& item = description_.joints[i];
    const NodeId child = item.child.empty() ? kNoNode : Find(item.model, item.child);
    node(of_joint(i)).attached = child == kNoNode ? of_model(item.model) : child;
  }
  for (std::size_t i = 0; i < description_.frames.size(); ++i) {
    const FrameItem& item = description_.frames[i];
    node(of_frame(i)).attached =
        Reference(item.model, item.attached_to, item.element, "attached_to", of_model(item.model));
  }
}

}  // namespace kinemorph::sdformat
