// XML -> MbsFile.
#include <algorithm>
#include <string_view>

#include "kinemorph/graph/base/text.h"
#include "kinemorph/graph/model/model_dump.h"
#include "mbs_file.h"

// One to one: each element of the file becomes a struct, with the defaults of Robotran's own
// loaders, and nothing is resolved yet. What is only drawn, or is somebody's own (sensors, forces,
// user models), is kept as text. Three programs read the format and differ where a file is not
// quite right: the C library, the editor (MBsysPad) and the animation. What any of them would
// misread without a word is an error or a warning here.
namespace kinemorph::mbs {
namespace {

using xml::Element;

// <name><x/><y/><z/></name> or <name><coordinates>...; absent children are 0, as in every loader.
Vector3 ReadVector(const Element& element) {
  const auto component = [&](const char* child) { return element.ChildNumber(child).value_or(0); };
  return {component("x"), component("y"), component("z")};
}

// In <gravity> and <com> the C loader takes whatever stands first for the coordinates, so a missing
// or misplaced element gives zeros in silence.
Vector3 ReadCoordinates(const Element& element) {
  if (!element.HasChild("coordinates")) {
    element.Error("missing-coordinates",
                  "'" + element.path() + "' has no <coordinates>; kinemorph reads 0 0 0");
    return Vector3::Zero();
  }
  return ReadVector(element.Child("coordinates"));
}

NativeElement Kept(const Element& element) {
  return element ? element.Native().content : NativeElement();
}

// The name element must come first: the C loader fills whatever was opened last.
std::string ReadName(const Element& element, const char* tag) {
  const auto name = element.ChildText(tag);
  if (!name || name->empty()) {
    element.Error("missing-name", "'" + element.path() + "' has no <" + std::string(tag) + ">");
    return "";
  }
  const xml::ElementRange children = element.Children();
  if ((*children.begin()).name() != tag) {
    element.Warn(
        "name-not-first",
        {"", *name,
         "<" + std::string(tag) + "> is not the first child; Robotran's C loader crashes on that"});
  }
  return *name;
}

bool ReadFlag(const Element& element, const char* child) {
  return static_cast<bool>(element.Child(child));
}

// Loaders look at single characters: "r3" becomes T3 in the editor, and type 0 in the C library.
void ReadType(const Element& joint, FileJoint& out) {
  const std::string type = joint.ChildText("type").value_or("");
  if (type.size() == 2 && (type[0] == 'R' || type[0] == 'T') && type[1] >= '1' && type[1] <= '3') {
    out.rotation = type[0] == 'R';
    out.k = type[1] - '1';
    return;
  }
  joint.Error(
      "bad-joint-type",
      {"", out.name,
       "type is '" + type + "', expected R1, R2, R3, T1, T2 or T3 in capitals (loaders take '" +
           type + "' for something else without a word)"});
}

// Any other word, a capital letter too, makes the C loader destroy the joint's type.
void ReadNature(const Element& joint, FileJoint& out) {
  const std::string nature = joint.ChildText("nature").value_or("");
  if (nature == "independent")
    out.nature = Nature::kIndependent;
  else if (nature == "dependent")
    out.nature = Nature::kDependent;
  else if (nature == "driven")
    out.nature = Nature::kDriven;
  else
    joint.Error(
        "bad-nature",
        {"", out.name,
         "nature is '" + nature + "', expected independent, dependent or driven in small letters"});
}

FileJoint ReadJoint(const Element& joint) {
  FileJoint out;
  out.where = joint.where();
  out.name = ReadName(joint, "jointname");
  ReadType(joint, out);
  ReadNature(joint, out);
  if (const Element initial = joint.Child("initialvalue")) {
    out.q = initial.ChildNumber("q").value_or(0);
    out.qd = initial.ChildNumber("qd").value_or(0);
    out.qdd = initial.ChildNumber("qdd").value_or(0);
  }
  out.actuated = ReadFlag(joint, "actuated");
  out.extforce = Kept(joint.Child("extforce"));
  // A constant joint is driven with <symbols><q/></symbols>: the generator then knows that q may be
  // nonzero while qd and qdd are zero. The flags decide later whether user code may move it.
  if (const Element symbols = joint.Child("symbols")) {
    out.symbols = true;
    out.symbol_q = ReadFlag(symbols, "q");
    out.symbol_qd = ReadFlag(symbols, "qd");
    out.symbol_qdd = ReadFlag(symbols, "qdd");
  }
  out.graphics = Kept(joint.Child("graphics"));
  return out;
}

FilePoint ReadPoint(const Element& point) {
  FilePoint out;
  out.where = point.where();
  out.name = ReadName(point, "pointname");
  out.p = ReadCoordinates(point);
  if (const Element sensor = point.Child("sensor")) {
    out.sensor_name = sensor.Attribute("name", "");
    out.sensor = Kept(sensor);
  }
  if (const Element extforce = point.Child("extforce")) {
    out.extforce_name = extforce.Attribute("name", "");
    out.extforce = Kept(extforce);
  }
  out.graphics = Kept(point.Child("graphics"));
  return out;
}

// Channels go from 0 to 255.
std::array<int, 3> ReadColor(const Element& color) {
  const auto channel = [&](const char* name) {
    return static_cast<int>(std::clamp(color.Number(name, 0), 0.0, 255.0));
  };
  return {channel("R"), channel("G"), channel("B")};
}

FileShape ReadShape(const Element& shape, ShapeKind kind) {
  FileShape out;
  out.kind = kind;
  out.where = shape.where();
  shape.Consume();
  for (const char* required : {"name", "position", "scale", "rotation", "color", "transparency"}) {
    if (!shape.HasChild(required)) {
      shape.Warn("shape-incomplete", "'" + shape.path() + "' has no <" + std::string(required) +
                                         ">; Robotran skips such a shape");
    }
  }
  out.name = shape.ChildText("name").value_or("");
  out.hide = ReadFlag(shape, "hide");
  if (const Element position = shape.Child("position")) out.position = ReadVector(position);
  if (const Element scale = shape.Child("scale")) out.scale = ReadVector(scale);
  if (const Element rotation = shape.Child("rotation")) out.rotation = ReadVector(rotation);
  if (const Element color = shape.Child("color")) out.color = ReadColor(color);
  if (const Element specular = shape.Child("specularColor")) out.specular = ReadColor(specular);
  out.shininess = shape.ChildNumber("shininess");
  out.transparency = shape.ChildNumber("transparency").value_or(0);
  if (const Element size = shape.Child("size")) out.size = ReadVector(size);
  out.radius = shape.ChildNumber("radius").value_or(0);
  out.height = shape.ChildNumber("height").value_or(0);
  out.url = shape.ChildText("url").value_or("");
  return out;
}

std::optional<ShapeKind> KindOf(std::string_view tag) {
  if (tag == "box") return ShapeKind::kBox;
  if (tag == "cylinder") return ShapeKind::kCylinder;
  if (tag == "cone") return ShapeKind::kCone;
  if (tag == "sphere") return ShapeKind::kSphere;
  if (tag == "inline") return ShapeKind::kInline;
  return std::nullopt;
}

// The display flags are empty elements; which of them stand there is all that they say.
FileGraphics ReadGraphics(const Element& graphics) {
  FileGraphics out;
  if (!graphics) return out;
  out.x2D = Kept(graphics.Child("x2D"));
  const Element x3D = graphics.Child("x3D");
  for (const char* flag : {"x3D_frame", "x3D_com", "x3D_points", "x3D_lines"}) {
    if (ReadFlag(x3D, flag)) out.flags.emplace_back(flag);
  }
  if (const Element shapes = x3D.Child("x3D_shapes")) {
    out.has_shapes = true;
    for (const Element shape : shapes.Children()) {
      if (const auto kind = KindOf(shape.name())) out.shapes.push_back(ReadShape(shape, *kind));
    }
  }
  return out;
}

void ReadInertial(const Element& body, FileBody& out) {
  out.mass = body.ChildNumber("mass");
  // Six entries by name, products with the sign of the tensor itself (Ixy = -integral of x y dm, as
  // URDF has it), about the centre of mass in axes of the body. What is left out is zero.
  if (const Element com = body.Child("com")) out.com = ReadCoordinates(com);
  if (const Element inertia = body.Child("inertia")) {
    const auto entry = [&](const char* name) { return inertia.ChildNumber(name).value_or(0); };
    out.inertia = {entry("Ixx"), entry("Ixy"), entry("Ixz"),
                   entry("Iyy"), entry("Iyz"), entry("Izz")};
  }
}

FileBody ReadBody(const Element& body) {
  FileBody out;
  out.where = body.where();
  out.name = ReadName(body, "bodyname");
  if (const Element parent = body.Child("parent")) {
    out.parent_where = parent.where();
    out.parent = parent.ChildText("bodyname").value_or("");
    out.parent_point = parent.ChildText("pointname").value_or("");
  } else {
    out.parent_where = out.where;
    body.Error("missing-parent", "'" + out.name + "' has no <parent>");
  }
  for (const Element joint : body.Children("joint")) out.joints.push_back(ReadJoint(joint));
  // The C library would write such a body's mass to the joint before.
  if (out.joints.empty()) {
    body.Error("body-without-joint", "'" + out.name +
                                         "' has no joint; a body fixed to its parent needs a "
                                         "driven one, e.g. T3 with nature driven");
  }
  ReadInertial(body, out);
  for (const Element point : body.Children("point")) out.points.push_back(ReadPoint(point));
  out.graphics = ReadGraphics(body.Child("graphics"));
  return out;
}

void ReadEndpoints(const Element& element, Endpoint (&ends)[2]) {
  for (int i = 0; i < 2; ++i) {
    const Element end = element.Child(i == 0 ? "endpoint1" : "endpoint2");
    ends[i] = {end.ChildText("bodyname").value_or(""), end.ChildText("pointname").value_or(""),
               end ? end.where() : element.where()};
  }
}

FileCut ReadCut(const Element& cut, CutKind kind) {
  FileCut out;
  out.kind = kind;
  out.where = cut.where();
  out.name = ReadName(cut, "name");
  ReadEndpoints(cut, out.ends);
  // Which rows of the position the cut drops.
  if (const Element ignore = cut.Child("ignore"))
    out.ignore = {ReadFlag(ignore, "x"), ReadFlag(ignore, "y"), ReadFlag(ignore, "z")};
  if (kind == CutKind::kRod) {
    out.length = cut.ChildNumber("length").value_or(0);
    if (!(out.length > 0))
      cut.Error("bad-rod-length",
                {"",
                 out.name,
                 "the length of a rod must be positive, not " + FormatNumber(out.length),
                 {{"length", out.length, "m"}}});
  }
  out.graphics = Kept(cut.Child("graphics"));
  return out;
}

void ReadCuts(const Element& cuts, std::vector<FileCut>& out) {
  for (const Element cut : cuts.Children("solid")) out.push_back(ReadCut(cut, CutKind::kSolid));
  for (const Element cut : cuts.Children("ball")) out.push_back(ReadCut(cut, CutKind::kBall));
  for (const Element cut : cuts.Children("rod")) out.push_back(ReadCut(cut, CutKind::kRod));
}

void ReadLinks(const Element& links, std::vector<FileLink>& out) {
  for (const Element link : links.Children()) {
    if (link.name() != "link" && link.name() != "link3D") continue;
    FileLink read;
    read.where = link.where();
    read.name = ReadName(link, "name");
    ReadEndpoints(link, read.ends);
    read.element = Kept(link);
    out.push_back(std::move(read));
  }
}

std::size_t NumChildren(const Element& element) {
  std::size_t n = 0;
  for ([[maybe_unused]] const Element child : element.Children()) ++n;
  return n;
}

// Whether something is written beside child elements, where nothing of ours stands.
// Only parameters of a name, a type and values are ours; a model with more than that (headers,
// tables, comments of weight) is left to whoever wrote it.
bool HasTextBesideElements(const NativeElement& whole) {
  bool has = false;
  ForEachIn(whole, [&](const NativeElement& element) {
    const auto is_element = [](const NativeElement& child) { return child.IsElement(); };
    if (std::none_of(element.children.begin(), element.children.end(), is_element)) return;
    has = has || !Trimmed(element.text).empty();
    for (const NativeElement& child : element.children)
      has = has || ((child.kind == NativeElement::Kind::kText ||
                     child.kind == NativeElement::Kind::kCData) &&
                    !Trimmed(child.text).empty());
  });
  return has;
}

UserModel ReadUserModel(const Element& model) {
  UserModel out;
  out.where = model.where();
  out.name = ReadName(model, "name");
  for (const Element parameter : model.Children("parameter")) {
    UserParameter read{parameter.ChildText("name").value_or(""),
                       parameter.ChildText("type").value_or(""),
                       {},
                       parameter.where()};
    for (const Element value : parameter.Children("value")) {
      if (const auto number = xml::ParseNumber(value.Text())) read.values.push_back(*number);
    }
    // A name, a type and the values are all children that a plain parameter has.
    out.plain = out.plain && NumChildren(parameter) == 2 + read.values.size();
    out.parameters.push_back(std::move(read));
  }
  out.element = Kept(model);
  out.plain = out.plain && NumChildren(model) == 1 + out.parameters.size() &&
              !HasTextBesideElements(out.element);
  return out;
}

void ReadUser(const Element& root, MbsFile& file) {
  for (const Element constraint : root.Child("user_constraints").Children("user_constraint")) {
    UserConstraint read;
    read.where = constraint.where();
    read.name = ReadName(constraint, "name");
    for (const Element joint : constraint.Child("joints").Children("jointname"))
      read.joints.emplace_back(joint.Text());
    file.user_constraints.push_back(std::move(read));
  }
  for (const Element model : root.Child("user_models").Children("user_model"))
    file.user_models.push_back(ReadUserModel(model));
  for (const Element variable : root.Child("user_variables").Children("user_variable")) {
    UserVariable read;
    read.where = variable.where();
    read.name = variable.ChildText("varname").value_or("");
    read.element = Kept(variable);
    file.user_variables.push_back(std::move(read));
  }
}

}  // namespace

MbsFile ParseFile(const Element& root) {
  MbsFile file;
  root.Consume();
  file.name = root.ChildText("mbsname").value_or("");
  file.version = root.ChildText("mbsyspad_version").value_or("");
  if (const Element base = root.Child("base")) {
    if (const Element gravity = base.Child("gravity")) file.gravity = ReadCoordinates(gravity);
    file.base_name = base.ChildText("baseBodyName").value_or("");
    for (const Element point : base.Children("point")) file.base_points.push_back(ReadPoint(point));
    file.base_graphics = ReadGraphics(base.Child("graphics"));
  } else {
    root.Error("missing-base", "'mbsDescR7' has no <base>");
  }
  for (const Element body : root.Child("bodytree").Children("body"))
    file.bodies.push_back(ReadBody(body));
  ReadCuts(root.Child("cuts"), file.cuts);
  ReadLinks(root.Child("links"), file.links);
  ReadUser(root, file);
  file.x3D = Kept(root.Child("x3D"));
  return file;
}

bool FileShape::SameAs(const FileShape& o) const {
  return kind == o.kind && name == o.name && hide == o.hide && position == o.position &&
         scale == o.scale && rotation == o.rotation && color == o.color && specular == o.specular &&
         shininess == o.shininess && transparency == o.transparency && size == o.size &&
         radius == o.radius && height == o.height && url == o.url;
}

// Names become macros of C (<name>_id) and keys of Python.
bool IsLegalName(std::string_view name) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !name.empty() && letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
    return letter(c) || (c >= '0' && c <= '9');
  });
}

}  // namespace kinemorph::mbs
