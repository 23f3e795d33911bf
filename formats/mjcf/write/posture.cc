#include "write/posture.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "kinemorph/formats/mesh_file.h"
#include "kinemorph/graph/base/disjoint_sets.h"
#include "kinemorph/graph/base/overloaded.h"

namespace kinemorph::mjcf {
namespace {

// To stand a robot on the floor its lowest point has to be known. Shapes are boxed in world axes: a
// convex shape about its centre reaches as far along d as along -d, so its half size in x, y, z is
// its reach along the rows of R_WG.

// The shapes of a model as boxes; each mesh file is looked into once.
class Boxes {
 public:
  explicit Boxes(const ResourceResolver* files) : files_(files) {}

  // Adds what `shape` covers, as far as anybody knows.
  void Add(const Shape& shape, const RigidTransform& X_WG, Room& room) {
    // A convex shape reaches `reach(d)` along the unit vector d, in its own axes.
    const auto add = [&](const auto& reach) {
      Vector3 half;
      for (int i = 0; i < 3; ++i) half[i] = reach(Vector3(X_WG.R.row(i).transpose()));
      room.extend(Room(X_WG.p - half, X_WG.p + half));
    };
    // `rim` is 1 where the ends are flat disks of the radius, 0 where they are half balls. A cone
    // counts as its cylinder.
    const auto round = [&](double radius, double length, double rim) {
      add([&](const Vector3& d) {
        const double across = rim * d.head<2>().norm();
        return radius * (1 - rim) + radius * across + length / 2 * std::abs(d.z());
      });
    };
    std::visit(Overloaded{[&](const Box& s) {
                            add([&](const Vector3& d) { return d.cwiseAbs().dot(s.size) / 2; });
                          },
                          [&](const Sphere& s) { round(s.radius, 0, 0); },
                          [&](const Cylinder& s) { round(s.radius, s.length, 1); },
                          [&](const Capsule& s) { round(s.radius, s.length, 0); },
                          [&](const Cone& s) { round(s.radius, s.length, 1); },
                          [&](const Ellipsoid& s) {
                            add([&](const Vector3& d) { return d.cwiseProduct(s.radii).norm(); });
                          },
                          [&](const Mesh& s) { AddMesh(s, X_WG, room); }, [](const auto&) {}},
               shape);
  }

 private:
  void AddMesh(const Mesh& mesh, const RigidTransform& X_WG, Room& room) {
    const auto [entry, fresh] = meshes_.try_emplace(mesh.uri);
    std::string why;
    if (fresh && files_ != nullptr) {
      if (const auto file = files_->Open(mesh.uri, "", why))
        entry->second = DecodeMesh(file->path, file->content, why);
    }
    if (!entry->second || entry->second->vertices.empty()) return;
    for (const Vector3& vertex : entry->second->vertices)
      room.extend(X_WG.R * mesh.scale.cwiseProduct(vertex) + X_WG.p);
  }

  const ResourceResolver* files_;
  std::map<std::string, std::optional<Triangles>> meshes_;
};

}  // namespace

std::vector<Movable> MovablesOf(const Model& model, const BodyTree& tree,
                                const StartPosture& posture, const ResourceResolver* files) {
  // By link: the node below the world that it hangs on (0: the world itself), and whether it moves.
  // Links folded into the joints of a body have no node; nor have they shapes.
  std::vector<std::size_t> root_of(model.num_links(), 0);
  std::vector<bool> moves(model.num_links(), false);
  // Parents come before children.
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    for (const std::size_t child : tree.nodes[n].children) {
      const std::size_t parent = Index(tree.nodes[n].link), link = Index(tree.nodes[child].link);
      root_of[link] = n == 0 ? child : root_of[parent];
      moves[link] = moves[parent] || !tree.nodes[child].joints.empty();
    }
  }

  // Bodies of the world that a loop joins must be lifted together; one that hangs on the world by a
  // loop cannot be lifted (set 0).
  DisjointSets together(tree.nodes.size());
  for (const JointId id : tree.loops)
    together.Unite(root_of[Index(model.predecessor(id))], root_of[Index(model.successor(id))]);
  std::vector<Movable> movables;
  std::map<std::uint32_t, std::size_t> movable_of;
  for (const std::size_t root : tree.nodes.front().children) {
    const auto [entry, fresh] = movable_of.try_emplace(together.Find(root), movables.size());
    if (fresh) movables.emplace_back();
    Movable& movable = movables[entry->second];
    movable.roots.push_back(root);
    const std::vector<FoldedJoint>& joints = tree.nodes[root].joints;
    const bool floats =
        !joints.empty() && std::holds_alternative<Free>(model.joint(joints.front().id).kind);
    movable.free = movable.free && floats && together.Find(root) != together.Find(0);
  }
  Boxes boxes(files);
  for (std::size_t n = 1; n < tree.nodes.size(); ++n) {
    const LinkId id = tree.nodes[n].link;
    if (!moves[Index(id)]) continue;
    const Link& link = model.link(id);
    const RigidTransform& X_WL = posture.X_WL[Index(id)];
    Room& room = movables[movable_of.at(together.Find(root_of[Index(id)]))].room;
    // A visual may reach lower than what collides, and would be seen in the floor.
    Room own;
    for (const Collision& each : link.collisions) boxes.Add(each.shape, X_WL * each.X_LG, own);
    for (const Visual& each : link.visuals) boxes.Add(each.shape, X_WL * each.X_LG, own);
    if (own.isEmpty()) own.extend(X_WL.p);
    room.extend(own);
  }
  return movables;
}

}  // namespace kinemorph::mjcf
