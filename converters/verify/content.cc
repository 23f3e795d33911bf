#include "verify/content.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

namespace kinemorph::verify {
namespace {

// A visual or collision, or a part of a capsule.
struct Part {
  Feature feature;  // of the shape as written
  Shape shape;
  RigidTransform X;                // in the link; for what is left over, in the rigid group
  const Visual* visual = nullptr;  // null for a collision
  const Link* link = nullptr;
};

const Visual* AsVisual(const Visual& visual) { return &visual; }
const Visual* AsVisual(const Collision&) { return nullptr; }

template <class Item>
std::vector<Part> PartsOf(const Link& link, const std::vector<Item>& items) {
  std::vector<Part> parts;
  parts.reserve(items.size());
  for (const Item& item : items) {
    Part part{ShapeFeature(item.shape), item.shape, item.X_LG, AsVisual(item), &link};
    if (const auto* capsule = std::get_if<Capsule>(&item.shape)) {
      part.shape = Cylinder{capsule->radius, capsule->length};
      parts.push_back(part);
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
  if (const auto* box = std::get_if<Box>(&shape)) return {box->size.x(), box->size.y(), box->size.z()};
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return {sphere->radius};
  if (const auto* cylinder = std::get_if<Cylinder>(&shape)) return {cylinder->radius, cylinder->length};
  if (const auto* cone = std::get_if<Cone>(&shape)) return {cone->radius, cone->length};
  if (const auto* ellipsoid = std::get_if<Ellipsoid>(&shape)) return {ellipsoid->radii.x(), ellipsoid->radii.y(), ellipsoid->radii.z()};
  if (const auto* mesh = std::get_if<Mesh>(&shape)) {
    const std::size_t slash = mesh->uri.find_last_of("/\\");
    text = slash == std::string::npos ? mesh->uri : mesh->uri.substr(slash + 1);  // folders are rewritten by the target's rules
    return {mesh->scale.x(), mesh->scale.y(), mesh->scale.z()};
  }
  if (const auto* polyline = std::get_if<Polyline>(&shape)) {
    std::vector<double> sizes{polyline->height};
    for (const auto& line : polyline->polylines) {
      for (const Eigen::Vector2d& point : line) sizes.insert(sizes.end(), {point.x(), point.y()});
    }
    return sizes;
  }
  return {};
}

double ShapeError(const Shape& a, const Shape& b) {
  if (a.index() != b.index()) return kMissing;
  std::string text_a, text_b;
  const std::vector<double> x = SizesOf(a, text_a), y = SizesOf(b, text_b);
  if (x.size() != y.size() || text_a != text_b) return kMissing;
  double error = 0, scale = 0;
  for (const double size : x) scale = std::max(scale, std::abs(size));
  for (std::size_t i = 0; i < x.size(); ++i) error = std::max(error, RelativeError(x[i], y[i], scale));
  return error;
}

// Positions to no finer than 1e-4 of the robot's length: they come through several poses with 15 decimals each.
double PoseError(const RigidTransform& a, const RigidTransform& b, double length) {
  double error = (a.R - b.R).cwiseAbs().maxCoeff();
  for (int i = 0; i < 3; ++i) error = std::max(error, RelativeError(a.p[i], b.p[i], 10 * length));
  return error;
}

// The colour with its transparency as alpha; what formats with one colour show of a material that has only an ambient one, or of a
// transparent shape without a colour.
std::optional<Rgba> Shown(const Visual& visual) {
  std::optional<Rgba> color;
  if (visual.material) color = visual.material->diffuse ? visual.material->diffuse : visual.material->ambient;
  if (visual.transparency.value_or(0) == 0) return color;
  if (!color) color = Rgba(0.5, 0.5, 0.5, 1);
  color->w() *= 1 - *visual.transparency;
  return color;
}

class Content {
 public:
  Content(const Side& a, const Side& b, const Correspondence& match, const RigidGroups& groups, const Tolerance& lacks,
          const VerifyOptions& options)
      : a_(a), b_(b), match_(match), groups_(groups), lacks_(lacks), options_(options) {}

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
      const bool taken = other == kWorld && id == kWorld && a_.world_link != kNoLink && b_.world_link == kNoLink;  // by that link
      if (other != kNoLink && !taken) y = PartsOf(b_.model.link(other), b_.model.link(other).*items);
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
        check.Add(error(), link.name);
        CompareColors(part, y[j++]);
      }
      for (; j < y.size(); ++j) leave_b(other, std::move(y[j]));
    }
    for (const LinkId id : Links(b_.model)) {
      if (match_.a_of_b[Index(id)] != kNoLink && !(id == b_.world_link && a_.world_link == kNoLink)) continue;
      for (Part& part : PartsOf(b_.model.link(id), b_.model.link(id).*items)) leave_b(id, std::move(part));
    }
    for (std::size_t i = 0; i < left_a.size(); ++i) {
      const Part& part = left_a[i];
      const auto group = groups_.b_of_a.find(group_[i]);
      std::vector<Part>* there = group == groups_.b_of_a.end() ? nullptr : &left_b[group->second.b];
      const auto same = [&](const Part& other) { return Error(part, other, group->second.X_ba.inverse()) <= check.check().tolerance; };
      const auto found = there == nullptr ? std::vector<Part>::iterator{} : std::find_if(there->begin(), there->end(), same);
      if (there != nullptr && found != there->end()) {
        check.Add(0, part.link->name);
        CompareColors(part, *found);
        there->erase(found);
      } else {
        check.Add(lacks_.MayLack(true, feature) || lacks_.MayLack(true, part.feature) ? 0 : kMissing, part.link->name);
      }
    }
    for (const auto& [group, parts] : left_b) {
      for (const Part& part : parts)
        check.Add(lacks_.MayLack(false, feature) || lacks_.MayLack(false, part.feature) ? 0 : kMissing, part.link->name);
    }
  }

  [[nodiscard]] const Worst& colors() const { return colors_; }

  // By name, and where several have it, the one that stands where A's does.
  void CompareSensors(Worst& check) const {
    std::unordered_multimap<std::string, const Sensor*> sensors;
    for (const Sensor& sensor : b_.model.sensors) sensors.emplace(sensor.name, &sensor);
    for (const Sensor& sensor : a_.model.sensors) {
      const auto [begin, end] = sensors.equal_range(sensor.name);
      double error = lacks_.MayLack(true, Feature::kSensor) ? 0 : kMissing;
      for (auto at = begin; at != end; ++at) error = at == begin ? Apart(sensor, *at->second) : std::min(error, Apart(sensor, *at->second));
      check.Add(error, sensor.name);
    }
  }

  // Pairs of links that shall not collide, where both sides have both links.
  void CompareExclusions(Worst& check) const {
    const auto compare = [&](const Model& of, const std::vector<LinkId>& counterpart, const Model& other, bool may_lack) {
      std::set<std::pair<LinkId, LinkId>> pairs;
      for (const ContactExclusion& e : other.contact_exclusions) pairs.insert(std::minmax(e.a, e.b));
      for (const ContactExclusion& e : of.contact_exclusions) {
        const LinkId first = counterpart[Index(e.a)], second = counterpart[Index(e.b)];
        if (first == kNoLink || second == kNoLink) continue;
        const bool missing = !may_lack && !pairs.contains(std::minmax(first, second));
        check.Add(missing ? kMissing : 0, of.link(e.a).name + " and " + of.link(e.b).name);
      }
    };
    compare(a_.model, match_.b_of_a, b_.model, lacks_.MayLack(true, Feature::kContactExclusion));
    compare(b_.model, match_.a_of_b, a_.model, lacks_.MayLack(false, Feature::kContactExclusion));
  }

  // A frame of A is a frame of B or a massless link of B, and the other way round.
  void CompareFrames(Worst& check) const {
    std::unordered_map<std::string, std::pair<int, RigidTransform>> places;  // in B: the body and the pose in it
    for (const LinkId id : Links(b_.model)) places[b_.model.link(id).name] = {b_.m.body_of[Index(id)], RigidTransform{}};
    for (const Frame& frame : b_.model.frames) places[frame.name] = {b_.m.body_of[Index(frame.link)], frame.X_LF};
    const auto compare = [&](SubjectKind kind, const std::string& name, LinkId link, const RigidTransform& X_LF, bool may_lack) {
      const std::string mapped = MappedName(options_, kind, name);
      auto place = places.find(mapped);
      if (place == places.end()) place = places.find(MappedName(options_, SubjectKind::kLink, mapped));
      if (place == places.end()) place = places.find(MappedName(options_, SubjectKind::kFrame, mapped));
      const int body = a_.m.body_of[Index(link)];
      const auto group = groups_.b_of_a.find(groups_.a.group[U(body)]);
      if (place == places.end()) return check.Add(may_lack ? 0 : kMissing, name);
      const auto& [body_b, X] = place->second;
      if (group == groups_.b_of_a.end() || group->second.b != groups_.b.group[U(body_b)]) return check.Add(may_lack ? 0 : kMissing, name);
      check.Add(PoseError(group->second.X_ba * groups_.a.X[U(body)] * X_LF, groups_.b.X[U(body_b)] * X, a_.m.length), name);
    };
    for (const Frame& frame : a_.model.frames)
      compare(SubjectKind::kFrame, frame.name, frame.link, frame.X_LF, lacks_.MayLack(true, Feature::kFrame));
    for (const LinkId id : Links(a_.model)) {
      if (match_.b_of_a[Index(id)] == kNoLink && !a_.model.link(id).synthetic && groups_.b_of_a.contains(GroupOf(id)))
        compare(SubjectKind::kLink, a_.model.link(id).name, id, match_.X_ab[Index(id)], true);
    }
  }

 private:
  [[nodiscard]] int GroupOf(LinkId id) const { return groups_.a.group[U(a_.m.body_of[Index(id)])]; }

  [[nodiscard]] double Apart(const Sensor& a, const Sensor& b) const {
    if (a.link == kNoLink || b.link == kNoLink) return 0;  // on a joint
    const int body = a_.m.body_of[Index(a.link)], body_b = b_.m.body_of[Index(b.link)];
    const auto group = groups_.b_of_a.find(groups_.a.group[U(body)]);
    if (group == groups_.b_of_a.end() || group->second.b != groups_.b.group[U(body_b)]) return kMissing;
    return PoseError(group->second.X_ba * groups_.a.X[U(body)] * a.X_LS, groups_.b.X[U(body_b)] * b.X_LS, a_.m.length);
  }

  // Of B's part against A's, which stands in X_ab of B's frame.
  [[nodiscard]] double Error(const Part& a, const Part& b, const RigidTransform& X_ab) const {
    const double error = ShapeError(a.shape, b.shape);
    if (error >= kMissing) return error;
    if (std::holds_alternative<Plane>(a.shape)) {
      const RigidTransform X = X_ab.inverse() * a.X;
      double apart = (X.R.col(2) - b.X.R.col(2)).cwiseAbs().maxCoeff();
      return std::max(apart, std::abs(b.X.R.col(2).dot(X.p - b.X.p)) / a_.m.length);
    }
    return std::max(error, PoseError(X_ab.inverse() * a.X, b.X, a_.m.length));
  }

  void CompareColors(const Part& a, const Part& b) {
    if (a.visual == nullptr) return;
    // MBS colours are whole numbers up to 255; so are those that went through it.
    const bool in_bytes = a_.model.format == "mbs" || b_.model.format == "mbs" || lacks_.MayLack(true, Feature::kMaterialColor);
    const std::optional<Rgba> x = Shown(*a.visual), y = Shown(*b.visual);
    if (x && y) {
      const double error = (*x - *y).cwiseAbs().maxCoeff();
      colors_.Add(in_bytes && error <= 0.5 / 255 + 1e-12 ? 0 : error, a.link->name);
    } else if (x || y) {
      // An MBS shape must have a colour, so a side without one says nothing against it.
      colors_.Add(in_bytes || lacks_.MayLack(x.has_value(), Feature::kMaterialColor) ? 0 : kMissing, a.link->name);
    }
  }

  const Side& a_;
  const Side& b_;
  const Correspondence& match_;
  const RigidGroups& groups_;
  const Tolerance& lacks_;
  const VerifyOptions& options_;
  std::vector<int> group_;  // of A's parts that are left over
  Worst colors_{"colours", 1e-6};
};

}  // namespace

void CompareContent(const Side& a, const Side& b, const Correspondence& match, const RigidGroups& groups, const Tolerance& lacks,
                    const VerifyOptions& options, std::vector<Worst>& checks) {
  Worst visuals("visuals", options.tolerance), collisions("collisions", options.tolerance), frames("frames", options.tolerance),
      gravity("gravity", options.tolerance), drives("drives", options.tolerance), sensors("sensors", options.tolerance),
      exclusions("contact exclusions", 0);
  Content content(a, b, match, groups, lacks, options);
  content.CompareParts(&Link::visuals, Feature::kVisual, visuals);
  content.CompareParts(&Link::collisions, Feature::kCollision, collisions);
  content.CompareFrames(frames);
  content.CompareSensors(sensors);
  content.CompareExclusions(exclusions);
  if (a.model.gravity && b.model.gravity)
    gravity.Add((*a.model.gravity - *b.model.gravity).norm() / std::max(1e-9, a.model.gravity->norm()), "gravity");
  std::unordered_map<std::string, const Actuator*> drives_b;
  for (const Actuator& drive : b.model.actuators) drives_b.emplace(drive.name, &drive);
  for (const Actuator& drive : a.model.actuators) {
    const auto found = drives_b.find(drive.name);
    if (found == drives_b.end()) {
      drives.Add(lacks.MayLack(true, Feature::kActuator) ? 0 : kMissing, drive.name);
    } else {
      drives.Add(RelativeError(drive.gear, found->second->gear, 0), drive.name);
    }
  }
  for (const Worst* check :
       std::initializer_list<const Worst*>{&visuals, &collisions, &content.colors(), &frames, &gravity, &drives, &sensors, &exclusions}) {
    if (!check->check().worst.empty()) checks.push_back(*check);
  }
}

}  // namespace kinemorph::verify
