// Matching by name, alignment of the worlds, re-based frames.
#include "verify/correspondence.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "kinemorph/graph/base/number.h"
#include "kinemorph/graph/mechanics/kinematics.h"
#include "verify/excuses.h"

namespace kinemorph::verify {
namespace {

std::string Tail(const std::string& name) {
  const std::size_t at = name.rfind("::");
  return at == std::string::npos ? name : name.substr(at + 2);
}

bool Massive(const Model& model, LinkId id) {
  const auto& inertial = model.link(id).inertial;
  return inertial && (inertial->mass > kNoise || inertial->I_I.cwiseAbs().maxCoeff() > kNoise);
}

SpatialInertia InertiaOf(const Side& side, LinkId id) {
  return side.m.bodies[U(side.m.body_of[Index(id)])].inertia;
}

struct InertiaError {
  double mass = 0, com = 0, inertia = 0;
};

InertiaError Difference(const SpatialInertia& a, const SpatialInertia& b, double length) {
  InertiaError error;
  error.mass = std::abs(a.mass - b.mass) <= kNoise ? 0 : RelativeError(a.mass, b.mass, 0);
  const double scale = std::max(a.I_BBcm.cwiseAbs().maxCoeff(), b.I_BBcm.cwiseAbs().maxCoeff());
  for (int i = 0; i < 3; ++i) {
    if (std::max(a.mass, b.mass) > kNoise)
      error.com = std::max(error.com, RelativeError(a.p_BoBcm[i], b.p_BoBcm[i], length));
    for (int j = 0; j <= i; ++j) {
      if (std::abs(a.I_BBcm(i, j) - b.I_BBcm(i, j)) <= kNoise) continue;
      error.inertia = std::max(error.inertia, RelativeError(a.I_BBcm(i, j), b.I_BBcm(i, j), scale));
    }
  }
  return error;
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

std::string MappedName(const VerifyOptions& options, SubjectKind kind, const std::string& name) {
  std::string mapped = name;
  if (options.report == nullptr) return mapped;
  for (const NameChange& change : options.report->names) {
    const bool loop = kind == SubjectKind::kJoint && change.kind == SubjectKind::kLoopJoint;
    if (change.from == mapped && (change.kind == kind || loop)) mapped = change.to;
  }
  return mapped;
}

Correspondence MatchLinks(const Side& a, const Side& b, const VerifyOptions& options) {
  Correspondence match;
  match.b_of_a.assign(a.model.num_links(), kNoLink);
  match.a_of_b.assign(b.model.num_links(), kNoLink);
  match.X_ab.assign(a.model.num_links(), RigidTransform{});
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
        action(id, MappedName(options, SubjectKind::kLink, a.model.link(id).name));
    }
  };
  each([&](LinkId id, const std::string& name) { take(id, exact, name); });
  each([&](LinkId id, const std::string& name) { take(id, plain, PlainName(name)); });
  each([&](LinkId id, const std::string& name) { take(id, tail, Tail(name)); });
  if (a.world_link != kNoLink)
    match.b_of_a[Index(a.world_link)] = b.world_link != kNoLink ? b.world_link : kWorld;
  if (b.world_link != kNoLink)
    match.a_of_b[Index(b.world_link)] = a.world_link != kNoLink ? a.world_link : kWorld;
  if (options.report != nullptr) {
    std::map<std::string, RigidTransform> moved;
    for (const FrameChange& change : options.report->frames) {
      const auto [at, fresh] = moved.emplace(change.link, change.X_old_new);
      if (!fresh) at->second = at->second * change.X_old_new;
    }
    for (const LinkId id : Links(a.model)) {
      const std::string& name = a.model.link(id).name;
      auto found = moved.find(name);
      if (found == moved.end()) found = moved.find(MappedName(options, SubjectKind::kLink, name));
      if (found != moved.end()) match.X_ab[Index(id)] = found->second;
    }
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
  if (options.report != nullptr) return;
  for (const LinkId id : Links(a.model)) {
    const LinkId other = match.b_of_a[Index(id)];
    if (other == kNoLink || other == kWorld || !Massive(a.model, id)) continue;
    const RigidTransform X = (match.X_BA * pose_a(id)).inverse() * pose_b(other);
    if (X.IsNearIdentity(1e-12)) continue;
    // Re-based only if the body itself stays where it is.
    const InertiaError error =
        Difference(InertiaOf(a, id).InFrame(X.inverse()), InertiaOf(b, other), a.m.length);
    const InertiaError as_it_is = Difference(InertiaOf(a, id), InertiaOf(b, other), a.m.length);
    if (std::max(error.com, error.inertia) < options.tolerance &&
        std::max(as_it_is.com, as_it_is.inertia) > options.tolerance) {
      match.X_ab[Index(id)] = match.X_ab[Index(id)] * X;
    }
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

void CompareMasses(const Side& a, const Side& b, const Correspondence& match,
                   const RigidGroups& groups, const VerifyOptions& options, Excuses& excuses,
                   std::vector<Worst>& checks) {
  const double tolerance = options.tolerance;
  const bool as_written = options.report == nullptr && a.model.format == b.model.format;
  Worst masses("link masses", tolerance), centres("centres of mass", tolerance),
      inertias("link inertias", tolerance), missing("links", 0);
  const auto group_a = [&](LinkId id) { return groups.a.group[U(a.m.body_of[Index(id)])]; };
  const auto group_b = [&](LinkId id) { return groups.b.group[U(b.m.body_of[Index(id)])]; };
  const auto compare = [&](const SpatialInertia& x, const SpatialInertia& y,
                           const std::string& name) {
    const InertiaError error = Difference(x, y, a.m.length);
    const auto numbers = [](const Vector3& v) {
      return FormatNumber(v.x()) + " " + FormatNumber(v.y()) + " " + FormatNumber(v.z());
    };
    const bool mass = error.mass > tolerance, centre = error.com > tolerance;
    masses.Add(error.mass, name,
               mass ? FormatNumber(x.mass) + " against " + FormatNumber(y.mass) + " kg" : "");
    centres.Add(error.com, name,
                centre ? numbers(x.p_BoBcm) + " against " + numbers(y.p_BoBcm) + " m" : "");
    inertias.Add(error.inertia, name);
  };
  // Groups in which a link with mass has no counterpart are compared as a whole.
  std::set<int> mixed_a, mixed_b;
  for (const LinkId id : Links(a.model)) {
    if (match.b_of_a[Index(id)] == kNoLink && Massive(a.model, id)) mixed_a.insert(group_a(id));
  }
  for (const LinkId id : Links(b.model)) {
    if (match.a_of_b[Index(id)] == kNoLink && Massive(b.model, id)) mixed_b.insert(group_b(id));
  }
  for (const auto& [group, counterpart] : groups.b_of_a) {
    if (mixed_b.contains(counterpart.b)) mixed_a.insert(group);
  }
  for (const LinkId id : Links(a.model)) {
    const LinkId other = match.b_of_a[Index(id)];
    if (other == kNoLink || other == kWorld || mixed_a.contains(group_a(id))) continue;
    if (id == a.world_link && !as_written) {
      const bool gone = Massive(a.model, id) && !Massive(b.model, other);
      if (gone && excuses.same_format())
        static_cast<void>(excuses.Take(Feature::kReservedName, SubjectOf(a.model.link(id))));
      continue;  // it is rigid with the world: without effect
    }
    compare(InertiaOf(a, id).InFrame(match.X_ab[Index(id)].inverse()), InertiaOf(b, other),
            a.model.link(id).name);
  }
  const auto totals = [](const Mechanism& m, const RigidGroups::Bodies& bodies) {
    std::vector<SpatialInertia> sums(m.bodies.size());
    for (std::size_t i = 1; i < m.bodies.size(); ++i) {
      SpatialInertia& sum = sums[U(bodies.group[i])];
      sum = sum + m.bodies[i].inertia.InFrame(bodies.X[i]);
    }
    return sums;
  };
  const std::vector<SpatialInertia> total_a = totals(a.m, groups.a),
                                    total_b = totals(b.m, groups.b);
  for (const int group : mixed_a) {
    if (group == 0) continue;  // rigid with the world: without effect
    const std::string& name = a.model.link(a.m.bodies[U(group)].link).name;
    const auto found = groups.b_of_a.find(group);
    if (found == groups.b_of_a.end()) {
      missing.Miss(name, "only in A");
      continue;
    }
    mixed_b.erase(found->second.b);
    compare(total_a[U(group)].InFrame(found->second.X_ba), total_b[U(found->second.b)], name);
  }
  for (const int group : mixed_b) {
    if (group != 0) missing.Miss(b.model.link(b.m.bodies[U(group)].link).name, "only in B");
  }
  if (missing.check().worst.empty()) missing.Add(0, "");
  checks.push_back(missing), checks.push_back(masses), checks.push_back(centres),
      checks.push_back(inertias);
}

}  // namespace kinemorph::verify
