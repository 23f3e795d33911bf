// The scene around a robot, in a file that includes it: floor, light, camera, sky, and the keyframe
// `home`, the assembled posture with floating robots standing on the floor.
#include <algorithm>
#include <cmath>

#include "write/posture.h"
#include "write/writer.h"

namespace kinemorph::mjcf {
namespace {

// The robot's file stays as it is, and the scene includes it: what a viewer needs does not get into
// what a controller reads. Nothing is written that the robot brings itself.

constexpr double kClearance = 1e-3;  // m between the floor and what stands on it
constexpr double kNothing = 1e-12;   // a coordinate nearer to zero is zero

double Rounded(double value, double per_unit) { return std::round(value * per_unit) / per_unit; }

struct Stand {
  double floor = 0;                    ///< z, m
  std::map<std::size_t, double> lift;  ///< by node below the world: m, of floating bodies
  Room room;                           ///< of all that moves, lifted
};

// A floor at `floor` or as low as what cannot be lifted reaches.
// What floats is lifted to stand; what is fixed to the world says how low the floor must be.
Stand StandOn(const std::optional<double>& floor, const std::vector<Movable>& movables) {
  Stand stand;
  for (const Movable& movable : movables)
    if (!movable.free && !movable.room.isEmpty())
      stand.floor = std::min(stand.floor, movable.room.min().z());
  stand.floor = floor.value_or(stand.floor < 0 ? stand.floor - kClearance : 0);
  for (const Movable& movable : movables) {
    if (movable.room.isEmpty()) continue;
    const double lift = movable.free ? stand.floor + kClearance - movable.room.min().z() : 0;
    for (const std::size_t root : movable.roots)
      if (movable.free) stand.lift[root] = lift;
    stand.room.extend(movable.room.translated(Vector3(0, 0, lift)));
  }
  if (stand.room.isEmpty()) stand.room.extend(Vector3(0, 0, stand.floor));
  return stand;
}

// Whether the model brings a section of its own; or one in which something says so.
bool Has(const Model& model, std::string_view section) {
  return std::any_of(model.native.begin(), model.native.end(), [&](const NativeData& n) {
    return n.format == "mjcf" && n.element == section;
  });
}
bool HasWith(const Model& model, std::string_view section, const char* attribute,
             const char* value) {
  bool found = false;
  for (const NativeData& n : model.native)
    if (n.format == "mjcf" && n.element == section)
      ForEachIn(n.content, [&](const NativeElement& element) {
        const std::string* const said = element.Attribute(attribute);
        found = found || (said != nullptr && *said == value);
      });
  return found;
}

// What the camera looks at.
struct Surroundings {
  // At least 0.1 m, so that a camera does not stand inside of a small part.
  Vector3 center;
  double extent;  ///< m
  explicit Surroundings(const Room& room)
      : center(room.center()), extent(std::max(0.1, room.diagonal().norm())) {}
  /// To three digits of the extent.
  [[nodiscard]] Vector3 Round(const Vector3& p) const {
    const double per_unit = std::pow(10, 3 - std::floor(std::log10(extent)));
    return {Rounded(p.x(), per_unit), Rounded(p.y(), per_unit), Rounded(p.z(), per_unit)};
  }
};

// The floor that the scene brings, where the robot has none.
struct Floor {
  bool is_new = false;
  double height = 0;  ///< m
  std::string texture, material, geom;
};

void WriteSceneLook(xml::Writer& scene) {
  scene.Open("visual");
  scene.Open("headlight")
      .Attribute("diffuse", {0.6, 0.6, 0.6})
      .Attribute("ambient", {0.3, 0.3, 0.3})
      .Attribute("specular", {0, 0, 0})
      .Close();
  scene.Open("rgba").Attribute("haze", {0.15, 0.25, 0.35, 1}).Close().Close();
}

void WriteSceneAssets(bool sky, const Floor& floor, xml::Writer& scene) {
  if (!sky && !floor.is_new) return;
  scene.Open("asset");
  if (sky)
    scene.Open("texture")
        .Attribute("type", "skybox")
        .Attribute("builtin", "gradient")
        .Attribute("rgb1", {0.3, 0.5, 0.7})
        .Attribute("rgb2", {0, 0, 0})
        .Attribute("width", 256)
        .Attribute("height", 1536)
        .Close();
  if (floor.is_new) {
    scene.Open("texture")
        .Attribute("name", floor.texture)
        .Attribute("type", "2d")
        .Attribute("builtin", "checker")
        .Attribute("mark", "edge")
        .Attribute("rgb1", {0.2, 0.3, 0.4})
        .Attribute("rgb2", {0.1, 0.2, 0.3})
        .Attribute("markrgb", {0.8, 0.8, 0.8})
        .Attribute("width", 300)
        .Attribute("height", 300)
        .Close();
    scene.Open("material")
        .Attribute("name", floor.material)
        .Attribute("texture", floor.texture)
        .Attribute("texuniform", "true")
        .Attribute("texrepeat", {5, 5})
        .Attribute("reflectance", 0.2)
        .Close();
  }
  scene.Close();
}

void WriteSceneWorld(const Surroundings& at, const Floor& floor, const std::string& camera,
                     xml::Writer& scene) {
  scene.Open("worldbody");
  scene.Open("light")
      .Attribute("pos", at.Round(at.center + Vector3(0, 0, 2 * at.extent)))
      .Attribute("dir", {0, 0, -1})
      .Attribute("directional", "true")
      .Close();
  // Looks at the middle from the front, right and above.
  const Vector3 back = Vector3(1, -1, 0.7).normalized();  // and xyaxes to the right and up of it
  scene.Open("camera")
      .Attribute("name", camera)
      .Attribute("pos", at.Round(at.center + 1.5 * at.extent * back))
      .Attribute("xyaxes", {1, 1, 0, -0.35, 0.35, 1})
      .Close();
  if (floor.is_new) {
    scene.Open("geom")
        .Attribute("name", floor.geom)
        .Attribute("type", "plane")
        .Attribute("size", {0, 0, 0.05});
    if (floor.height != 0) scene.Attribute("pos", {0, 0, floor.height});
    scene.Attribute("material", floor.material).Close();
  }
  scene.Close();
}

}  // namespace

// MuJoCo's own coordinates: hinges and slides count from -ref, balls turn in axes of the body.
// qpos in the order of the file: nodes as they are written, the joints of a body from its parent
// on.
std::vector<double> MjcfWriter::HomePosition(const StartPosture& posture,
                                             const std::map<std::size_t, double>& lift) const {
  std::map<JointId, const kinemorph::Body*> body_of;
  for (const kinemorph::Body& body : posture.mechanism.bodies)
    if (body.joint != kNoJoint) body_of[body.joint] = &body;
  std::vector<double> qpos;
  for (std::size_t n = 1; n < tree_.nodes.size(); ++n) {
    for (const FoldedJoint& folded : tree_.nodes[n].joints) {
      const Joint& joint = model_.joint(folded.id);
      const double* q = posture.q.data() + body_of.at(folded.id)->q;
      // The posture assembles the joints below a free one, which itself stays where it is drawn.
      if (std::holds_alternative<Free>(joint.kind)) {
        const RigidTransform& X_WB = tree_.nodes[n].X_PB;
        const auto lifted = lift.find(n);
        const Eigen::Vector4d quat = QuaternionFromRotation(X_WB.R);
        qpos.insert(qpos.end(), {X_WB.p.x(), X_WB.p.y(),
                                 X_WB.p.z() + (lifted == lift.end() ? 0 : lifted->second)});
        qpos.insert(qpos.end(), quat.data(), quat.data() + 4);
      } else if (std::holds_alternative<Ball>(joint.kind)) {
        const Vector3 axis_B = folded.X_BM.R * Vector3(q[1], q[2], q[3]);
        qpos.insert(qpos.end(), {q[0], axis_B.x(), axis_B.y(), axis_B.z()});
      } else {
        const double ref = joint.axes.empty() ? 0 : joint.axes.front().position_offset;
        // Rounding of the solver would be seen in the file.
        qpos.push_back((std::abs(*q) < kNothing ? 0 : *q) + ref);
      }
    }
  }
  return qpos;
}

// A servo that is commanded nothing pulls its joint to zero, away from the posture. In the order of the
// file; empty where it has actuators that the model does not know.
std::vector<double> MjcfWriter::HomeControl(const StartPosture& posture) const {
  std::map<JointId, double> q_of;
  for (const kinemorph::Body& body : posture.mechanism.bodies)
    if (body.joint != kNoJoint && body.nq == 1) q_of[body.joint] = posture.q[body.q];
  std::vector<double> control;
  if (HasGroup("actuator")) return control;
  for (const Actuator& actuator : model_.actuators) {
    if (!IsWritten(actuator)) continue;
    double& command = control.emplace_back(0);
    const auto q = q_of.find(actuator.joint);
    if (actuator.kind != DriveKind::kPosition || q == q_of.end()) continue;
    const double start = q->second + model_.joint(actuator.joint).axes.at(0).position_offset;
    command = actuator.gear * actuator.target.value_or(std::abs(start) < kNothing ? 0 : start);
  }
  return control;
}

// A floor that is there already is the floor.
const Collision* MjcfWriter::FloorThere() const {
  for (const Collision& each : model_.link(kWorld).collisions)
    if (std::holds_alternative<Plane>(each.shape)) return &each;
  return nullptr;
}

void MjcfWriter::NoteNoTouch(const Collision& floor) {
  for (const LinkId id : Links(model_))
    for (const Collision& each : model_.link(id).collisions)
      if (id != kWorld && Touch(each, floor)) return;
  diagnostics_.Add(MakeDiagnostic(
      Severity::kNote, "scene-no-contact", model_.FileName({}), 0, "",
      {"model", model_.name,
       "none of its links has a shape that collides with the floor: what is free falls through"}));
}

SideFile MjcfWriter::WriteScene() {
  const StartPosture posture = StartPostureOf(model_);
  if (!posture.closed)
    diagnostics_.Add(MakeDiagnostic(
        Severity::kWarning, "scene-open", model_.FileName({}), 0, "",
        {"model", model_.name,
         "no posture was found that closes its loops; the keyframe 'home' is the drawn one"}));
  const Collision* const floor_there = FloorThere();
  NoteNoTouch(floor_there == nullptr ? Collision() : *floor_there);
  const auto height =
      floor_there == nullptr ? std::nullopt : std::optional(floor_there->X_LG.p.z());
  const Stand stand = StandOn(height, MovablesOf(model_, tree_, posture, options_.files));
  const Surroundings at(stand.room);
  Floor floor;
  if (floor_there == nullptr)
    floor = {true, stand.floor, texture_names_.Take("floor"), material_names_.Take("floor"),
             geom_names_.Take("floor")};

  // Each section stands only where the source has none of its own.
  xml::Writer scene;
  scene.Open("mujoco").Attribute("model", model_.name + " scene");
  scene.Comment("written by kinemorph");
  scene.Open("include").Attribute("file", options_.scene_of).Close();
  if (!Has(model_, "statistic"))
    scene.Open("statistic")
        .Attribute("center", at.Round(at.center))
        .Attribute("extent", at.Round(Vector3(at.extent, 0, 0)).x())
        .Close();
  if (!Has(model_, "visual")) WriteSceneLook(scene);
  WriteSceneAssets(!HasWith(model_, "texture", "type", "skybox"), floor, scene);
  WriteSceneWorld(at, floor, CameraName("scene"), scene);
  // A source that has a posture of this name means its own.
  if (!HasWith(model_, "keyframe", "name", "home")) {
    const std::vector<double> home = HomePosition(posture, stand.lift);
    scene.Open("keyframe").Open("key").Attribute("name", "home");
    if (!home.empty()) scene.Attribute("qpos", std::span(home));
    const std::vector<double> control = HomeControl(posture);
    if (std::ranges::any_of(control, [](double each) { return each != 0; }))
      scene.Attribute("ctrl", std::span(control));
    scene.Close().Close();
  }
  scene.Close();
  return {SceneName(options_.scene_of), std::move(scene).text(), SideFileKind::kScene};
}

// `wanted`, or what no camera of the source is called.
std::string MjcfWriter::CameraName(const std::string& wanted) const {
  UniqueNames names;
  for (const Sensor& sensor : model_.sensors)
    if (IsCamera(sensor) && !sensor.name.empty()) static_cast<void>(names.Take(sensor.name));
  return names.Take(wanted);
}

}  // namespace kinemorph::mjcf
