// <composite type="cable">: the chain of bodies that MuJoCo makes of it. Its numbers are MuJoCo's:
// points are rounded to single precision, and no default class plays a part.
#include <cmath>
#include <numbers>

#include "native.h"
#include "read/reader.h"
#include "xml_writer.h"

namespace kinemorph::mjcf {
namespace {

constexpr std::string_view kCablePlugin = "mujoco.elasticity.cable";
constexpr std::size_t kMaxPoints = 4000;

// The pose of each body follows from rounded points, so the rounding is part of the result: in
// double precision each body would stand a rounding error of single precision off.
using Point = Eigen::Vector3f;

Vector3 UnitOrSame(const Vector3& v) {
  const double square = v.squaredNorm();
  return square < kTiny ? v : Vector3(v / std::sqrt(square));
}

// Of the columns of `R`, also where some of them vanish: MuJoCo's choice among the four ways.
// With two columns of zeros, of a straight cable, R is no rotation; which branch is taken decides
// what comes out.
Eigen::Vector4d QuaternionOfColumns(const Matrix3& R) {
  Eigen::Vector4d q = Eigen::Vector4d::Zero();
  if (R.trace() > 0) {
    q[0] = 0.5 * std::sqrt(1 + R.trace());
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;

      // The largest diagonal element first; then the others from sums of mirrored elements.
      q[i + 1] = 0.25 * (R(k, j) - R(j, k)) / q[0];
    }
  } else {
    const int i = R(0, 0) > R(1, 1) && R(0, 0) > R(2, 2) ? 0 : R(1, 1) > R(2, 2) ? 1 : 2;
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    q[i + 1] = 0.5 * std::sqrt(1 + R(i, i) - R(j, j) - R(k, k));
    q[0] = 0.25 * (R(k, j) - R(j, k)) / q[i + 1];
    q[j + 1] = 0.25 * (R(j, i) + R(i, j)) / q[i + 1];
    q[k + 1] = 0.25 * (R(k, i) + R(i, k)) / q[i + 1];
  }
  return q.normalized();
}

// Frames along a chain of edges: x along the edge; y is the normal of the first corner, carried on
// by the smallest turn at each corner. A cable that starts straight has none, and MuJoCo takes
// what the x axis alone says.
class MovingFrame {
 public:
  MovingFrame(const Vector3& first, const Vector3& next) : tangent_(UnitOrSame(first)) {
    const Vector3 binormal = UnitOrSame(tangent_.cross(UnitOrSame(next)));
    normal_ = UnitOrSame(binormal.cross(tangent_));
    Set(binormal);
  }
  void Turn(const Vector3& edge) {
    const Vector3 before = tangent_;
    tangent_ = UnitOrSame(edge);
    const Vector3 turn = before.cross(tangent_);
    if (turn.squaredNorm() >= kTiny) {
      const double angle = std::atan2(turn.norm(), before.dot(tangent_));
      normal_ = UnitOrSame(RotationAbout(turn.normalized(), angle) * normal_);
    }
    Set(UnitOrSame(tangent_.cross(normal_)));
  }
  [[nodiscard]] const Matrix3& R() const { return R_; }

 private:
  void Set(const Vector3& binormal) {
    Matrix3 columns;
    columns << tangent_, normal_, binormal;
    const Eigen::Vector4d q = QuaternionOfColumns(columns);
    R_ = RotationFromQuaternion(q[0], q[1], q[2], q[3]);
  }

  // The body frame has x along the edge, so that the geom and the next body lie on it.
  static Matrix3 RotationAbout(const Vector3& axis, double angle) {
    return Eigen::AngleAxisd(angle, axis).toRotationMatrix();
  }
  Vector3 tangent_, normal_;
  Matrix3 R_;
};

std::string NameOf(const xml::Element& element) {
  return "composite '" + element.Attribute("prefix", "") + "'";
}

Diagnostic& Refuse(const xml::Element& element, const std::string& why) {
  return element.Error("composite-wrong", {NameOf(element), why});
}

// MuJoCo does not normalise this quaternion, and a file may count on the scale it brings.
// v + 2 r x (w v + r x v), also for a quaternion that is not of length one.
Vector3 Turned(const Vector3& v, const xml::NumberList& q) {
  const Vector3 r(q[1], q[2], q[3]);
  return v + 2 * r.cross(q[0] * v + r.cross(v));
}

std::vector<Point> WrittenPoints(const xml::Element& element, const xml::NumberList& numbers,
                                 int count) {
  if (count > 1) {
    Refuse(element, "both 'vertex' and 'count' say how many points it has");
    return {};
  }
  if (numbers.size() % 3 != 0 || numbers.size() < 6) {
    Refuse(element, "'vertex' must hold at least two points of three numbers each");
    return {};
  }
  std::vector<Point> points;
  for (std::size_t i = 0; i < numbers.size(); i += 3)
    points.push_back(Vector3(numbers[i], numbers[i + 1], numbers[i + 2]).cast<float>());
  return points;
}

// One coordinate of the point at `s` from 0 to 1.
std::optional<double> OnCurve(std::string_view shape, const Vector3& size, double i, double last) {
  if (shape == "s") return i * size[0] / last;
  if (shape == "cos(s)") return size[1] * std::cos(std::numbers::pi * i * size[2] / last);
  if (shape == "sin(s)") return size[1] * std::sin(std::numbers::pi * i * size[2] / last);
  if (shape == "0") return 0;
  return std::nullopt;
}

std::vector<Point> CurvePoints(const xml::Element& element, int count) {
  const auto size = element.Numbers("size", 1, 3);
  Vector3 sizes(1, 0, 0);
  for (std::size_t i = 0; size && i < size->size(); ++i)
    sizes[static_cast<Eigen::Index>(i)] = (*size)[i];
  if (count < 2) {
    Refuse(element, "'count' must be N 1 1 with at least 2 points along the cable");
    return {};
  }
  const std::string curve = element.Attribute("curve", "");
  const std::vector<std::string_view> shapes = xml::SplitWords(curve);
  const auto quat = element.Numbers("quat", 4);
  std::vector<Point> points;
  // s runs from 0 to 1 along the cable; size is its length, radius and number of half turns.
  for (int i = 0; i < count; ++i) {
    Vector3 point = Vector3::Zero();
    for (std::size_t k = 0; k < shapes.size(); ++k) {
      const auto at = k < 3 ? OnCurve(shapes[k], sizes, i, count - 1) : std::nullopt;
      if (!at) {
        Refuse(element,
               "'curve' is '" + curve + "', expected up to three words: s, cos(s), sin(s) or 0");
        return {};
      }
      point[static_cast<Eigen::Index>(k)] = *at;
    }
    points.push_back((quat ? Turned(point, *quat) : point).cast<float>());
  }
  return points;
}

// Empty (reported) where they are wrong.
std::vector<Point> ReadPoints(const xml::Element& element) {
  const auto counts = element.Numbers("count", 1, 3);
  const auto count = [&](std::size_t i) { return counts && i < counts->size() ? (*counts)[i] : 1; };
  // Only the first count says anything about a cable: the others are of grids, which are gone.
  if (count(1) != 1 || count(2) != 1 || count(0) != std::floor(count(0)) || count(0) > kMaxPoints) {
    Refuse(element, "'count' must be N 1 1 with at most " + std::to_string(kMaxPoints) +
                        " points along the cable");
    return {};
  }
  const auto vertices = element.Numbers("vertex", 0, 3 * kMaxPoints);
  const int along = static_cast<int>(std::max(count(0), 0.0));
  std::vector<Point> points =
      vertices ? WrittenPoints(element, *vertices, along) : CurvePoints(element, along);
  // Two points in one place give an edge without a direction.
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    if ((points[i + 1] - points[i]).cast<double>().squaredNorm() >= kTiny) continue;
    Refuse(element, "points " + std::to_string(i) + " and " + std::to_string(i + 1) +
                        " of the cable coincide");
    return {};
  }
  return points;
}

// What of the child elements every body of the cable gets.
struct CableParts {
  std::string initial = "ball", shape;
  AttributeList joint, geom, site;
  std::vector<double> size;
};

bool ReadParts(const xml::Element& element, CableParts& parts) {
  parts.initial = element.Attribute("initial", "ball");
  if (parts.initial != "free" && parts.initial != "ball" && parts.initial != "none") {
    Refuse(element, "'initial' is '" + parts.initial + "', expected free, ball or none");
    return false;
  }
  if (const xml::Element geom = element.Child("geom")) {
    const Attributes attributes(geom);
    parts.shape = geom.Attribute("type", "sphere");
    // Attributes that MuJoCo copies to every body; anything else at these elements stays unread and
    // is said.
    parts.geom = AttributesOnly(
        attributes, {"contype", "conaffinity", "condim", "group", "priority", "friction", "solmix",
                     "solref", "solimp", "margin", "gap", "surfacevel", "adhesion", "material",
                     "rgba", "mass", "density"});
    parts.size = attributes.Overlaid("size", {0, 0, 0});
  }
  if (parts.shape != "capsule" && parts.shape != "cylinder" && parts.shape != "box") {
    Refuse(element, "the cable needs a <geom> of type capsule, cylinder or box");
    return false;
  }
  // MuJoCo gives the sites of a cable group 3, which viewers hide, unless the cable says another.
  SetAttribute(parts.site, "group", "3");
  if (const xml::Element site = element.Child("site")) {
    for (auto& [name, value] :
         AttributesOnly(Attributes(site), {"size", "group", "material", "rgba"}))
      SetAttribute(parts.site, name, std::move(value));
  }
  std::size_t joints = 0;
  for (const xml::Element joint : element.Children("joint")) {
    if (++joints > 1) {
      Refuse(joint, "only one <joint kind=\"main\"> describes the joints of a cable");
      return false;
    }
    if (const std::string kind = joint.Attribute("kind", ""); kind != "main") {
      Refuse(joint, "kind '" + kind + "' of its <joint> is none of a cable; write main");
      return false;
    }
    parts.joint =
        AttributesOnly(Attributes(joint),
                       {"group", "solreflimit", "solimplimit", "solreffriction", "solimpfriction",
                        "stiffness", "range", "margin", "armature", "damping", "frictionloss"});
  }
  return true;
}

void WriteAttributes(xml::Writer& writer, const AttributeList& attributes) {
  for (const auto& [name, value] : attributes) writer.Attribute(name, value);
}

// B_first, B_1, B_2, ..., B_last.
std::string PartName(const std::string& prefix, const char* kind, std::size_t i, std::size_t last) {
  return prefix + kind + (i == 0 ? "first" : i == last ? "last" : std::to_string(i));
}

// Of a free joint there is nothing to limit or to damp by turning.
void WriteJoint(xml::Writer& writer, const CableParts& parts, const std::string& name, bool free) {
  writer.Open("joint").Attribute("name", name).Attribute("type", free ? "free" : "ball");
  for (const auto& [attribute, value] : parts.joint) {
    const bool of_turning = attribute == "armature" || attribute == "damping" ||
                            attribute == "frictionloss" || attribute == "range";
    if (!free || !of_turning) writer.Attribute(attribute, value);
  }
  writer.Close();
}

void WriteGeom(xml::Writer& writer, const CableParts& parts, const std::string& name,
               double length) {
  writer.Open("geom").Attribute("name", name).Attribute("type", parts.shape);
  if (parts.shape == "box") {
    writer.Attribute("pos", Vector3(length / 2, 0, 0));
    writer.Attribute("size", Vector3(length / 2, parts.size[1], parts.size[2]));
  } else {
    writer.Attribute("fromto", {0, 0, 0, length, 0, 0});
    writer.Attribute("size", parts.size[0]);
  }
  WriteAttributes(writer, parts.geom);
  writer.Close();
}

// Body i stands at the end of edge i - 1 of the body before, turned by the change of the moving
// frame; the first one stands at the first point.
// The bodies one after the other; each hangs on the one before.
std::string CableText(const std::vector<Point>& points, const CableParts& parts,
                      const std::string& prefix, const Vector3& offset) {
  const std::size_t last = points.size() - 2;
  const auto edge = [&](std::size_t i) -> Vector3 {
    return i > last ? Vector3::Zero() : Vector3(Point(points[i + 1] - points[i]).cast<double>());
  };
  xml::Writer writer(false);
  writer.Open("made");
  MovingFrame frame(edge(0), edge(1));
  Matrix3 R_before = Matrix3::Identity();
  for (std::size_t i = 0; i <= last; ++i) {
    if (i > 0) frame.Turn(edge(i));
    writer.Open("body").Attribute("name", PartName(prefix, "B_", i, last));
    writer.Attribute("pos", i == 0 ? Vector3(offset + points[0].cast<double>())
                                   : Vector3(edge(i - 1).norm(), 0, 0));
    writer.Attribute("quat", QuaternionText(R_before.transpose() * frame.R()));
    R_before = frame.R();
    if (i > 0 || parts.initial != "none")
      WriteJoint(writer, parts, PartName(prefix, "J_", i, last), i == 0 && parts.initial == "free");
    WriteGeom(writer, parts, prefix + "G" + std::to_string(i), edge(i).norm());
    if (i == 0 || i == last) {
      writer.Open("site").Attribute("name", PartName(prefix, "S_", i, last));
      writer.Attribute("pos", Vector3(i == last ? edge(i).norm() : 0, 0, 0));
      WriteAttributes(writer, parts.site);
      writer.Close();
    }
    writer.Close();
  }
  writer.Close();
  return std::move(writer).text();
}

}  // namespace

void Reader::ReadComposite(const Item& item, LinkId parent) {
  const xml::Element& element = item.element;
  element.Consume();
  const std::string type = element.Attribute("type", ""), prefix = element.Attribute("prefix", "");
  if (type != "cable") {
    incomplete_ = true;
    model_.link(parent).native.push_back(Unread(element));
    element.Warn("mjcf-composite",
                 {NameOf(element), "the bodies of type '" + type +
                                       "' are not read; MuJoCo makes cables alone since 3.0"});
    return;
  }
  CableParts parts;
  const std::vector<Point> points =
      ReadParts(element, parts) ? ReadPoints(element) : std::vector<Point>();
  if (points.empty()) return element.ConsumeAll();  // why was told
  const std::vector<xml::Element> bodies = MadeBodies(
      element, CableText(points, parts, prefix, element.Vector("offset").value_or(Vector3::Zero())),
      // A body has a joint, a geom and perhaps a site: four elements for each.
      points.size() * 4);
  const std::string instance = ReadCablePlugin(element, prefix);
  LinkId above = parent;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    // Only the first body sees the frame around the cable; the others stand in one another.
    const Item body = {bodies[i], i == 0 ? item.X_BF : RigidTransform(), &no_defaults_, item.suffix,
                       i == 0 ? item.frame : -1};
    const LinkId link = ReadBody(body, above).link;
    // Neighbours overlap at their common point.
    if (i > 0) model_.contact_exclusions.push_back({above, link, element.where(), ""});
    if (!instance.empty())
      model_.link(link).native.push_back(MakeNative(element, "plugin", {{"instance", instance}}));
    above = link;
  }
  if (const xml::Element skin = element.Child("skin")) {
    model_.link(parent).native.push_back(Unread(skin));
    model_.link(parent).native.back().element = "composite/skin";
    skin.Warn("mjcf-skin", {NameOf(element), "its skin is not read; its geoms are"});
  }
}

// The plugin that bends a cable is one instance that all of its bodies name.
std::string Reader::ReadCablePlugin(const xml::Element& composite, const std::string& prefix) {
  const xml::Element plugin = composite.Child("plugin");
  if (!plugin) return "";
  plugin.Warn("mjcf-plugin", {"plugin of " + NameOf(composite),
                              "only MJCF keeps this; other targets lose the bending of the cable"});
  if (const auto instance = plugin.Attribute("instance")) return std::string(*instance);
  const std::string name = "composite" + prefix;
  NativeElement made{.name = "instance", .attributes = {{"name", name}}};
  for (const xml::Element config : plugin.Children("config"))
    made.children.push_back(config.Native().content);
  NativeElement extension{.name = "extension"};
  NativeElement& kind = extension.Add("plugin");
  kind.attributes = {{"plugin", std::string(plugin.Attribute("plugin", kCablePlugin))}};
  kind.children.push_back(std::move(made));
  model_.native.push_back({"mjcf", "extension", std::move(extension), plugin.where()});
  return name;
}

}  // namespace kinemorph::mjcf
