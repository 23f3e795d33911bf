// <flexcomp>: the bodies that MuJoCo makes of it. What makes them one soft body (edges, elasticity,
// contact of the flex) has no place in a model and is a loss for every target.
#include <algorithm>
#include <cmath>

#include "native.h"
#include "read/flex_points.h"
#include "read/orientation.h"
#include "read/reader.h"
#include "xml_writer.h"

namespace kinemorph::mjcf {
namespace {

constexpr double kMaxFlexPoints = 20'000;
constexpr std::size_t kMaxPins = 400'000;  // also where they are named again and again

// Whole numbers of an attribute.
using Indices = std::vector<int>;

std::string FlexNameOf(const xml::Element& element) {
  return "flexcomp '" + element.Attribute("name", "") + "'";
}

Diagnostic& RefuseFlex(const xml::Element& element, const std::string& why) {
  return element.Error("flexcomp-wrong", {FlexNameOf(element), why});
}

// A number that can name no point becomes -1, so that the check of the index refuses it.
Indices ReadIndices(const xml::Element& element, const char* attribute) {
  Indices indices;
  const auto numbers = element.Numbers(attribute, 0, static_cast<std::size_t>(30 * kMaxFlexPoints));
  for (std::size_t i = 0; numbers && i < numbers->size(); ++i) {
    const double n = (*numbers)[i];
    indices.push_back(n == std::floor(n) && n >= 0 && n <= kMaxFlexPoints ? static_cast<int>(n)
                                                                          : -1);
  }
  return indices;
}

// The corners (order 1), or 27 points (order 2), of the box that takes part in place of the points.
// Weights by Simpson's rule in each direction: 1/6, 2/3, 1/6. The nodes share the mass of the body
// by them.
struct Node {
  std::array<int, 3> at;
  double weight;
};
std::vector<Node> NodesOfBox(int order) {
  std::vector<Node> nodes;
  const auto weight = [&](int i) { return order == 1 ? 1.0 : i == 1 ? 2.0 / 3 : 1.0 / 6; };
  for (int i = 0; i <= order; ++i)
    for (int j = 0; j <= order; ++j)
      for (int k = 0; k <= order; ++k)
        nodes.push_back({{i, j, k}, weight(i) * weight(j) * weight(k)});
  return nodes;
}

// A body of a flex: a point mass with sliders.
struct FlexBody {
  std::string name;
  Vector3 pos;
  double mass;
  std::vector<Vector3> axes;
};

std::string FlexText(const std::vector<FlexBody>& bodies, double half_side) {
  xml::Writer writer(false);
  writer.Open("made");
  for (const FlexBody& body : bodies) {
    // A point mass would have no inertia, which MuJoCo refuses for a moving body: it is a cube of
    // inertiabox.
    const double inertia = body.mass * 2 * half_side * half_side / 3;
    writer.Open("body").Attribute("name", body.name).Attribute("pos", body.pos);
    writer.Open("inertial").Attribute("pos", Vector3(0, 0, 0)).Attribute("mass", body.mass);
    writer.Attribute("diaginertia", Vector3(inertia, inertia, inertia)).Close();
    for (const Vector3& axis : body.axes) {
      writer.Open("joint").Attribute("type", "slide").Attribute("pos", Vector3(0, 0, 0));
      writer.Attribute("axis", axis).Close();
    }
    writer.Close();
  }
  writer.Close();
  return std::move(writer).text();
}

// One <flexcomp> on its way to bodies.
class Flex {
 public:
  Flex(const xml::Element& element, const CompilerSettings& compiler)
      : element_(element), compiler_(compiler) {}

  /// False (reported) where it is wrong.
  [[nodiscard]] bool Read() {
    shape_.type = element_.Attribute("type", "grid");
    dof_ = element_.Attribute("dof", "full");
    rigid_ = element_.Boolean("rigid").value_or(false);
    const double dim = element_.Number("dim", 2);
    if (dim != 1 && dim != 2 && dim != 3) return Say("'dim' must be 1, 2 or 3");
    shape_.dim = shape_.type == "square" || shape_.type == "disc" ? 2 : static_cast<int>(dim);
    if (!Is(dof_, {"full", "radial", "trilinear", "quadratic", "2d"}))
      return Say("'dof' is '" + dof_ + "', expected full, radial, trilinear, quadratic or 2d");
    if (!Is(shape_.type, {"grid", "box", "cylinder", "ellipsoid", "square", "disc", "circle",
                          "mesh", "gmsh", "direct"}))
      return Say("type '" + shape_.type + "' is not known");
    mass_ = element_.Number("mass", 1), half_side_ = element_.Number("inertiabox", 0.005);
    if (!(mass_ > kTiny) || !(half_side_ > kTiny))
      return Say("'mass' and 'inertiabox' must be positive");
    if (!ReadCounts()) return false;
    if (const auto spacing = element_.Vector("spacing")) shape_.spacing = *spacing;
    return true;
  }
  /// Why its bodies are not known; empty where they are.
  [[nodiscard]] std::string Unknown() const {
    if (rigid_) return "";
    if (FromFile()) return "its points are in a file";
    if (element_.Has("cellcount")) return "cells divide it";
    return "";
  }
  [[nodiscard]] bool rigid() const { return rigid_; }
  [[nodiscard]] double half_side() const { return half_side_; }

  /// Nothing (reported) where it is wrong.
  [[nodiscard]] std::optional<std::vector<FlexBody>> Bodies() {
    if (rigid_) return std::vector<FlexBody>();
    if (!ReadPoints()) return std::nullopt;
    // Where a box takes part in place of the points, pins count its nodes, not the points.
    pin_grid_ = IsBox() ? std::array<int, 3>{Order() + 1, Order() + 1, Order() + 1} : shape_.count;
    pinned_.assign(IsBox() ? NodesOfBox(Order()).size() : points_.size(), false);
    for (const xml::Element pin : element_.Children("pin"))
      if (!Pin(pin)) return std::nullopt;
    // Radial bodies slide from a middle that is point 0 and does not move.
    if (dof_ == "radial") pinned_[0] = true;
    // Where all is pinned nothing moves, and the whole is a shape of the parent.
    rigid_ = std::find(pinned_.begin(), pinned_.end(), false) == pinned_.end();
    if (rigid_) return std::vector<FlexBody>();
    if (IsBox()) return BodiesOfBox();  // around all points, used or not
    if (shape_.type == "direct" && !LeaveOutUnused()) return std::nullopt;
    return BodiesOfPoints();
  }

 private:
  static bool Is(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
  }
  bool Say(const std::string& why) const {
    RefuseFlex(element_, why);
    return false;
  }
  [[nodiscard]] bool FromFile() const { return shape_.type == "mesh" || shape_.type == "gmsh"; }
  [[nodiscard]] bool IsBox() const { return dof_ == "trilinear" || dof_ == "quadratic"; }
  [[nodiscard]] int Order() const { return dof_ == "trilinear" ? 1 : 2; }

  bool ReadCounts() {
    const auto counts = element_.Vector("count");
    // Bounds before loops: three counts of a thousand would be 1e9 points.
    double all = 1;
    for (std::size_t i = 0; counts && i < 3; ++i) {
      const double n = (*counts)[static_cast<Eigen::Index>(i)];
      if (!(n >= 1) || n != std::floor(n)) return Say("'count' must be three whole numbers from 1");
      all *= n;
      if (all > kMaxFlexPoints)
        return Say("'count' makes more than " + std::to_string(static_cast<int>(kMaxFlexPoints)) +
                   " points");
      shape_.count[i] = static_cast<int>(n);
    }
    return true;
  }

  bool ReadPoints() {
    if (shape_.type == "direct") {
      const auto numbers =
          element_.Numbers("point", 0, static_cast<std::size_t>(3 * kMaxFlexPoints));
      if (!numbers || numbers->empty() || numbers->size() % 3 != 0)
        return Say("'point' must hold three numbers for each point");
      const Vector3 scale = element_.Vector("scale").value_or(Vector3(1, 1, 1));
      for (std::size_t i = 0; i < numbers->size(); i += 3)
        points_.push_back(
            Vector3((*numbers)[i], (*numbers)[i + 1], (*numbers)[i + 2]).cwiseProduct(scale));
    } else {
      points_ = FlexPoints(shape_);
      if (points_.size() < 2) return Say("'count' is too small for type '" + shape_.type + "'");
    }
    // The points are placed in the body before the slides are made, so that their axes are those of
    // the body.
    const RigidTransform X = ReadPose(Attributes(element_), compiler_);
    for (Vector3& point : points_) point = X * point;
    return true;
  }

  [[nodiscard]] bool PinPoint(int index) {
    if (++pins_ > kMaxPins)
      return Say("its <pin> elements name more than " + std::to_string(kMaxPins) + " points");
    if (index < 0 || static_cast<std::size_t>(index) >= pinned_.size())
      return Say(
          "a <pin> names a point that the flexcomp does not have; the number of its points is " +
          std::to_string(pinned_.size()));
    pinned_[static_cast<std::size_t>(index)] = true;
    return true;
  }
  [[nodiscard]] int GridPoint(const std::array<int, 3>& at) const {
    const int in_plane = at[0] * pin_grid_[1] + at[1];
    return shape_.dim == 2 ? in_plane : in_plane * pin_grid_[2] + at[2];
  }
  // The block of the grid from `low` to `high`.
  [[nodiscard]] bool PinBlock(const std::array<int, 3>& low, const std::array<int, 3>& high) {
    for (std::size_t k = 0; k < 3; ++k)
      if (low[k] < 0 || high[k] >= pin_grid_[k])
        return Say("a <pin> goes beyond the grid of its points");
    for (int x = low[0]; x <= high[0]; ++x)
      for (int y = low[1]; y <= high[1]; ++y)
        for (int z = low[2]; z <= high[2]; ++z)
          if (!PinPoint(GridPoint({x, y, z}))) return false;
    return true;
  }
  bool Pin(const xml::Element& pin) {
    for (const int id : ReadIndices(pin, "id"))
      if (!PinPoint(id)) return false;
    const Indices ranges = ReadIndices(pin, "range"), grid = ReadIndices(pin, "grid"),
                  blocks = ReadIndices(pin, "gridrange");
    const auto dim = static_cast<std::size_t>(shape_.dim);
    // A range is two points, a grid point `dim` numbers, a block two grid points. A row has no
    // grid.
    if (ranges.size() % 2 != 0 || grid.size() % dim != 0 || blocks.size() % (2 * dim) != 0 ||
        (dim == 1 && !(grid.empty() && blocks.empty())))
      return Say("a <pin> has too few or too many numbers for its dim");
    for (std::size_t i = 0; i < ranges.size(); i += 2)
      for (int id = ranges[i]; id <= ranges[i + 1]; ++id)
        if (!PinPoint(id)) return false;
    const auto place = [&](const Indices& from, std::size_t i) {
      return std::array<int, 3>{from[i], from[i + 1], dim == 3 ? from[i + 2] : 0};
    };
    for (std::size_t i = 0; i < grid.size(); i += dim)
      if (!PinBlock(place(grid, i), place(grid, i))) return false;
    for (std::size_t i = 0; i < blocks.size(); i += 2 * dim)
      if (!PinBlock(place(blocks, i), place(blocks, i + dim))) return false;
    return true;
  }

  // Points that no element names are no bodies, and have no numbers.
  bool LeaveOutUnused() {
    std::vector<bool> used(points_.size(), false);
    for (const int index : ReadIndices(element_, "element")) {
      if (index < 0 || static_cast<std::size_t>(index) >= used.size())
        return Say("'element' names a point that it does not have");
      used[static_cast<std::size_t>(index)] = true;
    }
    std::size_t kept = 0;
    for (std::size_t i = 0; i < used.size(); ++i) {
      if (!used[i]) continue;
      points_[kept] = points_[i];
      pinned_[kept++] = pinned_[i];
    }
    points_.resize(kept);
    return kept > 0 || Say("'element' is missing");
  }

  [[nodiscard]] std::vector<Vector3> AxesAt(const Vector3& point) const {
    if (dof_ == "radial") {
      const double square = point.squaredNorm();
      return {square < kTiny ? point : Vector3(point / std::sqrt(square))};
    }
    std::vector<Vector3> axes = {Vector3::UnitX(), Vector3::UnitY()};
    if (dof_ != "2d") axes.emplace_back(Vector3::UnitZ());
    return axes;
  }
  [[nodiscard]] std::vector<FlexBody> BodiesOfPoints() const {
    const std::string name = element_.Attribute("name", "");
    std::vector<FlexBody> bodies;
    for (std::size_t i = 0; i < points_.size(); ++i)
      if (!pinned_[i])
        bodies.push_back({name + "_" + std::to_string(i), points_[i],
                          mass_ / static_cast<double>(points_.size()), AxesAt(points_[i])});
    return bodies;
  }
  [[nodiscard]] std::vector<FlexBody> BodiesOfBox() {
    const int order = Order();
    Vector3 low = points_.front(), high = low;
    for (const Vector3& point : points_) low = low.cwiseMin(point), high = high.cwiseMax(point);
    const std::string name = element_.Attribute("name", "");
    const std::vector<Node> nodes = NodesOfBox(order);
    const std::string shell = element_.Child("elasticity").Attribute("elastic2d", "none");

    // A shell has nothing that holds its inner node.
    if (order == 2 && shell != "none") pinned_[13] = true;  // the one inside
    std::vector<FlexBody> bodies;
    double total = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (pinned_[i]) continue;
      const auto& [at, weight] = nodes[i];
      const Vector3 s = Vector3(at[0], at[1], at[2]) / order;
      bodies.push_back({name, low + s.cwiseProduct(high - low), weight, AxesAt(s)});
      for (const int index : at) bodies.back().name += "_" + std::to_string(index);
      total += weight;
    }
    // MuJoCo gives the mass to the nodes that move; pinned ones leave their share to the others.
    for (FlexBody& body : bodies) body.mass *= mass_ / total;
    return bodies;
  }

  const xml::Element& element_;
  const CompilerSettings& compiler_;
  FlexShape shape_;
  std::string dof_;
  bool rigid_ = false;
  double mass_ = 1, half_side_ = 0.005;
  std::vector<Vector3> points_;
  std::array<int, 3> pin_grid_ = {};
  std::vector<bool> pinned_;
  std::size_t pins_ = 0;
};

}  // namespace

// MuJoCo puts a flexcomp into its body, whatever frame it stands in.
void Reader::ReadFlexcomp(const Item& item, LinkId parent) {
  const xml::Element& element = item.element;
  element.Consume();
  Flex flex(element, compiler_);
  if (!flex.Read()) return element.ConsumeAll();  // why was told
  const std::string unknown = flex.Unknown();
  if (!unknown.empty()) {
    // What refers to bodies that are not made must not count as an error in the rest of the file.
    incomplete_ = true;
    model_.link(parent).native.push_back(Unread(element));
    element.Warn("mjcf-flexcomp-unread",
                 {FlexNameOf(element),
                  "its bodies are not read, because " + unknown + "; the soft body is missing"});
    return;
  }
  const auto bodies = flex.Bodies();
  if (!bodies) return element.ConsumeAll();
  const std::string text = FlexText(*bodies, flex.half_side());
  // A body of a flex has at most an inertial, three joints and itself: five elements.
  for (const xml::Element& body : MadeBodies(element, text, bodies->size() * 5))
    static_cast<void>(ReadBody({body, {}, item.childclass, item.suffix, -1}, parent));
  model_.link(parent).native.push_back(Unread(element));
  const std::string body = "'" + (parent == kWorld ? "world" : model_.link(parent).name) + "'";
  element.Warn(
      "mjcf-flexcomp",
      FlexNameOf(element) +
          (flex.rigid()
               ? ": the flexcomp is rigid and a shape of body " + body +
                     "; kinemorph does not read this shape"
               : ": its " + std::to_string(bodies->size()) +
                     " bodies are read; the edges, elasticity and contact that make them one soft "
                     "body are not"));
}

}  // namespace kinemorph::mjcf
