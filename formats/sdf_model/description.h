// What is said, before frames are resolved: models, links, joints and frames with their raw poses
// and names.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kinemorph/formats/format.h"
#include "sdf_model/sdf_version.h"
#include "xml_reader.h"

namespace kinemorph::sdformat {

/// A <pose>: numbers, and the frame they are in (empty: the default of the element that has it).
struct PoseSpec {
  RigidTransform X;
  std::string relative_to;
  bool given = false;
  SourceLocation where;
};

/// A <world>, <model> or nested <model>. A merged include keeps its own entry (its `__model__`),
/// but its names live in `name_space`.
struct ModelItem {
  std::string name;
  std::string prefix;  ///< put before the names of its children: "", "arm::", "arm::hand::"
  int parent = -1;
  int name_space = -1;  ///< itself, or the model that it was merged into
  bool is_world = false;
  bool is_static = false;
  std::optional<bool> self_collide;
  bool merged = false;
  PoseSpec pose;
  std::string placement_frame, canonical_link;
  Version version{1, 9};  ///< of the file it stands in
  std::vector<NativeData> native;
  xml::Element element;
};

/// A link; one that the model has already comes first, in its order, without an element.
struct LinkItem {
  int model = 0;
  std::string name;
  PoseSpec pose;
  xml::Element element;
};
/// A joint, likewise.
struct JointItem {
  int model = 0;
  std::string name, type, parent, child;
  PoseSpec pose;
  xml::Element element;
};
struct FrameItem {
  int model = 0;
  std::string name, attached_to;
  PoseSpec pose;
  xml::Element element;
};

/// <drake:ball_constraint>, <drake:tendon_constraint>, <drake:collision_filter_group>: Drake's ways
/// to close a loop, to couple joints, and to say which links do not collide.
struct DrakeItem {
  int model = 0;
  xml::Element element;
};

/// A <plugin> of a model, or <ros2_control>.
struct PluginItem {
  int model = 0;
  xml::Element element;
};

/// All files together, in document order.
struct Description {
  std::vector<std::string> files;
  std::vector<std::unique_ptr<xml::Document>> documents;
  std::vector<ModelItem>
      models;  ///< [0] is the file's model or world; parents stand before their children
  std::vector<LinkItem> links;
  std::vector<JointItem> joints;
  std::vector<FrameItem> frames;
  std::vector<DrakeItem> balls, tendons, groups;
  std::vector<PluginItem> plugins;
  std::vector<NativeData> native;  ///< at the root of the file
  std::optional<Vector3> gravity;
  std::string version_text;

  [[nodiscard]] const ModelItem& name_space(int model) const {
    return models[static_cast<std::size_t>(models[static_cast<std::size_t>(model)].name_space)];
  }
  [[nodiscard]] const ModelItem& model(int m) const { return models[static_cast<std::size_t>(m)]; }
};

/// An item of an element.
/// @{
[[nodiscard]] LinkItem ReadLinkItem(const xml::Element& link, int model, Version version);
[[nodiscard]] JointItem ReadJointItem(const xml::Element& joint, int model, Version version);
[[nodiscard]] FrameItem ReadFrameItem(const xml::Element& frame, int model, Version version);
/// @}

/// The element as it stands, as SDFormat wherever it stands.
[[nodiscard]] inline NativeData NativeOf(const xml::Element& element) {
  NativeData data = element.Native();
  data.format = "sdf";
  return data;
}

/// The <pose> of `owner`: `relative_to`, or `frame` before 1.7; rotations as rpy, degrees, or a
/// quaternion.
[[nodiscard]] PoseSpec ReadPose(const xml::Element& owner, Version version);

/// True for names that SDFormat keeps for itself: "world" and "__x__".
[[nodiscard]] bool IsReservedName(std::string_view name);

/// True for an element of another vocabulary: `drake:something`.
[[nodiscard]] inline bool IsForeign(const xml::Element& element) {
  return element.name().find(':') != std::string_view::npos;
}

}  // namespace kinemorph::sdformat
