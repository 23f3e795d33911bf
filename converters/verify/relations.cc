#include "verify/relations.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "kinemorph/graph/mechanics/closure.h"
#include "kinemorph/graph/mechanics/joint_motion.h"
#include "kinemorph/graph/model/field_text.h"

namespace kinemorph::verify {
namespace {

// A joint is the set of poses that it allows between two links, so that two joints are the same if
// each pose of the one is one of the other. A few random poses tell, as kinds are the same and the
// sets are analytic. Frames, signs of axes and zeros may differ; whether coordinates are the same
// too is what couplings need to know.
constexpr int kSamples = 4;

// How B's joint answers to poses that A's allows.
struct Relation {
  double error =
      0;  // of the nearest pose that B's allows; rotation entries, and lengths over the robot's
  bool same_coordinates = true;         // at the same q
  RigidTransform in_a, in_b;            // at zero: of B's successor in its predecessor
  std::vector<Vector3> axes_a, axes_b;  // in B's predecessor, where both joints point one way
  // Where the joint is on its links, B's predecessor first.
  std::array<Vector3, 2> ends_a, ends_b;
};

double Apart(const RigidTransform& x, const RigidTransform& y, double length) {
  return std::max((x.R - y.R).cwiseAbs().maxCoeff(), (x.p - y.p).cwiseAbs().maxCoeff() / length);
}

// A random motion from zero, of up to 1 rad or the length of the robot, by the kind's own
// integration.
std::array<double, 7> SampleOf(const JointKind& kind, double length, Random& random) {
  std::array<double, 7> q{}, moved{};
  std::array<double, 6> v{};
  SetZeroPosition(kind, q.data());
  const bool linear = std::holds_alternative<Prismatic>(kind);
  for (double& x : v) x = random.Uniform(-1, 1) * (linear ? length : 1);
  IntegratePosition(kind, q.data(), v.data(), 1, moved.data());
  return moved;
}

class Comparison {
 public:
  Comparison(const Side& a, const Side& b, const Correspondence& match,
             const VerifyOptions& options, Excuses& excuses)
      : a_(a), b_(b), match_(match), options_(options), excuses_(excuses), names_a_(a.model) {}

  Relations Run(std::vector<Worst>& checks) {
    relations_.b_of_a.assign(a_.model.num_joints(), kNoJoint);
    relations_.same_joint_b.assign(b_.model.num_joints(), false);
    relations_.same_coupling_b.assign(b_.model.couplings.size(), false);
    relations_.equations_b.resize(b_.model.couplings.size());
    same_coordinates_.assign(a_.model.num_joints(), false);
    Worst joints("joint frames", 10 * options_.tolerance), names("names", 0);
    PairJoints();
    CompareJoints(joints, names);
    ComparePaths(names);
    CompareCouplings(names);
    for (const Worst* check : {&joints, &names})
      if (check->made()) checks.push_back(*check);
    relations_.identical = Identical();
    return std::move(relations_);
  }

 private:
  // Both ends, in terms of B; turned: A's predecessor is B's successor.
  struct Ends {
    LinkId predecessor, successor;
    friend bool operator==(const Ends&, const Ends&) = default;
    friend bool operator<(const Ends& a, const Ends& b) {
      return std::pair(a.predecessor, a.successor) < std::pair(b.predecessor, b.successor);
    }
  };
  [[nodiscard]] Ends EndsOfA(JointId id) const {
    return {match_.b_of_a[Index(a_.model.predecessor(id))],
            match_.b_of_a[Index(a_.model.successor(id))]};
  }
  [[nodiscard]] Ends EndsOfB(JointId id) const {
    return {b_.model.predecessor(id), b_.model.successor(id)};
  }
  [[nodiscard]] bool SameEnds(JointId a, JointId b) const {
    const Ends x = EndsOfA(a), y = EndsOfB(b);
    if (x.predecessor == kNoLink || x.successor == kNoLink) return false;
    return x == y || x == Ends{y.successor, y.predecessor};
  }

  // By name first, where the two links are the same ones; then, of what is left, by links and kind.
  // A joint that was renamed and re-cut is found by its links.
  void PairJoints() {
    std::unordered_map<std::string, JointId> by_name;
    std::map<Ends, std::vector<JointId>> between;
    for (const JointId id : Joints(b_.model)) {
      by_name.emplace(b_.model.joint(id).name, id);
      const Ends ends = EndsOfB(id);
      between[{std::min(ends.predecessor, ends.successor),
               std::max(ends.predecessor, ends.successor)}]
          .push_back(id);
    }
    std::vector<bool> taken(b_.model.num_joints(), false);
    const auto pair = [&](JointId a, JointId b) {
      relations_.b_of_a[Index(a)] = b, taken[Index(b)] = true;
    };
    for (const JointId id : Joints(a_.model)) {
      const Joint& joint = a_.model.joint(id);
      const auto found =
          by_name.find(match_.renames.Of(SubjectKind::kJoint, joint.where, joint.name));
      if (found != by_name.end() && !taken[Index(found->second)] && SameEnds(id, found->second))
        pair(id, found->second);
    }
    for (const JointId id : Joints(a_.model)) {
      const Ends ends = EndsOfA(id);
      if (relations_.b_of_a[Index(id)] != kNoJoint || ends.predecessor == kNoLink ||
          ends.successor == kNoLink)
        continue;
      const auto found = between.find(
          {std::min(ends.predecessor, ends.successor), std::max(ends.predecessor, ends.successor)});
      if (found == between.end()) continue;
      const JointKind& kind = a_.model.joint(id).kind;
      for (const JointId other : found->second) {
        if (taken[Index(other)] || b_.model.joint(other).kind.index() != kind.index()) continue;
        pair(id, other);
        break;
      }
    }
  }

  // Null where the two are not of one kind, which other checks see.
  [[nodiscard]] std::optional<Relation> RelationOf(JointId id_a, JointId id_b) const {
    const Joint &x = a_.model.joint(id_a), &y = b_.model.joint(id_b);
    if (x.kind.index() != y.kind.index()) return std::nullopt;
    const LinkId p = a_.model.predecessor(id_a), s = a_.model.successor(id_a);
    const auto frame = [&](LinkId link) {
      return link == kWorld ? match_.X_BA.inverse() : match_.X_ab[Index(link)];
    };
    const RigidTransform X_pP = frame(p).inverse(), X_Ss = frame(s);
    const bool turned = EndsOfA(id_a) != EndsOfB(id_b);
    Relation relation;
    for (const Vector3& axis : kinemorph::AxesOf(x.kind))
      if (!turned) relation.axes_a.push_back(X_pP.R * x.X_PF.R * axis);
    for (const Vector3& axis : kinemorph::AxesOf(y.kind))
      relation.axes_b.push_back(y.X_PF.R * axis);
    relation.ends_a = {(X_pP * x.X_PF).p, (X_Ss.inverse() * x.X_SM).p};
    if (turned) std::swap(relation.ends_a[0], relation.ends_a[1]);
    relation.ends_b = {y.X_PF.p, y.X_SM.p};
    // What is far away is known to fewer digits.
    double length = a_.m.length;
    for (const RigidTransform* const X : {&x.X_PF, &x.X_SM, &y.X_PF, &y.X_SM})
      length = std::max(length, 1e-5 * X->p.norm());
    Random random(3);

    // The pose of B's successor in its predecessor as A's joint makes it, in frames of B's links;
    // turned round where the joint points the other way. The nearest pose of B's joint, and the one
    // at the same q, are compared with it.
    for (int i = 0; i < kSamples; ++i) {
      std::array<double, 7> q{}, found{};
      if (i == 0)
        SetZeroPosition(x.kind, q.data());
      else
        q = SampleOf(x.kind, a_.m.length, random);
      RigidTransform X_ps =
          X_pP * x.X_PF * JointTransform(x.kind, q.data()) * x.X_SM.inverse() * X_Ss;
      if (turned) X_ps = X_ps.inverse();
      const RigidTransform X_FM = y.X_PF.inverse() * X_ps * y.X_SM;
      PositionFromTransform(y.kind, X_FM, found.data());
      const auto made = [&](const std::array<double, 7>& at) {
        return y.X_PF * JointTransform(y.kind, at.data()) * y.X_SM.inverse();
      };
      relation.error = std::max(relation.error, Apart(made(found), X_ps, length));
      if (i == 0) relation.in_a = X_ps, relation.in_b = made(q);
      relation.same_coordinates =
          relation.same_coordinates && Apart(made(q), X_ps, length) <= 10 * options_.tolerance;
    }
    return relation;
  }

  // "on 'rod': 0.2 0 0 against 0.198 0 0 m" of a ball that closes a loop: what the pose at zero is,
  // other joints say.
  [[nodiscard]] std::string OnLinks(JointId id_b, const Relation& relation) const {
    const std::array<LinkId, 2> links = {b_.model.predecessor(id_b), b_.model.successor(id_b)};
    std::string text;
    for (std::size_t i = 0; i < 2; ++i)
      if ((relation.ends_a[i] - relation.ends_b[i]).norm() > options_.tolerance * a_.m.length)
        text += (text.empty() ? "on '" : ", on '") +
                (links[i] == kWorld ? "world" : b_.model.link(links[i]).name) +
                "': " + BothValues(relation.ends_a[i], relation.ends_b[i]) + " m";
    return text;
  }

  // "'crank' in 'base' at zero: 0.3 0 0.4 against 0.32 0 0.4 m, turned by 0.1 rad".
  [[nodiscard]] std::string AtZero(JointId id_b, const Relation& relation) const {
    const Joint& joint = b_.model.joint(id_b);
    if (joint.role == JointRole::kLoop && std::holds_alternative<Ball>(joint.kind))
      return OnLinks(id_b, relation);
    const auto name = [&](LinkId link) {
      return "'" + (link == kWorld ? "world" : b_.model.link(link).name) + "'";
    };
    const double turned = Eigen::AngleAxisd(relation.in_a.R.transpose() * relation.in_b.R).angle();
    std::string text =
        name(b_.model.successor(id_b)) + " in " + name(b_.model.predecessor(id_b)) + " at zero";
    const std::size_t names = text.size();
    if ((relation.in_a.p - relation.in_b.p).norm() > options_.tolerance * a_.m.length)
      text += ": " + BothValues(relation.in_a.p, relation.in_b.p) + " m";
    if (turned > options_.tolerance)
      text += ", turned by " + FormatNumber(NearDecimal(turned, 4)) + " rad";
    // As a line it turns about: the other way round it is the same.
    for (std::size_t i = 0; i < relation.axes_a.size(); ++i)
      if (relation.axes_a[i].cross(relation.axes_b[i]).norm() > options_.tolerance)
        text += ", axis " + BothValues(relation.axes_a[i], relation.axes_b[i]);
    return text.size() == names ? "" : text;
  }

  // A root link "world" is the world.
  static bool IsOnWorld(const Side& side, const Model& model, JointId id) {
    const auto is_world = [&](LinkId link) { return link == kWorld || link == side.world_link; };
    return is_world(model.predecessor(id)) || is_world(model.successor(id));
  }
  // The world is no link of a base that is only held for the comparison: one file does not say how
  // it stands.
  [[nodiscard]] bool IsBase(const Side& side, JointId id) const {
    const JointKind& kind = side.model.joint(id).kind;
    return match_.held &&
           (std::holds_alternative<Fixed>(kind) || std::holds_alternative<Free>(kind)) &&
           IsOnWorld(side, side.model, id);
  }

  void CompareJoints(Worst& check, Worst& names) {
    for (const JointId id : Joints(a_.model)) {
      const JointId other = relations_.b_of_a[Index(id)];
      if (other == kNoJoint || IsBase(a_, id)) continue;
      const Joint &x = a_.model.joint(id), &y = b_.model.joint(other);
      if (const std::optional<Relation> relation = RelationOf(id, other)) {
        // A report may say that a loop which closes only nearly has got a frame that closes it.
        const bool moved = relation->error > check.check().tolerance &&
                           relation->error <= kNearlyClosed && x.role == JointRole::kLoop &&
                           options_.report != nullptr &&
                           excuses_.Take(LoopFeature(x.kind), SubjectOf(x), "on-successor");
        if (moved)
          check.Except(Text(SubjectOf(x)) + " has its frame where the loop closes");
        else
          check.Add(relation->error, x.name,
                    relation->error <= check.check().tolerance ? "" : AtZero(other, *relation));
        relations_.same_joint_b[Index(other)] = moved || relation->error <= check.check().tolerance;
        same_coordinates_[Index(id)] = relation->same_coordinates;
      }
      if (!x.implicit && !y.implicit)
        CompareName(match_.renames.Of(SubjectKind::kJoint, x.where, x.name), y.name, SubjectOf(x),
                    names);
    }
  }

  // `expected`: A's name as the report has it.
  void CompareName(const std::string& expected, const std::string& name, const Subject& subject,
                   Worst& names) {
    const bool same =
        expected == name || (!excuses_.same_format() && PlainName(expected) == PlainName(name));
    if (same) return names.Add(0, name);
    const std::string text = Text(subject) + " is called '" + name + "'";
    if (options_.report == nullptr && !excuses_.Take(Feature::kNameClash, subject))
      return names.Miss(subject.name, text);
    excuses_.Except(Feature::kNameClash, subject);  // a writer's own spelling: the verdict says it
    names.Except(text);
  }

  // A joint that has no counterpart at all, by name or by its links, is gone or new: in one format,
  // and where a report says what became of every joint.
  void ComparePaths(Worst& names) {
    if (options_.report != nullptr) return CompareReported(names);
    if (!excuses_.same_format()) return;
    const auto missing = [&](const Side& of, const Model& other, const std::string& text,
                             auto&& paired) {
      std::unordered_map<std::string, int> there;
      for (const JointId id : Joints(other)) ++there[other.joint(id).name];
      for (const JointId id : Joints(of.model)) {
        const Joint& joint = of.model.joint(id);
        if (joint.implicit || paired(id) || IsBase(of, id)) continue;
        if (there.contains(match_.renames.Of(SubjectKind::kJoint, joint.where, joint.name)))
          continue;
        const Subject subject = SubjectOf(joint);
        if (&of == &a_ && excuses_.Take(Feature::kNameClash, subject)) continue;
        names.Miss(joint.name, Text(subject) + text);
      }
    };

    // In both directions: what B has more is as much a difference as what it lacks.
    std::vector<bool> in_b(b_.model.num_joints(), false);
    for (const JointId id : relations_.b_of_a)
      if (id != kNoJoint) in_b[Index(id)] = true;
    missing(a_, b_.model, " is not in B",
            [&](JointId id) { return relations_.b_of_a[Index(id)] != kNoJoint; });
    missing(b_, a_.model, " is not in A", [&](JointId id) { return in_b[Index(id)]; });
  }

  // How a base is held is compared as such.
  static bool HoldsBase(const Side& side, const Model& model, JointId id) {
    return std::holds_alternative<Fixed>(model.joint(id).kind) && IsOnWorld(side, model, id);
  }

  // A joint to a link that only A has: where that link stands, and how it moves, is compared.
  [[nodiscard]] bool LeadsToOwnLink(JointId id) const {
    const auto own = [&](LinkId link) {
      if (a_.original->link(link).synthetic) return true;
      const auto at = names_a_.Link(a_.original->link(link).name);
      return at && match_.b_of_a[Index(*at)] == kNoLink;
    };
    return own(a_.original->predecessor(id)) || own(a_.original->successor(id));
  }

  [[nodiscard]] bool LeadsToLinkOfB(JointId id) const {
    const auto own = [&](LinkId link) {
      return b_.model.link(link).synthetic || match_.a_of_b[Index(link)] == kNoLink;
    };
    return own(b_.model.predecessor(id)) || own(b_.model.successor(id));
  }

  // By joint of A, whether it is one of a chain without links of its own that floats in B as one joint:
  // readers fold three slides and three turns into a floating base.
  [[nodiscard]] std::vector<bool> FloatInB() const {
    const Model& model = *a_.original;
    std::vector<JointId> into(model.num_links(), kNoJoint);
    for (const JointId id : Joints(model)) into[Index(model.successor(id))] = id;
    std::set<Ends> floating;
    for (const JointId id : Joints(b_.model))
      if (std::holds_alternative<Free>(b_.model.joint(id).kind)) floating.insert(EndsOfB(id));
    std::vector<bool> floats(model.num_joints(), false);
    for (const LinkId link : Links(model)) {
      const auto at = names_a_.Link(model.link(link).name);
      if (model.link(link).synthetic || !at || into[Index(link)] == kNoJoint) continue;
      std::vector<JointId> chain = {into[Index(link)]};
      for (LinkId up = model.predecessor(chain[0]);
           model.link(up).synthetic && into[Index(up)] != kNoJoint && chain.size() < 6;
           up = model.predecessor(chain.back()))
        chain.push_back(into[Index(up)]);
      const Ends ends = {match_.b_of_a[Index(model.predecessor(chain.back()))],
                         match_.b_of_a[Index(*at)]};
      if (chain.size() > 1 && floating.contains(ends))
        for (const JointId id : chain) floats[Index(id)] = true;
    }
    return floats;
  }

  // Of A: lowered, lost, or there under the name that the report has for it. Of B: as the
  // conversion wrote it.
  void CompareReported(Worst& names) {
    std::unordered_set<std::string> known;
    const auto learn = [&](const LossReport& report) {
      for (const Loss& loss : report.losses) known.insert(loss.subject.joint);
      for (const Lowering& lowering : report.lowerings) {
        known.insert(lowering.subject.joint);
        for (const Subject& into : lowering.into) known.insert(into.joint);
      }
    };

    // Whoever the reports name is accounted for; joints of A must be named, be there, or be paired.
    learn(*options_.report);
    if (options_.back != nullptr) learn(*options_.back);
    const std::vector<bool> floats = FloatInB();
    std::unordered_set<std::string> known_or_there = known;
    for (const JointId id : Joints(b_.model)) known_or_there.insert(b_.model.joint(id).name);
    for (const JointId id : Joints(*a_.original)) {
      const Joint& joint = a_.original->joint(id);
      if (joint.implicit || known_or_there.contains(joint.name) ||
          HoldsBase(a_, *a_.original, id) || (options_.assumed && LeadsToOwnLink(id)))
        continue;
      const auto still = names_a_.Joint(joint.name);
      const std::string mapped = match_.renames.Of(
          SubjectKind::kJoint, still ? a_.model.joint(*still).where : joint.where, joint.name);
      const bool paired = still && relations_.b_of_a[Index(*still)] != kNoJoint;
      if (paired || known_or_there.contains(mapped)) continue;
      if (floats[Index(id)]) {  // it has no name there: the verdict says it
        excuses_.Except(Feature::kNameClash, SubjectOf(joint));
        continue;
      }
      names.Miss(joint.name, Text(SubjectOf(joint)) + " is not in B");
    }

    // Joints of B that are neither paired nor written by the conversion came from elsewhere.
    if (excuses_.written() == nullptr) return;
    const Names written(*excuses_.written());
    std::vector<bool> paired(b_.model.num_joints(), false);
    for (const JointId id : relations_.b_of_a)
      if (id != kNoJoint) paired[Index(id)] = true;
    for (const JointId id : Joints(b_.model)) {
      const Joint& joint = b_.model.joint(id);
      if (joint.implicit || paired[Index(id)] || HoldsBase(b_, b_.model, id) ||
          written.Joint(joint.name) || (options_.back != nullptr && known.contains(joint.name)) ||
          (options_.assumed && LeadsToLinkOfB(id)))
        continue;
      names.Miss(joint.name, Text(SubjectOf(joint)) + " is not in A");
    }
  }

  void CompareCouplings(Worst& names) {
    std::vector<bool> taken(b_.model.couplings.size(), false);
    std::map<std::vector<Axis>, std::vector<std::size_t>>
        between;  // couplings of B by the coordinates they join
    std::vector<Equation> equations(b_.model.couplings.size());
    for (std::size_t i = 0; i < equations.size(); ++i) {
      equations[i] = *EquationOf(b_.model.couplings[i], false);
      between[AxesOf(equations[i])].push_back(i);
    }

    // Couplings meet by the coordinates they join. Several may join the same ones; one that says
    // the same is taken before one that does not.
    for (const Coupling& x : a_.model.couplings) {
      const std::optional<Equation> equation = EquationOf(x, true);
      if (!equation) continue;
      std::optional<std::size_t> best;
      bool best_same = false;
      for (const std::size_t i : between[AxesOf(*equation)]) {
        if (taken[i]) continue;
        // An equation that is met exactly is never given up for another one.
        const bool same = SameEquation(x, *equation, b_.model.couplings[i], equations[i]);
        if (best && (best_same || !same)) continue;
        best = i, best_same = same;
      }
      if (!best) continue;
      taken[*best] = true;
      relations_.same_coupling_b[*best] = best_same;
      const Coupling& y = b_.model.couplings[*best];
      if (!best_same)
        relations_.equations_b[*best] =
            EquationText(a_.model, x) + " against " + EquationText(b_.model, y);
      const Subject subject = SubjectOf(a_.model, x);
      if (x.form == y.form && (excuses_.same_format() || (!x.name.empty() && !y.name.empty())))
        CompareName(match_.renames.Of(SubjectKind::kCoupling, x.where, x.name), y.name, subject,
                    names);
      if (excuses_.same_format() && x.form != y.form && options_.report == nullptr)
        names.Miss(subject.name.empty() ? subject.joint : subject.name,
                   Text(subject) + " is of another form");
    }

    // What is left over of B.
    if (!excuses_.same_format() || options_.report != nullptr) return;
    for (std::size_t i = 0; i < taken.size(); ++i) {
      const Subject subject = SubjectOf(b_.model, b_.model.couplings[i]);
      if (!taken[i])
        names.Miss(subject.name.empty() ? subject.joint : subject.name,
                   Text(subject) + " is not in A");
    }
  }

  // By coordinate of B, the coefficients; null when a joint of A has no counterpart.
  using Axis = std::pair<JointId, int>;
  using Equation = std::map<Axis, std::array<double, 4>>;
  // As a sum over coordinates, as the same one may stand in two terms.
  [[nodiscard]] std::optional<Equation> EquationOf(const Coupling& coupling, bool of_a) const {
    Equation equation;
    for (const CouplingTerm& term : coupling.terms) {
      JointId id = term.coordinate.joint;
      if (of_a) id = relations_.b_of_a[Index(id)];
      if (id == kNoJoint) return std::nullopt;
      std::array<double, 4>& sum = equation[{id, term.coordinate.axis}];
      for (std::size_t i = 0; i < 4; ++i) sum[i] += term.coefficients[i];
    }
    return equation;
  }
  static std::vector<Axis> AxesOf(const Equation& equation) {
    std::vector<Axis> axes;
    for (const auto& [axis, coefficients] : equation) axes.push_back(axis);
    return axes;
  }
  // Up to a factor, in coordinates that mean the same on both sides.
  [[nodiscard]] bool SameEquation(const Coupling& x, const Equation& of_x, const Coupling& y,
                                  const Equation& of_y) const {
    for (const CouplingTerm& term : x.terms)
      if (!same_coordinates_[Index(term.coordinate.joint)]) return false;

    // The factor is that of the first coefficient; the constants and all others must follow it. An
    // equation is the same if both sides are multiplied by one number.
    double factor = 0, scale = std::abs(x.constant);
    for (const auto& [axis, c] : of_x) {
      for (std::size_t i = 0; i < 4; ++i) {
        scale = std::max(scale, std::abs(c[i]));
        if (factor == 0 && c[i] != 0) factor = of_y.at(axis)[i] / c[i];
      }
    }
    if (factor == 0) return false;
    double error = std::abs(y.constant / factor - x.constant);
    for (const auto& [axis, c] : of_x) {
      for (std::size_t i = 0; i < 4; ++i)
        error = std::max(error, std::abs(of_y.at(axis)[i] / factor - c[i]));
    }
    return error <= options_.tolerance * scale;
  }

  // By construction the same mechanism: nothing that only a state can show is left.
  [[nodiscard]] bool Identical() const {
    for (const LinkId id : Links(a_.model))
      if (match_.b_of_a[Index(id)] == kNoLink) return false;
    for (const LinkId id : Links(b_.model))
      if (match_.a_of_b[Index(id)] == kNoLink) return false;
    for (const JointId id : Joints(a_.model))
      if (relations_.b_of_a[Index(id)] == kNoJoint && !IsBase(a_, id)) return false;
    for (const JointId id : Joints(b_.model))
      if (!relations_.same_joint_b[Index(id)] && !IsBase(b_, id)) return false;
    return a_.model.couplings.size() == b_.model.couplings.size() &&
           std::all_of(relations_.same_coupling_b.begin(), relations_.same_coupling_b.end(),
                       [](bool same) { return same; });
  }

  const Side& a_;
  const Side& b_;
  const Correspondence& match_;
  const VerifyOptions& options_;
  Excuses& excuses_;
  const Names names_a_;
  Relations relations_;
  std::vector<bool> same_coordinates_;  // by joint of A
};

}  // namespace

void MatchSynthetic(const Side& a, const Side& b, const VerifyOptions& options,
                    Correspondence& match) {
  std::unordered_map<std::string, JointId> by_name;
  for (const JointId id : Joints(b.model)) by_name.emplace(b.model.joint(id).name, id);
  const auto shift = [&](LinkId link) { return match.X_ab[Index(link)]; };
  for (const JointId id : Joints(a.model)) {  // in document order: the links above come first
    const Joint& x = a.model.joint(id);
    const LinkId p = a.model.predecessor(id), s = a.model.successor(id);
    if (!a.model.link(s).synthetic || match.b_of_a[Index(s)] != kNoLink ||
        match.b_of_a[Index(p)] == kNoLink)
      continue;
    const auto found = by_name.find(match.renames.Of(SubjectKind::kJoint, x.where, x.name));
    if (found == by_name.end()) continue;
    const Joint& y = b.model.joint(found->second);
    const LinkId p_b = b.model.predecessor(found->second), s_b = b.model.successor(found->second);
    if (p_b != match.b_of_a[Index(p)] || !b.model.link(s_b).synthetic ||
        match.a_of_b[Index(s_b)] != kNoLink)
      continue;

    // Same parent, same joint frame, kind and frame on the link: then the link stands for the same.
    const RigidTransform X_pF = (p == kWorld ? x.X_PF : shift(p).inverse() * x.X_PF);
    if (y.kind.index() != x.kind.index() ||
        !(X_pF.inverse() * y.X_PF).IsNearIdentity(options.tolerance))
      continue;
    if (!(x.X_SM.inverse() * y.X_SM).IsNearIdentity(options.tolerance)) continue;
    match.b_of_a[Index(s)] = s_b;
    match.a_of_b[Index(s_b)] = s;
  }
}

Relations CompareRelations(const Side& a, const Side& b, const Correspondence& match,
                           const VerifyOptions& options, Excuses& excuses,
                           std::vector<Worst>& checks) {
  return Comparison(a, b, match, options, excuses).Run(checks);
}

}  // namespace kinemorph::verify
