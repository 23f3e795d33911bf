// connect and weld equalities: loop joints by meaning.
//
// n connects between the same two bodies: 1 holds a point (ball), 2 hold a line (revolute), 3 that
// are not in line hold all (fixed).
#include <algorithm>

#include "native.h"
#include "pose_text.h"
#include "read/orientation.h"
#include "read/reader.h"
#include "xml_writer.h"

namespace kinemorph::mjcf {
namespace {

// "connect equality 'heel'"; an equality need not have a name.
std::string Called(const xml::Element& element, const char* word = "") {
  const std::string name = element.Attribute("name", "");
  return std::string(element.name()) + word + (name.empty() ? "" : " '" + name + "'");
}

}  // namespace

// Equalities come after all bodies, as they need their poses at qpos0. Each connect is remembered
// alone; only together do they tell whether two bodies share a point, a line or all
// (MergeConnects).
void Reader::ReadEqualities() {
  for (const auto& [element, place] : ElementsOf("equality")) {
    element.Consume();
    const std::string_view kind = element.name();
    const Attributes attributes(element, defaults_.ClassOf(element, "class", defaults_.main()),
                                "equality");
    const bool known = kind == "connect" || kind == "weld" || kind == "joint" || kind == "tendon";
    if (!known) {
      model_.native.push_back(element.Native());
      model_.native.back().element = "equality/" + std::string(kind);
      element.Warn("equality-unsupported",
                   {"equality", std::string(kind), "only MJCF keeps this element"});
    } else if (!attributes.Boolean("active", true) || IsOff("equality")) {
      // What is off at the start may be switched on by a controller. It is no part of the
      // mechanism, but MJCF keeps it.
      const bool between_links = kind == "connect" || kind == "weld";
      if (!between_links || ReadEnds(attributes))
        KeepNative(attributes, IsOff("equality") ? "a flag switches it off" : "it is not active");
    } else if (kind == "connect") {
      ReadConnect(attributes);
    } else if (kind == "weld") {
      ReadWeld(attributes);
    } else if (kind == "joint") {
      ReadJointEquality(attributes);
    } else {
      ReadTendonEquality(attributes);
    }
  }
  // Loops are edges behind all tree joints, whose ids must not change; so those of attached models
  // were kept until here.
  MergeConnects();
  for (AttachedLoop& loop : attached_loops_)
    static_cast<void>(model_.AddJoint(loop.predecessor, loop.successor, std::move(loop.joint)));
}

void Reader::KeepNative(const Attributes& attributes, const std::string& why) {
  const xml::Element& element = attributes.element();
  element.Note("equality-native", {Called(element, " equality"),
                                   why + "; only MJCF keeps this element, which is not a loop"});
  model_.native.push_back(MakeNative(element, element.name(), attributes.All()));
  model_.native.back().element = "equality/" + std::string(element.name());
}

std::optional<LinkId> Reader::FindBody(const xml::Element& element, const char* attribute) {
  const auto name = element.Attribute(attribute);
  if (!name || *name == "world") return kWorld;
  const auto found = links_by_name_.find(*name);
  if (found != links_by_name_.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& known : links_by_name_) names.push_back(known.first);
  Undefined(element, "body", *name, names);
  return std::nullopt;
}

Diagnostic& Reader::Undefined(const xml::Element& element, const char* kind, std::string_view name,
                              const std::vector<std::string>& known) {
  const std::string code = std::string(kind) + "-undefined";
  std::string message =
      Called(element) + ": " + kind + " '" + std::string(name) + "' is not defined";

  // A part that is not read may have this name: then the file is not wrong, only unknown here.
  if (incomplete_) {
    model_.native.push_back(Unread(element));
    return element.Warn(code, message + " (it may belong to a part that is not read); this " +
                                  std::string(element.name()) + " is left out");
  }
  element.ConsumeAll();
  Diagnostic& error = element.Error(code, std::move(message));
  error.suggestion = NearestName(name, known);
  return error;
}

std::optional<LoopEnds> Reader::ReadEnds(const Attributes& attributes) {
  const xml::Element& element = attributes.element();
  const std::string who = Called(element, " equality");
  LoopEnds ends;
  // Sites carry their own pose in the body, so that a loop between them need not be closed at
  // qpos0.
  if (element.Has("site1") || element.Has("site2")) {
    ends.by_sites = true;
    const auto place = [&](const char* attribute, LinkId& link, RigidTransform& X) {
      const std::string name = element.Attribute(attribute, "");
      const auto found = sites_by_name_.find(name);
      if (found == sites_by_name_.end()) {
        Undefined(element, "site", name, {});
        return false;
      }
      link = found->second.link;
      X = found->second.X_LS;
      return true;
    };
    if (!place("site1", ends.a, ends.X_AS) || !place("site2", ends.b, ends.X_BS))
      return std::nullopt;
  } else {
    if (!element.Has("body1")) {
      element.Error("equality-incomplete", {who, "neither body1 nor two sites are named"});
      return std::nullopt;
    }
    const auto a = FindBody(element, "body1"), b = FindBody(element, "body2");
    if (!a || !b) return std::nullopt;
    ends.a = *a;
    ends.b = *b;
  }
  if (ends.a == ends.b) {
    element.Error("equality-self", {who, "both ends are body '" + model_.link(ends.a).name + "'"});
    return std::nullopt;
  }
  return ends;
}

void Reader::ReadConnect(const Attributes& attributes) {
  const xml::Element& element = attributes.element();
  const auto ends = ReadEnds(attributes);
  if (!ends) return;
  PointConnect connect{attributes, element.Attribute("name", ""), *ends, Vector3::Zero(),
                       Vector3::Zero()};
  if (ends->by_sites) {
    connect.p_A = ends->X_AS.p;
    connect.p_B = ends->X_BS.p;
  } else {
    const auto anchor = element.Vector("anchor");
    if (!anchor) {
      if (!element.Has("anchor"))
        element.Error("equality-incomplete", {Called(element, " equality"), "'anchor' is missing"});
      return;
    }
    connect.p_A = *anchor;
    // The other anchor is wherever the first one is at qpos0.
    connect.p_B = X_WL_[Index(ends->b)].inverse() * (X_WL_[Index(ends->a)] * *anchor);
  }
  // The simulation puts a mocap body where a controller wants it; held to the mechanism as a loop
  // it would be a link fixed in space.
  if (mocap_.count(ends->a) != 0 || mocap_.count(ends->b) != 0) {
    KeepNative(attributes, "one end is a mocap body, a handle for control");
    return;
  }
  connects_.push_back(std::move(connect));
}

void Reader::ReadWeld(const Attributes& attributes) {
  const xml::Element& element = attributes.element();
  const auto ends = ReadEnds(attributes);
  if (!ends) return;
  if (mocap_.count(ends->a) != 0 || mocap_.count(ends->b) != 0) {
    KeepNative(attributes, "one end is a mocap body, a handle for control");
    return;
  }

  // X_PF and X_SM place the same frame of the closed weld on both bodies. Between bodies M stands
  // at the anchor in axes of body2.
  Joint joint;
  joint.name = element.Attribute("name", "");
  joint.where = element.where();
  joint.kind = Fixed{};
  if (ends->by_sites) {
    joint.X_PF = ends->X_AS;
    joint.X_SM = ends->X_BS;
  } else {
    // p1 + R1 relpos = p2 + R2 anchor, R1 relquat = R2; a zero quaternion means "as at qpos0".
    joint.X_SM.p = element.Vector("anchor").value_or(Vector3(0, 0, 0));
    joint.X_PF = X_WL_[Index(ends->a)].inverse() * X_WL_[Index(ends->b)] * joint.X_SM;
    const auto relpose = element.Numbers("relpose", 7);
    if (relpose && Eigen::Vector4d(relpose->data() + 3).norm() > 0) {
      const xml::NumberList& r = *relpose;
      joint.X_PF = {RotationFromQuaternion(r[3], r[4], r[5], r[6]), Vector3(r[0], r[1], r[2])};
    }
  }
  AttributeList rest = AttributesOnly(attributes, {"solref", "solimp", "torquescale"});
  // Without torque only the point is held, which the kind says.
  if (element.Number("torquescale", 1) == 0) {
    joint.kind = Ball{};
    std::erase_if(rest, [](const auto& a) { return a.first == "torquescale"; });
  }
  if (!rest.empty()) joint.native.push_back(MakeSoftness(element, "equality", rest));
  joint.native_type = "weld";
  AddLoop(std::move(joint), *ends);
}

// A loop joint has as many axes as its kind, so that passes may ask for their data; an equality has
// none to give.
void Reader::AddLoop(Joint joint, const LoopEnds& ends) {
  joint.role = JointRole::kLoop;
  joint.scope = ScopeId{0};
  joint.axes.resize(static_cast<std::size_t>(NumAxes(joint.kind)));
  const JointId id = model_.AddJoint(ends.a, ends.b, std::move(joint));
  if (ends.by_sites) loops_by_sites_.insert(id);
}

void Reader::MergeConnects() {
  // Which points belong together is a question of geometry that other formats ask as well.
  std::vector<PointPair> points;
  for (const PointConnect& connect : connects_)
    points.push_back({connect.ends.a, connect.ends.b, connect.p_A, connect.p_B});
  for (const PointJoint& held : JointsOfPoints(points, [&](LinkId A, LinkId B) -> Matrix3 {
         return X_WL_[Index(B)].R.transpose() * X_WL_[Index(A)].R;
       }))
    AddHeld(held);
  connects_.clear();
}

void Reader::AddHeld(const PointJoint& held) {
  const auto soft = [](const PointConnect& connect) {
    return KeptAttributes(connect.attributes, "equality");
  };
  const PointConnect& first = connects_[held.points.front()];
  Joint joint;
  joint.name = first.name;
  joint.kind = held.kind;
  joint.native_type = "connect";
  joint.where = first.attributes.element().where();
  joint.X_PF = held.X_AF;
  joint.X_SM = held.X_BM;
  if (const AttributeList rest = soft(first); !rest.empty())
    joint.native.push_back(MakeSoftness(first.attributes.element(), "equality", rest));
  // What the others say for themselves: a hinge has a second connect, a weld has none.
  const bool hinge = held.points.size() == 2;
  for (std::size_t i = 1; i < held.points.size(); ++i) {
    // The writer makes the names of the other connects out of the first one: such names are not
    // kept.
    const PointConnect& other = connects_[held.points[i]];
    const std::string_view usual = hinge ? "_axis" : i == 1 ? "_x" : "_y";  // as we write them
    const bool named = !other.name.empty() && other.name != first.name + std::string(usual);
    AttributeList own = soft(other);
    const bool alike = own == soft(first);
    if (named) own.insert(own.begin(), {"name", other.name});
    if (hinge) {                       // in few digits, which are the same when they are read again
      constexpr double kDigits = 1e3;  // to 5e-13 m
      if (!named && alike) own.clear();
      const double lever = xml::Rounded((other.p_A - first.p_A).norm(), kDigits);
      own.emplace_back(kLever, xml::NumberText(lever));
      joint.native.push_back(MakeNative(other.attributes.element(), kAxisEquality, own));
      joint.native.back().idle = !named && alike;  // without MuJoCo's springs
    }
    if (hinge || (!named && alike && !other.name.empty())) continue;
    other.attributes.element().Warn(
        "connects-merged",
        {Called(other.attributes.element()),
         "three points of two bodies leave no motion; they are read as the weld '" + first.name +
             "'"});
    if (named || !alike) model_.native.push_back(Unread(other.attributes.element()));
  }
  LoopEnds ends = first.ends;
  ends.a = held.A;
  ends.b = held.B;
  AddLoop(std::move(joint), ends);
}

}  // namespace kinemorph::mjcf
