// Matching by name, alignment of the worlds, re-based frames.
#include "verify/correspondence.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "kinemorph/graph/mechanics/kinematics.h"
#include "kinemorph/graph/model/field_text.h"
#include "verify/excuses.h"

namespace kinemorph::verify {
namespace {

// Links are matched before anything is compiled, by names only; frames after it, by poses at zero
// and by where the bodies' mass stands. Masses are compared link by link; where a link with mass
// has no counterpart (it was merged), over the whole rigid group, since only the sum is defined
// then.
std::string Tail(const std::string& name) {
  const std::size_t at = name.rfind("::");
  return at == std::string::npos ? name : name.substr(at + 2);
}

// By link of A or B: tied to the world for good, as the file has it, and not only held for the
// comparison; so is a link that the file does not have.
std::vector<bool> Welded(const Side& side) {
  const Model& original = *side.original;
  std::vector<bool> seen(original.num_links(), false), held(original.num_links(), false);
  for (const JointId id : Joints(original)) {  // the first joint at the world counts
    const LinkId p = original.predecessor(id), s = original.successor(id);
    if ((p == kWorld) == (s == kWorld)) continue;
    const std::size_t link = Index(p == kWorld ? s : p);
    if (!seen[link]) held[link] = std::holds_alternative<Fixed>(original.joint(id).kind);
    seen[link] = true;
  }
  const Names names(original);
  std::vector<bool> welded(side.model.num_links(), true);
  for (const LinkId id : Links(side.model)) {
    const auto there = names.Link(side.model.link(id).name);
    if (there && id != side.world_link) welded[Index(id)] = held[Index(*there)];
  }
  return welded;
}

bool Massive(const Model& model, LinkId id) {
  const auto& inertial = model.link(id).inertial;
  return inertial && (inertial->mass > kNoise || inertial->I_I.cwiseAbs().maxCoeff() > kNoise);
}

SpatialInertia InertiaOf(const Side& side, LinkId id) {
  return side.m.bodies[U(side.m.body_of[Index(id)])].inertia;
}

// ixx iyy izz ixy ixz iyz.
Eigen::VectorXd Moments(const Matrix3& I) {
  return Eigen::Vector<double, 6>(I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2));
}

struct InertiaError {
  double mass = 0, com = 0, inertia = 0;
};

InertiaError Difference(const SpatialInertia& a, const SpatialInertia& b, double length) {
  InertiaError error;
  // The mass is compared relative to itself, centres over the robot's length (a hundred times, as
  // RelativeError is no finer than 1e-5 of its scale, and what closes a drawn loop leaves rounding),
  // moments over the largest (likewise: principal axes say them no finer), products of inertia over
  // what their moments let them be.
  error.mass = std::abs(a.mass - b.mass) <= kNoise ? 0 : RelativeError(a.mass, b.mass, 0);
  const double scale = std::max(a.I_BBcm.cwiseAbs().maxCoeff(), b.I_BBcm.cwiseAbs().maxCoeff());
  for (int i = 0; i < 3; ++i) {
    if (std::max(a.mass, b.mass) > kNoise)
      error.com = std::max(error.com, RelativeError(a.p_BoBcm[i], b.p_BoBcm[i], 100 * length));
    for (int j = 0; j <= i; ++j) {
      if (std::abs(a.I_BBcm(i, j) - b.I_BBcm(i, j)) <= kNoise) continue;
      const double most = std::sqrt(std::abs(a.I_BBcm(i, i) * a.I_BBcm(j, j)));
      const double over = i == j ? 100 * scale : std::max(100 * scale, 1e5 * most);
      error.inertia = std::max(error.inertia, RelativeError(a.I_BBcm(i, j), b.I_BBcm(i, j), over));
    }
  }
  return error;
}

// By link of a report's source, the pose of its new frame in the old one.
std::map<std::string, RigidTransform> Moved(const LossReport* report) {
  std::map<std::string, RigidTransform> moved;
  if (report == nullptr) return moved;
  for (const FrameChange& change : report->frames) {
    const auto [at, fresh] = moved.emplace(change.link, change.X_old_new);
    if (!fresh) at->second = at->second * change.X_old_new;
  }
  return moved;
}

RigidGroups::Bodies GroupBodies(const Mechanism& m) {
  RigidGroups::Bodies side;
  side.group.assign(m.bodies.size(), 0);
  side.X.assign(m.bodies.size(), RigidTransform{});
  for (std::size_t b = 1; b < m.bodies.size(); ++b) {
    const Body& body = m.bodies[b];
    side.group[b] = static_cast<int>(b);
    if (body.nq > 0) continue;
    side.group[b] = side.group[U(body.parent)];
    side.X[b] = side.X[U(body.parent)] * body.X_PJ * body.X_JB;
  }
  return side;
}

}  // namespace

std::string PlainName(const std::string& name) {
  std::string plain;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == ':' && i + 1 < name.size() && name[i + 1] == ':') {
      plain += '_', ++i;
      continue;
    }
    plain += (c == ' ' || c == '-' || c == '/' || c == '.') ? '_' : c;
  }
  return plain;
}

double RelativeError(double a, double b, double scale) {
  constexpr double kRounding = 1e-15;  // m, kg m^2 ...: what arithmetic leaves where zero is meant
  const double size = std::max({std::abs(a), std::abs(b), 1e-5 * scale});
  return std::abs(a - b) <= kRounding ? 0 : std::abs(a - b) / size;
}

std::string BothValues(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  const double largest = std::max(a.lpNorm<Eigen::Infinity>(), b.lpNorm<Eigen::Infinity>());
  // What arithmetic leaves of a zero is one.
  const auto text = [&](const Eigen::VectorXd& values, int digits) {
    std::string numbers;
    for (const double value : values)
      numbers += (numbers.empty() ? "" : " ") +
                 FormatNumber(std::abs(value) <= 1e-12 * largest ? 0 : NearDecimal(value, digits));
    return numbers;
  };
  constexpr int kFew = 6, kAll = 17;
  const int digits = text(a, kFew) == text(b, kFew) ? kAll : kFew;
  return text(a, digits) + " against " + text(b, digits);
}

Correspondence MatchLinks(const Side& a, const Side& b, const VerifyOptions& options) {
  Correspondence match;
  match.renames = Renames(options);
  match.b_of_a.assign(a.model.num_links(), kNoLink);
  match.a_of_b.assign(b.model.num_links(), kNoLink);
  match.X_ab.assign(a.model.num_links(), RigidTransform{});

  // Exact names, then names as formats without "::" and spaces spell them, then the last part of a
  // scoped name; the last two only where they are unique. Each round takes what the ones before
  // left.
  match.b_of_a[0] = match.a_of_b[0] = kWorld;
  std::map<std::string, LinkId> exact, plain, tail;
  const auto add_unique = [](std::map<std::string, LinkId>& names, const std::string& name,
                             LinkId id) {
    const auto [at, fresh] = names.emplace(name, id);
    if (!fresh) at->second = kNoLink;
  };
  for (const LinkId id : Links(b.model)) {
    if (b.model.link(id).synthetic || id == b.world_link) continue;
    const std::string& name = b.model.link(id).name;
    exact.emplace(name, id);
    add_unique(plain, PlainName(name), id);
    add_unique(tail, Tail(name), id);
  }
  const auto take = [&](LinkId id, const std::map<std::string, LinkId>& names,
                        const std::string& name) {
    const auto found = names.find(name);
    if (match.b_of_a[Index(id)] != kNoLink || found == names.end() || found->second == kNoLink)
      return;
    if (match.a_of_b[Index(found->second)] != kNoLink) return;
    match.b_of_a[Index(id)] = found->second;
    match.a_of_b[Index(found->second)] = id;
  };
  const auto each = [&](const auto& action) {
    for (const LinkId id : Links(a.model)) {
      if (!a.model.link(id).synthetic && id != a.world_link)
        action(id,
               match.renames.Of(SubjectKind::kLink, a.model.link(id).where, a.model.link(id).name));
    }
  };
  each([&](LinkId id, const std::string& name) { take(id, exact, name); });
  each([&](LinkId id, const std::string& name) { take(id, plain, PlainName(name)); });
  each([&](LinkId id, const std::string& name) { take(id, tail, Tail(name)); });

  // A root link "world" is matched with the world of a side that has no such link.
  if (a.world_link != kNoLink)
    match.b_of_a[Index(a.world_link)] = b.world_link != kNoLink ? b.world_link : kWorld;
  if (b.world_link != kNoLink)
    match.a_of_b[Index(b.world_link)] = a.world_link != kNoLink ? a.world_link : kWorld;

  // A report tells by which constant transform a link frame was re-based; it knows A's link by the
  // name of then or of now. X_back is the same, of what a conversion of B would do.
  const std::map<std::string, RigidTransform> moved = Moved(options.report),
                                              back = Moved(options.back);
  for (const LinkId id : Links(a.model)) {
    const std::string& name = a.model.link(id).name;
    auto found = moved.find(name);
    if (found == moved.end())
      found = moved.find(match.renames.Of(SubjectKind::kLink, a.model.link(id).where, name));
    if (found != moved.end()) { match.X_ab[Index(id)] = found->second; }
    if (match.b_of_a[Index(id)] == kNoLink) continue;
    const auto of_b = back.find(b.model.link(match.b_of_a[Index(id)]).name);
    if (of_b != back.end()) match.X_back.emplace(id, of_b->second.inverse());
  }
  return match;
}

void AlignFrames(const Side& a, const Side& b, const VerifyOptions& options,
                 Correspondence& match) {
  const std::vector<RigidTransform> X_A = Poses(a.m, a.m.ZeroPosition()),
                                    X_B = Poses(b.m, b.m.ZeroPosition());
  const auto pose_a = [&](LinkId id) {
    return X_A[U(a.m.body_of[Index(id)])] * match.X_ab[Index(id)];
  };
  const auto pose_b = [&](LinkId id) { return X_B[U(b.m.body_of[Index(id)])]; };
  if (match.held) {  // a link that stands still with the root of either side gives the transform of
                     // the worlds
    const std::vector<int> group_a = GroupBodies(a.m).group, group_b = GroupBodies(b.m).group;
    for (std::size_t i = 1; i < a.m.bodies.size(); ++i) {
      const LinkId link = a.m.bodies[i].link, other = match.b_of_a[Index(link)];
      if (group_a[i] != 0 || link == a.world_link || other == kNoLink || other == kWorld) continue;
      if (group_b[U(b.m.body_of[Index(other)])] != 0) continue;
      match.X_BA = pose_b(other) * pose_a(link).inverse();
      break;
    }
  }
  if (options.report != nullptr && !options.assumed) return;
  // What a conversion either way would do to a frame may have been done, or not.
  for (const LinkId id : Links(a.model)) {
    const LinkId other = match.b_of_a[Index(id)];
    if (!options.assumed || other == kNoLink || other == kWorld) continue;
    const RigidTransform as_reported = match.X_ab[Index(id)];
    std::vector<RigidTransform> ways{as_reported, RigidTransform{}};
    const auto back = match.X_back.find(id);
    if (back != match.X_back.end()) ways.push_back(back->second);
    if (Massive(a.model, id) && Massive(b.model, other)) {  // the body itself stays where it is
      std::erase_if(ways, [&](const RigidTransform& X_ab) {
        const InertiaError error =
            Difference(InertiaOf(a, id).InFrame(X_ab.inverse()), InertiaOf(b, other), a.m.length);
        return std::max(error.com, error.inertia) > options.tolerance;
      });
    }
    // The link stands where B's does under that transform.
    const auto stands = [&](const RigidTransform& X_ab) {
      match.X_ab[Index(id)] = X_ab;
      return ((match.X_BA * pose_a(id)).inverse() * pose_b(other)).IsNearIdentity(1e-9);
    };
    if (std::any_of(ways.begin(), ways.end(), stands)) continue;
    match.X_ab[Index(id)] = ways.empty() ? as_reported : ways.front();
  }

  // Without any report: a frame that is elsewhere was re-based only if mass and tensor, seen from
  // the new frame, are B's, and are not as seen from the old one. A body without mass tells
  // nothing.
  for (const LinkId id : Links(a.model)) {
    const LinkId other = match.b_of_a[Index(id)];
    if (other == kNoLink || other == kWorld || !Massive(a.model, id)) continue;
    const RigidTransform X = (match.X_BA * pose_a(id)).inverse() * pose_b(other);
    if (X.IsNearIdentity(1e-12)) continue;
    // Re-based only if the body itself stays where it is.
    RigidTransform& X_ab = match.X_ab[Index(id)];
    const auto apart = [&](const RigidTransform& X_in_b) {
      const InertiaError error =
          Difference(InertiaOf(a, id).InFrame(X_in_b.inverse()), InertiaOf(b, other), a.m.length);
      return std::max(error.com, error.inertia);
    };
    if (apart(X_ab * X) < options.tolerance && apart(X_ab) > options.tolerance) X_ab = X_ab * X;
  }
}

RigidGroups GroupRigidLinks(const Side& a, const Side& b, const Correspondence& match) {
  RigidGroups groups;
  groups.a = GroupBodies(a.m), groups.b = GroupBodies(b.m);
  groups.b_of_a[0] = {0, match.X_BA};
  for (const LinkId id : Links(a.model)) {
    const LinkId other = match.b_of_a[Index(id)];
    if (other == kNoLink || other == kWorld || id == a.world_link) continue;
    const std::size_t at = U(a.m.body_of[Index(id)]), there = U(b.m.body_of[Index(other)]);
    const auto [found, fresh] = groups.b_of_a.try_emplace(groups.a.group[at]);
    if (fresh)
      found->second = {groups.b.group[there],
                       groups.b.X[there] * (groups.a.X[at] * match.X_ab[Index(id)]).inverse()};
  }
  return groups;
}

namespace {

// Rigid groups by what is weighed together: bases that are only held for the comparison weigh, each
// by itself; what the file ties to the world for good does not.
struct MassGroups {
  std::vector<int> group;             // by body: the body at the top of its group
  std::vector<bool> welded;           // by body at the top
  std::vector<SpatialInertia> total;  // by body at the top: in the frame of its rigid group
};

MassGroups GroupMasses(const Side& side, const RigidGroups::Bodies& bodies) {
  const std::size_t n = side.m.bodies.size();
  MassGroups masses;
  masses.group.assign(n, 0), masses.welded.assign(n, false), masses.total.resize(n);
  masses.welded[0] = true;
  const std::vector<bool> welded = Welded(side);
  for (std::size_t i = 1; i < n; ++i) {
    const Body& body = side.m.bodies[i];
    const bool top =
        bodies.group[i] == static_cast<int>(i) || (bodies.group[i] == 0 && body.parent == 0);
    masses.group[i] = top ? static_cast<int>(i) : masses.group[U(body.parent)];
    if (top) masses.welded[i] = body.parent == 0 && welded[Index(body.link)];
    SpatialInertia& total = masses.total[U(masses.group[i])];
    total = total + body.inertia.InFrame(bodies.X[i]);
  }
  return masses;
}

}  // namespace

void CompareMasses(const Side& a, const Side& b, const Correspondence& match,
                   const RigidGroups& groups, const VerifyOptions& options, Excuses& excuses,
                   std::vector<Worst>& checks) {
  const double tolerance = options.tolerance;
  const bool as_written = options.report == nullptr && a.model.format == b.model.format;
  Worst masses("link masses", tolerance), centres("centres of mass", tolerance),
      inertias("link inertias", tolerance), missing("links", 0);
  const auto compare = [&](const SpatialInertia& x, const SpatialInertia& y,
                           const std::string& name) {
    const InertiaError error = Difference(x, y, a.m.length);
    const bool mass = error.mass > tolerance, centre = error.com > tolerance;
    masses.Add(error.mass, name,
               mass ? BothValues(Eigen::VectorXd::Constant(1, x.mass),
                                 Eigen::VectorXd::Constant(1, y.mass)) +
                          " kg"
                    : "");
    centres.Add(error.com, name, centre ? BothValues(x.p_BoBcm, y.p_BoBcm) + " m" : "");
    const bool inertia = error.inertia > tolerance;
    inertias.Add(error.inertia, name,
                 inertia ? BothValues(Moments(x.I_BBcm), Moments(y.I_BBcm)) + " kg m^2" : "");
  };
  // Groups in which a link with mass has no counterpart are compared as a whole.
  const MassGroups of_a = GroupMasses(a, groups.a), of_b = GroupMasses(b, groups.b);
  const auto group_a = [&](LinkId id) { return of_a.group[U(a.m.body_of[Index(id)])]; };
  const auto group_b = [&](LinkId id) { return of_b.group[U(b.m.body_of[Index(id)])]; };
  std::set<int> mixed_a, mixed_b, unknown;
  for (const LinkId id : Links(a.model)) {
    if (match.b_of_a[Index(id)] == kNoLink && Massive(a.model, id)) mixed_a.insert(group_a(id));
    // Of which nobody knows the mass: told as that.
    if (const auto& inertial = a.model.link(id).inertial; inertial && !inertial->unknown.empty())
      unknown.insert(group_a(id));
  }
  for (const LinkId id : Links(b.model)) {
    if (match.a_of_b[Index(id)] == kNoLink && Massive(b.model, id)) mixed_b.insert(group_b(id));
  }

  // A group that is mixed on either side is compared as a whole on both.
  std::map<int, int> counterpart;  // of A's groups, by a link that both have
  for (const LinkId id : Links(a.model)) {
    const LinkId other = match.b_of_a[Index(id)];
    if (other == kNoLink || other == kWorld || id == a.world_link) continue;
    counterpart.emplace(group_a(id), group_b(other));
  }
  for (const auto& [group, there] : counterpart)
    if (mixed_b.contains(there)) mixed_a.insert(group);
  for (const LinkId id : Links(a.model)) {
    const LinkId other = match.b_of_a[Index(id)];
    if (other == kNoLink || other == kWorld || mixed_a.contains(group_a(id)) ||
        (unknown.contains(group_a(id)) && !as_written))
      continue;
    if (id == a.world_link && !as_written) {
      const bool gone = Massive(a.model, id) && !Massive(b.model, other);
      if (gone && excuses.same_format())
        static_cast<void>(excuses.Take(Feature::kReservedName, SubjectOf(a.model.link(id))));
      continue;  // it is rigid with the world: without effect
    }
    compare(InertiaOf(a, id).InFrame(match.X_ab[Index(id)].inverse()), InertiaOf(b, other),
            a.model.link(id).name);
  }
  const auto name = [](const Side& side, int body) -> const std::string& {
    return side.model.link(side.m.bodies[U(body)].link).name;
  };

  // Each mixed group against its counterpart, in B's frame of the group.
  for (const int group : mixed_a) {
    const auto there = counterpart.find(group);
    if (there == counterpart.end()) {
      if (!of_a.welded[U(group)]) missing.Miss(name(a, group), "only in A");
      continue;
    }
    mixed_b.erase(there->second);
    if (unknown.contains(group)) continue;
    // Of what stands still for good some formats keep no mass.
    const double least = std::min(of_a.total[U(group)].mass, of_b.total[U(there->second)].mass);
    if (of_a.welded[U(group)] && of_b.welded[U(there->second)] && least <= kNoise) continue;
    const RigidTransform& X_ba = groups.b_of_a.at(groups.a.group[U(group)]).X_ba;
    compare(of_a.total[U(group)].InFrame(X_ba), of_b.total[U(there->second)], name(a, group));
  }
  for (const int group : mixed_b)
    if (!of_b.welded[U(group)]) missing.Miss(name(b, group), "only in B");
  if (missing.check().worst.empty()) missing.Add(0, "");
  checks.push_back(missing), checks.push_back(masses), checks.push_back(centres),
      checks.push_back(inertias);
}

Correspondence Inverse(const Side& a, const Correspondence& match) {
  Correspondence inverse;
  inverse.b_of_a = match.a_of_b, inverse.a_of_b = match.b_of_a;
  inverse.X_BA = match.X_BA.inverse(), inverse.held = match.held;
  inverse.X_ab.resize(match.a_of_b.size());
  for (const LinkId id : Links(a.model)) {
    if (match.b_of_a[Index(id)] != kNoLink)
      inverse.X_ab[Index(match.b_of_a[Index(id)])] = match.X_ab[Index(id)].inverse();
  }
  return inverse;
}

}  // namespace kinemorph::verify
