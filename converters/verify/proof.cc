#include "verify/proof.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "kinemorph/graph/model/zero_poses.h"
#include "verify/accelerations.h"
#include "verify/carry.h"

namespace kinemorph::verify {
namespace {

// At closed states of A, B is put where A is, link by link, and must then stand there exactly,
// close its own loops, move as A moves, and be accelerated alike. That is a test of kinematics, of
// the span of the constraint rows and of the projected dynamics, and it needs no pairing of loops,
// cuts or coordinates. What joints and couplings demand was compared as such before
// (verify/relations.h): where it is the same, no state adds to it, and ill-conditioned states must
// not take away from it ("settled").
class Proof {
 public:
  Proof(const Side& a, const Side& b, const Correspondence& match, const Relations& relations,
        const VerifyOptions& options, Excuses& excuses, std::vector<CoordinatePair>& pairs,
        VerifyResult& result)
      : a_(a),
        b_(b),
        relations_(relations),
        options_(options),
        excuses_(excuses),
        pairs_(pairs),
        result_(result),
        match_(match),
        carrier_(a, b, match),
        solver_a_(a.m),
        solver_b_(b.m),
        joints_a_(a.m),
        joints_b_(b.m),
        random_(options.seed),
        moved_zeros_(MovedZeros(options)),
        poses_("link poses", options.tolerance),
        zeros_("zero poses", options.tolerance),
        closure_("loop closure", options.tolerance),
        coordinates_("joint coordinates", options.tolerance),
        motions_("link motions", 10 * options.tolerance),
        rows_("constraint rows", 10 * options.tolerance),
        accelerations_(a, b, match, carrier_, pairs, relations.identical, options.tolerance,
                       result) {}

  void Run() {
    turn_is_known_ = KnownTurns();
    const std::vector<Eigen::VectorXd> states = States();
    q_b_ = b_.coordinates.assembled;
    for (std::size_t i = 0; i < states.size() && !Interrupted(); ++i) Check(states[i], i == 0);
    // Mobility is that of postures in general: what stands still apart is counted at one of them.
    const std::size_t first = result_.checks.size();
    CheckMobility(a_.coordinates.singular_at_zero ? states.back() : states.front());
    for (const Worst* worst : std::initializer_list<const Worst*>{
             &poses_, &coordinates_, &closure_, &motions_, &rows_, &accelerations_.worst()}) {
      if (worst->made()) result_.checks.push_back(worst->check());
      Report(*worst, result_);
    }
    const bool differs =
        std::any_of(result_.checks.begin() + static_cast<std::ptrdiff_t>(first),
                    result_.checks.end(), [](const VerifyCheck& check) { return !check.Holds(); });
    if (differs && !open_) open_ = SayDoubt(states);
    for (std::size_t i = first; i < result_.checks.size(); ++i) result_.checks[i].open = open_;
    CheckZeroPoses();
    if (zeros_.made()) result_.checks.push_back(zeros_.check());
    Report(zeros_, result_);
  }

 private:
  [[nodiscard]] bool Interrupted() const { return options_.interrupted && options_.interrupted(); }

  // The first state is zero where the loops are closed there, for readers and for pairs of
  // coordinates; the others are random, closed by Newton from random motions of 0.6 (rad or lengths
  // of the robot).
  std::vector<Eigen::VectorXd> States() {
    const Eigen::VectorXd zero = a_.m.ZeroPosition();
    std::vector<Eigen::VectorXd> states = {
        solver_a_.Residual(zero) <= kClosed ? zero : a_.coordinates.assembled};
    const std::vector<int> ranks = a_.coordinates.Ranks();
    int open = 0;
    for (int i = 0; i < options_.states && !Interrupted(); ++i) {
      Eigen::VectorXd q = solver_a_.RandomState(states.front(), 0.6, ranks, random_);
      // Ten times finer than what is compared: else the gap of a loop would look like a difference.
      if (solver_a_.Residual(q) > 0.1 * options_.tolerance)
        ++open;  // a loop that closes only nearly, but for the state it was drawn in
      else
        states.push_back(std::move(q));
    }
    if (open > 0) {
      Note(result_, Severity::kNote, "verify-states-left-out",
           {"", a_.model.name,
            open < options_.states
                ? std::to_string(open) + " of " + std::to_string(options_.states) +
                      " random states do not close exactly and are left out"
                : "the files are compared in one posture alone, as none of " +
                      std::to_string(open) + " random states closes exactly"});
    }
    open_ = solver_a_.Residual(states.front()) > kNearlyClosed;
    if (open_) SayOpen(states.front());
    return states;
  }

  // Where the first loop stands that nothing closes.
  void SayOpen(const Eigen::VectorXd& q_a) {
    std::string loop = a_.model.name;
    SourceLocation where;
    for (int g = 0; g < static_cast<int>(a_.m.aggregates.size()) && where.line == 0; ++g) {
      const Aggregate& aggregate = a_.m.aggregates[U(g)];
      if (aggregate.loops.empty() || solver_a_.Residual(g, q_a) <= kNearlyClosed) continue;
      const Joint& joint = a_.model.joint(aggregate.loops.front().joint);
      where = joint.where, loop = joint.name;
    }
    SayOpen(where, loop, "no position closes this loop and the loops connected with it");
  }
  void SayOpen(const SourceLocation& where, const std::string& who, const std::string& what) {
    result_.diagnostics.Add(MakeDiagnostic(Severity::kWarning, "verify-open",
                                           where.line > 0 ? a_.model.FileName(where) : "",
                                           where.line, "", {"", who, what}));
  }

  // What leaves too few digits for a difference to say something; false: nothing does. Loops that
  // close only nearly or are about to lose a motion are known less exactly than what is compared,
  // and so are what stands a kilometre away and the least of moments that are far apart.
  bool SayDoubt(const std::vector<Eigen::VectorXd>& states) {
    constexpr double kLong = 1e3;  // m
    constexpr double kThin = 1e-8;
    double most = 0;
    for (const Side* const side : {&a_, &b_}) {
      for (const Body& body : side->m.bodies) {
        most = std::max(most, body.inertia.p_BoBcm.norm());
        const Matrix3& I = body.inertia.I_BBcm;
        if (I.diagonal().minCoeff() >= kThin * I.cwiseAbs().maxCoeff()) continue;
        SayOpen({}, BodyName(*side, static_cast<int>(&body - side->m.bodies.data())),
                "its moments of inertia leave too few digits");
        return true;
      }
      for (const JointId id : Joints(side->model))
        most = std::max(
            {most, side->model.joint(id).X_PF.p.norm(), side->model.joint(id).X_SM.p.norm()});
    }
    if (most > kLong) {
      SayOpen({}, a_.model.name, "lengths of " + FormatNumber(most) + " m leave too few digits");
      return true;
    }
    return SayDoubt(a_, solver_a_, states) || SayDoubt(b_, solver_b_, {q_b_});
  }
  bool SayDoubt(const Side& side, ClosureSolver& solver,
                const std::vector<Eigen::VectorXd>& states) {
    for (int g = 0; g < static_cast<int>(side.m.aggregates.size()); ++g) {
      const Aggregate& aggregate = side.m.aggregates[U(g)];
      if (aggregate.loops.empty()) continue;
      const Joint& joint = side.model.joint(aggregate.loops.front().joint);
      const int rank = side.coordinates.aggregates[U(g)].rank;
      const bool open = solver.Residual(g, states.front()) > 0.1 * options_.tolerance;
      const bool singular = std::any_of(
          states.begin(), states.end(),
          [&](const Eigen::VectorXd& q) { return solver.NearlySingular(g, q, 1e-3, rank); });
      if (!open && !singular) continue;
      SayOpen(joint.where, joint.name,
              "this loop and the loops connected with it " +
                  std::string(open ? "close only nearly" : "are close to a singular position"));
      return true;
    }
    return false;
  }

  void Check(const Eigen::VectorXd& q_a, bool first) {
    // A random velocity, projected on the null space of K: a motion that A's loops allow.
    Eigen::VectorXd v_a(a_.m.nv);
    for (double& x : v_a) x = random_.Uniform(-1, 1);
    for (int g = 0; g < static_cast<int>(a_.m.aggregates.size()); ++g) Project(g, q_a, v_a);
    UpdateJoints(a_.m, q_a.data(), v_a.data(), joints_a_);
    ComputePoses(a_.m, joints_a_, X_A_);
    const std::vector<Vector6> V_A = Velocities(a_.m, joints_a_, v_a);

    // B's coordinates that have a partner start at A's values, so that turns (multiples of 2 pi)
    // and branches are those of A; then the poses of the links decide.
    StartAt(q_a);
    if (first) StartNearer(q_a);
    const double open = Open(q_a);
    for (const CarryError& error : carrier_.Position(X_A_, q_b_))
      poses_.Add(Settled(error.body) ? 0 : std::max(0.0, error.error - open),
                 BodyName(b_, error.body));

    // A pair of coordinates may differ by a constant (another zero), which the first state shows
    // and every other one must confirm.
    for (CoordinatePair& pair : pairs_) {
      if (pair.q_a < 0) continue;
      const double shift = q_b_[pair.q_b] - q_a[pair.q_a];
      if (first) pair.shift = AllowedShift(pair, shift);
      // A lowering that moves a zero by less says nothing of it, whatever the size of the robot.
      constexpr double kUnmoved = 1e-9;  // rad, m
      double error =
          std::max(0.0, std::abs(shift - pair.shift) - kUnmoved) / (pair.angle ? 1 : a_.m.length);
      // Two joints in a row about one line share their angle in any way: no pose tells how.
      if (error > options_.tolerance && carrier_.Undetermined(pair.v_b, q_b_)) error = 0;
      coordinates_.Add(error, pair.name);
    }
    if (first) ShiftLoopCoordinates();
    CheckClosure(open);

    // The same with velocities: B must be able to move as A does, and its constraints must allow
    // that.
    Eigen::VectorXd v_b = Eigen::VectorXd::Zero(b_.m.nv);
    for (const CoordinatePair& pair : pairs_)
      if (pair.q_a >= 0) v_b[pair.v_b] = v_a[pair.v_a];
    for (const CarryError& error : carrier_.Velocity(V_A, q_b_, v_b))
      motions_.Add(Settled(error.body) ? 0 : error.error, BodyName(b_, error.body));
    UpdateJoints(b_.m, q_b_.data(), v_b.data(), joints_b_);
    CheckRows(q_a, v_a, v_b);
    accelerations_.Add({q_a, v_a, q_b_, v_b, joints_a_, joints_b_}, random_);
  }

  void StartAt(const Eigen::VectorXd& q_a) {
    for (const CoordinatePair& pair : pairs_)
      if (pair.q_a >= 0) q_b_[pair.q_b] = q_a[pair.q_a] + pair.shift;
  }

  // B counts as A does, or from a zero of its own where the offset of A is lost: what has the links
  // nearer to those of A is the start.
  void StartNearer(const Eigen::VectorXd& q_a) {
    const double as_said = Away();
    std::vector<double> said;
    for (CoordinatePair& pair : pairs_) said.push_back(std::exchange(pair.shift, 0));
    StartAt(q_a);
    if (Away() < as_said) return;
    for (std::size_t i = 0; i < pairs_.size(); ++i) pairs_[i].shift = said[i];
    StartAt(q_a);
  }

  // The farthest that a link of B stands from A's; rad, lengths of the robot.
  [[nodiscard]] double Away() const {
    const std::vector<RigidTransform> X_B = Poses(b_.m, q_b_);
    double away = 0;
    for (std::size_t b = 1; b < X_B.size(); ++b) {
      if (!carrier_.Shared(static_cast<int>(b))) continue;
      const RigidTransform target = carrier_.Target(static_cast<int>(b), X_A_);
      away = std::max({away, (X_B[b].R - target.R).cwiseAbs().maxCoeff(),
                       (X_B[b].p - target.p).cwiseAbs().maxCoeff() / a_.m.length});
    }
    return away;
  }

  // What a loop joint counts from is nobody's business; its limits are, as seen on the poses of its
  // links.
  void ShiftLoopCoordinates() {
    const std::vector<RigidTransform> X_B = Poses(b_.m, q_b_);
    const auto measured = [](const Side& side, const std::vector<RigidTransform>& X_W, JointId id) {
      const Joint& joint = side.model.joint(id);
      const auto pose = [&](LinkId link) -> const RigidTransform& {
        return X_W[U(side.m.body_of[Index(link)])];
      };
      const RigidTransform X_WF = pose(side.model.predecessor(id)) * joint.X_PF,
                           X_WM = pose(side.model.successor(id)) * joint.X_SM;
      std::array<double, 7> q{};
      PositionFromTransform(joint.kind, X_WF.inverse() * X_WM, q.data());
      return q[0];
    };
    for (CoordinatePair& pair : pairs_) {
      const JointKind& kind = a_.model.joint(pair.joint_a).kind;  // without q_a one is a loop joint
      if (pair.q_a >= 0 || NumVelocities(kind) != 1 ||
          kind.index() != b_.model.joint(pair.joint_b).kind.index())
        continue;
      double shift = measured(b_, X_B, pair.joint_b) - measured(a_, X_A_, pair.joint_a);
      if (pair.angle) shift = std::remainder(shift, 2 * std::numbers::pi);
      pair.shift = shift;
    }
  }

  void Project(int g, const Eigen::VectorXd& q, Eigen::VectorXd& v) {
    const Aggregate& aggregate = a_.m.aggregates[U(g)];
    if (aggregate.rows == 0) return;
    Eigen::VectorXd part(aggregate.nv);
    for (int c = 0; c < aggregate.nv; ++c) part[c] = v[aggregate.velocity[U(c)]];
    solver_a_.ProjectVelocity(g, q, -1, part);
    for (int c = 0; c < aggregate.nv; ++c) v[aggregate.velocity[U(c)]] = part[c];
  }

  // Where ball and free joints, or the joints that B has instead, stand at q = 0; joints with
  // scalar coordinates show it in those.
  void CheckZeroPoses() {
    const std::vector<RigidTransform> X_B = Poses(b_.m, b_.m.ZeroPosition());
    const auto pose_b = [&](LinkId link) { return X_B[U(b_.m.body_of[Index(link)])]; };
    const SpanningTree tree = ChooseSpanningTree(a_.model), tree_b = ChooseSpanningTree(b_.model);
    for (const LinkId s : tree.order) {
      const JointId id = tree.parent_joint[Index(s)];
      if (id == kNoJoint) continue;
      const Joint& joint = a_.model.joint(id);
      const LinkId p = tree.parent[Index(s)], p_b = match_.b_of_a[Index(p)],
                   s_b = match_.b_of_a[Index(s)];
      const bool turns =
          std::holds_alternative<Free>(joint.kind) || std::holds_alternative<Ball>(joint.kind);
      if (!turns || !OnlyNewLinksBetween(tree_b, p_b, s_b)) continue;
      const auto frame = [&](LinkId link) {
        return link == kWorld ? match_.X_BA.inverse() : match_.X_ab[Index(link)];
      };
      const RigidTransform X_PF_M = PoseAtZero(joint);  // predecessor to successor

      // Poses at q = 0 in terms of B's frames: a joint whose orientation is a quaternion has no
      // coordinate by which a moved zero would show.
      const RigidTransform zero_a =
          frame(p).inverse() * (tree.reversed[Index(s)] ? X_PF_M.inverse() : X_PF_M) * frame(s);
      const RigidTransform zero_b = pose_b(p_b).inverse() * pose_b(s_b);
      double error = (zero_a.R - zero_b.R).cwiseAbs().maxCoeff();
      for (int i = 0; i < 3; ++i)
        error = std::max(error, RelativeError(zero_a.p[i], zero_b.p[i], a_.m.length));
      const bool excused =
          error > zeros_.check().tolerance && moved_zeros_.contains(joint.name) && TakeZero(joint);
      if (!excused) zeros_.Add(error, joint.name);
    }
  }

  // One is joined to the other through links that A does not have, or none, or stands still with
  // the link that it is joined to: a floating joint of a link is one of the world elsewhere.
  bool OnlyNewLinksBetween(const SpanningTree& tree_b, LinkId x, LinkId y) const {
    if (x == kNoLink || y == kNoLink) return false;
    if (tree_b.depth[Index(x)] > tree_b.depth[Index(y)]) std::swap(x, y);
    const int still = TopOfRigid(x);
    for (LinkId at = tree_b.parent[Index(y)]; at != kNoLink && at != x;
         at = tree_b.parent[Index(at)]) {
      if (TopOfRigid(at) == still) return y != x;
      if (at == kWorld || match_.a_of_b[Index(at)] != kNoLink) return false;
    }
    return y != x;
  }

  // The first body below which nothing moves down to this link of B.
  int TopOfRigid(LinkId link) const {
    int body = b_.m.body_of[Index(link)];
    while (body != 0 && b_.m.bodies[U(body)].nq == 0) body = b_.m.bodies[U(body)].parent;
    return body;
  }

  // The report says that it counts from elsewhere.
  bool TakeZero(const Joint& joint) const {
    return excuses_.TakeEither(Feature::kPositionOffset, SubjectOf(joint), SubjectOf(joint));
  }

  // Zero, or what the two sides' native coordinates say (MJCF ref).
  double AllowedShift(const CoordinatePair& pair, double shift) const {
    const double native = CountsFrom(a_.model, pair.joint_a, pair.axis_a) -
                          CountsFrom(b_.model, pair.joint_b, pair.axis_b);
    // Where the target cannot keep an offset, the report says so, and any constant one is as good.
    const Joint &x = a_.model.joint(pair.joint_a), &y = b_.model.joint(pair.joint_b);
    const bool moved = moved_zeros_.contains(x.name) || moved_zeros_.contains(y.name);
    if (moved &&
        (std::abs(shift - native) <= 1e-9 || std::abs(shift) <= 1e-9 || TakeZero(x) || TakeZero(y)))
      return shift;
    return std::abs(shift - native) < std::abs(shift) ? native : 0;
  }

  // The gap of A's loops that B closes by other joints: theirs may be as wide, and no wider. A loop
  // that both have is compared as what it demands, however far it stands open.
  double Open(const Eigen::VectorXd& q_a) {
    double gap = 0;
    for (int g = 0; g < static_cast<int>(a_.m.aggregates.size()); ++g) {
      const Aggregate& aggregate = a_.m.aggregates[U(g)];
      if (aggregate.rows == 0 || solver_a_.Residual(g, q_a) <= kClosed) continue;
      const Eigen::VectorXd& phi = solver_a_.last_phi(g);
      for (const LoopConstraint& loop : aggregate.loops) {
        const JointId other = relations_.b_of_a[Index(loop.joint)];
        const bool same = other != kNoJoint && Settled(other);
        if (!same && loop.rows > 0) gap = std::max(gap, phi.segment(loop.row, loop.rows).norm());
      }
      for (const CouplingConstraint& coupling : aggregate.couplings)
        gap = std::max(gap, std::abs(phi[coupling.row]));
    }
    return gap;
  }

  // Loops of B at the state that A's links give it. B may be open by as much as A is; a coupling's
  // error is over its largest linear coefficient, as a ratio of 100 makes 100 times the error.
  void CheckClosure(double open) {
    for (int g = 0; g < static_cast<int>(b_.m.aggregates.size()); ++g) {
      const Aggregate& aggregate = b_.m.aggregates[U(g)];
      if (aggregate.rows == 0) continue;
      solver_b_.Residual(g, q_b_);
      const Eigen::VectorXd phi = solver_b_.last_phi(g);
      for (const LoopConstraint& loop : aggregate.loops) {
        if (loop.rows == 0) continue;
        const double error = phi.segment(loop.row, loop.rows).lpNorm<Eigen::Infinity>();
        closure_.Add(Settled(loop) ? 0 : std::max(0.0, error - open),
                     b_.model.joint(loop.joint).name);
      }
      for (const CouplingConstraint& coupling : aggregate.couplings) {
        double scale = 1;
        for (const CouplingConstraint::Term& term : coupling.terms)
          scale = std::max(scale, std::abs(term.c[0]));
        const double error =
            Settled(coupling)
                ? 0
                : Turned(std::max(0.0, std::abs(phi[coupling.row]) - open), coupling, aggregate);
        closure_.Add(error / scale, CouplingName(coupling),
                     relations_.equations_b[coupling.coupling]);
      }
    }
  }

  std::string CouplingName(const CouplingConstraint& row) const {
    const Coupling& coupling = b_.model.couplings[row.coupling];
    if (!coupling.name.empty()) return coupling.name;
    return coupling.terms.empty() ? "coupling"
                                  : b_.model.joint(coupling.terms.front().coordinate.joint).name;
  }

  // Where an angle is known from poses alone, a full turn of a joint without limits is no
  // difference.
  double Turned(double error, const CouplingConstraint& row, const Aggregate& aggregate) const {
    double least = error;
    for (const CouplingConstraint::Term& term : row.terms) {
      const int v = aggregate.velocity[U(term.column)];
      const bool linear = term.c[1] == 0 && term.c[2] == 0 && term.c[3] == 0 &&
                          std::abs(std::abs(term.c[0]) - 1) < 1e-12;
      const bool free = !solver_b_.linear()[U(v)] && !std::isfinite(b_.m.lower[U(v)]) &&
                        !std::isfinite(b_.m.upper[U(v)]);
      if (!linear || !free || turn_is_known_[U(v)]) continue;
      const double turn = 2 * std::numbers::pi;
      least = std::min(least, std::abs(error - turn * std::nearbyint(error / turn)));
    }
    return least;
  }

  // By velocity of B: paired with a coordinate of A whose zero did not move.
  std::vector<bool> KnownTurns() const {
    std::vector<bool> known(U(b_.m.nv), false);
    for (const CoordinatePair& pair : pairs_) {
      const std::string &x = a_.model.joint(pair.joint_a).name,
                        &y = b_.model.joint(pair.joint_b).name;
      if (pair.q_a < 0 || moved_zeros_.contains(x) || moved_zeros_.contains(y)) continue;
      known[U(pair.v_b)] = true;
    }
    return known;
  }

  // Demands of B that are A's own.
  bool Settled(int body) const {
    return b_.m.bodies[U(body)].joint != kNoJoint && Settled(b_.m.bodies[U(body)].joint) &&
           SharesEnds(body);
  }
  bool Settled(JointId joint) const { return relations_.same_joint_b[Index(joint)]; }
  bool Settled(const LoopConstraint& loop) const { return Settled(loop.joint); }
  bool Settled(const CouplingConstraint& coupling) const {
    return relations_.same_coupling_b[coupling.coupling];
  }
  bool SharesEnds(int body) const {
    return carrier_.Shared(body) && carrier_.Shared(b_.m.bodies[U(body)].parent);
  }

  void CheckRows(const Eigen::VectorXd& q_a, const Eigen::VectorXd& v_a,
                 const Eigen::VectorXd& v_b) {
    // What A's own rows are off by is the noise of its state: B's may be off by twice as much.
    double own = 0;
    for (int g = 0; g < static_cast<int>(a_.m.aggregates.size()); ++g) {
      const Aggregate& aggregate = a_.m.aggregates[U(g)];
      if (aggregate.rows == 0) continue;
      own = std::max(own, solver_a_.Rates(g, q_a, v_a).lpNorm<Eigen::Infinity>());
    }
    const double scale = std::max(1.0, v_b.size() == 0 ? 0 : v_b.lpNorm<Eigen::Infinity>());
    for (int g = 0; g < static_cast<int>(b_.m.aggregates.size()); ++g) {
      const Aggregate& aggregate = b_.m.aggregates[U(g)];
      if (aggregate.rows == 0) continue;
      Eigen::VectorXd rate = solver_b_.Rates(g, q_b_, v_b);
      for (int r = 0; r < aggregate.rows; ++r) {
        if (solver_b_.length_rows(g)[U(r)]) rate[r] /= b_.m.length;
      }

      // Rows in rad and in lengths of the robot, over the largest velocity.
      for (const LoopConstraint& loop : aggregate.loops) {
        if (loop.rows == 0) continue;
        const double error = rate.segment(loop.row, loop.rows).lpNorm<Eigen::Infinity>();
        rows_.Add(Settled(loop) ? 0 : std::max(0.0, error - 2 * own) / scale,
                  b_.model.joint(loop.joint).name);
      }
      for (const CouplingConstraint& coupling : aggregate.couplings) {
        const double norm = std::max(1.0, SlopeOf(coupling, aggregate));
        const double error =
            Settled(coupling) ? 0 : std::max(0.0, std::abs(rate[coupling.row]) - 2 * own);
        rows_.Add(error / (norm * scale), CouplingName(coupling));
      }
    }
  }

  // Norm of a coupling's row of K.
  double SlopeOf(const CouplingConstraint& coupling, const Aggregate& aggregate) const {
    double norm = 0;
    for (const CouplingConstraint::Term& term : coupling.terms) {
      const double x = q_b_[b_.m.bodies[U(aggregate.bodies[U(term.body)])].q + term.axis];
      norm = std::hypot(norm,
                        term.c[0] + x * (2 * term.c[1] + x * (3 * term.c[2] + x * 4 * term.c[3])));
    }
    return norm;
  }

  // Motions of the links that both have.
  void CheckMobility(const Eigen::VectorXd& q_a) {
    if (relations_.identical) {
      result_.checks.push_back({"mobility", 0, 0, std::to_string(a_.coordinates.mobility), {}});
      return;
    }

    // At one posture the count of motions that the shared links show: bodies that only one side has
    // may move on their own (idle), and are taken off on that side.
    UpdateJoints(a_.m, q_a.data(), nullptr, joints_a_);
    ComputePoses(a_.m, joints_a_, X_A_);
    carrier_.Position(X_A_, q_b_);
    carrier_.CountIdle(q_b_);
    int idle_a = 0;
    const bool none_idle =
        std::all_of(a_.m.bodies.begin(), a_.m.bodies.end(), [&](const Body& body) {
          return match_.b_of_a[Index(body.link)] != kNoLink && body.nv != 2;
        });
    if (!none_idle) {
      Carrier back(b_, a_, inverse_ = Inverse(a_, match_));
      std::vector<RigidTransform> X_B = Poses(b_.m, q_b_);
      Eigen::VectorXd q = q_a;
      back.Position(X_B, q);
      back.CountIdle(q);
      idle_a = back.idle();
    }
    const int mobility_a = a_.coordinates.mobility - idle_a,
              mobility_b = b_.coordinates.mobility - carrier_.idle();
    Worst mobility("mobility", 0);
    mobility.Add(std::abs(mobility_a - mobility_b),
                 std::to_string(mobility_a) + " and " + std::to_string(mobility_b));
    result_.checks.push_back(mobility.check());
    if (mobility_a != mobility_b) {
      Note(result_, Severity::kError, "verify-differs",
           {"", b_.model.name,
            "mobility is " + std::to_string(mobility_b) + ", not " + std::to_string(mobility_a)});
    }
  }

  const Side& a_;
  const Side& b_;
  const Relations& relations_;
  const VerifyOptions& options_;
  Excuses& excuses_;
  std::vector<CoordinatePair>& pairs_;
  VerifyResult& result_;
  const Correspondence& match_;
  Correspondence inverse_;
  Carrier carrier_;
  ClosureSolver solver_a_, solver_b_;
  JointCache joints_a_, joints_b_;
  Random random_;
  bool open_ = false;                  // what differs may be that A's loops are not known better
  std::vector<bool> turn_is_known_;    // by velocity of B
  std::set<std::string> moved_zeros_;  // joints whose zero the report says has moved
  Worst poses_, zeros_, closure_, coordinates_, motions_, rows_;
  AccelerationComparison accelerations_;
  std::vector<RigidTransform> X_A_;
  Eigen::VectorXd q_b_;
};

}  // namespace

void Prove(const Side& a, const Side& b, const Correspondence& match, const Relations& relations,
           const VerifyOptions& options, Excuses& excuses, std::vector<CoordinatePair>& pairs,
           VerifyResult& result) {
  Proof(a, b, match, relations, options, excuses, pairs, result).Run();
}

}  // namespace kinemorph::verify
