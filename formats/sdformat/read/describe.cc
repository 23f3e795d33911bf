// Walks the files: worlds, models, nested models and includes become a Description.
#include "read/describe.h"

#include <array>
#include <set>

#include "pose_text.h"
#include "read/includes.h"

namespace kinemorph::sdformat {
namespace {

// Nested models, of which each takes a level of the recursion.
constexpr int kMaxNesting = 100;

// What an <include> changes in the model that it brings in.
struct Overrides {
  xml::Element include;
  std::string name;
  PoseSpec pose;
  std::optional<bool> is_static;
  std::string placement_frame;
  bool merge = false;
};

class Walker {
 public:
  Walker(const ReadOptions& options, Diagnostics& diagnostics, xml::Asked* asked, Description& out)
      : options_(options), out_(out), includes_(options, diagnostics, asked, out) {}

  bool Run(std::string_view text) {
    const xml::Element root = includes_.Parse(text, options_.file_name);
    if (!root) return false;
    if (root.name() != "sdf" && root.name() != "gazebo") {
      root.Error("root-element", "'" + std::string(root.name()) +
                                     "' is not the root of an SDFormat file; expected <sdf>");
      return false;
    }
    // Each file has a version of its own, and its elements keep it: poses, axes and names are read
    // by the rules of the file that they stand in.
    const Version version = ReadVersion(root);
    out_.version_text = root.Attribute("version", "1.9");
    includes_.stack.push_back(options_.file_name);
    xml::Element top;
    for (const xml::Element child : root.Children()) {
      if (child.IsOneOf({"world", "model"})) {
        child.Consume();
        if (!top) {
          top = child;
        } else {
          child.Warn("several-roots",
                     "'" + child.Attribute("name", "") + "' is a further " +
                         std::string(child.name()) +
                         " of the file; only the first is read, this one is kept as it is");
          out_.native.push_back(child.Native());
        }
      } else if (child.IsOneOf({"actor", "light"}) || IsForeign(child)) {
        out_.native.push_back(child.Native());
      }
    }
    if (!top) {
      root.Error("no-model", "'" + options_.file_name + "' holds no model and no world");
      return false;
    }
    if (top.name() == "world") {
      ReadWorld(top, version, options_.file_name);
    } else {
      ReadModel(top, -1, {}, version, options_.file_name, 0);
    }
    return true;
  }

 private:
  void ReadWorld(const xml::Element& world, Version version, const std::string& file) {
    ModelItem item;
    item.name = world.Attribute("name", "");
    item.name_space = 0;
    item.is_world = true;
    item.version = version;
    item.element = world;
    // The world is models[0] and the parent of all others.
    out_.models.push_back(item);
    if (item.name.empty()) world.Warn("name-missing", "'world' has no name");
    for (const xml::Element child : world.Children()) {
      if (child.Is("model")) {
        child.Consume();
        ReadModel(child, 0, {}, version, file, 1);
      } else if (child.Is("include")) {
        child.Consume();
        ReadInclude(child, 0, version, file, 1);
      } else if (child.IsOneOf({"frame", "joint"})) {
        child.Consume();
        if (child.Is("frame"))
          ReadFrame(child, 0, version);
        else
          ReadJoint(child, 0, version);
      } else if (child.Is("gravity")) {
        child.Consume();
        // The last <gravity> counts, and goes before one in <physics>.
        if (const auto g = child.TextNumbers(3, 3))
          out_.gravity = Vector3((*g)[0], (*g)[1], (*g)[2]);
      } else if (child.Is("physics")) {
        // Up to 1.5 gravity stood here.
        if (!out_.gravity) {
          if (const auto g = child.Child("gravity").TextNumbers(3, 3))
            out_.gravity = Vector3((*g)[0], (*g)[1], (*g)[2]);
        }
        NativeData physics = child.Native();
        physics.content.Erase("gravity");  // it is the model's
        out_.models[0].native.push_back(std::move(physics));
      } else if (child.IsOneOf({"light", "plugin", "scene", "gui", "audio", "wind",
                                "magnetic_field", "atmosphere", "road", "actor", "state",
                                "population", "spherical_coordinates"}) ||
                 IsForeign(child)) {
        out_.models[0].native.push_back(child.Native());
      }
    }
  }

  void ReadModel(const xml::Element& model, int parent, const Overrides& overrides, Version version,
                 const std::string& file, int depth) {
    if (depth > kMaxNesting) {
      model.Error("nesting-too-deep",
                  "'" + model.Attribute("name", "") + "' is nested in more than 100 models");
      return;
    }
    const int index = static_cast<int>(out_.models.size());
    ModelItem item;
    item.name = overrides.name.empty() ? model.Attribute("name", "") : overrides.name;
    if (!overrides.name.empty()) static_cast<void>(model.Attribute("name"));
    item.parent = parent;
    item.merged = overrides.merge;
    // A merged model keeps an entry for its own frame; the names of its members go into the model
    // around it.
    item.name_space = item.merged && parent >= 0 ? out_.model(parent).name_space : index;
    if (item.merged)
      item.prefix = out_.model(parent).prefix;
    else if (parent >= 0)
      item.prefix = out_.name_space(parent).prefix + item.name + "::";
    item.version = version;
    item.element = model;
    item.pose = ReadPose(model, version);
    item.placement_frame = model.Attribute("placement_frame", "");
    item.canonical_link = model.Attribute("canonical_link", "");
    item.is_static = model.Child("static").TextBoolean().value_or(false);
    ApplyOverrides(overrides, item);
    CheckName(model, item.name, "model", version);
    out_.models.push_back(item);
    for (const xml::Element child : model.Children())
      ReadModelChild(child, index, version, file, depth);
    // Plugins of an <include> belong to the model that it brings in.
    if (overrides.include)
      for (const xml::Element plugin : overrides.include.Children("plugin"))
        out_.plugins.push_back({index, plugin});
  }

  void ReadModelChild(const xml::Element& child, int model, Version version,
                      const std::string& file, int depth) {
    if (child.Is("link")) {
      child.Consume();
      LinkItem link = ReadLinkItem(child, model, version);
      CheckName(child, link.name, "link", version);
      out_.links.push_back(std::move(link));
    } else if (child.Is("joint")) {
      child.Consume();
      ReadJoint(child, model, version);
    } else if (child.Is("frame")) {
      child.Consume();
      ReadFrame(child, model, version);
    } else if (child.Is("model")) {
      child.Consume();
      ReadModel(child, model, {}, version, file, depth + 1);
    } else if (child.Is("include")) {
      child.Consume();
      ReadInclude(child, model, version, file, depth + 1);
    } else if (child.Is("drake:ball_constraint")) {
      child.Consume();
      out_.balls.push_back({model, child});
    } else if (child.Is("drake:tendon_constraint")) {
      child.Consume();
      out_.tendons.push_back({model, child});
    } else if (child.Is("drake:collision_filter_group")) {
      child.Consume();
      out_.groups.push_back({model, child});
    } else if (child.Is("self_collide")) {
      child.Consume();
      out_.models[static_cast<std::size_t>(model)].self_collide = child.TextBoolean();
    } else if (child.IsOneOf({"enable_wind"}) && child.TextBoolean() == false) {
      child.ConsumeAll();  // the default: nothing to keep
    } else if (child.Is("allow_auto_disable") && child.TextBoolean() == true) {
      child.ConsumeAll();
    } else if (child.IsOneOf({"plugin", "ros2_control"})) {
      child.Consume();
      out_.plugins.push_back({model, child});
    } else if (child.IsOneOf({"gripper", "allow_auto_disable", "enable_wind", "model_state"}) ||
               IsForeign(child)) {
      out_.models[static_cast<std::size_t>(model)].native.push_back(child.Native());
    }
  }

  static void ApplyOverrides(const Overrides& overrides, ModelItem& item) {
    if (!overrides.include) return;
    if (overrides.is_static) item.is_static = *overrides.is_static;
    if (overrides.pose.given) {
      // The pose of an include replaces the model's own one; a frame for it without a pose is an
      // error in libsdformat too.
      item.pose = overrides.pose;  // of the frame that the include names, or else the model itself
      if (!overrides.placement_frame.empty()) item.placement_frame = overrides.placement_frame;
    } else if (!overrides.placement_frame.empty()) {
      overrides.include.Error(
          "placement-frame",
          "'" + overrides.placement_frame +
              "' is given as placement_frame without a <pose>; write the pose of this frame");
    }
  }

  void ReadInclude(const xml::Element& include, int parent, Version version,
                   const std::string& file, int depth) {
    Overrides overrides;
    overrides.include = include;
    overrides.name = include.ChildText("name").value_or("");
    overrides.pose = ReadPose(include, version);
    overrides.is_static = include.Child("static").TextBoolean();
    overrides.placement_frame = include.ChildText("placement_frame").value_or("");
    overrides.merge = include.Boolean("merge").value_or(false);
    const std::string uri = include.ChildText("uri").value_or("");
    // Everything of the include is read before it is opened, so that nothing of it is left over
    // when it fails.
    const Includes::Opened opened = includes_.Open(include, uri, file);
    if (opened.outcome == Includes::Outcome::kRemote)
      out_.models[static_cast<std::size_t>(parent)].native.push_back(include.Native());
    if (opened.outcome != Includes::Outcome::kOpened) return;

    const xml::Element root = opened.root;
    const xml::Element model = root.Child("model");
    if (!model) {
      const xml::Element light = root.Child("light"), actor = root.Child("actor");
      if (light || actor) {
        // As it is, with the name and pose of the include; one in another frame stays an include.
        const xml::Element entity = light ? light : actor;
        NativeData kept = entity.Native();
        if (!overrides.name.empty()) SetAttribute(kept.content.attributes, "name", overrides.name);
        if (overrides.pose.given) xml::SetPose(kept.content, overrides.pose.X);
        if (!overrides.pose.relative_to.empty()) kept = include.Native();
        out_.models[static_cast<std::size_t>(parent)].native.push_back(std::move(kept));
      } else {
        include.Error("include-no-model", "'" + uri + "' holds no model");
      }
      return;
    }
    for (const xml::Element other : root.Children()) {
      if (other == model) continue;
      other.ConsumeAll();
      include.Error("include-several", "'" + uri + "' holds a model and a further <" +
                                           std::string(other.name()) +
                                           ">; an included file holds one model");
      break;
    }
    includes_.stack.push_back(opened.path);
    ReadModel(model, parent, overrides, opened.version, opened.path, depth);
    includes_.stack.pop_back();
  }

  void ReadFrame(const xml::Element& frame, int model, Version version) {
    FrameItem item = ReadFrameItem(frame, model, version);
    CheckName(frame, item.name, "frame", version);
    out_.frames.push_back(std::move(item));
  }

  void ReadJoint(const xml::Element& joint, int model, Version version) {
    JointItem item = ReadJointItem(joint, model, version);
    CheckName(joint, item.name, "joint", version);
    out_.joints.push_back(std::move(item));
  }

  // "world" and __x__ are names of frames that are there without being written.
  static void CheckName(const xml::Element& element, const std::string& name,
                        const std::string& what, Version version) {
    if (name.empty()) {
      element.Error("name-missing",
                    "'" + element.path() + "' has no name; every " + what + " needs one");
    } else if (IsReservedName(name)) {
      element.Error("name-reserved", "'" + name + "' is a reserved name and no name for a " + what);
    } else if (version >= Version{1, 8} && name.find("::") != std::string::npos) {
      element.Error(
          "name-delimiter",
          {"", name, "a name may not hold '::' since SDFormat 1.8; nest a <model> instead"});
    }
  }

  const ReadOptions& options_;
  Description& out_;
  Includes includes_;
};

}  // namespace

std::optional<Description> Describe(std::string_view text, const ReadOptions& options,
                                    Diagnostics& diagnostics, xml::Asked* asked) {
  std::optional<Description> out(std::in_place);
  Walker walker(options, diagnostics, asked, *out);
  if (!walker.Run(text)) return std::nullopt;
  return out;
}

}  // namespace kinemorph::sdformat
