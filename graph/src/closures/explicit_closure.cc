// One ClosureSequence per aggregate over a shared workspace of sample postures. Robots repeat
// themselves (legs, fingers): aggregates of one shape and posture get the same samples, and are
// described once. What has too many loops for dense steps has no sequence, and says so.
#include "kinemorph/graph/closures/explicit_closure.h"

#include <algorithm>

#include "base/index.h"
#include "closures/closure_sequence.h"
#include "closures/dead_centre_finder.h"
#include "mechanics/aggregate_shapes.h"

namespace kinemorph {
namespace {

std::unique_ptr<ClosureSequence> Make(ClosureWorkspace& workspace, const Coordinates& coordinates,
                                      std::size_t aggregate,
                                      const ExplicitClosureOptions& options) {
  const AggregateCoordinates& c = coordinates.aggregates[aggregate];
  if (c.dependent.empty() || workspace.too_large[aggregate]) return nullptr;
  const bool numerical = aggregate < options.numerical.size() && options.numerical[aggregate];
  const Division division = !options.closed_forms ? Division::kOneBlock
                            : numerical           ? Division::kNumericalSteps
                                                  : Division::kSteps;
  return std::make_unique<ClosureSequence>(workspace, workspace.m.aggregates[aggregate], c,
                                           division, options.warm, options.nearest);
}

ClosureDescription TooLarge() { return {ClosureNature::kNumerical, "many loops, solved sparsely"}; }

}  // namespace

std::string_view Name(GammaStatus status) {
  switch (status) {
    case GammaStatus::kOk:
      return "ok";
    case GammaStatus::kUnreachable:
      return "not reachable";
    case GammaStatus::kNoConvergence:
      return "no convergence";
    case GammaStatus::kSingular:
      return "singular posture";
    case GammaStatus::kNotExplicit:
      return "not explicit";
  }
  return "";
}

std::string_view Name(ClosureNature nature) {
  switch (nature) {
    case ClosureNature::kNone:
      return "none";
    case ClosureNature::kLinear:
      return "linear";
    case ClosureNature::kClosedForm:
      return "closed form";
    case ClosureNature::kMixed:
      return "mixed";
    case ClosureNature::kNumerical:
      return "numerical";
  }
  return "";
}

namespace {

// The first of the same shape, where also the same coordinates are independent, from the same
// posture.
std::vector<int> FirstClosedAlike(const Mechanism& m, const Coordinates& coordinates) {
  std::vector<int> first = coordinates.first_alike;
  for (int a = 0; a < static_cast<int>(first.size()); ++a) {
    const int other = first[U(a)];
    const AggregateCoordinates &own = coordinates.aggregates[U(a)],
                               &theirs = coordinates.aggregates[U(other)];
    const bool alike =
        own.independent == theirs.independent && own.dependent == theirs.dependent &&
        own.rank == theirs.rank &&
        StandAlike(m, m.aggregates[U(a)], m.aggregates[U(other)], coordinates.assembled);
    if (!alike) first[U(a)] = a;
  }
  return first;
}

}  // namespace

ClosureWorkspace::ClosureWorkspace(const Mechanism& mechanism, const Coordinates& coordinates)
    : m(mechanism),
      joints(mechanism),
      linear(IsLinearVelocity(mechanism)),
      first(FirstClosedAlike(mechanism, coordinates)) {
  // The reference posture decides the assembly mode and is the assembled one, unless that is
  // singular: then a random closed one near it, where branches can be told apart. The three others
  // are taken round the reference; forms are tried on them.
  constexpr int kPostures = 3;
  ClosureSolver solver(mechanism);
  q = assembled = coordinates.assembled;
  postures.assign(1 + kPostures, assembled);
  for (int a = 0; a < static_cast<int>(m.aggregates.size()); ++a) {
    too_large.push_back(solver.IsLarge(a));
    const int rank = coordinates.aggregates[U(a)].rank;
    Random random(1);  // anew: nothing depends on what else is in the mechanism
    for (Eigen::VectorXd& posture : postures) {
      const bool is_reference = &posture == &postures.front();
      if (is_reference && !coordinates.singular_at_zero) continue;
      if (first[U(a)] != a) {
        CopyPosture(m, m.aggregates[U(first[U(a)])], m.aggregates[U(a)], posture);
      } else {
        solver.RandomState(a, is_reference ? assembled : postures.front(), is_reference ? 0.5 : 0.3,
                           rank, random, posture);
      }
    }
  }
}

ExplicitClosures::ExplicitClosures(const Mechanism& mechanism, const Coordinates& coordinates,
                                   const ExplicitClosureOptions& options)
    : workspace_(std::make_unique<ClosureWorkspace>(mechanism, coordinates)) {
  for (std::size_t a = 0; a < mechanism.aggregates.size(); ++a)
    sequences_.push_back(Make(*workspace_, coordinates, a, options));
}
ExplicitClosures::~ExplicitClosures() = default;

GammaStatus ExplicitClosures::Position(int aggregate, Eigen::VectorXd& q) {
  if (workspace_->too_large[U(aggregate)]) return GammaStatus::kNotExplicit;
  return sequences_[U(aggregate)] ? sequences_[U(aggregate)]->Position(q) : GammaStatus::kOk;
}

GammaStatus ExplicitClosures::Velocity(int aggregate, const Eigen::VectorXd& q,
                                       Eigen::MatrixXd& G) {
  if (workspace_->too_large[U(aggregate)]) return GammaStatus::kNotExplicit;
  if (sequences_[U(aggregate)])
    return sequences_[U(aggregate)]->Rates(q, false, nullptr, G, nullptr);
  const int nv = workspace_->m.aggregates[U(aggregate)].nv;
  G.setIdentity(nv, nv);
  return GammaStatus::kOk;
}

GammaStatus ExplicitClosures::Acceleration(int aggregate, const Eigen::VectorXd& q,
                                           const Eigen::VectorXd& v, Eigen::MatrixXd& G,
                                           Eigen::VectorXd& g) {
  if (workspace_->too_large[U(aggregate)]) return GammaStatus::kNotExplicit;
  // Rates sets the dependent velocities in v, which here is the caller's to keep.
  workspace_->v = v;
  return Rates(aggregate, q, workspace_->v, G, g);
}

GammaStatus ExplicitClosures::Rates(int aggregate, const Eigen::VectorXd& q, Eigen::VectorXd& v,
                                    Eigen::MatrixXd& G, Eigen::VectorXd& g) {
  if (workspace_->too_large[U(aggregate)]) return GammaStatus::kNotExplicit;
  if (sequences_[U(aggregate)]) return sequences_[U(aggregate)]->Rates(q, false, &v, G, &g);
  g.setZero(workspace_->m.aggregates[U(aggregate)].nv);
  return Velocity(aggregate, q, G);
}

GammaStatus ExplicitClosures::State(int aggregate, Eigen::VectorXd& q, Eigen::VectorXd& v,
                                    Eigen::MatrixXd& G, Eigen::VectorXd& g) {
  const GammaStatus status = Position(aggregate, q);
  if (status != GammaStatus::kOk) return status;
  // Bodies still stand where Position placed them.
  if (sequences_[U(aggregate)]) return sequences_[U(aggregate)]->Rates(q, true, &v, G, &g);
  return Rates(aggregate, q, v, G, g);
}

ClosureDescription ExplicitClosures::Describe(int aggregate) const {
  if (workspace_->too_large[U(aggregate)]) return TooLarge();
  return sequences_[U(aggregate)] ? sequences_[U(aggregate)]->Describe() : ClosureDescription{};
}

namespace {

// What was found of an aggregate, in the velocities of another of its shape.
DeadCentreSearch Translated(DeadCentreSearch search, const Aggregate& from, const Aggregate& to) {
  for (DeadCentre& dead : search.found) {
    for (int& v : dead.stands) {
      const auto column = std::find(from.velocity.begin(), from.velocity.end(), v);
      v = to.velocity[static_cast<std::size_t>(column - from.velocity.begin())];
    }
  }
  return search;
}

std::vector<ClosureDescription> DescribeAll(const Mechanism& mechanism,
                                            const Coordinates& coordinates,
                                            std::vector<DeadCentreSearch>* searches) {
  std::vector<ClosureDescription> all(mechanism.aggregates.size());
  if (searches != nullptr) searches->assign(all.size(), {});
  if (coordinates.rank == 0) return all;
  ClosureWorkspace workspace(mechanism, coordinates);
  DeadCentreFinder search(workspace, coordinates);
  for (std::size_t a = 0; a < all.size(); ++a) {
    // An aggregate alike has the same closure and dead centres but for the numbers of its
    // velocities. Sequences are made and dropped one by one: a large robot would need memory for
    // all.
    const std::size_t first = U(workspace.first[a]);
    if (first != a) {
      all[a] = all[first];
      if (searches != nullptr)
        (*searches)[a] =
            Translated((*searches)[first], mechanism.aggregates[first], mechanism.aggregates[a]);
      continue;
    }
    if (workspace.too_large[a]) all[a] = TooLarge();
    const auto sequence = Make(workspace, coordinates, a, {.warm = searches != nullptr});
    if (!sequence) continue;
    all[a] = sequence->Describe();
    if (searches != nullptr && all[a].nature != ClosureNature::kLinear &&
        all[a].nature != ClosureNature::kNone)
      (*searches)[a] = search.Run(a, *sequence);
  }
  return all;
}

}  // namespace

std::vector<ClosureDescription> DescribeClosures(const Mechanism& mechanism,
                                                 const Coordinates& coordinates) {
  return DescribeAll(mechanism, coordinates, nullptr);
}

std::vector<ClosureDescription> DescribeClosures(const Mechanism& mechanism,
                                                 const Coordinates& coordinates,
                                                 std::vector<DeadCentreSearch>& searches) {
  return DescribeAll(mechanism, coordinates, &searches);
}

std::vector<DeadCentreSearch> FindDeadCentres(const Mechanism& mechanism,
                                              const Coordinates& coordinates) {
  std::vector<DeadCentreSearch> searches;
  DescribeAll(mechanism, coordinates, &searches);
  return searches;
}

}  // namespace kinemorph
