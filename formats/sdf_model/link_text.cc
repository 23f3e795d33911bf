// What is in a link: inertials, visuals, collisions, materials.
#include "sdf_model/link_text.h"

#include <algorithm>
#include <cmath>

#include "kinemorph/graph/base/overloaded.h"
#include "kinemorph/graph/base/unique_names.h"
#include "pose_text.h"
#include "xml_reader.h"

// The content of a link, as files of SDFormat and <gazebo> blocks have it. What the version cannot
// say is told to `refuse_` and written all the same: what becomes of the text is the caller's
// decision.

namespace kinemorph::sdformat {
namespace {

std::string Numbers(std::initializer_list<double> values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : " ") + xml::NumberText(value);
  return text;
}

// Names of visuals (or collisions) of one link: the authored one, else LINK_KIND; numbered where it
// is taken.
class Names {
 public:
  Names(std::string link, std::string kind) : fallback_(std::move(link) + "_" + std::move(kind)) {}
  std::string Next(const std::string& authored) {
    return taken_.Take(authored.empty() ? fallback_ : authored);
  }

 private:
  std::string fallback_;
  UniqueNames taken_;
};

bool IsComputed(const NativeData& data) {
  return data.format == "sdf" && data.element == kComputedInertia;
}

// A leaf says the model's number where that is not the one of its text; "inf", which is no number of
// the model, stays.
void SetLeaf(NativeElement& parent, const std::string& name, const std::optional<double>& value) {
  const auto leaf = std::ranges::find(parent.children, name, &NativeElement::name);
  if (leaf == parent.children.end()) {
    if (value) parent.children.push_back({.name = name, .text = xml::NumberText(*value)});
    return;
  }
  const std::optional<double> said = xml::ParseNumber(leaf->text);
  if (value && said != value) leaf->text = xml::NumberText(*value);
  if (!value && said && std::isfinite(*said)) parent.children.erase(leaf);
}

// Passes may have changed the friction of a surface that was kept whole.
void SetFriction(const Collision& collision, NativeElement& surface) {
  for (NativeElement& friction : surface.children) {
    if (friction.name != "friction") continue;
    for (NativeElement& ode : friction.children)
      if (ode.name == "ode") SetLeaf(ode, "mu", collision.mu), SetLeaf(ode, "mu2", collision.mu2);
  }
}

}  // namespace

void WritePose(xml::Writer& out, const RigidTransform& X, const std::string& relative_to,
               double scale) {
  // An identity in the default frame is not written, as most files do it.
  const std::array<double, 6> numbers = xml::PoseNumbers(X, scale);
  if (relative_to.empty() && std::ranges::all_of(numbers, [](double v) { return v == 0; })) return;
  out.Open("pose");
  if (!relative_to.empty()) out.Attribute("relative_to", relative_to);
  out.Text(numbers).Close();
}

void WriteNative(xml::Writer& out, const std::vector<NativeData>& native) {
  for (const NativeData& data : native)
    if (data.format == "sdf" && data.element != kComputedInertia) out.Native(data.content);
}

void LinkText::Write(const Link& link, const std::string& name) {
  if (link.inertial && !(link.inertial->mass == 0 && link.inertial->I_I.isZero(0)))
    WriteInertial(*link.inertial);
  Names visuals(name, "visual"), collisions(name, "collision");
  for (const Visual& visual : link.visuals) WriteVisual(visual, visuals.Next(visual.name));
  for (const Collision& collision : link.collisions)
    WriteCollision(collision, collisions.Next(collision.name));
  if (link.gravity == false) out_.Leaf("gravity", "false");
  if (link.self_collide) out_.Leaf("self_collide", *link.self_collide ? "true" : "false");
}

// As it was written, where it was computed from shapes and this version can say so.
bool LinkText::WriteComputedInertial(const Inertial& inertial) {
  if (version_ < kComputesInertia || std::ranges::none_of(inertial.native, IsComputed))
    return false;
  out_.Open("inertial").Attribute("auto", "true");
  for (const NativeData& data : inertial.native)
    if (IsComputed(data) ? data.content.name != "inertial" : data.format == "sdf")
      out_.Native(data.content);
  out_.Close();
  return true;
}

void LinkText::WriteInertial(const Inertial& inertial) {
  if (WriteComputedInertial(inertial)) return;
  out_.Open("inertial");
  WritePose(out_, inertial.X_LI);
  out_.Leaf("mass", inertial.mass);
  const Matrix3& I = inertial.I_I;
  out_.Open("inertia");
  out_.Leaf("ixx", I(0, 0))
      .Leaf("ixy", I(0, 1))
      .Leaf("ixz", I(0, 2))
      .Leaf("iyy", I(1, 1))
      .Leaf("iyz", I(1, 2))
      .Leaf("izz", I(2, 2));
  out_.Close();
  WriteNative(out_, inertial.native);
  out_.Close();
}

void LinkText::WriteVisual(const Visual& visual, const std::string& name) {
  out_.Open("visual").Attribute("name", name);
  WritePose(out_, visual.X_LG);
  if (visual.transparency) out_.Leaf("transparency", *visual.transparency);
  WriteGeometry(visual.shape, visual.where, About("visual", name));
  if (visual.material) WriteMaterial(*visual.material);
  WriteNative(out_, visual.native);
  out_.Close();
}

void LinkText::WriteCollision(const Collision& collision, const std::string& name) {
  out_.Open("collision").Attribute("name", name);
  WritePose(out_, collision.X_LG);
  WriteGeometry(collision.shape, collision.where, About("collision", name));
  bool surface = false;  // a <surface> that was kept whole says the friction too
  for (const NativeData& data : collision.native)
    surface = surface || (data.format == "sdf" && data.element == "surface");
  const bool friction = collision.mu || collision.mu2 || collision.torsional;
  // One <surface> around both; masks go before friction, as in the specification.
  if (!surface && (friction || collision.contact_mask)) out_.Open("surface");
  if (!surface && collision.contact_mask) {
    out_.Open("contact").Leaf("collide_bitmask", collision.contact_mask->affinity);
    if (collision.contact_mask->type != collision.contact_mask->affinity)
      out_.Leaf("category_bitmask", collision.contact_mask->type);
    out_.Close();
    if (!friction) out_.Close();
  }
  if (!surface && friction) {
    out_.Open("friction");
    if (collision.torsional)
      out_.Open("torsional").Leaf("coefficient", *collision.torsional).Close();
    if (collision.mu || collision.mu2) {
      out_.Open("ode");
      if (collision.mu) out_.Leaf("mu", *collision.mu);
      if (collision.mu2) out_.Leaf("mu2", *collision.mu2);
      out_.Close();
    }
    out_.Close().Close();
  }
  for (const NativeData& data : collision.native)
    if (version_ >= kComputesInertia && IsComputed(data)) out_.Native(data.content);
  std::vector<NativeData> kept = collision.native;
  for (NativeData& data : kept)
    if (data.format == "sdf" && data.element == "surface") SetFriction(collision, data.content);
  WriteNative(out_, kept);
  out_.Close();
}

bool LinkText::WriteGeometry(const Shape& shape, SourceLocation where, const std::string& subject) {
  const auto need = [&](Version since, const char* what) {
    if (version_ < since)
      refuse_(where, {subject, std::string(" is a ") + what + ", which SDFormat has since 1." +
                                   std::to_string(since.minor)});
  };
  out_.Open("geometry");
  std::visit(
      Overloaded{
          [&](const Box& s) { out_.Open("box").Leaf("size", xml::VectorText(s.size)).Close(); },
          [&](const Sphere& s) { out_.Open("sphere").Leaf("radius", s.radius).Close(); },
          [&](const Cylinder& s) {
            out_.Open("cylinder").Leaf("radius", s.radius).Leaf("length", s.length).Close();
          },
          [&](const Capsule& s) {
            need({1, 8}, "capsule");
            out_.Open("capsule").Leaf("radius", s.radius).Leaf("length", s.length).Close();
          },
          [&](const Cone& s) {
            need({1, 11}, "cone");
            out_.Open("cone").Leaf("radius", s.radius).Leaf("length", s.length).Close();
          },
          [&](const Ellipsoid& s) {
            need({1, 8}, "ellipsoid");
            out_.Open("ellipsoid").Leaf("radii", xml::VectorText(s.radii)).Close();
          },
          [&](const Plane& s) {
            out_.Open("plane").Leaf("normal", xml::VectorText(s.normal));
            // A size of zero is a plane that was given none.
            if (!s.size.isZero(0)) out_.Leaf("size", Numbers({s.size.x(), s.size.y()}));
            out_.Close();
          },
          [&](const Mesh& s) {
            out_.Open("mesh").Leaf("uri", s.uri);
            if (s.scale != Vector3::Ones()) out_.Leaf("scale", xml::VectorText(s.scale));
            if (s.submesh) {
              out_.Open("submesh").Leaf("name", *s.submesh);
              if (s.center_submesh) out_.Leaf("center", "true");
              out_.Close();
            }
            out_.Close();
          },
          [&](const Polyline& s) {
            need({1, 5}, "polyline");
            for (const std::vector<Eigen::Vector2d>& points : s.polylines) {
              out_.Open("polyline");
              for (const Eigen::Vector2d& point : points)
                out_.Leaf("point", Numbers({point.x(), point.y()}));
              out_.Leaf("height", s.height).Close();
            }
          },
          [&](const NativeShape& s) {
            if (s.data.format == "sdf")
              out_.Native(s.data.content);
            else
              refuse_(where,
                      {subject, " is a " + s.type + ", a shape that SDFormat does not have"});
          }},
      shape);
  out_.Close();
  return true;
}

void LinkText::WriteMaterial(const Material& material) {
  out_.Open("material");
  const auto color = [&](const char* element, const std::optional<Rgba>& rgba) {
    if (rgba) out_.Leaf(element, std::span<const double>(rgba->data(), 4));
  };
  // A format with one colour means it in every light; SDFormat would take black for the ambient
  // part.
  const bool one_color = !material.ambient && material.diffuse && model_.format != "sdf";
  color("ambient", one_color ? material.diffuse : material.ambient);
  color("diffuse", material.diffuse);
  color("specular", material.specular);
  color("emissive", material.emissive);
  if (material.texture) {
    if (version_ >= Version{1, 6})
      out_.Open("pbr").Open("metal").Leaf("albedo_map", *material.texture).Close().Close();
    else
      refuse_(material.where, {"texture", *material.texture, " has no place before SDFormat 1.6"});
  }
  WriteNative(out_, material.native);
  out_.Close();
}

}  // namespace kinemorph::sdformat
