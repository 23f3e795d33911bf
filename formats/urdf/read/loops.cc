// Loops and couplings in every spelling: URDF+, its two legacy grammars, its exporter's,
// ACDC4Robot's, Drake's, Isaac's, HIT's.
#include <cmath>

#include "kinemorph/graph/base/text.h"
#include "read/reader.h"
#include "urdf.h"

namespace kinemorph::urdf_format {
namespace {

// ReadLoopLike decides by the element's name and shape which grammar it is of; all of them end in
// ReadLoop or ReadCoupling, which read two ends, a type and an axis in any spelling. An element is
// never passed over in silence, as the reference parser does with <constraint>: the robot would
// become an open tree.

const std::vector<std::string>& LoopTypes() {
  static const std::vector<std::string> kTypes{"revolute",  "continuous", "prismatic",
                                               "planar",    "fixed",      "universal",
                                               "spherical", "ball",       "cylindrical"};
  return kTypes;
}

// "spherical_joint", as one exporter writes it, is "spherical".
std::string WithoutJoint(const std::string& type) {
  constexpr std::string_view kEnd = "_joint";
  return type.ends_with(kEnd) ? type.substr(0, type.size() - kEnd.size()) : type;
}

// A rotation that takes unit vector a to unit vector b; the identity where they are equal.
Matrix3 RotationBetween(const Vector3& a, const Vector3& b) {
  if (a == b) return Matrix3::Identity();
  return RotationWithZ(b) * RotationWithZ(a).transpose();
}

}  // namespace

// Which element it is, and what its shape says it means.
void RobotReader::ReadLoopLike(const xml::Element& element) {
  element.Consume();
  plus_ = true;
  const std::string_view name = element.name();
  declares_ = declares_ || name != "loop_joint";
  if (name == "loop") {
    ReadLoop(element, element.Attribute("type", ""));
  } else if (name == "coupling") {
    (void)element.Attribute(
        "type");  // "rolling" in some files; the reference parser ignores it as well
    ReadCoupling(element);
  } else if (name == "constraint") {
    ReadConstraint(element);
  } else if (name == "loop_constraint") {
    Dialect("loop_constraint", element,
            "element 'loop_constraint': is the legacy URDF+ grammar for a point closure, read as a "
            "ball loop; write <loop name=\"...\" "
            "type=\"...\">");
    ReadLoop(element, "ball");
  } else if (name == "joint_constraint") {
    Dialect("joint_constraint", element,
            "element 'joint_constraint': is the legacy URDF+ grammar, read as a coupling; write "
            "<coupling name=\"...\">");
    ReadCoupling(element);
  } else {
    std::string type = element.Attribute("type", "");
    // Isaac's has no type where it is spherical; Drake's old one has an axis where it turns.
    if (type.empty()) type = element.HasChild("axis") ? "revolute" : "spherical";
    Dialect("loop_joint", element,
            "element 'loop_joint': is Drake's and Isaac's spelling, read as a loop of type '" +
                type + "'; write <loop name=\"...\" type=\"...\">");
    ReadLoop(element, type);
  }
}

// <constraint> is four grammars: told apart by parent/child, by type, and by ratio.
void RobotReader::ReadConstraint(const xml::Element& element) {
  const std::string type = element.Attribute("type", "");
  if (element.HasChild("parent") || element.HasChild("child") ||
      element.HasChild("parent_origin")) {
    Dialect("constraint-parent", element,
            "element 'constraint': with parent and child is a proposal for URDF, read as a loop; "
            "write <loop name=\"...\" type=\"...\">");
    ReadLoop(element, type == "link" ? "fixed" : WithoutJoint(type));
  } else if (type == "position") {
    Dialect("constraint-position", element,
            "element 'constraint': of type 'position' is the legacy URDF+ grammar for a point "
            "closure, read as a ball loop; write <loop "
            "name=\"...\" type=\"...\">");
    ReadLoop(element, "ball");
  } else if (type == "rolling") {
    Dialect("constraint-rolling", element,
            "element 'constraint': of type 'rolling' is the legacy URDF+ grammar, read as a "
            "coupling; write <coupling name=\"...\">");
    ReadCoupling(element);
  } else if (!type.empty()) {
    Dialect("constraint-typed", element,
            "element 'constraint': is what the reference exporter writes, and its parser ignores; "
            "read as a loop; write <loop name=\"...\" "
            "type=\"...\">");
    ReadLoop(element, WithoutJoint(type));
  } else if (element.HasChild("axis")) {
    element.Error("loop-type-missing",
                  {"constraint", element.Attribute("name", ""),
                   "has an axis but no type; write <loop name=\"...\" type=\"revolute\">"});
    element.ConsumeAll();
  } else {
    Dialect("constraint-untyped", element,
            "element 'constraint': without a type is what the reference exporter writes for a "
            "coupling, and its parser ignores; read as a "
            "coupling; write <coupling name=\"...\">");
    ReadCoupling(element);
  }
}

// Loops and couplings share one space of names; joints must differ too, because a loop is a joint.
RobotReader::ConstraintName RobotReader::ReadConstraintName(const xml::Element& element,
                                                            const char* base) {
  ConstraintName result;
  result.name = element.Attribute("name", "");
  if (result.name.empty()) {
    result.name = UnusedName(base);
    Dialect(std::string(base) + "-name", element,
            {base, result.name,
             std::string(
                 "has no name in the file; this name was made up (others refuse this: write <") +
                 base + " name=\"...\">)"},
            "name-made-up");
  }
  result.subject = std::string(base) + " '" + result.name + "'";
  const auto [line, is_new] = constraints_.Add(result.name, element.where().line);
  const char* const code =
      std::string_view(base) == "loop" ? "duplicate-joint" : "duplicate-coupling";
  if (!is_new) {
    element.Error(code,
                  {result.subject, "the loop or coupling with this name is already in line " +
                                       std::to_string(line) + "; give one of them another name"});
  } else if (const JointId* const joint = joints_.Find(result.name);
             joint && std::string_view(base) == "loop") {
    element.Error(code, {result.subject, "the joint with this name is already in line " +
                                             std::to_string(model_.joint(*joint).where.line) +
                                             "; give one of them another name"});
  }
  return result;
}

RobotReader::LoopEnd RobotReader::ReadLoopEnd(const xml::Element& element, bool successor,
                                              const std::string& subject) {
  LoopEnd end;
  const char* const canonical = successor ? "successor" : "predecessor";
  // Spellings, the right one first.
  // Isaac writes link1 and link2, the HIT proposal parent and child, one exporter "sucessor". The
  // names of the ends matter: the axis and the ratio count from the predecessor.
  constexpr const char* kPredecessor[] = {"predecessor", "parent", "link1"};
  constexpr const char* kSuccessor[] = {"successor", "sucessor", "succesor", "child", "link2"};
  const auto take = [&](const char* tag) {
    if (!end.element) end.element = element.Child(tag);
  };
  if (successor) {
    for (const char* tag : kSuccessor) take(tag);
  } else {
    for (const char* tag : kPredecessor) take(tag);
  }
  if (successor && !end.element) {
    // Isaac's manual prints link1 twice.
    std::size_t count = 0;
    for (const xml::Element link : element.Children("link1"))
      if (++count == 2) end.element = link;
    if (end.element)
      Dialect("link1-twice", end.element,
              {subject, "names link1 twice; kinemorph reads the second as link2"});
  }
  if (!end.element) {
    element.Error("loop-end-missing",
                  {subject, "has no <" + std::string(canonical) + " link=\"...\"/>"});
    return end;
  }
  const std::string tag(end.element.name());
  if (tag == "sucessor" || tag == "succesor")
    Dialect(
        tag, end.element,
        {subject, "<" + tag + "> is a misspelling of <successor>; kinemorph reads <successor>"});
  // Both attributes are read, so that neither is told as unknown; only a contradiction is an error.
  const auto by_link = end.element.Attribute("link"), by_name = end.element.Attribute("name");
  if (by_link && by_name && *by_link != *by_name) {
    end.element.Error(
        "two-links-named",
        {subject, std::string("its ") + canonical + " says link '" + std::string(*by_link) +
                      "' and name '" + std::string(*by_name) + "'; write link alone"});
    return end;
  }
  if (!by_link && !by_name) {
    end.element.Error("loop-end-missing",
                      {subject, std::string("its ") + canonical + " names no link; write <" +
                                    canonical + " link=\"...\"/>"});
    return end;
  }
  if (!by_link) {
    Dialect(
        "loop-end-name", end.element,
        {subject, "<" + tag +
                      " name=...> is the spelling of the paper; kinemorph reads it, but write <" +
                      canonical + " link=\"" + std::string(*by_name) + "\">"});
  }
  end.link = std::string(by_link ? *by_link : *by_name);
  end.found = true;
  // The pose of the loop frame in the frame of this link, by the age of the grammar: a child,
  // attributes of the end itself, or an element beside it. Without any it is the identity, as in
  // the reference parser.
  if (const xml::Element origin = end.element.Child("origin")) {
    end.X_LF = ReadPose(origin);
  } else if (end.element.Has("xyz") || end.element.Has("rpy")) {
    end.X_LF = ReadPose(end.element);
  } else {
    for (const std::string& sibling : {std::string(canonical) + "_origin",
                                       std::string(successor ? "child_origin" : "parent_origin")}) {
      const xml::Element beside = element.Child(sibling);
      if (!beside) continue;
      if (element.name() == "loop")
        Dialect("sibling-origin", beside,
                {subject, "<" + sibling + "> is an old spelling; write <" + canonical + " link=\"" +
                              end.link + "\"> <origin .../> </" + canonical + ">"});
      end.X_LF = ReadPose(beside);
      break;
    }
  }
  return end;
}

bool RobotReader::ResolveEnds(const xml::Element& element, const std::string& subject,
                              const LoopEnd& p, const LoopEnd& s, LinkId& P, LinkId& S) {
  // Both ends are looked up, even where the first fails, so that one run tells of both.
  if (!p.found || !s.found) return false;
  const auto resolve = [&](const LoopEnd& end, const char* which) {
    const LinkId link = FindLink(end.link, end.element);
    if (link != kNoLink) return link;
    Diagnostic& error = end.element.Error(
        "loop-link-undefined",
        {subject, std::string(which) + " link '" + end.link + "' is not defined"});
    error.suggestion = NearestName(end.link, LinkNames());
    return link;
  };
  P = resolve(p, "predecessor");
  S = resolve(s, "successor");
  if (P == kNoLink || S == kNoLink) return false;
  if (P != S) return true;
  element.Error(
      subject.rfind("coupling", 0) == 0 ? "coupling-self" : "self-joint",
      {subject, "joins link '" + p.link + "' to itself; predecessor and successor must differ"});
  return false;
}

// The axis in the loop frame; the HIT proposal gives it on both sides, one exporter in the parent
// link's frame.
std::optional<Vector3> RobotReader::ReadLoopAxis(const xml::Element& element,
                                                 const std::string& subject, const LoopEnd& p) {
  // The axis has the same coordinates in both loop frames; 1 0 0 where none is written.
  const char* tag = element.HasChild("parent_axis") ? "parent_axis" : "axis";
  auto axis = ReadAxis(element, tag, Vector3::UnitX(), subject);
  if (!axis) return std::nullopt;
  if (const auto frame = element.Child(tag).Attribute("frame"); frame && *frame == "parent")
    axis = p.X_LF.R.transpose() * *axis;
  return axis;
}

void RobotReader::RefuseLoopType(const xml::Element& element, const std::string& subject,
                                 const std::string& type) const {
  if (type.empty()) {
    element.Error(
        "loop-type-missing",
        {subject, "has no type; write type=\"revolute\", continuous, prismatic, planar or fixed"});
    return;
  }
  Diagnostic& error =
      element.Error("loop-type-unknown",
                    {subject, "type '" + type +
                                  "' is not a loop type; write revolute, continuous, prismatic, "
                                  "planar or fixed (or universal or spherical as an extension)"});
  error.suggestion = NearestName(LowerCase(type), LoopTypes());
}

std::optional<JointKind> RobotReader::ReadLoopKind(const xml::Element& element,
                                                   const std::string& subject,
                                                   const std::string& type, const LoopEnd& p,
                                                   LoopEnd& s) {
  // Exporters write "0 0 0" for the axis of a fixed joint; it must not be judged as a direction.
  if (type == "fixed") {
    element.Child("axis").ConsumeAll();
    return Fixed{};
  }
  // A ball written for GRBDA has the type "revolute", since its parser knows no ball. Our mark says
  // what it is; files from before the mark say it by the profile in their comment and the absence
  // of an axis.
  const std::string mark = element.Attribute(kLoopMark, "");
  if (mark == kBallMark) {
    model_.dialect = "grbda";
    element.Child("axis").ConsumeAll();
    return Ball{};
  }
  if (!mark.empty()) {
    Dialect("loop-mark", element,
            {subject, std::string(kLoopMark) + "=\"" + mark +
                          "\" is ignored; the only known one is \"" + kBallMark + "\""});
  }
  if (axis_missing_is_ball_ && type == "revolute" && !element.HasChild("axis")) return Ball{};
  const auto extension = [&] {
    if (!paper_ && element.name() == "loop")
      Dialect("loop-type-" + type, element,
              {subject, "type '" + type + "' is an extension that the reference parser refuses"});
  };
  if (type == "ball" || type == "spherical") {
    extension();
    element.Child("axis").ConsumeAll();
    return Ball{};
  }
  if (type == "universal") {
    const auto kind =
        ReadUniversal(element, element.HasChild("child_axis") ? "child_axis" : "axis2",
                      ReadLoopAxis(element, subject, p), subject);
    if (kind) extension();
    return kind;
  }
  // A loop joint has no limits, so that both words mean the same.
  const bool hinge = type == "revolute" || type == "continuous",
             cylindrical = type == "cylindrical";
  if (!hinge && !cylindrical && type != "prismatic" && type != "planar") {
    RefuseLoopType(element, subject, type);
    return std::nullopt;
  }
  if (cylindrical) extension();
  const auto axis_F = ReadLoopAxis(element, subject, p);
  if (!axis_F) return std::nullopt;
  // Two axes, each in its own frame: the successor's frame is turned until they are one direction.
  // The angle about it does not matter to joints that turn about it; of a prismatic one it is as
  // RotationBetween chooses.
  if (element.HasChild("child_axis")) {
    const auto axis_M = ReadAxis(element, "child_axis", *axis_F, subject);
    if (!axis_M) return std::nullopt;
    s.X_LF.R = s.X_LF.R * RotationBetween(*axis_F, *axis_M);
  }
  if (hinge) return Revolute{*axis_F};
  if (cylindrical) return Cylindrical{*axis_F};
  return type == "planar" ? JointKind(Planar{*axis_F}) : JointKind(Prismatic{*axis_F});
}

void RobotReader::ReadLoop(const xml::Element& element, std::string type) {
  const auto [name, subject] = ReadConstraintName(element, "loop");
  Joint joint;
  joint.where = element.where();
  joint.role = JointRole::kLoop;
  joint.scope = ScopeId{0};
  joint.name = name;
  joint.native_type = element.Attribute("type", type);
  // Everything is read before anything is given up: what is wrong with the type and what is wrong
  // with the ends are two mistakes.
  const LoopEnd p = ReadLoopEnd(element, false, subject);
  LoopEnd s = ReadLoopEnd(element, true, subject);
  LinkId P = kNoLink, S = kNoLink;
  const bool resolved = ResolveEnds(element, subject, p, s, P, S);
  if (type == "floating") {
    element.Warn(
        "loop-free",
        {subject,
         "type 'floating' constrains nothing; kinemorph keeps the loop as text for URDF output"});
    model_.native.push_back(element.Native());
    return;
  }
  const std::optional<JointKind> kind = ReadLoopKind(element, subject, type, p, s);
  if (!kind) element.ConsumeAll();  // one error is enough
  if (!resolved || !kind) return;
  joint.kind = *kind;
  joint.X_PF = p.X_LF;
  joint.X_SM = s.X_LF;
  joints_.Add(name, model_.AddJoint(P, S, std::move(joint)));
}

void RobotReader::ReadCoupling(const xml::Element& element) {
  const auto [name, subject] = ReadConstraintName(element, "coupling");
  Coupling coupling;
  coupling.name = name;
  coupling.form = CouplingForm::kRatio;
  coupling.native_type = std::string(element.name());
  coupling.where = element.where();
  const LoopEnd p = ReadLoopEnd(element, false, subject), s = ReadLoopEnd(element, true, subject);
  if (!ResolveEnds(element, subject, p, s, coupling.predecessor, coupling.successor)) {
    element.ConsumeAll();
    return;
  }
  // The model holds successor motion over predecessor motion, as the reference parser and all files
  // in use; the paper prints the inverse. A coupling without ratio means 1.
  std::optional<double> ratio = 1;
  bool inverse = paper_;
  if (element.Has("gear_ratio")) {
    ratio = element.Number("gear_ratio");
  } else {
    const xml::Element value =
        element.HasChild("ratio") ? element.Child("ratio") : element.Child("gear_ratio");
    if (value && !value.Has("value")) {
      value.Error(
          "ratio-missing",
          {subject,
           "its <ratio> has no value; write <ratio value=\"...\"/>, or leave <ratio> out for 1"});
      return;
    }
    if (value) ratio = value.Number("value");
    if (const std::string mark = value ? value.Attribute(kRatioMark, "") : "";
        mark == kPaperRatio) {
      inverse = true;
      model_.dialect = "paper";
    } else if (!mark.empty()) {
      Dialect("ratio-mark", value,
              {subject, std::string(kRatioMark) + "=\"" + mark +
                            "\" is ignored; the only known one is \"" + kPaperRatio + "\""});
    }
  }
  if (!ratio) return;
  // Its inverse is no number, and a coupling with 0 says only that one side stands still.
  if (*ratio == 0) {
    element.Error("coupling-ratio-zero", {subject,
                                          "its ratio is 0, which would lock the successor; write "
                                          "successor motion over predecessor motion"});
    return;
  }
  coupling.ratio = inverse ? 1 / *ratio : *ratio;
  FillRatioTerms(element, subject, coupling);
}

void RobotReader::FillRatioTerms(const xml::Element& element, const std::string& subject,
                                 Coupling& coupling) {
  if (!tree_.reached[Index(coupling.predecessor)] || !tree_.reached[Index(coupling.successor)])
    return;  // the cycle is reported
  // What a ratio between two links means in joints: the sums along both paths from their nearest
  // common ancestor.
  RatioTerms row =
      TermsOfRatio(model_, tree_, coupling.predecessor, coupling.successor, coupling.ratio);
  const std::string &P = model_.link(coupling.predecessor).name,
                    &S = model_.link(coupling.successor).name;
  if (row.several_dof != kNoJoint) {
    const Joint& joint = model_.joint(row.several_dof);
    element.Error(
        "coupling-not-scalar",
        {subject, "joint '" + joint.name + "' of type '" + joint.native_type + "' lies between '" +
                      P + "' and '" + S + "' and has no single coordinate to couple"});
    return;
  }
  if (row.ancestor == coupling.predecessor || row.ancestor == coupling.successor) {
    // The reference parser reads past the end of its list here; by the paper's own equation (8) one
    // sum would be empty.
    const bool up = row.ancestor == coupling.predecessor;
    Diagnostic& error = element.Error(
        "coupling-ancestor",
        {subject, "link '" + (up ? P : S) + "' is an ancestor of link '" + (up ? S : P) +
                      "', so one side has no joints and the other would be locked"});
    error.notes.push_back(
        "to couple the two joints, write <mimic joint=\"...\" multiplier=\"...\"/> in the joint "
        "that follows");
    return;
  }
  if (row.predecessor_side == 0 || row.successor_side == 0) {
    element.Error("coupling-locked", {subject, "no movable joint lies between link '" +
                                                   model_.link(row.ancestor).name + "' and link '" +
                                                   (row.predecessor_side == 0 ? P : S) +
                                                   "', so the other side would be locked"});
    return;
  }
  coupling.terms = std::move(row.terms);
  model_.couplings.push_back(std::move(coupling));
}

}  // namespace kinemorph::urdf_format
