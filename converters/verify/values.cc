// Joint data by coordinate.
#include "verify/values.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "kinemorph/graph/checks/units.h"
#include "kinemorph/graph/model/fields.h"

namespace kinemorph::verify {
namespace {

// Axes as they stand in the predecessor (the second one of a universal joint: in the successor),
// and the pitch: what a joint that is locked by loops does not show by moving.
double AxisError(const Side& a, const Side& b, const CoordinatePair& pair,
                 const Correspondence& match) {
  const Joint& x = a.model.joint(pair.joint_a);
  const Joint& y = b.model.joint(pair.joint_b);
  const LinkId ends_a[] = {a.model.predecessor(pair.joint_a), a.model.successor(pair.joint_a)};
  const LinkId ends_b[] = {b.model.predecessor(pair.joint_b), b.model.successor(pair.joint_b)};
  if (x.kind.index() != y.kind.index() || match.b_of_a[Index(ends_a[0])] != ends_b[0]) return 0;
  const std::vector<Vector3> axes_a = AxesOf(x.kind), axes_b = AxesOf(y.kind);
  const bool loop = x.role == JointRole::kLoop || y.role == JointRole::kLoop;
  double error = 0;
  for (std::size_t i = 0; i < axes_a.size(); ++i) {
    const LinkId link = ends_a[i];
    if (match.b_of_a[Index(link)] != ends_b[i]) continue;
    const Matrix3 R =
        link == kWorld ? match.X_BA.R : Matrix3(match.X_ab[Index(link)].R.transpose());
    const Vector3 at_a = R * (i == 0 ? x.X_PF.R : x.X_SM.R) * axes_a[i],
                  at_b = (i == 0 ? y.X_PF.R : y.X_SM.R) * axes_b[i];
    double difference = (at_a - at_b).cwiseAbs().maxCoeff();
    if (loop)
      difference = std::min(
          difference, (at_a + at_b).cwiseAbs().maxCoeff());  // a closed hinge has no positive side
    error = std::max(error, difference);
  }
  if (const auto* screw = std::get_if<Screw>(&x.kind))
    error = std::max(error, RelativeError(screw->pitch, std::get<Screw>(y.kind).pitch, 0));
  return error;
}

using Value = std::optional<double>;

Value Told(const JointAxis& axis, const NumberField<JointAxis>& field) {
  const Value said = Said(axis, field);
  const bool none =
      said && field.silence == Silence::kHuge && std::abs(*said) >= FormatLimits::kHuge;
  return none ? std::nullopt : said;
}
Value NonZero(Value value) { return value && *value != 0 ? value : std::nullopt; }

}  // namespace

std::set<std::string> MovedZeros(const VerifyOptions& options) {
  std::set<std::string> joints;
  for (const LossReport* report : {options.report, options.back}) {
    if (report == nullptr) continue;
    const Renames renames(*report);
    for (const Loss& loss : report->losses) {
      if (loss.feature != Feature::kPositionOffset) continue;
      joints.insert(loss.subject.joint);
      joints.insert(renames.Of(SubjectKind::kJoint, loss.subject.where, loss.subject.joint));
    }
  }
  return joints;
}

namespace {

// By joint: whether a joint is declared in its aggregate, beside which saying nothing means
// independent; for loop joints, in the model.
std::vector<bool> Declared(const Side& side) {
  const auto says = [&](JointId id) { return side.model.joint(id).independent.has_value(); };
  bool any = false;
  for (const JointId id : Joints(side.model)) any = any || says(id);
  std::vector<bool> declared(side.model.num_joints(), any);
  for (const Aggregate& aggregate : side.m.aggregates) {
    const auto joint = [&](int body) { return side.m.bodies[U(body)].joint; };
    const bool here = std::any_of(aggregate.bodies.begin(), aggregate.bodies.end(),
                                  [&](int b) { return joint(b) != kNoJoint && says(joint(b)); });
    for (const int b : aggregate.bodies)
      if (joint(b) != kNoJoint) declared[Index(joint(b))] = here;
  }
  return declared;
}

// Joints that follow another one by a mimic: saying nothing of them means neither.
std::vector<bool> Followers(const Model& model) {
  std::vector<bool> follows(model.num_joints(), false);
  for (const Coupling& coupling : model.couplings)
    if (coupling.form == CouplingForm::kMimic && !coupling.terms.empty())
      follows[Index(coupling.terms.front().coordinate.joint)] = true;
  return follows;
}

class Values {
 public:
  Values(const Side& a, const Side& b, const Correspondence& match, const VerifyOptions& options,
         Excuses& excuses)
      : a_(a),
        b_(b),
        match_(match),
        options_(options),
        excuses_(excuses),
        body_a_(BodyOfJoint(a)),
        body_b_(BodyOfJoint(b)) {}

  // Pairs of one joint stand together: the joint is compared once, each coordinate by itself.
  void Run(const std::vector<CoordinatePair>& pairs, std::vector<Worst>& checks) {
    JointId last = kNoJoint;
    for (const CoordinatePair& pair : pairs) {
      if (pair.joint_a != last) CompareJoint(pair);
      last = pair.joint_a;
      CompareAxis(pair);
    }
    CompareUnpaired(pairs);
    CompareDeclarations(pairs);
    for (const Worst* check :
         {&types_, &axes_, &limits_, &efforts_, &velocities_, &others_, &damping_, &friction_,
          &springs_, &armature_, &offsets_, &independent_})
      if (check->made()) checks.push_back(*check);
  }

 private:
  void CompareJoint(const CoordinatePair& pair) {
    const Joint& x = a_.model.joint(pair.joint_a);
    const Joint& y = b_.model.joint(pair.joint_b);
    const bool trees = body_a_[Index(pair.joint_a)] >= 0 && body_b_[Index(pair.joint_b)] >= 0;
    // A joint of the same name that leads elsewhere is the end of a chain that was folded into one.
    const bool whole =
        pair.whole && (!trees || match_.b_of_a[Index(a_.model.successor(pair.joint_a))] != kNoLink);
    if (trees && whole && NumAxes(x.kind) == NumAxes(y.kind)) {
      const bool same = x.kind.index() == y.kind.index();
      types_.Add(same ? 0 : 1, pair.name,
                 std::string(KindName(x.kind)) + " against " + std::string(KindName(y.kind)));
    }
    if (!AxesOf(x.kind).empty()) axes_.Add(AxisError(a_, b_, pair, match_), pair.name);
    if (!excuses_.same_format() || x.cut_hint == y.cut_hint || !whole) return;
    // A mark says what the role of an authored loop joint says.
    if ((x.cut_hint ? y : x).role == JointRole::kLoop) return;
    const std::string told = "only one is marked as the loop joint";
    // A conversion marks the cut that A has all the same, or that you asked for.
    if (options_.report != nullptr && y.cut_hint) {
      const std::vector<std::string>& cuts = options_.report->coordinates.loop_joints;
      const bool loops = body_a_[Index(pair.joint_a)] < 0 && body_b_[Index(pair.joint_b)] < 0;
      if (loops || std::find(cuts.begin(), cuts.end(), y.name) != cuts.end()) return;
    }
    if (x.cut_hint && excuses_.Take(Feature::kIndependent, SubjectOf(x)))
      return independent_.Except("'" + pair.name + "': " + told);
    independent_.Miss(pair.name, told);
  }

  void CompareAxis(const CoordinatePair& pair) {
    const Joint& joint_a = a_.model.joint(pair.joint_a);
    const Joint& joint_b = b_.model.joint(pair.joint_b);
    if (U(pair.axis_a) >= joint_a.axes.size() || U(pair.axis_b) >= joint_b.axes.size()) return;
    subject_ = SubjectOf(joint_a), subject_b_ = SubjectOf(joint_b);
    angle_ = pair.angle;
    name_ =
        joint_a.axes.size() > 1 ? pair.name + "[" + std::to_string(pair.axis_a) + "]" : pair.name;
    JointAxis x = joint_a.axes[U(pair.axis_a)];
    CountFrom(-pair.shift, x);
    const JointAxis& y = joint_b.axes[U(pair.axis_b)];
    const double scale = pair.angle ? 1 : a_.m.length;
    // Numbers of the table of fields. Limits are measured from A's zero, and are brought to B's.
    for (NumberField<JointAxis> field : kAxisNumbers) {
      if (field.member == &JointAxis::spring_reference) continue;  // with its spring
      if (field.member == &JointAxis::effort_lower) field.feature = Feature::kAsymmetricEffortLimit;
      Compare(field, Told(x, field), Told(y, field), scale);
    }

    // The rest position of a spring is a position too, and of interest only if both have the
    // spring.
    if (NonZero(x.spring_stiffness) && NonZero(y.spring_stiffness)) {
      const double rest = x.spring_reference.value_or(0);
      springs_.Add(RelativeError(rest, y.spring_reference.value_or(0), scale), name_,
                   "rest at " + WithUnit(rest, unit::kPosition, angle_) + " against " +
                       WithUnit(y.spring_reference.value_or(0), unit::kPosition, angle_));
    }
    ComparePart(x.safety.value_or(Safety{}), y.safety.value_or(Safety{}), scale);
    ComparePart(x.calibration.value_or(Calibration{}), y.calibration.value_or(Calibration{}),
                scale);
    // Where B counts from another zero, its reference says by how much.
    const double offset = x.position_offset - pair.shift;
    const bool said = x.position_offset != 0 || y.position_offset != 0;
    const bool none = !said || std::abs(offset) <= 1e-9 * scale;
    if (excuses_.same_format() && pair.whole)
      Compare(Field{&JointAxis::position_offset, "", "reference position", Feature::kPositionOffset,
                    unit::kPosition},
              NonZero(none ? 0 : offset), NonZero(y.position_offset), scale);
  }

  // What is said of a coordinate that the other side has no counterpart of: of a part of a ball or
  // free joint, or of the joint itself.
  void CompareUnpaired(const std::vector<CoordinatePair>& pairs) {
    std::set<std::pair<JointId, int>> met_a, met_b;
    for (const CoordinatePair& pair : pairs)
      met_a.emplace(pair.joint_a, pair.axis_a), met_b.emplace(pair.joint_b, pair.axis_b);
    const auto each = [&](const Side& side, const std::set<std::pair<JointId, int>>& met,
                          auto&& compare) {
      for (const JointId id : Joints(side.model)) {
        const Joint& joint = side.model.joint(id);
        for (std::size_t i = 0; i < joint.axes.size(); ++i) {
          if (met.contains({id, static_cast<int>(i)})) continue;
          subject_ = subject_b_ = SubjectOf(joint), name_ = joint.name;
          angle_ = IsAngular(joint.kind, i);
          for (const auto& field : kAxisNumbers)
            if (field.member != &JointAxis::spring_reference)
              compare(Told(joint.axes[i], field), field);
        }
      }
    };
    each(a_, met_a, [&](Value value, const auto& field) { Compare(field, value, {}, 0); });
    each(b_, met_b, [&](Value value, const auto& field) { Compare(field, {}, value, 0); });
  }

  // Which check a field belongs to; a new field of the table is compared under "other limits" at
  // least.
  Worst& CheckOf(Feature feature) {
    using enum Feature;
    const std::pair<Feature, Worst*> checks[] = {
        {kPositionLimit, &limits_},
        {kEffortLimit, &efforts_},
        {kAsymmetricEffortLimit, &efforts_},
        {kVelocityLimit, &velocities_},
        {kDamping, &damping_},
        {kFriction, &friction_},
        {kSpring, &springs_},
        {kArmature, &armature_},
        {kInitialPosition, &offsets_},
        {kPositionOffset, &offsets_},
    };
    const auto found = std::find_if(std::begin(checks), std::end(checks),
                                    [&](const auto& check) { return check.first == feature; });
    return found == std::end(checks) ? others_ : *found->second;
  }

  template <class Owner>
  void ComparePart(const Owner& x, const Owner& y, double scale) {
    ForEachField<Owner>([&](const NumberField<Owner>& field) {
      Compare(field, x.*field.member, y.*field.member, scale);
    });
  }

  // Positions are compared over a length.
  template <class Row>
  void Compare(const Row& field, Value x, Value y, double length) {
    if (!x && !y) return;
    const double scale = field.units == unit::kPosition ? length : 0;
    // Relative, but positions also over a length, as a limit of 0 has no size.
    const double error = x && y ? RelativeError(*x, *y, scale) : kMissing;
    Worst& check = CheckOf(field.feature);
    if (error <= check.check().tolerance) return check.Add(error, name_);
    const auto text = [&](Value value) {
      return value ? WithUnit(*value, field.units, angle_) : std::string("none");
    };
    const std::string told = std::string(field.words) + " " + text(x) + " against " + text(y);
    // A part of a joint that was split is named after the part.
    const auto take = [&](const Subject& subject) {
      return y ? excuses_.TakeChanged(field.feature, subject)
               : excuses_.Take(field.feature, subject);
    };
    // Where A says nothing, its report may name the value that the target needs.
    if (x ? take(subject_) || take(subject_b_)
          : excuses_.TakeOfB(field.feature, subject_b_) ||
                excuses_.TakeChanged(field.feature, subject_))
      return check.Except("'" + name_ + "': " + told);
    check.Add(error, name_, told);
  }

  // The conversion whose report this is made the choice.
  [[nodiscard]] bool Chosen(const Joint& joint) {
    if (excuses_.written() == nullptr) return false;
    if (!written_) written_.emplace(*excuses_.written());
    const auto written = written_->Joint(joint.name);
    return written && excuses_.written()->joint(*written).independent == joint.independent;
  }

  // What is declared of one side only because its format must (MBS) or can (URDF+) is no difference
  // to a side that says nothing at all.
  void CompareDeclarations(const std::vector<CoordinatePair>& pairs) {
    const std::vector<bool> declared_a = Declared(a_), declared_b = Declared(b_);
    const std::vector<bool> follows_a = Followers(a_.model), follows_b = Followers(b_.model);
    JointId last = kNoJoint;
    for (const CoordinatePair& pair : pairs) {
      if (pair.joint_a == last) continue;
      last = pair.joint_a;
      const Joint &x = a_.model.joint(pair.joint_a), &y = b_.model.joint(pair.joint_b);
      const bool any_a = declared_a[Index(pair.joint_a)], any_b = declared_b[Index(pair.joint_b)];
      const std::optional<bool> of_a = x.independent, of_b = y.independent;

      // A joint that one side has in the tree and the other as a loop joint says independence in
      // other ways.
      const bool loop = (body_a_[Index(pair.joint_a)] < 0) !=
                        (body_b_[Index(pair.joint_b)] < 0);  // cut elsewhere
      const bool silent = (!of_a && follows_a[Index(pair.joint_a)]) ||
                          (!of_b && !of_a.value_or(true) && follows_b[Index(pair.joint_b)]);
      const bool same =
          of_a.value_or(true) == of_b.value_or(true) || silent || (loop && !(of_a && of_b));
      const Subject subject = SubjectOf(x);
      if (same) {
        if (of_a && of_b) independent_.Add(0, pair.name);
        // What is true anyway may be lost as a declaration all the same.
        if (of_a && !of_b && options_.report != nullptr)
          static_cast<void>(excuses_.Take(Feature::kIndependent, subject));
        continue;
      }
      const auto word = [](std::optional<bool> value) {
        return value.value_or(true) ? "independent" : "dependent";
      };
      const std::string told = std::string(word(of_a)) + " against " + word(of_b);
      const bool chosen =
          a_.model.format !=
          b_.model.format;  // by the conversion, where the author had nothing to say
      const bool excused = any_a ? excuses_.Take(Feature::kIndependent, subject) ||
                                       excuses_.Take(Feature::kIndependent, SubjectOf(y))
                                 : any_b && (chosen || Chosen(y));
      if (excused && any_a)
        independent_.Except("'" + pair.name + "': " + told);
      else if (!excused)
        independent_.Miss(pair.name, told);
    }
  }

  const Side& a_;
  const Side& b_;
  const Correspondence& match_;
  const VerifyOptions& options_;
  Excuses& excuses_;
  std::optional<Names> written_;  // B as a conversion writes it
  std::vector<int> body_a_, body_b_;
  Subject subject_, subject_b_;  // of the coordinate being compared
  std::string name_;
  bool angle_ = false;
  const double t_ = options_.tolerance;
  Worst types_{"joint types", 0}, axes_{"joint axes", t_}, limits_{"position limits", t_},
      efforts_{"effort limits", t_}, velocities_{"velocity limits", t_},
      others_{"other limits", t_}, damping_{"damping", t_}, friction_{"friction", t_},
      springs_{"springs", t_}, armature_{"armature", t_}, offsets_{"joint positions", t_},
      independent_{"independent coordinates", 0};
};

}  // namespace

void CompareJointValues(const Side& a, const Side& b, const std::vector<CoordinatePair>& pairs,
                        const Correspondence& match, const VerifyOptions& options, Excuses& excuses,
                        std::vector<Worst>& checks) {
  Values(a, b, match, options, excuses).Run(pairs, checks);
}

}  // namespace kinemorph::verify
