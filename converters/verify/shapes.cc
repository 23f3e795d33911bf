#include "verify/shapes.h"

#include <algorithm>
#include <cmath>

#include "kinemorph/formats/native_canonical.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/checks/plane_box.h"
#include "kinemorph/graph/model/field_text.h"

namespace kinemorph::verify {
namespace {

// Formats differ in which shapes they have and on which of several merged links they hang. Shapes
// of matched links are compared in order; what is left is sought in the whole rigid group; and what
// is still missing needs an excuse. A capsule is taken as its cylinder and two balls, which is how
// formats without capsules write it, so that both spellings meet.
void Set(Part& part, const Visual& visual) { part.visual = &visual; }
void Set(Part& part, const Collision& collision) { part.collision = &collision; }

template <class Item>
std::vector<Part> PartsOf(const Model& model, LinkId id, std::vector<Item> Link::*member) {
  const Link& link = model.link(id);
  const std::vector<Item>& items = link.*member;
  std::vector<Part> parts;
  parts.reserve(items.size());
  for (const Item& item : items) {
    Part part;
    part.feature = ShapeFeature(item.shape), part.shape = item.shape, part.X = item.X_LG,
    part.link = &link, part.id = id;
    Set(part, item);
    if (const auto* capsule = std::get_if<Capsule>(&item.shape)) {
      part.shape = Cylinder{capsule->radius, capsule->length};
      parts.push_back(part);
      part.whole = false;  // what hangs on it hangs on its first part
      part.shape = Sphere{capsule->radius};
      for (const double end : {0.5, -0.5}) {
        part.X = item.X_LG * RigidTransform::Translation(Vector3(0, 0, end * capsule->length));
        parts.push_back(part);
      }
      continue;
    }
    // A plane is known by its point and normal: its frame may turn about the normal.
    if (const auto* plane = std::get_if<Plane>(&item.shape)) {
      part.X.R = RotationWithZ((item.X_LG.R * plane->normal).normalized());
      part.shape = Plane{Vector3::UnitZ(), plane->size};
    }
    // Two mirrors are a half turn: all mirrored meshes are compared as mirrored along all axes.
    if (auto* mesh = std::get_if<Mesh>(&part.shape)) {
      const double handed = mesh->scale.prod() < 0 ? -1 : 1;
      const Vector3 signs =
          handed * mesh->scale.unaryExpr([](double s) { return s < 0 ? -1.0 : 1.0; });
      mesh->scale = handed * mesh->scale.cwiseAbs();
      part.X.R = part.X.R * signs.asDiagonal();
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

template <std::same_as<double> Number>
void Append(Number number, std::vector<double>& out) {
  out.push_back(number);
}
template <int kSize>
void Append(const Eigen::Matrix<double, kSize, 1>& vector, std::vector<double>& out) {
  out.insert(out.end(), vector.begin(), vector.end());
}
template <class Item>
void Append(const std::vector<Item>& items, std::vector<double>& out) {
  for (const Item& item : items) Append(item, out);
}

// The sizes of a shape, for comparison entry by entry; the text is what cannot be measured.
std::vector<double> SizesOf(const Shape& shape, std::string& text) {
  std::vector<double> sizes;
  if (const auto* native = std::get_if<NativeShape>(&shape))
    text = native->type + BriefText(Canonical(native->data.content, native->data.format));
  if (std::holds_alternative<Plane>(shape)) return sizes;  // it is compared as such
  std::visit(
      [&]<class Kind>(const Kind& kind) {
        ForEachField<Kind>([&](const auto& field) {
          if constexpr (requires { Append(kind.*field.member, sizes); })
            Append(kind.*field.member, sizes);
        });
      },
      shape);
  return sizes;
}

double ShapeError(const Shape& a, const Shape& b, const Compared& sides) {
  if (a.index() != b.index()) return kMissing;
  std::string text_a, text_b;
  const std::vector<double> x = SizesOf(a, text_a), y = SizesOf(b, text_b);
  if (x.size() != y.size() || text_a != text_b) return kMissing;
  if (const auto* mesh = std::get_if<Mesh>(&a)) {
    const auto& other = std::get<Mesh>(b);
    if (!SameMesh(*mesh, other, sides) || mesh->submesh != other.submesh) return kMissing;
    if (mesh->center_submesh != other.center_submesh) return kMissing;
  }
  double error = 0, scale = 0;
  // Sizes are compared over the largest one of the shape: a thin plate's thickness is no finer.
  for (const double size : x) scale = std::max(scale, std::abs(size));
  for (std::size_t i = 0; i < x.size(); ++i)
    error = std::max(error, RelativeError(x[i], y[i], scale));
  return error;
}

// "size 1 2 3, at 0 0 1 (rpy 0 0 0)", in its link; sizes of no more numbers than a screen takes.
std::string SizeAndPlace(const Part& part) {
  constexpr std::size_t kShown = 6;
  std::string text, sizes;
  const std::vector<double> numbers = SizesOf(part.shape, text);
  for (std::size_t i = 0; i < std::min(numbers.size(), kShown); ++i)
    sizes += " " + FormatNumber(numbers[i]);
  if (numbers.size() > kShown) sizes += " ...";
  return (sizes.empty() ? "" : "size" + sizes + ", ") + "at " + ValueText(part.X.p) + " (rpy " +
         ValueText(RpyFromRotation(part.X.R)) + ")";
}

// One kind of shape, link by link, then what is left over in the rigid groups.
template <class Item>
class Matching : Compared {
 public:
  Matching(const Compared& sides, std::vector<Item> Link::*items, Feature feature, Worst& check,
           LookComparison& looks)
      : Compared(sides), items_(items), feature_(feature), check_(check), looks_(looks) {}

  void Run() {
    for (std::uint32_t v = 0; v < a_.model.num_links(); ++v)
      CompareLink(LinkId{v});  // the world too
    for (const LinkId id : Links(b_.model)) {
      const bool met = match_.a_of_b[Index(id)] != kNoLink;
      // Links of B without a counterpart have their shapes in a group all the same, and so has a
      // link "world" that only B has.
      if (met && !(id == b_.world_link && a_.world_link == kNoLink)) continue;
      for (Part& part : PartsOf(b_.model, id, items_)) Leave(id, part);
    }
    TakePartsOfMeshes();
    for (const std::size_t i : MissingInGroups()) Conclude(left_a_[i]);
    for (const auto& [group, parts] : left_b_)
      for (const Part& part : parts) ConcludeOfB(part);
  }

 private:
  struct LeftOver {
    Part part;  // of A, in its rigid group
    int group;
  };
  struct There {
    std::vector<Part>* parts;  // of B's group; null: it has none
    RigidTransform X_ba;       // A's group in it
  };

  void LeaveA(LinkId id, Part part) {
    const int body = a_.m.body_of[Index(id)];
    part.X = groups_.a.X[U(body)] * part.X;
    left_a_.push_back({std::move(part), groups_.a.group[U(body)]});
  }
  void Leave(LinkId id, Part part) {
    const int body = b_.m.body_of[Index(id)];
    part.X = groups_.b.X[U(body)] * part.X;
    left_b_[groups_.b.group[U(body)]].push_back(std::move(part));
  }
  There GroupOf(const LeftOver& left) {
    const auto group = groups_.b_of_a.find(left.group);
    if (group == groups_.b_of_a.end()) return {nullptr, {}};
    return {&left_b_[group->second.b], group->second.X_ba};
  }

  // In order; of as many on both sides the first is the first, else the next that is alike.
  void CompareLink(LinkId id) {
    std::vector<Part> x = PartsOf(a_.model, id, items_);
    const LinkId other = match_.b_of_a[Index(id)];
    std::vector<Part> y;

    // A root link "world" that only A has stands for B's world: what hangs there is compared with
    // that link.
    const bool taken = other == kWorld && id == kWorld && a_.world_link != kNoLink &&
                       b_.world_link == kNoLink;  // by that link
    if (other != kNoLink && !taken) y = PartsOf(b_.model, other, items_);
    const bool as_many = x.size() == y.size();
    std::size_t j = 0;
    for (Part& part : x) {
      // With as many on both sides they meet in order, and a difference is that of the pair. With
      // more on one side, the next one that fits is taken, and those passed over are left.
      std::size_t found = j;
      const auto error = [&] { return Error(part, y[found], match_.X_ab[Index(id)]); };
      while (!as_many && found < y.size() && error() > check_.check().tolerance) ++found;
      if (found >= y.size() || error() >= kMissing) {
        LeaveA(id, std::move(part));
        if (as_many) Leave(other, std::move(y[j++]));
        continue;
      }
      for (; j < found; ++j) Leave(other, std::move(y[j]));
      Compare(error(), part, y[j]);
      looks_.Compare(part, y[j++]);
    }
    for (; j < y.size(); ++j) Leave(other, std::move(y[j]));
  }

  void Compare(double error, const Part& a, const Part& b) {
    if (error <= check_.check().tolerance) return check_.Add(error, a.link->name);
    // That a shape is lost says nothing of one that is there: only a loss that names what is written
    // instead excuses another size.
    if (excuses_.TakeChanged(a.feature, a.subject()) ||
        (std::holds_alternative<Mesh>(a.shape) &&
         excuses_.TakeChanged(Feature::kShapeMeshScale, a.subject())))
      return check_.Except(Text(a.subject()) + " differs");
    check_.Add(error, a.link->name,
               Text(a.subject()) + ": " + SizeAndPlace(a) + " against " + SizeAndPlace(b) + " in " +
                   Text(b.subject()));
  }

  // What has no counterpart in its rigid group either.
  std::vector<std::size_t> MissingInGroups() {
    std::vector<std::size_t> missing;
    for (std::size_t i = 0; i < left_a_.size(); ++i) {
      const Part& part = left_a_[i].part;
      const auto [parts, X_ba] = GroupOf(left_a_[i]);
      const RigidTransform X_ab = X_ba.inverse();
      const auto same = [&](const Part& other) {
        return Error(part, other, X_ab) <= check_.check().tolerance;
      };
      const auto found = parts == nullptr ? std::vector<Part>::iterator{}
                                          : std::find_if(parts->begin(), parts->end(), same);
      if (parts == nullptr || found == parts->end()) {
        missing.push_back(i);
        continue;
      }
      check_.Add(0, part.link->name);
      looks_.Compare(part, *found);
      parts->erase(found);
    }
    return missing;
  }

  // Another shape may stand for one that is lost, at its place.
  void Conclude(const LeftOver& left) {
    const Part& part = left.part;
    const auto [parts, X_ba] = GroupOf(left);

    // The same file elsewhere is no loss of it.
    const auto of_its_file = [&](const Part& other) {
      return std::holds_alternative<Mesh>(part.shape) &&
             ShapeError(part.shape, other.shape, *this) < kMissing;
    };
    if (parts != nullptr)
      if (const auto moved = std::find_if(parts->begin(), parts->end(), of_its_file);
          moved != parts->end()) {
        Compare(Error(part, *moved, X_ba.inverse()), part, *moved);
        parts->erase(moved);
        return;
      }

    // A mesh that was lost may have a box in its place, and a plane the box below it: told once, as
    // the loss.
    const RigidTransform X = X_ba * part.X;
    const auto at_its_place = [&](const Part& other) {
      const auto* const plane = std::get_if<Plane>(&part.shape);
      if (plane == nullptr) return SamePlace(X, other.X);
      const Box below = BoxBelow(*plane, std::same_as<Item, Collision>);
      const RigidTransform face =
          other.X * RigidTransform::Translation(Vector3(0, 0, below.size.z() / 2));
      return ShapeError(below, other.shape, *this) <= check_.check().tolerance &&
             SamePlace({face.R, X.p}, face) &&
             (face.R.col(2) - X.R.col(2)).norm() <= check_.check().tolerance;
    };
    const auto instead = parts == nullptr
                             ? std::vector<Part>::iterator{}
                             : std::find_if(parts->begin(), parts->end(), at_its_place);
    const bool stands_in = parts != nullptr && instead != parts->end();
    const bool replaced = std::holds_alternative<Plane>(part.shape) &&
                          excuses_.IsReplaced(Feature::kShapePlane, part.subject());
    if ((replaced == stands_in && excuses_.Take(feature_, part.subject())) ||
        (stands_in && excuses_.TakeOfB(feature_, instead->subject()))) {
      check_.Except(Text(part.subject()) + " is missing");
      if (stands_in) parts->erase(instead);
    } else {
      check_.Miss(part.link->name, Text(part.subject()) + " has no counterpart in B");
    }
  }

  // One mesh of a side may be several of the other at its place, one for each of its colours: where
  // a loss says that it was converted, or a stage holds what a file has.
  void TakePartsOfMeshes() {
    if (!Converted()) return;
    for (const LinkId id : Links(a_.model)) {
      for (Part& part : PartsOf(a_.model, id, items_)) {
        const auto* const mesh = std::get_if<Mesh>(&part.shape);
        if (mesh == nullptr) continue;
        const int body = a_.m.body_of[Index(id)];
        part.X = groups_.a.X[U(body)] * part.X;
        const auto [parts, X_ba] = GroupOf({part, groups_.a.group[U(body)]});
        if (parts == nullptr) continue;
        const RigidTransform X = X_ba * part.X;
        std::erase_if(*parts, [&](const Part& other) {
          const auto* const one = std::get_if<Mesh>(&other.shape);
          return one != nullptr && IsPartOf(*one, *mesh) && SamePlace(X, other.X) &&
                 (HoldsPartOf(*one, *mesh) || excuses_.Take(Feature::kShapeMesh, part.subject()));
        });
      }
    }
    if (left_a_.empty()) return;
    for (const LinkId id : Links(b_.model)) {
      for (Part& part : PartsOf(b_.model, id, items_)) {
        const auto* const mesh = std::get_if<Mesh>(&part.shape);
        if (mesh == nullptr) continue;
        const int body = b_.m.body_of[Index(id)];
        part.X = groups_.b.X[U(body)] * part.X;
        std::erase_if(left_a_, [&](const LeftOver& left) {
          const auto* const one = std::get_if<Mesh>(&left.part.shape);
          const auto group = groups_.b_of_a.find(left.group);
          return one != nullptr && HoldsPartOf(*one, *mesh) && group != groups_.b_of_a.end() &&
                 group->second.b == groups_.b.group[U(body)] &&
                 SamePlace(group->second.X_ba * left.part.X, part.X);
        });
      }
    }
  }

  [[nodiscard]] bool SamePlace(const RigidTransform& a, const RigidTransform& b) const {
    return PoseError(a, b, a_.m.length) <= check_.check().tolerance;
  }

  void ConcludeOfB(const Part& part) {
    check_.Differ(excuses_.TakeOfB(feature_, part.subject()), part.link->name,
                  Text(part.subject()) + " has no counterpart in A");
  }

  // Of B's part against A's, which stands in X_ab of B's frame.
  [[nodiscard]] double Error(const Part& a, const Part& b, const RigidTransform& X_ab) const {
    const double error = ShapeError(a.shape, b.shape, *this);
    if (error >= kMissing) return error;
    if (const auto* plane = std::get_if<Plane>(&a.shape)) {
      const RigidTransform X = X_ab.inverse() * a.X;

      // Points of the plane may be any: the distance along the normal counts. Between formats its
      // drawn size is a matter of the viewer.
      double apart = (X.R.col(2) - b.X.R.col(2)).cwiseAbs().maxCoeff();
      if (excuses_.same_format())
        apart =
            std::max(apart, (plane->size - std::get<Plane>(b.shape).size).cwiseAbs().maxCoeff());
      return std::max(apart, std::abs(b.X.R.col(2).dot(X.p - b.X.p)) / a_.m.length);
    }
    return std::max(error, PoseError(X_ab.inverse() * a.X, b.X, a_.m.length));
  }

  std::vector<Item> Link::*items_;
  const Feature feature_;
  Worst& check_;
  LookComparison& looks_;
  std::vector<LeftOver> left_a_;
  std::map<int, std::vector<Part>> left_b_;  // by group of B
};

}  // namespace

std::vector<SameCollision> CompareShapes(const Compared& sides, NativeText& native,
                                         std::vector<Worst>& checks) {
  const double tolerance = sides.options_.tolerance;
  Worst visuals("visuals", tolerance), collisions("collisions", tolerance);
  LookComparison looks(sides, native);
  Matching<Visual>(sides, &Link::visuals, Feature::kVisual, visuals, looks).Run();
  Matching<Collision>(sides, &Link::collisions, Feature::kCollision, collisions, looks).Run();
  AddMade({&visuals, &collisions}, checks);
  looks.AddChecks(checks);
  return looks.collisions();
}

}  // namespace kinemorph::verify
