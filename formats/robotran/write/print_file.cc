// MbsFile -> XML. The order of elements is the one all published files have.
#include <charconv>

#include "java_number.h"
#include "mbs_file.h"
#include "xml_writer.h"

namespace kinemorph::mbs {

NativeElement ShapeElement(const FileShape& shape) {
  constexpr const char* kTags[] = {"box", "cylinder", "cone", "sphere", "inline"};
  NativeElement out{.name = kTags[static_cast<int>(shape.kind)]};
  const auto number = [&](const char* tag, double value) { out.Add(tag, JavaNumber(value)); };
  const auto vector = [&](const char* tag, const Vector3& v) {
    NativeElement& element = out.Add(tag);
    for (int i = 0; i < 3; ++i) element.Add(std::string(1, "xyz"[i]), JavaNumber(v[i]));
  };
  const auto color = [&](const char* tag, const std::array<int, 3>& rgb) {
    out.Add(tag).attributes = {{"R", std::to_string(rgb[0])},
                               {"G", std::to_string(rgb[1])},
                               {"B", std::to_string(rgb[2])}};
  };
  out.Add("name", shape.name);
  if (shape.hide) out.Add("hide");
  vector("position", shape.position);
  vector("scale", shape.scale);
  vector("rotation", shape.rotation);
  color("color", shape.color);
  if (shape.specular) color("specularColor", *shape.specular);
  if (shape.shininess) number("shininess", *shape.shininess);
  number("transparency", shape.transparency);
  switch (shape.kind) {
    case ShapeKind::kBox:
      vector("size", shape.size);
      break;
    case ShapeKind::kCylinder:
    case ShapeKind::kCone:
      number("radius", shape.radius);
      number("height", shape.height);
      break;
    case ShapeKind::kSphere:
      number("radius", shape.radius);
      break;
    case ShapeKind::kInline:
      out.Add("url", shape.url);
      break;
  }
  return out;
}

namespace {

// The order of children is that of all published files; names must come first, since the C loader
// fills whatever was opened last. Zeros are left out as the editor does, because the symbolic
// generator takes an absent value for a zero and simplifies with it. Numbers are spelt as Java
// spells them.

using xml::Writer;

void Number(Writer& w, const char* tag, double value) { w.Leaf(tag, JavaNumber(value)); }
void NonZero(Writer& w, const char* tag, double value) {
  if (value != 0) Number(w, tag, value);
}
void Flag(Writer& w, const std::string& tag, bool set = true) {
  if (set) w.Open(tag).Close();
}
// Indented by two, as the rest.
void Kept(Writer& w, const NativeElement& element) {
  if (!element.empty()) w.Native(element, 2);
}

void Vector(Writer& w, const char* tag, const Vector3& v) {
  w.Open(tag);
  Number(w, "x", v.x());
  Number(w, "y", v.y());
  Number(w, "z", v.z());
  w.Close();
}

// Nothing may stand before <coordinates>: the C loader would read zeros.
void Coordinates(Writer& w, const char* tag, const Vector3& v) {
  w.Open(tag);
  Vector(w, "coordinates", v);
  w.Close();
}

void PrintPoint(Writer& w, const FilePoint& point) {
  w.Open("point").Leaf("pointname", point.name);
  Vector(w, "coordinates", point.p);
  Kept(w, point.graphics);
  Kept(w, point.sensor);
  Kept(w, point.extforce);
  w.Close();
}

const char* TypeName(const FileJoint& joint) {
  constexpr const char* kRotations[] = {"R1", "R2", "R3"};
  constexpr const char* kTranslations[] = {"T1", "T2", "T3"};
  return joint.rotation ? kRotations[joint.k] : kTranslations[joint.k];
}

const char* NatureName(Nature nature) {
  switch (nature) {
    case Nature::kIndependent:
      return "independent";
    case Nature::kDependent:
      return "dependent";
    case Nature::kDriven:
      return "driven";
  }
  return "";
}

void PrintJoint(Writer& w, const FileJoint& joint) {
  w.Open("joint")
      .Leaf("jointname", joint.name)
      .Leaf("type", TypeName(joint))
      .Leaf("nature", NatureName(joint.nature));
  // Children that are zero are absent, and the element where all are.
  if (joint.q != 0 || joint.qd != 0 || joint.qdd != 0) {
    w.Open("initialvalue");
    NonZero(w, "q", joint.q);
    NonZero(w, "qd", joint.qd);
    NonZero(w, "qdd", joint.qdd);
    w.Close();
  }
  Flag(w, "actuated", joint.actuated);
  Kept(w, joint.extforce);
  if (joint.symbols) {
    w.Open("symbols");
    Flag(w, "q", joint.symbol_q);
    Flag(w, "qd", joint.symbol_qd);
    Flag(w, "qdd", joint.symbol_qdd);
    w.Close();
  }
  Kept(w, joint.graphics);
  w.Close();
}

void PrintGraphics(Writer& w, const FileGraphics& graphics) {
  w.Open("graphics");
  Kept(w, graphics.x2D);
  w.Open("x3D");
  for (const std::string& flag : graphics.flags) Flag(w, flag);
  // An empty list of shapes is kept where the file had one.
  if (graphics.has_shapes || !graphics.shapes.empty()) {
    w.Open("x3D_shapes");
    for (const FileShape& shape : graphics.shapes) Kept(w, ShapeElement(shape));
    w.Close();
  }
  w.Close().Close();
}

void PrintBase(Writer& w, const MbsFile& file) {
  w.Open("base");
  Coordinates(w, "gravity", file.gravity);
  w.Leaf("baseBodyName", file.base_name);
  for (const FilePoint& point : file.base_points) PrintPoint(w, point);
  PrintGraphics(w, file.base_graphics);
  w.Close();
}

void PrintInertial(Writer& w, const FileBody& body) {
  if (body.mass && *body.mass != 0) Number(w, "mass", *body.mass);
  if (body.com && *body.com != Vector3::Zero()) Coordinates(w, "com", *body.com);
  if (!body.inertia) return;
  const FileInertia& I = *body.inertia;
  if (I.xx == 0 && I.xy == 0 && I.xz == 0 && I.yy == 0 && I.yz == 0 && I.zz == 0) return;
  w.Open("inertia");
  NonZero(w, "Ixx", I.xx);
  NonZero(w, "Ixy", I.xy);
  NonZero(w, "Ixz", I.xz);
  NonZero(w, "Iyy", I.yy);
  NonZero(w, "Iyz", I.yz);
  NonZero(w, "Izz", I.zz);
  w.Close();
}

void PrintBody(Writer& w, const FileBody& body) {
  w.Open("body").Leaf("bodyname", body.name);
  w.Open("parent").Leaf("bodyname", body.parent).Leaf("pointname", body.parent_point).Close();
  for (const FileJoint& joint : body.joints) PrintJoint(w, joint);
  PrintInertial(w, body);
  for (const FilePoint& point : body.points) PrintPoint(w, point);
  PrintGraphics(w, body.graphics);
  w.Close();
}

void PrintCut(Writer& w, const FileCut& cut) {
  constexpr const char* kTags[] = {"solid", "ball", "rod"};
  w.Open(kTags[static_cast<int>(cut.kind)]).Leaf("name", cut.name);
  for (int i = 0; i < 2; ++i) {
    w.Open(i == 0 ? "endpoint1" : "endpoint2")
        .Leaf("bodyname", cut.ends[i].body)
        .Leaf("pointname", cut.ends[i].point)
        .Close();
  }
  if (cut.kind == CutKind::kRod) Number(w, "length", cut.length);
  if (cut.ignore[0] || cut.ignore[1] || cut.ignore[2]) {
    w.Open("ignore");
    Flag(w, "x", cut.ignore[0]);
    Flag(w, "y", cut.ignore[1]);
    Flag(w, "z", cut.ignore[2]);
    w.Close();
  }
  Kept(w, cut.graphics);
  w.Close();
}

void PrintCuts(Writer& w, const std::vector<FileCut>& cuts) {
  if (cuts.empty()) return;
  w.Open("cuts");
  // Solids, balls, rods: the order in all published files.
  for (const CutKind kind : {CutKind::kSolid, CutKind::kBall, CutKind::kRod}) {
    for (const FileCut& cut : cuts)
      if (cut.kind == kind) PrintCut(w, cut);
  }
  w.Close();
}

void PrintUserModel(Writer& w, const UserModel& model) {
  // A model of the file as it was, with what this program does not read; one of ours from its
  // numbers.
  if (!model.element.empty()) return Kept(w, model.element);
  w.Open("user_model").Leaf("name", model.name);
  for (const UserParameter& parameter : model.parameters) {
    w.Open("parameter").Leaf("name", parameter.name).Leaf("type", parameter.type);
    for (const double value : parameter.values) Number(w, "value", value);
    w.Close();
  }
  w.Close();
}

void PrintUser(Writer& w, const MbsFile& file) {
  if (!file.user_constraints.empty()) {
    w.Open("user_constraints");
    for (const UserConstraint& constraint : file.user_constraints) {
      w.Open("user_constraint").Leaf("name", constraint.name).Open("joints");
      for (const std::string& joint : constraint.joints) w.Leaf("jointname", joint);
      w.Close().Close();
    }
    w.Close();
  }
  if (!file.user_models.empty()) {
    w.Open("user_models");
    for (const UserModel& model : file.user_models) PrintUserModel(w, model);
    w.Close();
  }
  if (!file.user_variables.empty()) {
    w.Open("user_variables");
    for (const UserVariable& variable : file.user_variables) Kept(w, variable.element);
    w.Close();
  }
}

}  // namespace

std::string PrintFile(const MbsFile& file) {
  Writer w;
  w.Open("mbsDescR7").Leaf("mbsname", file.name).Leaf("mbsyspad_version", file.version);
  PrintBase(w, file);
  w.Open("bodytree");
  for (const FileBody& body : file.bodies) PrintBody(w, body);
  w.Close();
  PrintCuts(w, file.cuts);
  if (!file.links.empty()) {
    w.Open("links");
    for (const FileLink& link : file.links) Kept(w, link.element);
    w.Close();
  }
  PrintUser(w, file);
  Kept(w, file.x3D);
  w.Close();
  return std::move(w).text();
}

}  // namespace kinemorph::mbs
