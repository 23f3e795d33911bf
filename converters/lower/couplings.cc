#include "lower/couplings.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "edit/model_edit.h"
#include "kinemorph/graph/model/field_text.h"
#include "kinemorph/graph/model/model_dump.h"
#include "lower/passes.h"

namespace kinemorph {
namespace {

// A coupling is the row sum over terms of a polynomial in one coordinate = constant. Formats have
// words for special rows: a mimic (two joints, linear), a ratio (two branches of the tree), a
// gearbox (the same, with angles about one axis), a polynomial on a follower, any sum.
// CouplingForms finds the first of these that the target has and that says exactly this row; As...
// functions build them or say that it cannot be.

bool IsLinear(const Coupling& coupling) {
  return std::all_of(coupling.terms.begin(), coupling.terms.end(), [](const CouplingTerm& t) {
    return t.coefficients[1] == 0 && t.coefficients[2] == 0 && t.coefficients[3] == 0;
  });
}

bool IsScalar(const Model& model, const CouplingTerm& term) {
  return NumVelocities(model.joint(term.coordinate.joint).kind) == 1;
}

bool SameNumber(double a, double b) {
  return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b));
}

// One side of a ratio: terms on the path down to `end`, all with one coefficient.
struct Branch {
  LinkId end = kNoLink;
  double coefficient = 0;
  std::size_t count = 0;
};

// The joints with a coordinate on the path from `top` (excluded) down to `end` must be exactly the
// branch's.
bool FillsPath(const Model& model, const SpanningTree& tree, LinkId top, const Branch& branch,
               const std::vector<int>& term_of) {
  std::size_t seen = 0;
  for (LinkId link = branch.end; link != top; link = tree.parent[Index(link)]) {
    const JointId id = tree.parent_joint[Index(link)];
    if (id == kNoJoint || std::holds_alternative<Fixed>(model.joint(id).kind)) continue;
    if (term_of[Index(id)] < 0) return false;
    ++seen;
  }
  return seen == branch.count;
}

// What a gearbox of the author needs to stay one; its two axes may have any directions.
bool IsGearbox(const Model& model, const Coupling& coupling) {
  return coupling.predecessor != kNoLink && coupling.successor != kNoLink &&
         coupling.reference != kNoLink && coupling.constant == 0 && IsLinear(coupling) &&
         std::all_of(coupling.terms.begin(), coupling.terms.end(), [&](const CouplingTerm& t) {
           const Joint& joint = model.joint(t.coordinate.joint);
           return joint.role != JointRole::kLoop && std::holds_alternative<Revolute>(joint.kind);
         });
}

// Both joints turn, or both slide, and both have an end on either side.
bool JoinsLimitedOfOneKind(const Model& model, const Coupling& mimic) {
  const Joint &follower = model.joint(mimic.terms[0].coordinate.joint),
              &leader = model.joint(mimic.terms[1].coordinate.joint);
  const auto limited = [](const Joint& joint) {
    return !joint.axes.empty() && joint.axes[0].lower && joint.axes[0].upper;
  };
  return follower.kind.index() == leader.kind.index() && limited(follower) && limited(leader);
}

// What stands on the joint that follows: one other leads it, and its own coordinate is a plain sum.
bool StandsOnFollower(const Model& model, const Coupling& coupling) {
  const std::vector<CouplingTerm>& t = coupling.terms;
  return t.size() == 2 && t[0].coordinate.joint != t[1].coordinate.joint && IsScalar(model, t[0]) &&
         IsScalar(model, t[1]) && t[0].coefficients[0] != 0 &&
         std::all_of(t[0].coefficients.begin() + 1, t[0].coefficients.end(),
                     [](double c) { return c == 0; });
}

std::string WordOf(const Coupling& coupling) {
  const Feature feature = CouplingFeature(coupling);
  const std::string word(FeatureName(feature).substr(std::string_view("coupling-").size()));
  return feature == Feature::kCouplingLinear ? word + " relation" : word;
}

}  // namespace

std::size_t FollowerIn(const Model& model, const Actuations& actuations, const Coupling& coupling) {
  if (coupling.form == CouplingForm::kMimic || coupling.terms.size() != 2) return 0;
  // Who follows: the joint that is not declared independent, then the one that is less driven, then
  // the later one in the file.
  const auto rank = [&](std::size_t i) {
    const auto [id, axis] = coupling.terms[i].coordinate;
    return std::tuple(model.joint(id).independent.value_or(false), actuations.Of(id, axis));
  };
  if (rank(0) != rank(1)) return rank(0) < rank(1) ? 0 : 1;
  if (coupling.form == CouplingForm::kPolynomial) return 0;
  return coupling.terms[0].coordinate.joint > coupling.terms[1].coordinate.joint ? 0 : 1;
}

std::optional<Coupling> AsMimic(const Model& model, const Coupling& coupling,
                                std::size_t follower) {
  // Two different joints, both of one coordinate and both in the tree.
  if (coupling.terms.size() != 2 || !IsLinear(coupling)) return std::nullopt;
  if (!IsScalar(model, coupling.terms[0]) || !IsScalar(model, coupling.terms[1]))
    return std::nullopt;
  if (coupling.terms[0].coordinate.joint == coupling.terms[1].coordinate.joint) return std::nullopt;
  for (const CouplingTerm& t : coupling.terms)
    if (model.joint(t.coordinate.joint).role == JointRole::kLoop) return std::nullopt;
  const bool said = follower == 0 && (coupling.form == CouplingForm::kMimic ||
                                      coupling.form == CouplingForm::kPolynomial);
  Coupling mimic = coupling;
  mimic.form = CouplingForm::kMimic;
  const CouplingTerm f = coupling.terms[follower], l = coupling.terms[1 - follower];
  // A multiplier of 0 is the author's way to hold the follower at its offset.
  if (f.coefficients[0] == 0 || (!said && l.coefficients[0] == 0)) return std::nullopt;
  // Divided by the follower's coefficient: q_f + (c_l / c_f) q_l = constant / c_f.
  mimic.terms = {{f.coordinate, {1, 0, 0, 0}},
                 {l.coordinate, {l.coefficients[0] / f.coefficients[0], 0, 0, 0}}};
  mimic.constant = coupling.constant / f.coefficients[0];
  return mimic;
}

std::optional<Coupling> AsRatio(const Model& model, const SpanningTree& tree,
                                const Actuations& actuations, const Coupling& coupling) {
  if (coupling.terms.size() < 2 || !IsLinear(coupling) || coupling.constant != 0)
    return std::nullopt;
  // A ratio is told by two links. Its terms must be exactly the joints on the two paths from their
  // nearest common ancestor, all of one coefficient on each side: so the paths are found first,
  // then compared.
  std::vector<int> term_of(model.num_joints(), -1);
  for (std::size_t i = 0; i < coupling.terms.size(); ++i) {
    const JointId id = coupling.terms[i].coordinate.joint;
    if (!IsScalar(model, coupling.terms[i]) || tree.IsLoop(id) || term_of[Index(id)] >= 0)
      return std::nullopt;
    const LinkId child = model.successor(id);
    if (tree.parent_joint[Index(child)] != id)
      return std::nullopt;  // points against the tree: the sum would change its sign
    term_of[Index(id)] = static_cast<int>(i);
  }
  // The deepest joint's path takes what lies on it; the rest is the other branch.
  Branch sides[2];
  std::vector<bool> taken(coupling.terms.size(), false);
  for (Branch& side : sides) {
    for (std::size_t i = 0; i < coupling.terms.size(); ++i) {
      const LinkId child = model.successor(coupling.terms[i].coordinate.joint);
      if (!taken[i] &&
          (side.end == kNoLink || tree.depth[Index(child)] > tree.depth[Index(side.end)]))
        side.end = child;
    }
    if (side.end == kNoLink) return std::nullopt;
    for (LinkId link = side.end; link != kWorld; link = tree.parent[Index(link)]) {
      const JointId id = tree.parent_joint[Index(link)];
      if (id == kNoJoint || term_of[Index(id)] < 0) continue;
      const std::size_t i = static_cast<std::size_t>(term_of[Index(id)]);
      if (taken[i]) return std::nullopt;
      taken[i] = true;
      if (side.count > 0 && !SameNumber(side.coefficient, coupling.terms[i].coefficients[0]))
        return std::nullopt;
      side.coefficient = coupling.terms[i].coefficients[0];
      ++side.count;
    }
  }
  if (std::find(taken.begin(), taken.end(), false) != taken.end()) return std::nullopt;
  // No joint with a coordinate may be on a path without a term, or the reader of the file would add
  // it.
  const LinkId top = NearestCommonAncestor(tree, sides[0].end, sides[1].end);
  for (const Branch& side : sides)
    if (!FillsPath(model, tree, top, side, term_of) || side.coefficient == 0) return std::nullopt;

  // Which branch follows: what the author said, else the one that is not declared independent, else
  // that of less actuation, else the later one.
  std::size_t successor = 1;
  if (coupling.form == CouplingForm::kRatio &&
      (coupling.successor == sides[0].end || coupling.predecessor == sides[1].end)) {
    successor = 0;
  } else if (coupling.form != CouplingForm::kRatio || coupling.successor != sides[1].end) {
    const auto last = [&](const Branch& b) { return tree.parent_joint[Index(b.end)]; };
    const auto rank = [&](const Branch& b) {
      return std::tuple(model.joint(last(b)).independent.value_or(false),
                        actuations.Of(last(b), 0));
    };
    if (rank(sides[0]) != rank(sides[1]))
      successor = rank(sides[0]) > rank(sides[1]) ? 1 : 0;
    else
      successor = last(sides[0]) > last(sides[1]) ? 0 : 1;
    if (coupling.form == CouplingForm::kGearbox && coupling.successor == sides[1 - successor].end)
      successor = 1 - successor;
  }
  const Branch &s = sides[successor], &p = sides[1 - successor];
  Coupling ratio = coupling;
  ratio.form = CouplingForm::kRatio;
  ratio.predecessor = p.end;
  ratio.successor = s.end;
  ratio.reference = top;
  // Successor motion over predecessor motion, with the successor's coefficient made 1.
  ratio.ratio = -p.coefficient / s.coefficient;
  for (CouplingTerm& t : ratio.terms) t.coefficients[0] /= s.coefficient;
  return ratio;
}

std::optional<Coupling> AsGearbox(const Model& model, const SpanningTree& tree,
                                  const std::vector<RigidTransform>& X_WL,
                                  const Actuations& actuations, const Coupling& coupling) {
  if (coupling.terms.size() < 2 || !IsLinear(coupling) || coupling.constant != 0)
    return std::nullopt;
  // theta_2 + ratio theta_1 = 0, with the angles about one axis: every joint's sign says which way
  // it turns about it.
  Coupling unsigned_terms = coupling;
  std::optional<Vector3> axis_W;
  std::vector<double> sense;
  for (CouplingTerm& t : unsigned_terms.terms) {
    const JointId id = t.coordinate.joint;
    const auto* revolute = std::get_if<Revolute>(&model.joint(id).kind);
    if (revolute == nullptr) return std::nullopt;
    const Vector3 a =
        X_WL[Index(model.predecessor(id))].R * model.joint(id).X_PF.R * revolute->axis;
    if (!axis_W) axis_W = a;
    if (axis_W->cross(a).norm() > 1e-9) return std::nullopt;
    sense.push_back(axis_W->dot(a) > 0 ? 1 : -1);
    t.coefficients[0] *= sense.back();
  }
  // With the signs taken out it is a ratio of branches; they come back into the terms, which count
  // in the joints' own directions.
  std::optional<Coupling> ratio = AsRatio(model, tree, actuations, unsigned_terms);
  if (!ratio) return std::nullopt;
  for (std::size_t i = 0; i < sense.size(); ++i) ratio->terms[i].coefficients[0] *= sense[i];
  ratio->form = CouplingForm::kGearbox;
  ratio->ratio = -ratio->ratio;
  return ratio;
}

namespace {

// The form of each coupling that the target has a word for: the author's own first, then the others
// from the most to the least special.
class CouplingForms {
 public:
  CouplingForms(Model& model, const LowerCouplings& asked, PassContext& context)
      : model_(model),
        asked_(asked),
        context_(context),
        tree_(TreeOf(model)),
        X_W_(ZeroPoses(model, tree_)),
        actuations_(model),
        leads_(model.num_joints(), kNoJoint) {}

  void Lower(Coupling& coupling) {
    const Feature feature = CouplingFeature(coupling);
    if (IsOnLostLoop(feature, coupling)) return;
    // In the target's own spelling of a sum, unless it has a better one.
    const bool as_written = !asked_.own_sum.empty() && coupling.native_type == asked_.own_sum &&
                            IsLinear(coupling) && coupling.terms.size() > 1 && AllScalar(coupling);
    if (as_written && !context_.Native(Feature::kCouplingRatio)) return;
    if (StaysInItsForm(feature, coupling) || TakesAnotherForm(coupling) || as_written) return;
    Lose(feature, coupling);
  }

 private:
  [[nodiscard]] bool AllScalar(const Coupling& coupling) const {
    return std::all_of(coupling.terms.begin(), coupling.terms.end(),
                       [&](const CouplingTerm& t) { return IsScalar(model_, t); });
  }
  [[nodiscard]] bool TakesAxes(const Coupling& coupling) const {
    return !asked_.between_single_axes || AllScalar(coupling);
  }

  // A loop joint has no coordinate where loops are only marked.
  bool IsOnLostLoop(Feature feature, Coupling& coupling) {
    const auto on_loop =
        std::find_if(coupling.terms.begin(), coupling.terms.end(),
                     [&](const CouplingTerm& term) { return tree_.IsLoop(term.coordinate.joint); });
    if (on_loop == coupling.terms.end() || asked_.cut_is_unseen) return false;
    context_.Lose(model_, feature, SubjectOf(model_, coupling),
                  EquationText(model_, coupling) + " is not written; the joints move on their own",
                  Quoted("joint", model_.joint(on_loop->coordinate.joint).name) +
                      " is a loop joint, which has no coordinate of its own");
    coupling.terms.clear();
    return true;
  }

  // A joint can follow one other only, and none that follows it.
  [[nodiscard]] bool MayFollow(JointId follower, JointId leader) const {
    if (leads_[Index(follower)] != kNoJoint) return false;
    while (leader != kNoJoint && leader != follower) leader = leads_[Index(leader)];
    return leader == kNoJoint;
  }

  // Takes the form, which the target has as `native`.
  bool Fits(Feature native, const std::optional<Coupling>& form, Coupling& coupling) {
    if (!context_.Native(native) || !form) return false;
    if (native == Feature::kCouplingMimic && asked_.mimics_join_limited &&
        !JoinsLimitedOfOneKind(model_, *form))
      return false;
    const bool polynomial =
        native == Feature::kCouplingPolynomial && asked_.polynomials_on_followers;
    if (polynomial && !StandsOnFollower(model_, *form)) return false;
    if (native == Feature::kCouplingMimic || polynomial) {
      const JointId follower = form->terms[0].coordinate.joint;
      const JointId leader = form->terms[1].coordinate.joint;
      if (!MayFollow(follower, leader)) return false;
      leads_[Index(follower)] = leader;
    }
    if (coupling.form != form->form) {
      context_.Lowered(SubjectOf(model_, coupling),
                       EquationText(model_, coupling) + " is written as a " + WordOf(*form));
    }
    coupling = *form;
    return true;
  }

  // As a mimic of the joint that leads, or of the other one where that follows already.
  bool FitsMimic(Feature native, Coupling& coupling, CouplingForm form = CouplingForm::kMimic) {
    // A mimic is not turned round: its author says which joint follows.
    const std::size_t follower = FollowerIn(model_, actuations_, coupling);
    for (const std::size_t i : {follower, 1 - follower}) {
      if (i != 0 && coupling.form == CouplingForm::kMimic) continue;
      std::optional<Coupling> mimic = AsMimic(model_, coupling, i);
      if (mimic) mimic->form = form;
      if (Fits(native, mimic, coupling)) return true;
    }
    return false;
  }

  bool StaysInItsForm(Feature feature, Coupling& coupling) {
    if (feature == Feature::kCouplingMimic && FitsMimic(feature, coupling)) return true;
    if (feature == Feature::kCouplingRatio &&
        Fits(feature, AsRatio(model_, tree_, actuations_, coupling), coupling))
      return true;
    if (feature == Feature::kCouplingGearbox &&
        ((context_.Native(feature) && IsGearbox(model_, coupling)) ||
         Fits(feature, AsGearbox(model_, tree_, X_W_, actuations_, coupling), coupling)))
      return true;
    if (feature == Feature::kCouplingPolynomial && Fits(feature, coupling, coupling)) return true;
    // A target with a word of its own for sums takes them as such, and mimics as mimics; one
    // without polynomials takes none that happens to be a line.
    const bool own_word =
        !asked_.own_sum.empty() || (coupling.form == CouplingForm::kPolynomial &&
                                    !context_.Native(Feature::kCouplingPolynomial));
    const bool takes_all = !own_word || coupling.form == CouplingForm::kTendon;
    return feature == Feature::kCouplingLinear && context_.Native(feature) && takes_all &&
           TakesAxes(coupling);
  }

  // A joint that is held follows any other one with the factor 0; one of its own kind first.
  bool HoldsByMimic(Coupling& coupling) {
    if (coupling.terms.size() != 1 || !IsLinear(coupling) || !AllScalar(coupling)) return false;
    const JointId held = coupling.terms[0].coordinate.joint;
    for (const bool alike : {true, false}) {
      for (const JointId id : Joints(model_)) {
        const JointKind& kind = model_.joint(id).kind;
        if (id == held || tree_.IsLoop(id) || NumVelocities(kind) != 1 ||
            (kind.index() == model_.joint(held).kind.index()) != alike)
          continue;
        Coupling mimic = coupling;
        mimic.form = CouplingForm::kPolynomial;
        mimic.terms.push_back({{id, 0}, {}});
        if (!Fits(Feature::kCouplingMimic, AsMimic(model_, mimic, 0), coupling)) continue;
        return true;
      }
    }
    return false;
  }

  bool TakesAnotherForm(Coupling& coupling) {
    if (HoldsByMimic(coupling) || FitsMimic(Feature::kCouplingMimic, coupling) ||
        Fits(Feature::kCouplingRatio, AsRatio(model_, tree_, actuations_, coupling), coupling) ||
        Fits(Feature::kCouplingGearbox, AsGearbox(model_, tree_, X_W_, actuations_, coupling),
             coupling))
      return true;
    if (context_.Native(Feature::kCouplingPolynomial) && coupling.terms.size() == 2 &&
        coupling.terms[0].coefficients[0] != 0 &&
        FitsMimic(Feature::kCouplingPolynomial, coupling, CouplingForm::kPolynomial))
      return true;
    if (!context_.Native(Feature::kCouplingLinear) || !IsLinear(coupling) || !TakesAxes(coupling))
      return false;
    // The most general linear form, last: a sum says less to a reader than a mimic does.
    Coupling tendon = coupling;
    tendon.form = CouplingForm::kTendon;
    return Fits(Feature::kCouplingLinear, tendon, coupling);
  }

  void Lose(Feature feature, Coupling& coupling) {
    const Capability cell = context_.Of(feature);
    // Kept by the writer as a remark that user code must enforce, or not at all.
    const bool kept =
        !context_.Native(Feature::kCouplingMimic) && !context_.Native(Feature::kCouplingGearbox) &&
        !context_.Native(Feature::kCouplingLinear) && cell.support == Support::kPartial;
    // What was such a remark in the source is no less one in the target.
    if (kept && model_.format == context_.options.target.format->name) return;
    Loss& loss = context_.Lose(
        model_, feature, SubjectOf(model_, coupling),
        EquationText(model_, coupling) + (kept ? " is not enforced by the file alone"
                                               : " is not written; the joints move on their own"));
    if (kept)
      loss.target = "a remark for user code";
    else
      coupling.terms.clear();  // taken out by LowerCouplings
  }

  Model& model_;
  const LowerCouplings& asked_;
  PassContext& context_;
  const SpanningTree tree_;
  const std::vector<RigidTransform> X_W_;
  const Actuations actuations_;
  std::vector<JointId> leads_;  // by joint that follows: the one it follows
};

// A follower of a follower follows the first leader: f = a + m g with g = b + n l is
// f = (a + m b) + (m n) l. A polynomial of l is multiplied likewise; f itself must be linear in g.
void FollowFirstLeaders(Model& model, PassContext& context) {
  std::vector<const Coupling*> leads(model.num_joints(), nullptr);  // by joint that follows
  const auto follows = [](const Coupling& c) {
    return c.form == CouplingForm::kMimic || c.form == CouplingForm::kPolynomial;
  };
  for (const Coupling& coupling : model.couplings)
    if (follows(coupling)) leads[Index(coupling.terms[0].coordinate.joint)] = &coupling;
  for (Coupling& coupling : model.couplings) {
    if (!follows(coupling) || !IsLinear(coupling)) continue;
    const std::string before = EquationText(model, coupling);
    bool changed = false;
    // A circle of followers does not get here: MayFollow.
    while (const Coupling* const next = leads[Index(coupling.terms[1].coordinate.joint)]) {
      // As rows: f - m g = a and g - p(l) = b.
      const double m = coupling.terms[1].coefficients[0] / next->terms[0].coefficients[0];
      coupling.constant -= m * next->constant;
      coupling.terms[1] = next->terms[1];
      for (double& c : coupling.terms[1].coefficients) c *= -m;
      changed = true;
      if (!IsLinear(coupling)) coupling.form = CouplingForm::kPolynomial;
      if (!IsLinear(coupling)) break;
    }
    if (changed)
      context.Lowered(SubjectOf(model, coupling),
                      before + " is written as " + EquationText(model, coupling));
  }
}

}  // namespace

void LowerCouplings::operator()(Model& model, PassContext& context) const {
  if (model.couplings.empty()) return;
  CouplingForms forms(model, *this, context);
  for (Coupling& coupling : model.couplings) forms.Lower(coupling);
  std::erase_if(model.couplings, [](const Coupling& c) { return c.terms.empty(); });
  if (leaders_follow_nobody) FollowFirstLeaders(model, context);
}

}  // namespace kinemorph
