// Names and references of a file: bodies, points, parents, cut ends.
#include <algorithm>

#include "kinemorph/graph/base/text.h"
#include "read/model_builder.h"

namespace kinemorph::mbs {

Diagnostic& ModelBuilder::Report(Severity severity, std::string code, SourceLocation where,
                                 Statement statement) {
  return context_.diagnostics->Add(MakeDiagnostic(severity, std::move(code), context_.file_name,
                                                  where.line, "", std::move(statement)));
}

// The editor refuses equal names of one class, but loads files that have them: which is meant then
// depends on the tool.
void ModelBuilder::Register(UniqueNames& table, const char* kind, const std::string& name,
                            SourceLocation where) {
  if (!name.empty() && !table.Add(name))
    Error("duplicate-name", where,
          {"", name, "there are two " + std::string(kind) + " of this name"});
}

void ModelBuilder::IndexPoints(const std::vector<FilePoint>& points, std::size_t body,
                               UniqueNames& sensors, UniqueNames& forces) {
  for (const FilePoint& point : points) {
    if (!points_[body + 1].emplace(point.name, &point).second && !point.name.empty()) {
      Error("duplicate-name", point.where,
            {"", point.name, "there are two points of this name in one body"});
    }
    if (!point.sensor.empty()) Register(sensors, "sensors", point.sensor_name, point.where);
    if (!point.extforce.empty())
      Register(forces, "external forces", point.extforce_name, point.where);
  }
}

void ModelBuilder::IndexNames() {
  // Sensors and forces are known by their names throughout the file, points within their body.
  UniqueNames sensors, forces;
  points_.resize(file_.bodies.size() + 1);  // [0]: the base
  IndexPoints(file_.base_points, kBase, sensors, forces);
  for (std::size_t i = 0; i < file_.bodies.size(); ++i) {
    const FileBody& body = file_.bodies[i];
    if (body.name == "base")
      Error("reserved-name", body.where,
            "'base': MBS uses this name for the inertial frame, so no body can have it");
    Register(link_names_, "bodies", body.name, body.where);
    bodies_.emplace(body.name, i);
    for (const FileJoint& joint : body.joints)
      Register(joint_names_, "joints", joint.name, joint.where);
    IndexPoints(body.points, i, sensors, forces);
  }
  UniqueNames cuts, links;
  for (const FileCut& cut : file_.cuts) Register(cuts, "cuts", cut.name, cut.where);
  for (const FileLink& link : file_.links) Register(links, "links", link.name, link.where);
}

// The body of a name; nothing with an error when there is none.
bool ModelBuilder::FindBody(const std::string& name, SourceLocation where,
                            const std::string& subject, std::size_t& body) {
  if (name == "base") {
    body = kBase;
    return true;
  }
  const auto found = bodies_.find(name);
  if (found != bodies_.end()) {
    body = found->second;
    return true;
  }
  Diagnostic& d =
      Report(Severity::kError, "unknown-body", where, {subject, "there is no body '" + name + "'"});
  std::vector<std::string> candidates;
  for (const FileBody& b : file_.bodies) candidates.push_back(b.name);
  d.suggestion = NearestName(name, candidates);
  return false;
}

Vector3 ModelBuilder::FindPoint(std::size_t body, const std::string& name, SourceLocation where,
                                const std::string& subject) {
  const auto& points = points_[body + 1];
  const auto found = points.find(name);
  if (found != points.end()) {
    used_points_.Add(std::to_string(body + 1) + "/" + name);
    return found->second->p;
  }
  // `origin` is a point of every body that need not be declared; the editor reads it in any case of
  // letters, the animation does not.
  if (name == "origin") return Vector3::Zero();
  const std::string owner = body == kBase ? "base" : file_.bodies[body].name;
  if (LowerCase(name) == "origin") {
    Warn("origin-case", where,
         {subject, "point '" + name + "' of '" + owner +
                       "' is read as 'origin'; some Robotran tools do not do this"});
    return Vector3::Zero();
  }
  Diagnostic& d = Report(Severity::kError, "unknown-point", where,
                         {subject, "'" + owner + "' has no point '" + name + "'"});
  std::vector<std::string> candidates;
  for (const auto& [candidate, point] : points) candidates.push_back(candidate);
  std::sort(candidates.begin(), candidates.end());
  d.suggestion = NearestName(name, candidates);
  return Vector3::Zero();
}

// Parents and anchors; bodies from the base outwards.
// Depth first from the base, children in the order of the file: a parent's pose is known before its
// children's.
void ModelBuilder::OrderBodies() {
  const std::size_t n = file_.bodies.size();
  parent_.assign(n, kBase);
  anchor_.assign(n, Vector3::Zero());
  has_child_.assign(n + 1, false);
  std::vector<std::vector<std::size_t>> children(n + 1);
  for (std::size_t i = 0; i < n; ++i) {
    const FileBody& body = file_.bodies[i];
    const std::string subject = "'" + body.name + "'";
    if (FindBody(body.parent, body.parent_where, subject, parent_[i])) {
      anchor_[i] = FindPoint(parent_[i], body.parent_point, body.parent_where, subject);
      if (parent_[i] != kBase && parent_[i] > i) {
        Warn("parent-after-child", body.parent_where,
             {subject, "its parent '" + body.parent +
                           "' comes later in the file; MBsysPad cannot load that"});
      }
    }
    children[parent_[i] + 1].push_back(i);
    has_child_[parent_[i] + 1] = true;
  }
  std::vector<std::size_t> stack(children[0].rbegin(), children[0].rend());
  std::vector<bool> reached(n);
  while (!stack.empty()) {
    const std::size_t i = stack.back();
    stack.pop_back();
    reached[i] = true;
    order_.push_back(i);
    stack.insert(stack.end(), children[i + 1].rbegin(), children[i + 1].rend());
  }
  // Bodies that hang on each other in a circle; they are put on the base, so that the rest can be
  // checked.
  for (std::size_t i = 0; i < n; ++i) {
    if (reached[i]) continue;
    Error("body-cycle", file_.bodies[i].parent_where,
          {"", file_.bodies[i].name, "its chain of parents never reaches the base"});
    parent_[i] = kBase;
    order_.push_back(i);
  }
}

void ModelBuilder::ResolveCuts() {
  for (const FileCut& cut : file_.cuts) {
    Ends ends;
    for (int i = 0; i < 2; ++i) {
      const Endpoint& end = cut.ends[i];
      const std::string subject = "'" + cut.name + "'";
      ends.known = FindBody(end.body, end.where, subject, ends.body[i]) && ends.known;
      if (ends.known) ends.p[i] = FindPoint(ends.body[i], end.point, end.where, subject);
    }
    cuts_.push_back(ends);
    if (!ends.known) continue;
    for (const std::size_t body : ends.body) ++cuts_at_[body];
    // The tools drop rows of the position; a loop joint has all rows of its kind.
    if (cut.ignore[0] || cut.ignore[1] || cut.ignore[2]) {
      Warn("ignore-not-applied", cut.where,
           {"", cut.name, "Robotran drops a row of this cut (<ignore>); the whole cut was read"});
    }
  }
  // Forces between two points: a body that one acts on is no mere copy of a cut.
  for (const FileLink& link : file_.links) {
    for (const Endpoint& end : link.ends) {
      std::size_t body = kBase;
      if (!FindBody(end.body, end.where, "'" + link.name + "'", body)) continue;
      FindPoint(body, end.point, end.where, "'" + link.name + "'");
      ++cuts_at_[body];
    }
  }
}

}  // namespace kinemorph::mbs
