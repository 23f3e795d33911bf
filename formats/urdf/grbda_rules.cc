// GRBDA's rules, cluster by cluster.
#include "kinemorph/formats/grbda_rules.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "kinemorph/graph/connectivity/lacg.h"
#include "kinemorph/graph/mechanics/coordinates.h"
#include "kinemorph/graph/mechanics/kinematics.h"
#include "kinemorph/graph/mechanics/planar_loop.h"

namespace kinemorph {
namespace {

// GRBDA (generalized_rbda) runs URDF+, but takes only part of what its parser takes, and reads some
// things as others in silence. Judge walks over the clusters of the loop-aggregated connectivity
// graph, the library's own unit, and tells each breach. Entry, Matrix and Chain repeat its symbolic
// position of a point: of a loop's three rows it keeps those that depend nonlinearly on q, and
// which these are follows from the zeros in its expressions, not from the numbers.

// A number, or something that depends on a coordinate: what is left of an expression when only its
// zeros are of interest.
struct Entry {
  double value = 0;
  bool varies = false;
  [[nodiscard]] bool IsZero() const { return !varies && value == 0; }
};
Entry operator*(const Entry& a, const Entry& b) {
  // A structural zero times anything is no expression at all; what merely sums up to zero at one
  // configuration still counts, as it does in the library.
  if (a.IsZero() || b.IsZero()) return {};
  return {a.value * b.value, a.varies || b.varies};
}
Entry operator+(const Entry& a, const Entry& b) {
  return {a.value + b.value, a.varies || b.varies};
}

struct Matrix {
  Entry at[3][3];
  static Matrix Constant(const Matrix3& R) {
    Matrix m;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) m.at[i][j].value = R(i, j);
    return m;
  }
  // The cross product by p.
  static Matrix Skew(const Vector3& p) {
    Matrix m;
    for (int i = 0; i < 3; ++i) {
      const int j = (i + 1) % 3, k = (i + 2) % 3;
      m.at[k][j].value = p[i];
      m.at[j][k].value = -p[i];
    }
    return m;
  }
  [[nodiscard]] Matrix Transposed() const {
    Matrix m;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) m.at[i][j] = at[j][i];
    return m;
  }
  // A turn about coordinate axis k by a coordinate.
  // Row and column k keep the axis; cosines and sines stand in the other four places. Their numbers
  // do not matter, as long as they are not zero.
  static Matrix Hinge(int k) {
    Matrix m;
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        m.at[i][j] = i == k || j == k ? Entry{i == j ? 1.0 : 0.0, false} : Entry{0.5, true};
    return m;
  }
};
Matrix operator*(const Matrix& a, const Matrix& b) {
  Matrix m;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) m.at[i][j] = m.at[i][j] + a.at[i][k] * b.at[k][j];
  return m;
}

Matrix operator+(const Matrix& a, const Matrix& b) {
  Matrix m;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) m.at[i][j] = a.at[i][j] + b.at[i][j];
  return m;
}

// The rotation matrix as the parser and GRBDA make it of what is written: half angles, a
// quaternion, products of its parts.
Matrix3 AsGrbdaReads(const Matrix3& R) {
  // The same operations in the same order: a zero that comes out as 1e-17 there is no zero, and
  // keeps a row more.
  const Vector3 h = RpyFromRotation(R) / 2;
  const double cr = std::cos(h[0]), sr = std::sin(h[0]), cp = std::cos(h[1]), sp = std::sin(h[1]),
               cy = std::cos(h[2]), sy = std::sin(h[2]);
  Eigen::Vector4d q(cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy,
                    cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy);
  q /= std::sqrt(q.dot(q));
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  Matrix3 out;
  out << 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y), 2 * (x * y + w * z),
      1 - 2 * (x * x + z * z), 2 * (y * z - w * x), 2 * (x * z - w * y), 2 * (y * z + w * x),
      1 - 2 * (x * x + y * y);
  return out;
}

// +x, +y, +z as 0, 1, 2; nothing for other axes.
std::optional<int> PositiveAxis(const Vector3& axis) {
  for (int i = 0; i < 3; ++i)
    if (axis == Vector3::Unit(i)) return i;
  return std::nullopt;
}

// A chain of GRBDA's transforms: E turns axes of the nearest common ancestor into those of the
// chain's last frame, r is the cross product by where that frame stands.
struct Chain {
  Matrix E = Matrix::Constant(Matrix3::Identity()), r;

  // One transform (E_k, p_k) more, as GRBDA multiplies: r' = E'^T E_k [p_k]x E^T + r. A position
  // along an axis comes out as p (sin^2 + cos^2), which counts as varying: only for the first
  // transform, and if it is the joint's turn and nothing else, does the sum fold to one.
  void Append(const Matrix& E_k, const Vector3& p_k, bool folds) {
    const Matrix E_next = E_k * E;
    const Matrix back = folds ? Matrix::Constant(Matrix3::Identity()) : E_next.Transposed() * E_k;
    r = back * Matrix::Skew(p_k) * E.Transposed() + r;
    E = E_next;
  }
};

// The point where a loop joint ends, seen from the nearest common ancestor: which of its three
// coordinates vary.
std::array<bool, 3> Varies(const Model& model, const SpanningTree& tree, LinkId nca, LinkId end,
                           const RigidTransform& X_end) {
  Chain chain;
  bool first = true;
  for (const LinkId link : PathSubchain(tree, nca, end)) {
    const JointId up = tree.parent_joint[Index(link)];
    if (up == kNoJoint) continue;
    const Joint& joint = model.joint(up);
    const auto* hinge = std::get_if<Revolute>(&joint.kind);
    const std::optional<int> axis =
        hinge == nullptr ? std::nullopt : PositiveAxis(hinge->axis.cwiseAbs());
    // Every joint in a cluster is read as revolute about a coordinate axis, a negative one as a
    // positive one. Breaches of that are told elsewhere; here some axis must be taken.
    const Matrix3 R = AsGrbdaReads(joint.X_PF.R);
    chain.Append(Matrix::Hinge(axis.value_or(0)) * Matrix::Constant(R.transpose()), joint.X_PF.p,
                 first && R == Matrix3::Identity());
    first = false;
  }
  // The origin of the loop's end in its link: the last, constant transform of the chain.
  chain.Append(Matrix::Constant(AsGrbdaReads(X_end.R).transpose()), X_end.p, false);
  std::array<bool, 3> varies{};
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    varies[static_cast<std::size_t>(i)] = chain.r.at[k][j].varies || chain.r.at[j][k].varies;
  }
  return varies;
}

class Judge {
 public:
  explicit Judge(const Model& model)
      : model_(model),
        tree_(ChooseSpanningTree(model)),
        lacg_(BuildLoopAggregatedConnectivityGraph(model, tree_)),
        mechanism_(Compile(model, tree_, lacg_)) {
    // Zero poses decide whether a loop moves in a plane. They do not depend on where it is
    // assembled: axes that are parallel at zero along a planar chain stay so.
    const std::vector<RigidTransform> X_WB = Poses(mechanism_, mechanism_.ZeroPosition());
    for (std::size_t i = 0; i < model.num_links(); ++i)
      X_WL_.push_back(X_WB[static_cast<std::size_t>(mechanism_.body_of[i])]);
  }

  GrbdaVerdict Run() {
    const bool constrained = !tree_.loop_joints.empty() || !model_.couplings.empty();
    Coordinates coordinates;
    if (constrained) coordinates = AnalyseCoordinates(mechanism_);
    GrbdaVerdict verdict;
    // Aggregate 0 holds the world alone.
    for (std::size_t a = 1; a < lacg_.aggregates.size(); ++a) {
      GrbdaCluster cluster;
      out_ = &cluster;
      for (const LinkId link : lacg_.aggregates[a].links)
        cluster.links.push_back(model_.link(link).name);
      std::sort(cluster.links.begin(), cluster.links.end());
      const AggregateLink& aggregate = lacg_.aggregates[a];
      if (aggregate.links.size() == 1 && aggregate.loop_joints.empty() &&
          aggregate.couplings.empty())
        JudgeSingle(aggregate.links[0]);
      else
        JudgeSeveral(lacg_.aggregates[a]);
      for (const LinkId link : lacg_.aggregates[a].links) JudgeLink(link);
      // The count of rows means something only where the library reads what is written: otherwise a
      // second message would follow from the first.
      if (cluster.rows > 0 && cluster.breaches.empty())
        JudgeRows(lacg_.aggregates[a], coordinates.aggregates[a]);
      verdict.clusters.push_back(std::move(cluster));
    }
    return verdict;
  }

 private:
  void Break(const char* rule, SourceLocation where, std::string message) {
    out_->breaches.push_back({rule, std::move(message), where});
  }
  bool IsRoot(LinkId link) const { return tree_.parent_joint[Index(link)] == kNoJoint; }

  void JudgeSingle(LinkId link) {
    if (IsRoot(link)) return;
    const Joint& joint = model_.joint(tree_.parent_joint[Index(link)]);
    const std::string subject = About("joint", joint.name);
    out_->coordinates = NumVelocities(joint.kind);
    if (std::holds_alternative<Free>(joint.kind)) {
      // A floating base: one link on a root that carries nothing else.
      const LinkId parent = tree_.parent[Index(link)];
      const auto siblings = std::count(tree_.parent.begin(), tree_.parent.end(), parent);
      if (!IsRoot(parent) || siblings > 1)
        Break("floating-first", joint.where,
              subject + ": GRBDA takes a floating joint as the first of the tree only");
      return;
    }
    if (!std::holds_alternative<Revolute>(joint.kind)) {
      Break("joint-type", joint.where,
            subject + ": GRBDA stops at a " + std::string(KindName(joint.kind)) +
                " joint, only revolute, continuous and floating joints");
      return;
    }
    JudgeAxis(joint);
  }

  void JudgeSeveral(const AggregateLink& aggregate) {
    for (const LinkId link : aggregate.links) {
      const JointId up = tree_.parent_joint[Index(link)];
      if (up == kNoJoint) {
        Break("root-cluster", model_.link(link).where,
              About("link", model_.link(link).name) + ": the root may be in no loop");
        continue;
      }
      const Joint& joint = model_.joint(up);
      // One for every joint, whatever its kind: that is what the library takes it for.
      ++out_->coordinates;
      if (std::holds_alternative<Revolute>(joint.kind)) {
        JudgeAxis(joint);
      } else {
        Break("joint-type", joint.where,
              About("joint", joint.name) +
                  ": GRBDA reads every joint of a cluster as revolute, this " +
                  std::string(KindName(joint.kind)) + " joint too, without a word");
      }
    }
    // Loops are implicit constraints there and couplings explicit ones; a cluster is of one class.
    if (!aggregate.loop_joints.empty() && !aggregate.couplings.empty()) {
      const Coupling& coupling = model_.couplings[aggregate.couplings[0]];
      Break("loop-and-coupling", coupling.where,
            About("coupling", coupling.name) + ": is in one cluster with loop '" +
                model_.joint(aggregate.loop_joints[0]).name + "'; GRBDA takes either");
    }
    for (const JointId loop : aggregate.loop_joints) JudgeLoop(loop);
    for (const std::size_t coupling : aggregate.couplings)
      JudgeCoupling(model_.couplings[coupling]);
  }

  void JudgeAxis(const Joint& joint) {
    const Vector3& axis = std::get<Revolute>(joint.kind).axis;
    if (PositiveAxis(axis)) return;
    // A negative axis loads and turns the other way round, which is worse than a refusal.
    const bool negative = PositiveAxis(-axis).has_value();
    Break("axis", joint.where,
          About("joint", joint.name) +
              (negative
                   ? ": GRBDA turns a negative axis round, without a word"
                   : ": GRBDA stops at an axis that is not a coordinate axis of the joint frame"));
  }

  void JudgeLoop(JointId id) {
    const Joint& loop = model_.joint(id);
    const LinkId p = model_.predecessor(id), s = model_.successor(id),
                 nca = NearestCommonAncestor(tree_, p, s);
    if (nca == p || nca == s) {
      Break("loop-ancestor", loop.where,
            About("loop", loop.name) + ": link '" + model_.link(nca).name +
                "' is an ancestor of the other end, where the parser crashes");
      return;
    }
    // Of a planar loop two rows of the point are what its hinge does in the plane; of a spatial one
    // they are not.
    const bool point =
        std::holds_alternative<Ball>(loop.kind) || PlaneNormal(model_, tree_, X_WL_, id);
    if (!point) {
      Break("loop-type", loop.where,
            About("loop", loop.name) +
                ": GRBDA reads every loop as the coincidence of two points, which does not do what "
                "this " +
                std::string(KindName(loop.kind)) + " loop does");
    }
    out_->rows += RowsOfPointLoop(model_, tree_, id);
  }

  void JudgeCoupling(const Coupling& coupling) {
    ++out_->rows;
    if (coupling.form == CouplingForm::kMimic) {
      const std::string joint = coupling.terms.empty()
                                    ? coupling.name
                                    : model_.joint(coupling.terms[0].coordinate.joint).name;
      Break("mimic", coupling.where,
            About("joint", joint) +
                ": GRBDA ignores <mimic> without a word; only a <coupling> binds");
    } else if (coupling.form != CouplingForm::kRatio) {
      Break(
          "coupling-form", coupling.where,
          About("coupling", coupling.name) + ": GRBDA binds two branches by a ratio, nothing else");
    }
  }

  void JudgeLink(LinkId id) {
    const Link& link = model_.link(id);
    if (IsRoot(id) || !link.inertial) return;
    // A tensor of zeros, and the inertia of the root, which never moves, look the same in all axes.
    const bool turned = !(link.inertial->X_LI.R - Matrix3::Identity()).isZero(1e-12);
    if (turned && !link.inertial->I_I.isZero(0)) {
      Break(
          "inertia-axes", link.inertial->where.line > 0 ? link.inertial->where : link.where,
          About("link", link.name) + ": GRBDA ignores the rotation of <inertial>, without a word");
    }
  }

  void JudgeRows(const AggregateLink& aggregate, const AggregateCoordinates& coordinates) {
    // A joint that says nothing is independent. The library inverts the dependent block of the
    // constraint Jacobian, so that rows, rank and dependent coordinates must be one number.
    int dependent = 0;
    for (const LinkId link : aggregate.links)
      dependent += !model_.joint(tree_.parent_joint[Index(link)]).independent.value_or(true);
    const SourceLocation where = model_.link(aggregate.links[0]).where;
    const std::string subject =
        About("link", model_.link(aggregate.links[0]).name) + " and its cluster: ";
    if (out_->rows != coordinates.rank) {
      Break("rows", where,
            subject + "GRBDA keeps " + std::to_string(out_->rows) + " constraint rows, of which " +
                std::to_string(coordinates.rank) +
                " are independent; GRBDA can solve for no others");
    } else if (coordinates.mobility == 0) {
      Break("independent", where,
            subject +
                "nothing in it can move; GRBDA loads a cluster without independent coordinates "
                "and aborts in its dynamics");
    } else if (dependent != out_->rows) {
      Break("independent", where,
            subject + std::to_string(dependent) +
                " coordinates are declared dependent (independent=\"false\"), but " +
                std::to_string(out_->rows) +
                " constraint rows determine as many; GRBDA stops at 'A not square'");
    } else if (coordinates.declared && !coordinates.declared_ok) {
      Break("independent", where,
            subject + "the coordinates declared independent do not determine the others");
    }
  }

  const Model& model_;
  const SpanningTree tree_;
  const LoopAggregatedConnectivityGraph lacg_;
  const Mechanism mechanism_;
  std::vector<RigidTransform> X_WL_;
  GrbdaCluster* out_ = nullptr;
};

}  // namespace

int RowsOfPointLoop(const Model& model, const SpanningTree& tree, JointId loop) {
  const LinkId p = model.predecessor(loop), s = model.successor(loop),
               nca = NearestCommonAncestor(tree, p, s);
  const std::array<bool, 3> at_p = Varies(model, tree, nca, p, model.joint(loop).X_PF);
  const std::array<bool, 3> at_s = Varies(model, tree, nca, s, model.joint(loop).X_SM);
  int rows = 0;
  for (std::size_t i = 0; i < 3; ++i) rows += at_p[i] || at_s[i];
  return rows;
}

bool GrbdaVerdict::Loads() const {
  return std::all_of(clusters.begin(), clusters.end(),
                     [](const GrbdaCluster& c) { return c.breaches.empty(); });
}

GrbdaVerdict JudgeForGrbda(const Model& model) { return Judge(model).Run(); }

void ReportGrbdaRules(const Model& model, Diagnostics& diagnostics) {
  for (const GrbdaCluster& cluster : JudgeForGrbda(model).clusters) {
    for (const GrbdaBreach& breach : cluster.breaches) {
      const std::string file = model.FileName(breach.where);
      diagnostics.Add({Severity::kError,
                       "grbda-" + breach.rule,
                       file,
                       file.empty() ? 0 : breach.where.line,
                       "",
                       breach.message,
                       {}});
    }
  }
}

}  // namespace kinemorph
