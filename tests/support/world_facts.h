// What a description says in world axes at its zero configuration, so that two descriptions with
// other link frames, dummy links and joint directions can be compared: masses, inertias, geometry,
// joint anchors and axes, limits, couplings.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "kinemorph/converters/convert.h"
#include "kinemorph/graph/base/overloaded.h"
#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "kinemorph/graph/model/model_dump.h"

namespace kinemorph::test {

/// X_WL of every link at q = 0; roots without a joint stand on the world.
inline std::vector<RigidTransform> PosesAtZero(const Model& model, const SpanningTree& tree) {
  std::vector<RigidTransform> X(model.num_links());
  for (const LinkId link : tree.order) {
    const JointId id = tree.parent_joint[Index(link)];
    if (id == kNoJoint) continue;
    const RigidTransform X_PS = model.joint(id).X_PF * model.joint(id).X_SM.inverse();
    X[Index(link)] =
        X[Index(tree.parent[Index(link)])] * (tree.reversed[Index(link)] ? X_PS.inverse() : X_PS);
  }
  return X;
}

/// Old name -> new name of a conversion, by kind.
class NameMap {
 public:
  NameMap() = default;
  explicit NameMap(const LossReport& report) {
    for (const NameChange& change : report.names)
      names_[std::string(Name(change.kind)) + ":" + change.from] = change.to;
  }
  [[nodiscard]] std::string operator()(const std::string& kind, const std::string& name) const {
    const auto found = names_.find(kind + ":" + name);
    return found == names_.end() ? name : found->second;
  }

 private:
  std::map<std::string, std::string> names_;
};

/// Collects differences as text; empty when there are none.
class Differences {
 public:
  explicit Differences(double tolerance) : tolerance_(tolerance) {}
  void Number(const std::string& what, double a, double b, double scale = 1) {
    if (!(std::abs(a - b) <= tolerance_ * std::max({1.0, std::abs(a), std::abs(b), scale})))
      Say(what + ": " + FormatNumber(a) + " became " + FormatNumber(b));
  }
  void Optional(const std::string& what, const std::optional<double>& a,
                const std::optional<double>& b, bool zero_is_absent = false) {
    const auto value = [&](const std::optional<double>& v) {
      return v && !(zero_is_absent && *v == 0) ? v : std::nullopt;
    };
    if (value(a).has_value() != value(b).has_value())
      return Say(what + ": " + (a ? FormatNumber(*a) : "absent") + " became " +
                 (b ? FormatNumber(*b) : "absent"));
    if (value(a)) Number(what, *a, *b);
  }
  template <class Derived>
  void Matrix(const std::string& what, const Eigen::MatrixBase<Derived>& a,
              const Eigen::MatrixBase<Derived>& b) {
    const double error = (a - b).cwiseAbs().maxCoeff();
    if (!(error <= tolerance_ * std::max(1.0, a.cwiseAbs().maxCoeff())))
      Say(what + ": differs by " + FormatNumber(error));
  }
  void Text(const std::string& what, const std::string& a, const std::string& b) {
    if (a != b) Say(what + ": '" + a + "' became '" + b + "'");
  }
  void Say(std::string text) { items_.push_back(std::move(text)); }
  [[nodiscard]] std::string text() const {
    std::string out;
    for (std::size_t i = 0; i < items_.size() && i < 12; ++i) out += items_[i] + "\n";
    if (items_.size() > 12) out += "... " + std::to_string(items_.size()) + " in all\n";
    return out;
  }

 private:
  double tolerance_;
  std::vector<std::string> items_;
};

/// Type and sizes of a shape, with capsules as what they are lowered to left to the caller.
inline std::string ShapeText(const Shape& shape) {
  const auto n = [](double v) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", v + 0.0);
    return std::string(text);
  };
  return std::visit(
      Overloaded{[&](const Box& s) {
                   return "box " + n(s.size.x()) + " " + n(s.size.y()) + " " + n(s.size.z());
                 },
                 [&](const Sphere& s) { return "sphere " + n(s.radius); },
                 [&](const Cylinder& s) { return "cylinder " + n(s.radius) + " " + n(s.length); },
                 [&](const Capsule& s) { return "capsule " + n(s.radius) + " " + n(s.length); },
                 [&](const Cone& s) { return "cone " + n(s.radius) + " " + n(s.length); },
                 [&](const Ellipsoid& s) {
                   return "ellipsoid " + n(s.radii.x()) + " " + n(s.radii.y()) + " " +
                          n(s.radii.z());
                 },
                 [&](const Plane&) { return std::string("plane"); },
                 [&](const Mesh& s) {
                   return "mesh " + s.uri + " " + n(s.scale.x()) + " " + n(s.scale.y()) + " " +
                          n(s.scale.z());
                 },
                 [&](const Polyline& s) { return "polyline " + n(s.height); },
                 [&](const NativeShape& s) { return "native " + s.type; }},
      shape);
}

struct CompareOptions {
  double tolerance = 1e-9;
  bool geometry = true;
  bool dynamics = true;  ///< damping, friction
  bool velocity = true;
  bool couplings = true;
  bool materials = true;
};

/// Compares what `a` says with what `b` says. `names` maps a's names to b's.
inline std::string CompareInWorld(const Model& a, const Model& b, const NameMap& names,
                                  const CompareOptions& options = {}) {
  Differences d(options.tolerance);
  const SpanningTree ta = ChooseSpanningTree(a), tb = ChooseSpanningTree(b);
  const std::vector<RigidTransform> Xa = PosesAtZero(a, ta), Xb = PosesAtZero(b, tb);
  std::map<std::string, LinkId> links_b;
  for (const LinkId id : Links(b)) links_b[b.link(id).name] = id;
  std::map<std::string, JointId> joints_b;
  for (const JointId id : Joints(b)) joints_b[b.joint(id).name] = id;
  const auto massless = [](const Link& link) { return !link.inertial || link.inertial->mass == 0; };
  const auto match = [&](LinkId id) {
    if (id == kWorld) return kWorld;
    const auto found = links_b.find(names("link", a.link(id).name));
    return found == links_b.end() ? kNoLink : found->second;
  };

  // One rigid motion may lie between the two worlds where the base is free or unsaid; the first
  // massive link tells it.
  RigidTransform X_ba;
  for (const LinkId id : ta.order) {
    if (id == kWorld || massless(a.link(id)) || match(id) == kNoLink || massless(b.link(match(id))))
      continue;
    // By the inertial frame's origin and the link's rotation: re-basing on a joint keeps only what
    // is rigid, so use joint frames below.
    const Inertial &ia = *a.link(id).inertial, &ib = *b.link(match(id)).inertial;
    const RigidTransform Fa = Xa[Index(id)] * ia.X_LI, Fb = Xb[Index(match(id))] * ib.X_LI;
    X_ba = Fb * Fa.inverse();
    if (X_ba.IsNearIdentity(1e-9)) X_ba = {};
    break;
  }
  // Links: mass properties and geometry. Massless links may be gone (frames) or new (pieces of
  // split joints).
  std::map<std::string, std::vector<std::pair<RigidTransform, std::string>>> shapes_a, shapes_b;
  const auto collect =
      [&](const Model& m, const std::vector<RigidTransform>& X,
          std::map<std::string, std::vector<std::pair<RigidTransform, std::string>>>& shapes,
          const RigidTransform& X_base) {
        for (std::uint32_t v = 0; v < m.num_links(); ++v) {
          for (const Visual& visual : m.link(LinkId{v}).visuals) {
            std::string text = "visual " + ShapeText(visual.shape);
            if (options.materials && visual.material && visual.material->diffuse) {
              for (int i = 0; i < 4; ++i) {
                char c[32];
                std::snprintf(c, sizeof c, " %.6g", (*visual.material->diffuse)[i]);
                text += c;
              }
            }
            shapes["all"].push_back({X_base * X[v] * visual.X_LG, text});
          }
          for (const Collision& collision : m.link(LinkId{v}).collisions) {
            shapes["all"].push_back(
                {X_base * X[v] * collision.X_LG, "collision " + ShapeText(collision.shape)});
          }
        }
      };
  double mass_a = 0, mass_b = 0;
  for (const LinkId id : Links(a))
    if (a.link(id).inertial) mass_a += a.link(id).inertial->mass;
  for (const LinkId id : Links(b))
    if (b.link(id).inertial) mass_b += b.link(id).inertial->mass;
  d.Number("total mass", mass_a, mass_b);
  for (const LinkId id : Links(a)) {
    const Link& link = a.link(id);
    if (massless(link)) continue;
    LinkId other = match(id);
    const std::string what = "link '" + link.name + "'";
    if (other == kNoLink)  // its mass may have gone to the massless root it was fixed to
      for (const Frame& frame : b.frames)
        if (frame.name == names("link", link.name)) other = frame.link;
    if (other == kNoLink) {
      d.Say(what + ": is gone");
      continue;
    }
    if (!b.link(other).inertial) {
      d.Say(what + ": has lost its inertial");
      continue;
    }
    const SpatialInertia ia = link.inertial->InLink(), ib = b.link(other).inertial->InLink();
    d.Number(what + " mass", ia.mass, ib.mass);
    const RigidTransform X_a = X_ba * Xa[Index(id)];
    d.Matrix(what + " centre of mass", Vector3(X_a * ia.p_BoBcm),
             Vector3(Xb[Index(other)] * ib.p_BoBcm));
    d.Matrix(what + " inertia", Matrix3(X_a.R * ia.I_BBcm * X_a.R.transpose()),
             Matrix3(Xb[Index(other)].R * ib.I_BBcm * Xb[Index(other)].R.transpose()));
  }
  if (options.geometry) {
    collect(a, Xa, shapes_a, X_ba);
    collect(b, Xb, shapes_b, {});
    const auto key = [](const std::pair<RigidTransform, std::string>& s) {
      char text[96];
      std::snprintf(text, sizeof text, " %.6f %.6f %.6f", s.first.p.x() + 0.0 + 5e-8,
                    s.first.p.y() + 5e-8, s.first.p.z() + 5e-8);
      return s.second + text;
    };
    auto &sa = shapes_a["all"], &sb = shapes_b["all"];
    std::sort(sa.begin(), sa.end(), [&](const auto& x, const auto& y) { return key(x) < key(y); });
    std::sort(sb.begin(), sb.end(), [&](const auto& x, const auto& y) { return key(x) < key(y); });
    d.Number("number of shapes", static_cast<double>(sa.size()), static_cast<double>(sb.size()));
    for (std::size_t i = 0; i < std::min(sa.size(), sb.size()); ++i) {
      d.Text("shape", sa[i].second, sb[i].second);
      if (sa[i].second == sb[i].second)
        d.Matrix(sa[i].second + " place", sa[i].first.p, sb[i].first.p);
    }
  }
  // Joints. A joint may be turned round (axis negated) and its ends may be dummy links.
  for (const JointId id : Joints(a)) {
    const Joint& joint = a.joint(id);
    if (joint.implicit || std::holds_alternative<Fixed>(joint.kind) ||
        std::holds_alternative<Free>(joint.kind))
      continue;
    const auto found = joints_b.find(names("joint", joint.name));
    const std::string what = "joint '" + joint.name + "'";
    if (found == joints_b.end()) {
      d.Say(what + ": is gone");
      continue;
    }
    const Joint& other = b.joint(found->second);
    d.Text(what + " kind", std::string(KindName(joint.kind)), std::string(KindName(other.kind)));
    if (joint.kind.index() != other.kind.index()) continue;
    const auto frame = [](const Model& m, const std::vector<RigidTransform>& X, JointId j) {
      return X[Index(m.successor(j))] * m.joint(j).X_SM;
    };
    const RigidTransform Fa = X_ba * frame(a, Xa, id), Fb = frame(b, Xb, found->second);
    const bool turned =
        match(a.successor(id)) != kNoLink && match(a.successor(id)) == b.predecessor(found->second);
    const std::vector<Vector3> axes_a = AxesOf(joint.kind), axes_b = AxesOf(other.kind);
    const bool slides =
        std::holds_alternative<Prismatic>(joint.kind) || std::holds_alternative<Planar>(joint.kind);
    if (!slides && axes_a.size() != 1) d.Matrix(what + " anchor", Fa.p, Fb.p);
    if (!slides && axes_a.size() == 1)
      d.Number(what + " anchor off its axis", 0, (Fb.p - Fa.p).cross(Fa.R * axes_a[0]).norm());
    for (std::size_t i = 0; i < axes_a.size(); ++i) {
      const std::size_t j = turned ? axes_a.size() - 1 - i : i;
      d.Matrix(what + " axis", Vector3(Fa.R * axes_a[i] * (turned ? -1 : 1)),
               Vector3(Fb.R * axes_b[j]));
    }
    for (std::size_t i = 0; i < std::min(joint.axes.size(), other.axes.size()); ++i) {
      const JointAxis &x = joint.axes[i], &y = other.axes[turned ? joint.axes.size() - 1 - i : i];
      d.Optional(what + " lower", x.lower, y.lower);
      d.Optional(what + " upper", x.upper, y.upper);
      d.Optional(what + " effort", x.effort, y.effort);
      if (options.velocity) d.Optional(what + " velocity", x.velocity, y.velocity);
      if (options.dynamics) d.Optional(what + " damping", x.damping, y.damping, true);
      if (options.dynamics) d.Optional(what + " friction", x.friction, y.friction, true);
    }
  }
  d.Number("number of loops", static_cast<double>(ta.loop_joints.size()),
           static_cast<double>(tb.loop_joints.size()));
  if (options.couplings) {
    // Rows as name -> coefficient, scaled so that the largest coefficient's name-first is 1.
    const auto rows = [&](const Model& m, bool map) {
      std::multiset<std::string> out;
      for (const Coupling& c : m.couplings) {
        std::map<std::string, double> row;
        bool linear = true;
        for (const CouplingTerm& t : c.terms) {
          const std::string& name = m.joint(t.coordinate.joint).name;
          row[(map ? names("joint", name) : name) + "/" + std::to_string(t.coordinate.axis)] +=
              t.coefficients[0];
          linear = linear && t.coefficients[1] == 0;
        }
        if (!linear || row.empty()) continue;
        const double scale = row.begin()->second;
        std::string text;
        for (const auto& [name, value] : row) {
          char c2[48];
          std::snprintf(c2, sizeof c2, " %.8g", value / scale);
          text += name + c2 + " ";
        }
        char c3[48];
        std::snprintf(c3, sizeof c3, "= %.8g", c.constant / scale + 0.0);
        out.insert(text + c3);
      }
      return out;
    };
    const auto ra = rows(a, true), rb = rows(b, false);
    for (const std::string& row : ra)
      if (!rb.count(row)) d.Say("coupling " + row + ": is gone");
  }
  return d.text();
}

}  // namespace kinemorph::test
