#include "verify/content.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "kinemorph/formats/capability_table.h"
#include "kinemorph/formats/formats.h"
#include "kinemorph/formats/native_canonical.h"
#include "kinemorph/formats/native_weight.h"
#include "kinemorph/graph/checks/contacts.h"
#include "kinemorph/graph/model/model_dump.h"
#include "verify/says_all.h"

namespace kinemorph::verify {
namespace {

// A visual or collision, or a part of a capsule.
struct Part {
  Feature feature{};  // of the shape as written
  Shape shape;
  RigidTransform X;  // in the link; for what is left over, in the rigid group
  const Visual* visual = nullptr;
  const Collision* collision = nullptr;
  const Link* link = nullptr;
  bool whole = true;  // false: of a capsule

  [[nodiscard]] Subject subject() const {
    return visual != nullptr ? SubjectOf(*link, *visual) : SubjectOf(*link, *collision);
  }
  [[nodiscard]] const std::vector<NativeData>& native() const {
    return visual != nullptr ? visual->native : collision->native;
  }
  [[nodiscard]] const std::string& name() const {
    return visual != nullptr ? visual->name : collision->name;
  }
};

void Set(Part& part, const Visual& visual) { part.visual = &visual; }
void Set(Part& part, const Collision& collision) { part.collision = &collision; }

template <class Item>
std::vector<Part> PartsOf(const Link& link, const std::vector<Item>& items) {
  std::vector<Part> parts;
  parts.reserve(items.size());
  for (const Item& item : items) {
    Part part;
    part.feature = ShapeFeature(item.shape), part.shape = item.shape, part.X = item.X_LG,
    part.link = &link;
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
    if (const auto* plane = std::get_if<Plane>(&item.shape)) {
      part.X.R = RotationWithZ((item.X_LG.R * plane->normal).normalized());
      part.shape = Plane{Vector3::UnitZ(), plane->size};
    }
    parts.push_back(std::move(part));
  }
  return parts;
}

// The sizes of a shape, for comparison entry by entry; the text is what cannot be measured.
std::vector<double> SizesOf(const Shape& shape, std::string& text) {
  if (const auto* box = std::get_if<Box>(&shape))
    return {box->size.x(), box->size.y(), box->size.z()};
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return {sphere->radius};
  if (const auto* cylinder = std::get_if<Cylinder>(&shape))
    return {cylinder->radius, cylinder->length};
  if (const auto* cone = std::get_if<Cone>(&shape)) return {cone->radius, cone->length};
  if (const auto* ellipsoid = std::get_if<Ellipsoid>(&shape))
    return {ellipsoid->radii.x(), ellipsoid->radii.y(), ellipsoid->radii.z()};
  if (const auto* mesh = std::get_if<Mesh>(&shape))
    return {mesh->scale.x(), mesh->scale.y(), mesh->scale.z()};
  if (const auto* native = std::get_if<NativeShape>(&shape))
    text = native->type + BriefText(Canonical(native->data.content));
  if (const auto* polyline = std::get_if<Polyline>(&shape)) {
    std::vector<double> sizes{polyline->height};
    for (const auto& line : polyline->polylines) {
      for (const Eigen::Vector2d& point : line) sizes.insert(sizes.end(), {point.x(), point.y()});
    }
    return sizes;
  }
  return {};
}

// "package://arm/meshes/a.stl", "../arm/meshes/a.stl" -> {"arm", "meshes", "a.stl"}: folders up and
// the scheme say where one starts.
std::vector<std::string> PathOf(std::string uri, bool& open) {
  std::replace(uri.begin(), uri.end(), '\\', '/');
  if (const std::size_t scheme = uri.find("://"); scheme != std::string::npos)
    uri.erase(0, scheme + 3), open = true;
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= uri.size();) {
    const std::size_t end = std::min(uri.find('/', at), uri.size());
    const std::string part = uri.substr(at, end - at);
    at = end + 1;
    if (part == ".." && !parts.empty())
      parts.pop_back();
    else if (part == "..")
      open = true;
    else if (!part.empty() && part != ".")
      parts.push_back(part);
  }
  return parts;
}

// Folders are rewritten by the target's rules, from where the other file stands: one must be the
// end of the other, or of what stands below its package. In one format, without a conversion, a
// file is what it is called. What a conversion called otherwise, its report tells.
bool SameFile(const std::string& a, const std::string& b, bool rewritten,
              const LossReport* report) {
  if (a == b) return true;
  if (report != nullptr) {
    const auto [first, last] = report->files.equal_range(b);
    if (first != last)
      return std::any_of(first, last, [&](const auto& file) { return file.second == a; });
  }
  bool open_a = false, open_b = false;
  const std::vector<std::string> x = PathOf(a, open_a), y = PathOf(b, open_b);
  if (!rewritten && !open_a && !open_b) return false;
  const auto [p, q] = std::mismatch(x.rbegin(), x.rend(), y.rbegin(), y.rend());
  const auto same = static_cast<std::size_t>(p - x.rbegin());
  return same > 0 && (same + (open_a ? 1 : 0) >= x.size() || same + (open_b ? 1 : 0) >= y.size());
}

double ShapeError(const Shape& a, const Shape& b, bool rewritten, const LossReport* report) {
  if (a.index() != b.index()) return kMissing;
  std::string text_a, text_b;
  const std::vector<double> x = SizesOf(a, text_a), y = SizesOf(b, text_b);
  if (x.size() != y.size() || text_a != text_b) return kMissing;
  if (const auto* mesh = std::get_if<Mesh>(&a)) {
    const auto& other = std::get<Mesh>(b);
    if (!SameFile(mesh->uri, other.uri, rewritten, report) || mesh->submesh != other.submesh)
      return kMissing;
    if (mesh->center_submesh != other.center_submesh) return kMissing;
  }
  double error = 0, scale = 0;
  for (const double size : x) scale = std::max(scale, std::abs(size));
  for (std::size_t i = 0; i < x.size(); ++i)
    error = std::max(error, RelativeError(x[i], y[i], scale));
  return error;
}

// Positions to no finer than 1e-4 of the robot's length: they come through several poses with 15
// decimals each.
double PoseError(const RigidTransform& a, const RigidTransform& b, double length) {
  double error = (a.R - b.R).cwiseAbs().maxCoeff();
  for (int i = 0; i < 3; ++i) error = std::max(error, RelativeError(a.p[i], b.p[i], 10 * length));
  return error;
}

// The colour with its transparency as alpha; what formats with one colour show of a material that
// has only an ambient one, or of a transparent shape without a colour.
std::optional<Rgba> Shown(const Visual& visual) {
  std::optional<Rgba> color;
  if (visual.material)
    color = visual.material->diffuse ? visual.material->diffuse : visual.material->ambient;
  if (visual.transparency.value_or(0) == 0) return color;
  if (!color) color = Rgba(0.5, 0.5, 0.5, 1);
  color->w() *= 1 - *visual.transparency;
  return color;
}

std::string Quoted(const std::string& name) { return "'" + name + "'"; }

class Content {
 public:
  Content(const Side& a, const Side& b, const Correspondence& match, const RigidGroups& groups,
          const Relations& relations, const VerifyOptions& options, Excuses& excuses)
      : a_(a),
        b_(b),
        match_(match),
        groups_(groups),
        relations_(relations),
        options_(options),
        excuses_(excuses),
        names_a_(a.model),
        names_b_(b.model) {}

  void Run(std::vector<Worst>& checks) {
    Worst visuals("visuals", options_.tolerance), collisions("collisions", options_.tolerance);
    CompareParts(&Link::visuals, Feature::kVisual, visuals);
    CompareParts(&Link::collisions, Feature::kCollision, collisions);
    CompareLinks();
    CompareLinkGravity();
    CompareFrames();
    CompareSensors();
    CompareDrives();
    CompareExclusions();
    CompareModels();
    CompareNativeOfAll();
    for (const Worst* check :
         {&visuals, &collisions, &colors_, &textures_, &surfaces_, &parts_, &frames_, &gravity_,
          &drives_, &sensors_, &exclusions_, &models_, &native_})
      if (check->made()) checks.push_back(*check);
  }

 private:
  // -- shapes
  // -----------------------------------------------------------------------------------------------------------------------
  template <class Item>
  void CompareParts(std::vector<Item> Link::*items, Feature feature, Worst& check) {
    std::vector<Part> left_a;
    std::map<int, std::vector<Part>> left_b;  // by group of B
    const auto leave_a = [&](LinkId id, Part part) {
      const int body = a_.m.body_of[Index(id)];
      part.X = groups_.a.X[U(body)] * part.X;
      group_.push_back(groups_.a.group[U(body)]);
      left_a.push_back(std::move(part));
    };
    const auto leave_b = [&](LinkId id, Part part) {
      const int body = b_.m.body_of[Index(id)];
      part.X = groups_.b.X[U(body)] * part.X;
      left_b[groups_.b.group[U(body)]].push_back(std::move(part));
    };
    group_.clear();
    for (std::uint32_t v = 0; v < a_.model.num_links(); ++v) {  // the world too
      const LinkId id{v};
      const Link& link = a_.model.link(id);
      std::vector<Part> x = PartsOf(link, link.*items);
      const LinkId other = match_.b_of_a[Index(id)];
      std::vector<Part> y;
      const bool taken = other == kWorld && id == kWorld && a_.world_link != kNoLink &&
                         b_.world_link == kNoLink;  // by that link
      if (other != kNoLink && !taken)
        y = PartsOf(b_.model.link(other), b_.model.link(other).*items);
      const bool as_many = x.size() == y.size();
      std::size_t j = 0;
      for (Part& part : x) {
        std::size_t found = j;
        const auto error = [&] { return Error(part, y[found], match_.X_ab[Index(id)]); };
        while (!as_many && found < y.size() && error() > check.check().tolerance) ++found;
        if (found >= y.size() || error() >= kMissing) {
          leave_a(id, std::move(part));
          if (as_many) leave_b(other, std::move(y[j++]));
          continue;
        }
        for (; j < found; ++j) leave_b(other, std::move(y[j]));
        Compared(check, error(), feature, part, y[j]);
        CompareLooks(part, y[j++]);
      }
      for (; j < y.size(); ++j) leave_b(other, std::move(y[j]));
    }
    for (const LinkId id : Links(b_.model)) {
      if (match_.a_of_b[Index(id)] != kNoLink && !(id == b_.world_link && a_.world_link == kNoLink))
        continue;
      for (Part& part : PartsOf(b_.model.link(id), b_.model.link(id).*items))
        leave_b(id, std::move(part));
    }
    const auto there = [&](std::size_t i) -> std::pair<std::vector<Part>*, RigidTransform> {
      const auto group = groups_.b_of_a.find(group_[i]);
      if (group == groups_.b_of_a.end()) return {nullptr, {}};
      return {&left_b[group->second.b], group->second.X_ba};
    };
    std::vector<std::size_t> missing;
    for (std::size_t i = 0; i < left_a.size(); ++i) {
      const Part& part = left_a[i];
      const auto [parts, X_ba] = there(i);
      const RigidTransform X_ab = X_ba.inverse();
      const auto same = [&](const Part& other) {
        return Error(part, other, X_ab) <= check.check().tolerance;
      };
      const auto found = parts == nullptr ? std::vector<Part>::iterator{}
                                          : std::find_if(parts->begin(), parts->end(), same);
      if (parts == nullptr || found == parts->end()) {
        missing.push_back(i);
        continue;
      }
      check.Add(0, part.link->name);
      CompareLooks(part, *found);
      parts->erase(found);
    }
    // Another shape may stand for one that is lost, at its place.
    for (const std::size_t i : missing) {
      const Part& part = left_a[i];
      const auto [parts, X_ba] = there(i);
      const RigidTransform X = X_ba * part.X;
      const auto at_its_place = [&](const Part& other) {
        return PoseError(X, other.X, a_.m.length) <= check.check().tolerance;
      };
      const auto instead = parts == nullptr
                               ? std::vector<Part>::iterator{}
                               : std::find_if(parts->begin(), parts->end(), at_its_place);
      const bool stands_in = parts != nullptr && instead != parts->end();
      if (excuses_.Take(feature, part.subject()) ||
          (stands_in && excuses_.TakeOfB(feature, instead->subject()))) {
        check.Except(Text(part.subject()) + " is missing");
        if (stands_in) parts->erase(instead);
      } else {
        check.Miss(part.link->name, Text(part.subject()) + " has no counterpart in B");
      }
    }
    for (const auto& [group, parts] : left_b) {
      for (const Part& part : parts) {
        if (excuses_.TakeOfB(feature, part.subject()))
          check.Except(Text(part.subject()) + " has no counterpart in A");
        else
          check.Miss(part.link->name, Text(part.subject()) + " has no counterpart in A");
      }
    }
  }

  void Compared(Worst& check, double error, Feature feature, const Part& a, const Part& b) {
    if (error <= check.check().tolerance) return check.Add(error, a.link->name);
    if (TakePart(a.feature, a, b) || TakePart(feature, a, b))
      return check.Except(Text(a.subject()) + " differs");
    check.Add(error, a.link->name,
              Text(a.subject()) + " has another size or place in " + Text(b.subject()));
  }

  // Of B's part against A's, which stands in X_ab of B's frame.
  [[nodiscard]] double Error(const Part& a, const Part& b, const RigidTransform& X_ab) const {
    const double error = ShapeError(a.shape, b.shape, Rewritten(), options_.report);
    if (error >= kMissing) return error;
    if (const auto* plane = std::get_if<Plane>(&a.shape)) {
      const RigidTransform X = X_ab.inverse() * a.X;
      double apart = (X.R.col(2) - b.X.R.col(2)).cwiseAbs().maxCoeff();
      if (excuses_.same_format())
        apart =
            std::max(apart, (plane->size - std::get<Plane>(b.shape).size).cwiseAbs().maxCoeff());
      return std::max(apart, std::abs(b.X.R.col(2).dot(X.p - b.X.p)) / a_.m.length);
    }
    return std::max(error, PoseError(X_ab.inverse() * a.X, b.X, a_.m.length));
  }

  // A conversion may have rewritten where assets are found from.
  [[nodiscard]] bool Rewritten() const {
    return !excuses_.same_format() || options_.report != nullptr;
  }

  // Under the name that either side has for it.
  bool TakePart(Feature feature, const Part& a, const Part& b) {
    return excuses_.TakeEither(feature, a.subject(), b.subject());
  }

  bool TakeMaterial(Feature feature, const Part& a, const Part& b) {
    return excuses_.TakeEither(feature, MaterialOf(a.subject()), MaterialOf(b.subject())) ||
           TakePart(feature, a, b);
  }

  void CompareLooks(const Part& a, const Part& b) {
    if (a.visual != nullptr) {
      CompareColors(a, b);
      CompareMaterials(a, b);
    } else {
      CompareSurfaces(a, b);
    }
    if (excuses_.same_format() && options_.report == nullptr && a.name() != b.name())
      parts_.Miss(a.link->name, Text(a.subject()) + " is called '" + b.name() + "'");
    if (a.whole && b.whole) CompareNative(a.native(), b.native(), a.subject());
  }

  void CompareColors(const Part& a, const Part& b) {
    const std::optional<Rgba> x = Shown(*a.visual), y = Shown(*b.visual);
    if (!x && !y) return;
    double error = x && y ? (*x - *y).cwiseAbs().maxCoeff() : kMissing;
    // What is transparent without a colour has to be written with one; how transparent counts.
    const auto& material = a.visual->material;
    const bool bare = !material || (!material->diffuse && !material->ambient);
    if (x && y && bare && !excuses_.same_format()) error = std::abs(x->w() - y->w());
    if (error <= colors_.check().tolerance) return colors_.Add(error, a.link->name);
    const auto text = [](const std::optional<Rgba>& c) { return c ? RgbaText(*c) : "none"; };
    const std::string told = Text(a.subject()) + ": " + text(x) + " against " + text(y);
    // Where a colour must be written, a side without one says nothing against grey.
    const auto grey = [](const Rgba& c) {
      return (c.head<3>() - Vector3(0.5, 0.5, 0.5)).norm() < 0.01;
    };
    const bool assumed_grey = !excuses_.same_format() && !(x && y) && grey(x ? *x : *y);
    const bool excused =
        x ? (assumed_grey && options_.assumed) || TakeMaterial(Feature::kMaterialColor, a, b)
          : assumed_grey || excuses_.TakeOfB(Feature::kMaterialColor, MaterialOf(b.subject()));
    if (excused) return colors_.Except(told);
    colors_.Add(error, a.link->name, told);
  }
  static std::string RgbaText(const Rgba& c) {
    return FormatNumber(c[0]) + " " + FormatNumber(c[1]) + " " + FormatNumber(c[2]) + " " +
           FormatNumber(c[3]);
  }

  void CompareMaterials(const Part& a, const Part& b) {
    const Material none, &x = a.visual->material ? *a.visual->material : none,
                         &y = b.visual->material ? *b.visual->material : none;
    const Subject subject = MaterialOf(a.subject());
    const auto light = [&](const std::optional<Rgba>& of_a, const std::optional<Rgba>& of_b,
                           const char* what) {
      if (!of_a && !of_b) return;
      const double error = of_a && of_b ? (*of_a - *of_b).cwiseAbs().maxCoeff() : kMissing;
      if (error <= colors_.check().tolerance) return;
      const auto text = [](const std::optional<Rgba>& c) { return c ? RgbaText(*c) : "none"; };
      const std::string told =
          Text(a.subject()) + ": " + what + " " + text(of_a) + " against " + text(of_b);
      const Subject other = MaterialOf(b.subject());
      const bool excused = of_a ? TakeMaterial(Feature::kMaterialLighting, a, b) ||
                                      TakeMaterial(Feature::kMaterialColor, a, b)
                                : excuses_.TakeOfB(Feature::kMaterialLighting, other) ||
                                      (options_.report != nullptr && !excuses_.same_format());
      if (excused) return colors_.Except(told);
      colors_.Add(error, a.link->name, told);
    };
    if (excuses_.same_format() || a.visual->material) {
      // A colour that stands for the ambient one, and the other way round, is compared as what is
      // shown.
      if (excuses_.same_format()) light(x.diffuse, y.diffuse, "diffuse colour");
      // Formats with one colour have that of both.
      const bool one_color = !x.ambient && y.ambient == y.diffuse;
      const bool says_more = x.diffuse && x.ambient != x.diffuse && !one_color;
      if (excuses_.same_format() || says_more) light(x.ambient, y.ambient, "ambient colour");
      light(x.specular, y.specular, "specular colour");
      light(x.emissive, y.emissive, "emissive colour");
    }
    if (x.texture || y.texture) {
      const bool same =
          x.texture && y.texture && SameFile(*x.texture, *y.texture, Rewritten(), options_.report);
      const std::string told = Text(a.subject()) + ": texture " + x.texture.value_or("none") +
                               " against " + y.texture.value_or("none");
      if (same)
        textures_.Add(0, a.link->name);
      else if (x.texture ? TakeMaterial(Feature::kMaterialTexture, a, b)
                         : excuses_.TakeOfB(Feature::kMaterialTexture, MaterialOf(b.subject())))
        textures_.Except(told);
      else
        textures_.Miss(a.link->name, told);
    }
    if (excuses_.same_format() && options_.report == nullptr) {
      if (x.name != y.name)
        parts_.Miss(a.link->name,
                    Text(a.subject()) + ": material '" + x.name + "' against '" + y.name + "'");
      if (a.visual->transparency.value_or(0) != b.visual->transparency.value_or(0))
        colors_.Miss(a.link->name, Text(a.subject()) + ": another transparency");
    }
    CompareNative(x.native, y.native, subject);
  }

  void CompareSurfaces(const Part& a, const Part& b) {
    const Collision &x = *a.collision, &y = *b.collision;
    const auto compare = [&](const std::optional<double>& of_a, const std::optional<double>& of_b,
                             const char* what) {
      if (!of_a && !of_b) return;
      const double error = of_a && of_b ? RelativeError(*of_a, *of_b, 0) : kMissing;
      if (error <= surfaces_.check().tolerance) return surfaces_.Add(error, a.link->name);
      const auto text = [](const std::optional<double>& value) {
        return value ? FormatNumber(*value) : std::string("none");
      };
      const std::string told =
          Text(a.subject()) + ": " + what + " " + text(of_a) + " against " + text(of_b);
      const bool excused =
          of_a ? TakePart(Feature::kSurfaceFriction, a, b)
               : AddedSurface(a, b) || excuses_.TakeOfB(Feature::kSurfaceFriction, b.subject());
      if (excused) return surfaces_.Except(told);
      surfaces_.Add(error, a.link->name, told);
    };
    compare(x.mu, y.mu, "friction");
    // A format with one coefficient for both directions says the second with the first.
    const bool one =
        !excuses_.same_format() && x.mu && y.mu && x.mu2.has_value() != y.mu2.has_value();
    if (one)
      compare(x.mu2 ? x.mu2 : x.mu, y.mu2 ? y.mu2 : y.mu, "second friction");
    else
      compare(x.mu2, y.mu2, "second friction");
    compare(x.torsional, y.torsional, "torsional friction");
    compare(x.rolling, y.rolling, "rolling friction");
  }
  // A format that says all coefficients as soon as it says one writes its own for the others.
  [[nodiscard]] bool AddedSurface(const Part& a, const Part& b) const {
    const Collision &x = *a.collision, &y = *b.collision;
    return !excuses_.same_format() && (x.mu || x.mu2 || x.torsional || x.rolling) &&
           (y.mu || y.mu2);
  }

  // -- links and frames
  // -------------------------------------------------------------------------------------------------------------
  // A link that moves, without mass and without anything behind it, is missing all the same.
  void CompareLinks() {
    const auto leaves = [&](const Side& side, const std::vector<LinkId>& other, bool in_a) {
      const std::size_t bodies = side.m.bodies.size();
      std::vector<bool> leads(bodies, false);  // to a link that both have, or to a loop
      for (const Aggregate& g : side.m.aggregates) {
        for (const LoopConstraint& loop : g.loops)
          for (const int end : {loop.predecessor, loop.successor})
            if (end >= 0) leads[U(g.bodies[U(end)])] = true;
      }
      const std::vector<int>& group = in_a ? groups_.a.group : groups_.b.group;
      for (std::size_t i = bodies; i-- > 1;) {
        const Body& body = side.m.bodies[i];
        if (other[Index(body.link)] != kNoLink) leads[i] = true;
        if (leads[i]) leads[U(body.parent)] = true, leads[U(group[i])] = true;
      }
      for (std::size_t i = 1; i < bodies; ++i) {
        const Link& link = side.model.link(side.m.bodies[i].link);
        if (leads[i] || leads[U(group[i])] || link.synthetic ||
            other[Index(side.m.bodies[i].link)] != kNoLink)
          continue;
        if (group[i] == 0) continue;
        const Subject subject = SubjectOf(link);
        if (in_a ? excuses_.Take(Feature::kMasslessLink, subject)
                 : excuses_.TakeOfB(Feature::kMasslessLink, subject))
          continue;
        frames_.Miss(link.name, Text(subject) + ", which moves, is not in " + (in_a ? "B" : "A"));
      }
    };
    leaves(a_, match_.b_of_a, true);
    leaves(b_, match_.a_of_b, false);
  }

  // Whether the world's gravity acts on a link.
  void CompareLinkGravity() {
    for (const LinkId id : Links(a_.model)) {
      const LinkId other = match_.b_of_a[Index(id)];
      if (other == kNoLink || other == kWorld) continue;
      const Link &x = a_.model.link(id), &y = b_.model.link(other);
      const bool acts = x.gravity.value_or(true);
      const bool weighs = x.inertial && x.inertial->mass > 0;
      if (acts == y.gravity.value_or(true) || !weighs) continue;
      const std::string told =
          Text(SubjectOf(x)) + ": gravity acts on it in " + (acts ? "A" : "B") + " only";
      if (acts ? excuses_.TakeOfB(Feature::kLinkGravity, SubjectOf(y))
               : excuses_.Take(Feature::kLinkGravity, SubjectOf(x)))
        gravity_.Except(told);
      else
        gravity_.Miss(x.name, told);
    }
  }

  // A frame of A is a frame of B or a massless link of B, and the other way round.
  void CompareFrames() {
    std::unordered_map<std::string, std::pair<int, RigidTransform>>
        places;  // in B: the body and the pose in it
    std::unordered_map<std::string, const Frame*> frames;
    for (const LinkId id : Links(b_.model))
      places[b_.model.link(id).name] = {b_.m.body_of[Index(id)], RigidTransform{}};
    for (const Frame& frame : b_.model.frames)
      places[frame.name] = {b_.m.body_of[Index(frame.link)], frame.X_LF},
      frames.emplace(frame.name, &frame);
    std::set<std::string> found_in_b;
    const auto compare = [&](SubjectKind kind, const Subject& subject, LinkId link,
                             const RigidTransform& X_LF) -> const Frame* {
      const std::string& name = subject.name;
      const std::string mapped = match_.renames.Of(kind, name);
      const int body = a_.m.body_of[Index(link)];
      const auto group = groups_.b_of_a.find(groups_.a.group[U(body)]);
      const auto error = [&](const auto& of) {
        return PoseError(group->second.X_ba * groups_.a.X[U(body)] * X_LF,
                         groups_.b.X[U(of->second.first)] * of->second.second, a_.m.length);
      };
      // A link that became a frame may have the name of a frame, and be renamed as one.
      auto place = places.end();
      for (const std::string& candidate : {mapped, match_.renames.Of(SubjectKind::kLink, mapped),
                                           match_.renames.Of(SubjectKind::kFrame, mapped), name}) {
        const auto at = places.find(candidate);
        if (at == places.end() || group == groups_.b_of_a.end() ||
            group->second.b != groups_.b.group[U(at->second.first)])
          continue;
        if (place == places.end() || error(at) < error(place)) place = at;
      }
      const bool there = place != places.end();
      if (!there) {
        const bool merged = kind == SubjectKind::kLink &&
                            Converted();  // rigid with another link, and its mass is compared there
        if (merged && options_.report != nullptr) excuses_.Except(Feature::kMasslessLink, subject);
        if (merged || excuses_.Take(Feature::kFrame, subject) ||
            excuses_.Take(Feature::kMasslessLink, subject))
          frames_.Except(Text(subject) + " is missing");
        else
          frames_.Miss(name, Text(subject) + " is not in B");
        return nullptr;
      }
      const bool other_thing = kind == SubjectKind::kFrame && !frames.contains(place->first);
      if (other_thing && error(place) > frames_.check().tolerance &&
          excuses_.Take(Feature::kFrame, subject)) {  // a link that has the name of a lost frame
        frames_.Except(Text(subject) + " is missing");
        return nullptr;
      }
      frames_.Add(error(place), name);
      found_in_b.insert(place->first);
      const auto frame = frames.find(place->first);
      return frame == frames.end() ? nullptr : frame->second;
    };
    for (const Frame& frame : a_.model.frames) {
      if (const Frame* other =
              compare(SubjectKind::kFrame, SubjectOf(frame), frame.link, frame.X_LF))
        CompareNative(frame.native, other->native, SubjectOf(frame));
    }
    for (const LinkId id : Links(a_.model)) {
      if (match_.b_of_a[Index(id)] == kNoLink && !a_.model.link(id).synthetic &&
          groups_.b_of_a.contains(GroupOf(id)))
        compare(SubjectKind::kLink, SubjectOf(a_.model.link(id)), id, match_.X_ab[Index(id)]);
    }
    if (!excuses_.same_format() && !options_.assumed) return;
    std::set<std::string> added;  // by the conversion
    if (excuses_.written() != nullptr) {
      for (const Frame& frame : excuses_.written()->frames) added.insert(frame.name);
      for (const LinkId id : Links(*excuses_.written()))
        added.insert(excuses_.written()->link(id).name);
    }
    std::set<std::string> in_a;  // links that may be frames in B
    for (const LinkId id : Links(a_.model))
      if (match_.b_of_a[Index(id)] == kNoLink) in_a.insert(a_.model.link(id).name);
    for (const Frame& frame : b_.model.frames) {
      if (found_in_b.contains(frame.name) || in_a.contains(frame.name) ||
          added.contains(frame.name) || StandsInA(frame, in_a))
        continue;
      const std::string told = Text(SubjectOf(frame)) + " is not in A";
      if (excuses_.TakeOfB(Feature::kFrame, SubjectOf(frame)))
        frames_.Except(told);
      else
        frames_.Miss(frame.name, told);
    }
    for (const LinkId id : Links(b_.model)) {
      const Link& link = b_.model.link(id);
      if (match_.a_of_b[Index(id)] != kNoLink || link.synthetic || found_in_b.contains(link.name) ||
          id == b_.world_link || added.contains(link.name))
        continue;
      const int body = b_.m.body_of[Index(id)];
      const int group = groups_.b.group[U(body)];
      const bool rigid = std::any_of(groups_.b_of_a.begin(), groups_.b_of_a.end(),
                                     [&](const auto& g) { return g.second.b == group; });
      if (!rigid) continue;
      const std::string told = Text(SubjectOf(link)) + " is not in A";
      if (excuses_.same_format()) {
        frames_.Miss(link.name, told);
      } else {  // rigid with another link, and its mass is compared there
        excuses_.Except(Feature::kMasslessLink, SubjectOf(link));
        frames_.Except(told);
      }
    }
  }

  // Under a name that the other format spells otherwise.
  static bool StandsInA(const Frame& frame, const std::set<std::string>& links_of_a) {
    return std::any_of(links_of_a.begin(), links_of_a.end(), [&](const std::string& name) {
      return PlainName(name) == PlainName(frame.name);
    });
  }

  [[nodiscard]] int GroupOf(LinkId id) const { return groups_.a.group[U(a_.m.body_of[Index(id)])]; }

  // -- sensors, drives, exclusions
  // --------------------------------------------------------------------------------------------------
  // What is kept of it, less its pose on a link and, where a conversion may have merged that, the
  // link's name: both are compared as such.
  [[nodiscard]] NativeData SaidOf(const Sensor& sensor) const {
    NativeData said = sensor.native;
    if (sensor.link == kNoLink) return said;
    said.content = Without(said, ContentRole::kPlace);
    if (Converted()) said.content = Without(said, ContentRole::kOwner);
    return said;
  }

  // By name, and where several have it, the one that is most alike.
  void CompareSensors() {
    const Model &model_a = *a_.original, &model_b = *b_.original;
    std::unordered_multimap<std::string, const Sensor*> there;
    for (const Sensor& sensor : model_b.sensors) there.emplace(PlainName(sensor.name), &sensor);
    for (const Sensor& sensor : model_a.sensors) {
      const auto [begin, end] = there.equal_range(PlainName(sensor.name));
      const Subject subject = SubjectOf(model_a, sensor);
      auto best = end;
      std::string why = "is not in B";
      double error = kMissing;
      for (auto at = begin; at != end; ++at) {
        std::string reason;
        const double apart = SensorError(sensor, *at->second, reason);
        const bool nearer = best == end || apart < error;
        // Of several that stand alike, the one that says the same.
        const bool alike = !nearer && apart == error &&
                           SaysTheSame(sensor.native, at->second->native) &&
                           !SaysTheSame(sensor.native, best->second->native);
        if (nearer || alike) best = at, error = apart, why = reason;
      }
      if (error > sensors_.check().tolerance) {
        if (excuses_.Take(Feature::kSensor, subject))
          sensors_.Except(Text(subject) + " " + why);
        else
          sensors_.Miss(sensor.name, Text(subject) + " " + why);
      } else {
        sensors_.Add(error, sensor.name);
        CompareNative({SaidOf(sensor)}, {SaidOf(*best->second)}, subject);
      }
      if (best != end) there.erase(best);
    }
    for (const auto& [name, sensor] : there) {
      const Subject subject = SubjectOf(model_b, *sensor);
      if (excuses_.TakeOfB(Feature::kSensor, subject))
        sensors_.Except(Text(subject) + " is not in A");
      else
        sensors_.Miss(sensor->name, Text(subject) + " is not in A");
    }
  }

  static bool SaysTheSame(const NativeData& a, const NativeData& b) {
    return Canonical(a.content) == Canonical(b.content);
  }

  [[nodiscard]] double SensorError(const Sensor& a, const Sensor& b, std::string& why) const {
    const Model &model_a = *a_.original, &model_b = *b_.original;
    if (a.type != b.type) {
      why = "is of type '" + b.type + "', not '" + a.type + "'";
      return kMissing;
    }
    if (a.joint != kNoJoint && b.joint != kNoJoint &&
        !SameJointName(model_a.joint(a.joint).name, model_b.joint(b.joint).name)) {
      why = "is on joint " + Quoted(model_b.joint(b.joint).name) + ", not on " +
            Quoted(model_a.joint(a.joint).name);
      return kMissing;
    }
    if (excuses_.same_format() && options_.report == nullptr &&
        ((a.joint == kNoJoint) != (b.joint == kNoJoint) ||
         (a.link == kNoLink) != (b.link == kNoLink))) {
      why = "is on something else";
      return kMissing;
    }
    why = "stands elsewhere";
    return Apart(a, b);
  }

  // A's name, through the report, or a part of a joint that was split.
  [[nodiscard]] bool SameJointName(const std::string& a, const std::string& b) const {
    if (match_.renames.Of(SubjectKind::kJoint, a) == b) return true;
    if (excuses_.same_format() && options_.report == nullptr) return false;
    const auto ja = names_a_.Joint(a), jb = names_b_.Joint(b);
    if (ja && jb && relations_.b_of_a[Index(*ja)] == *jb) return true;
    return PlainName(a) == PlainName(b) || (!ja || relations_.b_of_a[Index(*ja)] == kNoJoint);
  }

  [[nodiscard]] double Apart(const Sensor& a, const Sensor& b) const {
    if (a.link == kNoLink || b.link == kNoLink) return 0;  // on a joint
    const int body = a_.m.body_of[Index(a.link)], body_b = b_.m.body_of[Index(b.link)];
    const auto group = groups_.b_of_a.find(groups_.a.group[U(body)]);
    if (group == groups_.b_of_a.end() || group->second.b != groups_.b.group[U(body_b)])
      return kMissing;
    return PoseError(group->second.X_ba * groups_.a.X[U(body)] * a.X_LS,
                     groups_.b.X[U(body_b)] * b.X_LS, a_.m.length);
  }

  void CompareDrives() {
    const Model &model_a = *a_.original, &model_b = *b_.original;
    std::unordered_multimap<std::string, const Actuator*> there;
    for (const Actuator& drive : model_b.actuators) there.emplace(PlainName(drive.name), &drive);
    std::vector<const Actuator*> unmatched;
    for (const Actuator& drive : model_a.actuators) {
      const auto [begin, end] = there.equal_range(PlainName(drive.name));
      auto best = end;
      std::string why;
      for (auto at = begin; at != end; ++at) {
        const std::string reason = DriveDifference(drive, *at->second);
        const bool alike = best != end && reason.empty() && why.empty() &&
                           SaysTheSame(drive.native, at->second->native) &&
                           !SaysTheSame(drive.native, best->second->native);
        if (best == end || (reason.empty() && !why.empty()) || alike) best = at, why = reason;
      }
      if (best == end) {
        unmatched.push_back(&drive);
      } else {
        ConcludeDrive(drive, best->second, why);
        there.erase(best);
      }
    }
    // A format may call a drive after its joint.
    for (const Actuator* drive : unmatched) {
      const auto on_it = [&](const auto& item) {
        return DriveDifference(*drive, *item.second).empty();
      };
      const auto found =
          Converted() ? std::find_if(there.begin(), there.end(), on_it) : there.end();
      ConcludeDrive(*drive, found == there.end() ? nullptr : found->second,
                    found == there.end() ? "is not in B" : "");
      if (found != there.end()) there.erase(found);
    }
    for (const auto& [name, drive] : there) {
      const Subject subject = SubjectOf(model_b, *drive);
      if (excuses_.written() != nullptr && WasAdded(*drive)) {
        excuses_.SkipOfB(Feature::kActuator, subject);
      } else if (excuses_.TakeOfB(Feature::kActuator, subject)) {
        drives_.Except(Text(subject) + " is not in A");
      } else {
        drives_.Miss(drive->name, Text(subject) + " is not in A");
      }
    }
  }

  void ConcludeDrive(const Actuator& drive, const Actuator* other, const std::string& why) {
    const Subject subject = SubjectOf(*a_.original, drive);
    if (why.empty()) {
      drives_.Add(0, drive.name);
      CompareNative({drive.native}, {other->native}, subject);
    } else if (excuses_.Take(Feature::kActuator, subject)) {
      drives_.Except(Text(subject) + " " + why);
    } else {
      drives_.Miss(drive.name, Text(subject) + " " + why);
    }
  }

  // A drive that A does not have is the conversion's where the user asked for motors; a report of
  // what is assumed asks for none.
  [[nodiscard]] bool WasAdded(const Actuator& drive) const {
    const std::vector<Actuator>& written = excuses_.written()->actuators;
    return std::any_of(written.begin(), written.end(),
                       [&](const Actuator& other) { return other.name == drive.name; });
  }
  [[nodiscard]] bool Converted() const {
    return !excuses_.same_format() || options_.report != nullptr;
  }

  // Empty: the two do the same.
  [[nodiscard]] std::string DriveDifference(const Actuator& a, const Actuator& b) const {
    const Model &model_a = *a_.original, &model_b = *b_.original;
    if (a.joint != kNoJoint && b.joint != kNoJoint &&
        !SameJointName(model_a.joint(a.joint).name, model_b.joint(b.joint).name))
      return "drives " + Quoted(model_b.joint(b.joint).name) + ", not " +
             Quoted(model_a.joint(a.joint).name);
    if ((a.joint == kNoJoint) != (b.joint == kNoJoint)) return "drives something else";
    if (RelativeError(a.gear, b.gear, 0) > options_.tolerance)
      return "has gear " + FormatNumber(b.gear) + ", not " + FormatNumber(a.gear);
    const bool comparable =
        a.native.format == b.native.format && (!a.native.format.empty() || excuses_.same_format());
    if (comparable && a.type != b.type) return "is of type '" + b.type + "', not '" + a.type + "'";
    const auto differ = [&](const std::optional<double>& x, const std::optional<double>& y) {
      return x && y ? RelativeError(*x, *y, 0) > options_.tolerance
                    : comparable && x.has_value() != y.has_value();
    };
    if (differ(a.effort_lower, b.effort_lower) || differ(a.effort_upper, b.effort_upper))
      return "has another effort range";
    return {};
  }

  // Pairs of links that shall not collide, where both sides have both links.
  void CompareExclusions() {
    const auto compare = [&](const Model& of, const std::vector<LinkId>& counterpart,
                             const Model& other, bool in_a) {
      std::map<std::pair<LinkId, LinkId>, std::string> pairs;
      for (const ContactExclusion& e : other.contact_exclusions)
        pairs.emplace(std::minmax(e.a, e.b), e.name);
      for (const ContactExclusion& e : of.contact_exclusions) {
        const LinkId first = counterpart[Index(e.a)], second = counterpart[Index(e.b)];
        if (first == kNoLink || second == kNoLink) continue;
        const std::string element = of.link(e.a).name + " and " + of.link(e.b).name;
        const auto found = pairs.find(std::minmax(first, second));
        const Subject subject = SubjectOf(of, e);
        if (found != pairs.end()) {
          exclusions_.Add(0, element);
          if (in_a && excuses_.same_format() && options_.report == nullptr &&
              found->second != e.name)
            exclusions_.Miss(element, Text(subject) + " is called '" + found->second + "'");
        } else if (in_a ? excuses_.Take(Feature::kContactExclusion, subject)
                        : TakeExclusionOfB(e, subject)) {
          if (in_a) exclusions_.Except(Text(subject) + " is missing");
        } else {
          exclusions_.Miss(element, Text(subject) + (in_a ? " is not in B" : " is not in A"));
        }
      }
    };
    // In the words of another dialect a pair may go without saying.
    if (!excuses_.same_format() || a_.model.dialect != b_.model.dialect) return CompareContacts();
    compare(a_.model, match_.b_of_a, b_.model, true);
    compare(b_.model, match_.a_of_b, a_.model, false);
  }

  // Formats say in different ways who collides with whom: the pairs of links that do are compared.
  void CompareContacts() {
    constexpr std::size_t kMost = 50;
    const ContactDifferences found =
        Contacts(*a_.original).Compare(Contacts(*b_.original), match_.b_of_a, kMost);
    // A loop keeps its links apart; that it is lost is told of the loop.
    const auto without = [&](const Side& side) {
      return found.only_a.empty() && found.only_b.empty() ? std::optional<Contacts>()
                                                          : std::optional<Contacts>(side.model);
    };
    const std::optional<Contacts> in_a = without(a_), in_b = without(b_);
    const auto by_loops = [&](const LinkPair& pair) {
      const auto b = [&](LinkId link) { return match_.b_of_a[Index(link)]; };
      return in_a->Collide(pair.first, pair.second) == in_b->Collide(b(pair.first), b(pair.second));
    };
    const auto tell = [&](const LinkPair& pair, const char* side) {
      const Link &x = a_.model.link(pair.first), &y = a_.model.link(pair.second);
      const std::string told = "'" + x.name + "' and '" + y.name + "' collide in " + side + " only";
      if (TakeContact(pair) || by_loops(pair))
        exclusions_.Except(told);
      else
        exclusions_.Miss(x.name, told);
    };
    for (const LinkPair& pair : found.only_a) tell(pair, "A");
    for (const LinkPair& pair : found.only_b) tell(pair, "B");
    exclusions_.Add(0, a_.model.name);
  }

  // A loss of either side, of one of the links or of the exclusion itself.
  [[nodiscard]] bool TakeContact(const LinkPair& pair) {
    const LinkId first = match_.b_of_a[Index(pair.first)],
                 second = match_.b_of_a[Index(pair.second)];
    const auto exclusion = [](const Model& model, LinkId a, LinkId b) {
      return SubjectOf(model, ContactExclusion{a, b, {}, {}});
    };
    const Model &a = a_.model, &b = b_.model;
    const auto take = [&](Feature feature, const Subject& of_a, const Subject& of_b) {
      return excuses_.TakeEither(feature, of_a, of_b);
    };
    return take(Feature::kContactExclusion, exclusion(a, pair.first, pair.second),
                exclusion(b, first, second)) ||
           take(Feature::kContactExclusion, exclusion(a, pair.second, pair.first),
                exclusion(b, second, first)) ||
           take(Feature::kSelfCollision, SubjectOf(a.link(pair.first)), SubjectOf(b.link(first))) ||
           take(Feature::kSelfCollision, SubjectOf(a.link(pair.second)), SubjectOf(b.link(second)));
  }

  bool TakeExclusionOfB(const ContactExclusion& e, const Subject& subject) {
    if (const Model* written = excuses_.written()) {
      for (const ContactExclusion& added : written->contact_exclusions) {
        const std::string &a = b_.model.link(e.a).name, &b = b_.model.link(e.b).name;
        const std::string &x = written->link(added.a).name, &y = written->link(added.b).name;
        if ((a == x && b == y) || (a == y && b == x))
          return excuses_.SkipOfB(Feature::kContactExclusion, subject);
      }
    }
    return excuses_.TakeOfB(Feature::kContactExclusion, subject);
  }

  // -- models and native content
  // -------------------------------------------------------------------------------------------------------
  void CompareModels() {
    const Model &x = *a_.original, &y = *b_.original;
    if (x.gravity && y.gravity) {
      gravity_.Add((*x.gravity - *y.gravity).norm() / std::max(1e-9, x.gravity->norm()), "gravity",
                   GravityText(x.gravity) + " against " + GravityText(y.gravity));
    } else if (x.gravity || y.gravity) {
      const Subject subject = SubjectOf(x.gravity ? x : y);
      const std::string told = GravityText(x.gravity) + " against " + GravityText(y.gravity);
      const bool usual = IsUsualGravity(x.gravity ? *x.gravity : *y.gravity);
      if (x.gravity && excuses_.Take(Feature::kGravity, subject))
        gravity_.Except(told);
      else if (!x.gravity && !usual && excuses_.TakeOfB(Feature::kGravity, subject))
        gravity_.Except(told);
      else if (!usual || (excuses_.same_format() && options_.report == nullptr))
        gravity_.Miss("gravity", told);
    }
    if (!excuses_.same_format() || options_.report != nullptr) return;
    models_.Add(x.name == y.name ? 0 : 1, x.name,
                "the name of the model, '" + x.name + "' against '" + y.name + "'");
    std::map<std::string, const Scope*> scopes;
    for (const Scope& scope : y.scopes) scopes.emplace(ScopePath(y, scope), &scope);
    for (const Scope& scope : x.scopes) {
      const auto found = scopes.find(ScopePath(x, scope));
      if (found == scopes.end()) {
        models_.Miss(scope.name, Text(SubjectOf(scope)) + " is not in B");
        continue;
      }
      const Scope& other = *found->second;
      if (scope.is_static != other.is_static)
        models_.Miss(scope.name, Text(SubjectOf(scope)) + ": only one is static");
      const auto canonical = [](const Model& model, const Scope& of) {
        return of.canonical_link ? model.link(*of.canonical_link).name : "";
      };
      if (canonical(x, scope) != canonical(y, other))
        models_.Miss(scope.name, Text(SubjectOf(scope)) + ": another canonical link");
      models_.Add(PoseError(scope.X_WM, other.X_WM, a_.m.length), scope.name,
                  Text(SubjectOf(scope)) + " stands elsewhere");
    }
    if (x.scopes.size() < y.scopes.size()) models_.Miss(y.name, "B has more models");
  }

  static std::string ScopePath(const Model& model, const Scope& scope) {
    return scope.parent == kNoScope
               ? scope.name
               : ScopePath(model, model.scopes[Index(scope.parent)]) + "::" + scope.name;
  }

  static std::string GravityText(const std::optional<Vector3>& g) {
    if (!g) return "none";
    return FormatNumber(g->x()) + " " + FormatNumber(g->y()) + " " + FormatNumber(g->z()) +
           " m/s^2";
  }

  void CompareNativeOfAll() {
    const Model &x = *a_.original, &y = *b_.original;
    std::vector<NativeData> whole_a = x.native, whole_b = y.native;
    for (const Scope& scope : x.scopes)
      whole_a.insert(whole_a.end(), scope.native.begin(), scope.native.end());
    for (const Scope& scope : y.scopes)
      whole_b.insert(whole_b.end(), scope.native.begin(), scope.native.end());
    CompareNative(whole_a, whole_b, SubjectOf(x));
    const std::vector<NativeData> nothing;
    for (std::uint32_t v = 0; v < a_.model.num_links(); ++v) {
      const LinkId id{v}, other = match_.b_of_a[Index(id)];
      const Link& link = a_.model.link(id);
      CompareNative(link.native, other == kNoLink ? nothing : b_.model.link(other).native,
                    SubjectOf(link));
      const auto inertial =
          [&](const std::optional<Inertial>& of) -> const std::vector<NativeData>& {
        return of ? of->native : nothing;
      };
      CompareNative(inertial(link.inertial),
                    other == kNoLink ? nothing : inertial(b_.model.link(other).inertial),
                    SubjectOf(link));
    }
    std::vector<bool> met(b_.model.num_joints(), false);
    for (const JointId id : Joints(a_.model)) {
      const JointId other = relations_.b_of_a[Index(id)];
      const Joint& joint = a_.model.joint(id);
      if (other != kNoJoint) met[Index(other)] = true;
      CompareNative(joint.native, other == kNoJoint ? nothing : b_.model.joint(other).native,
                    SubjectOf(joint), other != kNoJoint);
    }
    for (const JointId id : Joints(b_.model))
      if (!met[Index(id)])
        CompareNative(nothing, b_.model.joint(id).native, SubjectOf(b_.model.joint(id)), false);
    CompareCouplings();
    MatchLeftOver();
  }

  void CompareCouplings() {
    std::unordered_map<std::string, const Coupling*> there;
    for (const Coupling& coupling : b_.model.couplings)
      there.emplace(CouplingKey(b_.model, coupling), &coupling);
    const std::vector<NativeData> nothing;
    for (const Coupling& coupling : a_.model.couplings) {
      const auto found = there.find(CouplingKey(a_.model, coupling));
      CompareNative(coupling.native, found == there.end() ? nothing : found->second->native,
                    SubjectOf(a_.model, coupling));
    }
  }
  static std::string CouplingKey(const Model& model, const Coupling& coupling) {
    if (!coupling.name.empty() || coupling.terms.empty()) return coupling.name;
    return "of " + model.joint(coupling.terms.front().coordinate.joint).name;
  }

  struct Left {
    std::string text;    // as it is compared
    NativeElement said;  // the same as a tree
    Subject subject, owner;
    NativeData data;
    bool paired;  // what it hangs on has a partner on the other side
  };
  // Less the name of the link or joint that it hangs on, which is compared as such: links merge.
  static NativeElement Said(const NativeData& data, bool hangs_on_part) {
    return Canonical(hangs_on_part ? Without(data, ContentRole::kOwner) : data.content);
  }
  // That an inertia is computed from shapes is compared as what comes of it.
  [[nodiscard]] bool IsCompared(const NativeData& data) const {
    return !data.content.empty() &&
           (data.element != kComputedInertia || (excuses_.same_format() && !Converted()));
  }
  // As two bags; what is left over may stand elsewhere in another format.
  void CompareNative(const std::vector<NativeData>& a, const std::vector<NativeData>& b,
                     const Subject& owner, bool paired = true) {
    using enum SubjectKind;
    const bool part = owner.kind != kModel && owner.kind != kWorldModel && owner.kind != kSensor;
    std::vector<Left> there;
    std::multimap<std::string, std::size_t> place;
    for (const NativeData& data : b) {
      if (!IsCompared(data)) continue;
      NativeElement said = Said(data, part);
      std::string text = BriefText(said);
      place.emplace(text, there.size());
      there.push_back(
          {std::move(text), std::move(said), SubjectOf(data, owner), owner, data, paired});
    }
    for (const NativeData& data : a) {
      if (!IsCompared(data)) continue;
      NativeElement said = Said(data, part);
      std::string text = BriefText(said);
      const auto found = place.find(text);
      if (found != place.end()) {
        native_.Add(0, owner.name);
        place.erase(found);
      } else {
        if (data.format.empty()) not_used_.push_back(said);
        left_a_.push_back(
            {std::move(text), std::move(said), SubjectOf(data, owner), owner, data, paired});
      }
    }
    for (const auto& [text, i] : place) left_b_.push_back(std::move(there[i]));
  }

  // An orientation may be spelt in several ways; what is spelt in the same way is compared as it
  // stands.
  void MatchSpellings() {
    std::erase_if(left_a_, [&](const Left& left) {
      std::vector<std::string> kinds;
      const NativeElement said = WithoutSpellings(left, kinds);
      const auto same = std::find_if(left_b_.begin(), left_b_.end(), [&](const Left& other) {
        std::vector<std::string> other_kinds;
        return other.subject.of == left.subject.of && other.said.name == left.said.name &&
               WithoutSpellings(other, other_kinds) == said &&
               (Converted() || kinds != other_kinds);
      });
      if (same == left_b_.end()) return false;
      left_b_.erase(same);
      return true;
    });
  }
  // A conversion gives names to the nameless.
  [[nodiscard]] NativeElement WithoutSpellings(const Left& left,
                                               std::vector<std::string>& kinds) const {
    NativeData data = left.data;
    data.content = left.said;
    NativeElement said = Without(data, ContentRole::kOrientation, &kinds);
    if (Converted())
      ForEachIn(said, [](NativeElement& element) {
        std::erase_if(element.attributes, [](const auto& a) { return a.first == "name"; });
      });
    return said;
  }
  // A format may demand more than its author wrote: all he wrote is there, in his order, but what
  // nobody reads, and what the conversion added is said.
  void MatchAdditions() {
    const bool zeros = ZerosSayNothing(*a_.original);
    std::erase_if(left_a_, [&](const Left& left) {
      const auto more = std::find_if(left_b_.begin(), left_b_.end(), [&](const Left& other) {
        return other.subject.of == left.subject.of &&
               SaysAllOf(other.said, left.said, zeros, not_used_);
      });
      if (more == left_b_.end()) return false;
      excuses_.SkipOfB(Feature::kNativeData, more->subject);
      left_b_.erase(more);
      return true;
    });
  }
  static bool ZerosSayNothing(const Model& model) {
    Target target;
    std::string version;
    target.format = FindFormat(model.format, version);
    target.options.version = model.format_version;
    return target.format != nullptr && TraitsOf(target).native_zeros_say_nothing;
  }
  // A conversion may hang it elsewhere; and what has no partner is written as several parts.
  void MatchElsewhere() {
    const bool any = !excuses_.same_format() || options_.report != nullptr;
    std::unordered_multimap<std::string, std::size_t> there;
    for (std::size_t i = 0; i < left_b_.size(); ++i)
      if (any || !left_b_[i].paired) there.emplace(left_b_[i].text, i);
    std::vector<bool> taken(left_b_.size(), false);
    std::erase_if(left_a_, [&](const Left& left) {
      const auto found = any || !left.paired ? there.find(left.text) : there.end();
      if (found == there.end()) return false;
      taken[found->second] = true;
      there.erase(found);
      return true;
    });
    std::size_t i = 0;
    std::erase_if(left_b_, [&](const Left&) { return taken[i++]; });
  }

  void MatchLeftOver() {
    MatchElsewhere();
    MatchSpellings();
    if (excuses_.same_format() && options_.report != nullptr) MatchAdditions();
    for (const Left& left : left_a_) {
      if (excuses_.Take(Feature::kNativeData, left.subject))
        native_.Except(Text(left.subject) + " is missing");
      else if (excuses_.same_format())
        native_.Miss(left.subject.of, "only A has " + left.text.substr(0, 200));
      else
        excuses_.Except(left.data, left.owner);  // no other format takes it: the verdict says it
    }
    for (const Left& left : left_b_) {
      if (WasWritten(left))
        excuses_.SkipOfB(Feature::kNativeData, left.subject);
      else if (excuses_.same_format())
        native_.Miss(left.subject.of, "only B has " + left.text.substr(0, 200));
      else if (!excuses_.TakeOfB(Feature::kNativeData, left.subject))
        excuses_.Except(left.data, left.owner);
    }
  }

  // The conversion wrote it, and so it would again.
  [[nodiscard]] bool WasWritten(const Left& left) {
    if (excuses_.written() == nullptr) return false;
    if (written_.empty()) {
      const Model& model = *excuses_.written();
      const auto add = [&](const std::vector<NativeData>& list, bool part = true) {
        for (const NativeData& data : list) written_.insert(BriefText(Said(data, part)));
      };
      add(model.native, false);
      for (const Scope& scope : model.scopes) add(scope.native, false);
      for (std::uint32_t v = 0; v < model.num_links(); ++v) {
        const Link& link = model.link(LinkId{v});
        add(link.native);
        if (link.inertial) add(link.inertial->native);
        for (const Visual& visual : link.visuals) {
          add(visual.native);
          if (visual.material) add(visual.material->native);
        }
        for (const Collision& collision : link.collisions) add(collision.native);
      }
      for (const JointId id : Joints(model)) add(model.joint(id).native);
      for (const Coupling& coupling : model.couplings) add(coupling.native);
      for (const Frame& frame : model.frames) add(frame.native);
      for (const Sensor& sensor : model.sensors) add({sensor.native}, false);
      for (const Actuator& drive : model.actuators) add({drive.native});
    }
    return written_.contains(left.text);
  }

  static std::string Family(const std::string& format) {
    return format == "urdf+" ? "urdf" : format;
  }

  const Side& a_;
  const Side& b_;
  const Correspondence& match_;
  const RigidGroups& groups_;
  const Relations& relations_;
  const VerifyOptions& options_;
  Excuses& excuses_;
  const Names names_a_, names_b_;
  std::vector<int> group_;  // of A's parts that are left over
  std::vector<Left> left_a_, left_b_;
  std::vector<NativeElement> not_used_;  // of A, what its reader knows nothing of
  std::set<std::string> written_;        // text of a conversion's output, canonical
  const double t_ = options_.tolerance;
  Worst colors_{"colours", 1e-6}, textures_{"textures", 0}, surfaces_{"surface friction", t_},
      parts_{"names of shapes", 0}, frames_{"frames", t_}, gravity_{"gravity", t_},
      drives_{"drives", 0}, sensors_{"sensors", t_}, exclusions_{"contact exclusions", 0},
      models_{"models", t_}, native_{"text of the format", 0};
};

}  // namespace

void CompareContent(const Side& a, const Side& b, const Correspondence& match,
                    const RigidGroups& groups, const Relations& relations,
                    const VerifyOptions& options, Excuses& excuses, std::vector<Worst>& checks) {
  Content(a, b, match, groups, relations, options, excuses).Run(checks);
}

}  // namespace kinemorph::verify
