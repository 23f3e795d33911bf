// Meshes in another unit, by their own size; masses that do not fit into the room of their shapes.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "kinemorph/formats/mesh_file.h"
#include "kinemorph/graph/base/overloaded.h"
#include "kinemorph/graph/model/zero_poses.h"
#include "lint/rules.h"

namespace kinemorph::lint {
namespace {

constexpr double kLargest = 20, kSmallest = 1e-4;  // m: no part of a robot is beyond these
constexpr double kDensest = 2e5;                   // kg/m^3: osmium has 22 600; up to here,
                                                   // masses are guesses, and shapes are slim
constexpr double kLeastMass = 1;                   // kg: lighter links have tokens for shapes
constexpr double kShareOfRobot = 1e-2;             // of the robot, likewise
constexpr double kFlat = 1e-6;                     // m: a shape without room

using Box3 = Eigen::AlignedBox3d;

// Meshes are the one thing whose unit stands nowhere: STL and OBJ have bare numbers, and CAD
// exports millimetres. Two rules: a mesh that is longer than any robot or smaller than a grain, and
// a mass too dense for the box around all shapes of its body. Both look only at what can be
// measured; a file that is not found makes no finding.

// What shapes take, in their own axes. A mesh file is opened once.
class ShapeBoxes {
 public:
  ShapeBoxes(const Model& model, const ResourceResolver* files) : model_(model), files_(files) {}

  // Empty where nobody can say: a plane, a mesh that cannot be opened.
  // Full sizes of boxes and cylinders, half of them from the middle; cones and cylinders along z,
  // about their middle.
  [[nodiscard]] Box3 Of(const Shape& shape, SourceLocation where) {
    const auto around = [](double x, double y, double z) {
      const Vector3 half(x, y, z);
      return Box3(-half, half);
    };
    return std::visit(
        Overloaded{
            [&](const Box& s) { return Box3(-s.size / 2, s.size / 2); },
            [&](const Sphere& s) { return around(s.radius, s.radius, s.radius); },
            [&](const Cylinder& s) { return around(s.radius, s.radius, s.length / 2); },
            [&](const Capsule& s) { return around(s.radius, s.radius, s.length / 2 + s.radius); },
            [&](const Cone& s) { return around(s.radius, s.radius, s.length / 2); },
            [&](const Ellipsoid& s) { return Box3(-s.radii, s.radii); },
            [&](const Mesh& s) { return Scaled(InFile(s, where), s.scale); },
            [](const auto&) { return Box3(); }},
        shape);
  }

 private:
  // A negative scale mirrors, so that corners change places.
  [[nodiscard]] static Box3 Scaled(const Box3& room, const Vector3& scale) {
    if (room.isEmpty()) return room;
    const Vector3 a = scale.cwiseProduct(room.min()), b = scale.cwiseProduct(room.max());
    return {a.cwiseMin(b), a.cwiseMax(b)};
  }

  // Names of meshes are relative to the file that names them; an included file of MJCF may name one
  // as from the main file.
  [[nodiscard]] Box3 InFile(const Mesh& mesh, SourceLocation where) {
    if (files_ == nullptr || mesh.submesh) return {};
    const std::string from = model_.FileName(where);
    const auto [entry, fresh] = rooms_.try_emplace({from, mesh.uri});
    if (!fresh) return entry->second;
    std::string why;
    std::optional<Resource> file = files_->Open(mesh.uri, from, why);
    if (!file && !model_.files.empty() && from != model_.files.front())
      file = files_->Open(mesh.uri, model_.files.front(), why);
    if (file) entry->second = BoundsOfMesh(file->path, file->content).value_or(Box3());
    return entry->second;
  }

  const Model& model_;
  const ResourceResolver* files_;
  std::map<std::pair<std::string, std::string>, Box3> rooms_;
};

bool IsScenery(const Model& model, const Link& link) {
  const std::size_t scope = Index(link.scope);
  return scope < model.scopes.size() && model.scopes[scope].is_static;
}

// A lone body without a mass: the plane or the terrain under robots.
bool IsGround(const RobotFacts& robot) { return robot.mass == 0 && robot.model.num_links() == 2; }

// Meshes that are far too large or small, of which one is named. One that is about as large as the
// shapes whose numbers its link gives is meant so.
class OddMeshes {
 public:
  explicit OddMeshes(ShapeBoxes& rooms) : rooms_(rooms) {}

  // Of all shapes of a link with sizes in the text (m), the longest is a measure of what is meant.
  void Look(const Link& link) {
    double said = 0;
    const auto all = [&](const auto& look) {
      for (const Visual& each : link.visuals) look("visual", each.shape, each.where);
      for (const Collision& each : link.collisions) look("collision", each.shape, each.where);
    };
    all([&](const char*, const Shape& shape, SourceLocation) {
      if (std::holds_alternative<Mesh>(shape)) return;
      const Box3 room = rooms_.Of(shape, link.where);
      if (!room.isEmpty()) said = std::max(said, room.sizes().maxCoeff());
    });
    all([&](const char* part, const Shape& shape, SourceLocation where) {
      LookAt(link, part, shape, where, said);
    });
  }

  void Say(const Words& words) const {
    if (count_ == 0) return;
    const bool large = length_ > kLargest;
    const std::string others = count_ == 1 ? "" : " (and " + std::to_string(count_ - 1) + " more)";
    words.Say(Severity::kWarning, "lint-mesh-unit", where_.line > 0 ? where_ : link_->where,
              {"link",
               link_->name,
               std::string("mesh '") + mesh_->uri + "' of its " + part_ + others + " is " +
                   Brief(length_) + " m long" + (large ? ": millimetres?" : ""),
               {{"length", length_, "m"}}},
              large ? "a mesh in millimetres has the scale 0.001 0.001 0.001"
                    : "a mesh in metres has the scale 1 1 1");
  }

 private:
  void LookAt(const Link& link, const char* part, const Shape& shape, SourceLocation where,
              double said) {
    // Ten times as long as a primitive, in either direction, is still the same part.
    constexpr double kAlike = 10;
    const auto* const mesh = std::get_if<Mesh>(&shape);
    if (mesh == nullptr) return;
    const Box3 room = rooms_.Of(shape, link.where);
    if (room.isEmpty()) return;
    const double length = room.sizes().maxCoeff();
    if (length <= kLargest && (length >= kSmallest || length == 0)) return;
    if (length < kAlike * said && said < kAlike * length) return;
    if (count_++ == 0) link_ = &link, part_ = part, mesh_ = mesh, length_ = length, where_ = where;
  }

  ShapeBoxes& rooms_;
  std::size_t count_ = 0;
  const Link* link_ = nullptr;
  const char* part_ = "";
  const Mesh* mesh_ = nullptr;
  double length_ = 0;
  SourceLocation where_;
};

// What fixed joints hold together: its mass, and the room of all that is drawn of it or collides.
struct Lump {
  LinkId heaviest = kNoLink;
  double mass = 0;
  Box3 room;
  bool known = true;                 // the room of every shape
  bool mesh = false;                 // one of the shapes is
  Matrix3 spread = Matrix3::Zero();  // of the heaviest: its mean of r r^T about its centre (m^2)

  // By its inertia, the body reaches out of its shapes, twice as far: they are tokens of it. Nobody
  // draws a token as a mesh.
  [[nodiscard]] bool HasTokens() const {
    const Vector3 size = room.sizes();
    return !mesh && (spread.diagonal().array() > size.array().square()).any();
  }
};

void AddShapes(const Link& link, const RigidTransform& X, ShapeBoxes& rooms, Lump& lump) {
  const auto add = [&](const Shape& shape, const RigidTransform& X_LG) {
    const Box3 own = rooms.Of(shape, link.where);
    lump.known = lump.known && !own.isEmpty();
    lump.mesh = lump.mesh || std::holds_alternative<Mesh>(shape);
    for (int corner = 0; corner < 8 && !own.isEmpty(); ++corner)
      lump.room.extend(X * X_LG * own.corner(static_cast<Box3::CornerType>(corner)));
  };
  for (const Visual& visual : link.visuals) add(visual.shape, visual.X_LG);
  for (const Collision& collision : link.collisions) add(collision.shape, collision.X_LG);
}

// Mass over the box around everything that fixed joints hold together, in the frame of its first
// link: a heavy motor in a light cover is judged with its cover. A box is at least as large as the
// body, so that the density is a lower bound, and beyond osmium by far there is no excuse but a
// token shape.
void LintDensity(const RobotFacts& robot, ShapeBoxes& rooms, const Words& words) {
  const Model& model = robot.model;
  std::map<std::uint32_t, Lump> lumps;
  std::vector<RigidTransform> X_GL(model.num_links());  // in the first link of its lump
  for (const LinkId id : robot.tree.order) {
    const std::size_t i = Index(id);
    const JointId joint = robot.tree.parent_joint[i];
    const LinkId parent = joint == kNoJoint ? kNoLink : robot.tree.parent[i];
    if (parent != kNoLink && robot.group[Index(parent)] == robot.group[i])
      X_GL[i] = X_GL[Index(parent)] * (model.predecessor(joint) == parent
                                           ? PoseAtZero(model.joint(joint))
                                           : PoseAtZero(model.joint(joint)).inverse());

    // One shape of unknown size makes the body's size unknown; the world and static scenery have
    // none.
    const Link& link = model.link(id);
    Lump& lump = lumps[robot.group[i]];
    lump.known = lump.known && id != kWorld && !IsScenery(model, link);
    if (!lump.known) continue;
    AddShapes(link, X_GL[i], rooms, lump);
    if (!link.inertial || !link.inertial->unknown.empty()) continue;
    const double mass = link.inertial->mass;

    // integral of r r^T over the mass is tr(I)/2 1 - I (about the centre of mass): its diagonal
    // over the mass is the mean square distance along each axis, of the link that has most of the
    // mass.
    if (lump.heaviest == kNoLink || mass > model.link(lump.heaviest).inertial->mass) {
      lump.heaviest = id;
      const Matrix3 R = X_GL[i].R * link.inertial->X_LI.R, &I = link.inertial->I_I;
      if (mass > 0)
        lump.spread = R * (I.trace() / 2 * Matrix3::Identity() - I) * R.transpose() / mass;
    }
    lump.mass += mass;
  }

  // Light bodies and flat boxes are left out: a thin plate drawn with one rectangle has no room at
  // all.
  for (const auto& [group, lump] : lumps) {
    if (!lump.known || lump.room.isEmpty() || lump.heaviest == kNoLink) continue;
    const Vector3 size = lump.room.sizes();
    if (lump.mass < std::max(kLeastMass, kShareOfRobot * robot.mass) || size.minCoeff() < kFlat)
      continue;
    const double density = lump.mass / size.prod();
    if (density <= kDensest || lump.HasTokens()) continue;
    const Link& link = model.link(lump.heaviest);
    words.Say(
        Severity::kWarning, "lint-density", link.inertial->where,
        {"link",
         link.name,
         Brief(lump.mass) + " kg in a box of " + Brief(size.x()) + " x " + Brief(size.y()) + " x " +
             Brief(size.z()) + " m are " + Brief(density) + " kg/m^3, more than any material has",
         {{"mass", lump.mass, "kg"}, {"density", density, "kg/m^3"}}},
        "is the mass in grams, or are the shapes in another unit?");
  }
}

}  // namespace

void LintSizes(const RobotFacts& robot, const ResourceResolver* files, const Words& words) {
  if (IsGround(robot)) return;
  ShapeBoxes rooms(robot.model, files);
  OddMeshes odd(rooms);
  for (const LinkId id : Links(robot.model)) {
    const Link& link = robot.model.link(id);
    if (!IsScenery(robot.model, link)) odd.Look(link);
  }
  odd.Say(words);
  LintDensity(robot, rooms, words);
}

}  // namespace kinemorph::lint
