#include "write/touching.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "kinemorph/formats/mesh_file.h"
#include "kinemorph/graph/base/overloaded.h"
#include "kinemorph/graph/mechanics/closure.h"
#include "kinemorph/graph/mechanics/coordinates.h"
#include "kinemorph/graph/mechanics/kinematics.h"

namespace kinemorph::urdf_format {
namespace {

constexpr int kMostPostures = 1000, kFewestPostures = 100;
constexpr std::size_t kMostTests = 20'000'000;  // of pairs in postures
// How far a posture is from the assembled one (rad, lengths of the robot): loops close again from
// near ones only.
constexpr std::array kAmplitudes = {3.2, 1.0, 3.2, 0.3};

// A box around a shape, and a ball inside about its centre.
struct Volume {
  RigidTransform X_LB;  // its centre and axes in the link
  Vector3 half;         // half extents (m)
  double ball = 0;      // radius (m); 0: none is known to be inside
};

std::optional<Volume> Centred(const Vector3& half, bool is_solid = true) {
  return Volume{{}, half, is_solid ? half.minCoeff() : 0};
}

// Of a mesh in its own frame; a part of a file is not told apart.
std::optional<Volume> Around(const Mesh& mesh, const std::string& from,
                             const ResourceResolver* files) {
  if (files == nullptr || mesh.submesh) return std::nullopt;
  std::string why;
  const std::optional<Resource> file = files->Open(mesh.uri, from, why);
  const auto box = file ? BoundsOfMesh(file->path, file->content) : std::nullopt;
  if (!box || box->isEmpty()) return std::nullopt;
  return Volume{RigidTransform::Translation(mesh.scale.cwiseProduct(box->center())),
                0.5 * mesh.scale.cwiseProduct(box->sizes()).cwiseAbs(), 0};
}

std::optional<Volume> Around(const Collision& collision, const std::string& from,
                             const ResourceResolver* files) {
  std::optional<Volume> volume =
      std::visit(Overloaded{[](const Box& s) { return Centred(0.5 * s.size); },
                            [](const Sphere& s) { return Centred(Vector3::Constant(s.radius)); },
                            [](const Cylinder& s) {
                              return Centred({s.radius, s.radius, 0.5 * s.length});
                            },
                            [](const Capsule& s) {
                              return Centred({s.radius, s.radius, 0.5 * s.length + s.radius});
                            },
                            [](const Cone& s) {
                              return Centred({s.radius, s.radius, 0.5 * s.length}, false);
                            },
                            [](const Ellipsoid& s) { return Centred(s.radii); },
                            [&](const Mesh& s) { return Around(s, from, files); },
                            [](const auto&) { return std::optional<Volume>(); }},
                 collision.shape);
  if (volume) volume->X_LB = collision.X_LG * volume->X_LB;
  return volume;
}

// Boxes are apart where one of 15 axes separates them: their own, and the products of those.
// Gottschalk et al., OBBTree, 1996, section 5.
bool Overlap(const RigidTransform& X_AB, const Vector3& a, const Vector3& b) {
  constexpr double kRound = 1e-12;  // of parallel axes, whose product says nothing
  const Matrix3 R = X_AB.R, size = R.cwiseAbs().array() + kRound;
  const Vector3 t = X_AB.p;
  for (int i = 0; i < 3; ++i) {
    if (std::abs(t[i]) > a[i] + size.row(i).dot(b)) return false;
    if (std::abs(t.dot(R.col(i))) > b[i] + size.col(i).dot(a)) return false;
  }
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const double reach =
          a[i1] * size(i2, j) + a[i2] * size(i1, j) + b[j1] * size(i, j2) + b[j2] * size(i, j1);
      if (std::abs(t[i2] * R(i1, j) - t[i1] * R(i2, j)) > reach) return false;
    }
  }
  return true;
}

struct Solid {
  LinkId link = kWorld;
  int body = 0;
  std::vector<Volume> volumes;
};

// What a posture tells of two links.
struct Meeting {
  bool may_touch = false,  // two boxes overlap
      touches = false;     // two balls do
};

Meeting MeetingOf(const Solid& a, const Solid& b, const RigidTransform& X_AB) {
  Meeting meeting;
  for (const Volume& one : a.volumes) {
    for (const Volume& other : b.volumes) {
      const RigidTransform X = one.X_LB.inverse() * X_AB * other.X_LB;
      const double distance = X.p.norm();
      if (distance > one.half.norm() + other.half.norm()) continue;
      meeting.may_touch = meeting.may_touch || Overlap(X, one.half, other.half);
      meeting.touches = meeting.touches || distance < one.ball + other.ball;
      if (meeting.touches) return {true, true};
    }
  }
  return meeting;
}

// Links with shapes, all of known extent; others are counted.
std::vector<Solid> Solids(const Model& model, const Mechanism& m, const ResourceResolver* files,
                          std::size_t& unknown) {
  std::vector<Solid> solids;
  for (const LinkId id : Links(model)) {
    Solid solid{id, m.body_of[Index(id)], {}};
    const std::vector<Collision>& shapes = model.link(id).collisions;
    for (const Collision& shape : shapes)
      if (auto volume = Around(shape, model.FileName(shape.where), files))
        solid.volumes.push_back(*volume);
    if (solid.volumes.size() < shapes.size())
      ++unknown;
    else if (!shapes.empty() && solid.body >= 0)
      solids.push_back(std::move(solid));
  }
  return solids;
}

}  // namespace

SampledPairs SamplePairs(const Model& model, const ResourceResolver* files) {
  SampledPairs sampled;
  const Mechanism m = Compile(model);
  const std::vector<Solid> solids = Solids(model, m, files, sampled.unknown);
  struct Pair {
    std::size_t a, b;
    bool never = true, always = true;
  };
  std::vector<Pair> pairs;
  // A robot of so many links would be looked at for minutes.
  if (solids.size() * solids.size() / 2 > kMostTests / kFewestPostures) return sampled;
  for (std::size_t b = 0; b < solids.size(); ++b)
    for (std::size_t a = 0; a < b; ++a) pairs.push_back({a, b});
  if (pairs.empty()) return sampled;
  const Coordinates coordinates = AnalyseCoordinates(m);
  if (!coordinates.assembles) return sampled;

  // The assembled posture, then random ones; those whose loops did not close tell nothing.
  ClosureSolver solver(m);
  Random random(1);
  const std::vector<int> ranks = coordinates.Ranks();
  const int postures = static_cast<int>(
      std::clamp<std::size_t>(kMostTests / pairs.size(), kFewestPostures, kMostPostures));
  for (int i = 0; i < postures; ++i) {
    const double amplitude = kAmplitudes[static_cast<std::size_t>(i) % kAmplitudes.size()];
    const Eigen::VectorXd q =
        i == 0 ? coordinates.assembled
               : solver.RandomState(coordinates.assembled, amplitude, ranks, random);
    if (solver.Residual(q) > kNearlyClosed) continue;
    ++sampled.postures;
    const std::vector<RigidTransform> X_WB = Poses(m, q);
    for (Pair& pair : pairs) {
      if (!pair.never && !pair.always) continue;
      const Solid &a = solids[pair.a], &b = solids[pair.b];
      const RigidTransform X_AB =
          X_WB[static_cast<std::size_t>(a.body)].inverse() * X_WB[static_cast<std::size_t>(b.body)];
      const Meeting meeting = MeetingOf(a, b, X_AB);
      pair.never = pair.never && !meeting.may_touch;
      pair.always = pair.always && meeting.touches;
    }
  }
  for (const Pair& pair : pairs)
    if (pair.never || pair.always)
      sampled.reasons.emplace(std::minmax(solids[pair.a].link, solids[pair.b].link),
                              pair.never ? "Never" : "Always");
  return sampled;
}

}  // namespace kinemorph::urdf_format
