// The rules of the published loaders (MBsysC's C loader, the MBsysPad editor, the OpenGL viewer) as
// one strict checker of a text.
#pragma once

#include <algorithm>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "mbs_test_support.h"

namespace kinemorph::test {

class LoaderRules {
 public:
  /// What is wrong with a text; empty when every loader takes it and numbers its joints alike.
  static std::vector<std::string> Check(const std::string& text) {
    LoaderRules rules;
    Parsed parsed(text);
    rules.File(parsed.root());
    return rules.wrong_;
  }

 private:
  using Xml = tinyxml2::XMLElement;

  void Wrong(const Xml* where, const std::string& what) {
    wrong_.push_back(std::string(where->Name()) + " " + FirstText(where) + ": " + what);
  }
  static std::string FirstText(const Xml* e) {
    return e->FirstChildElement() && e->FirstChildElement()->GetText()
               ? e->FirstChildElement()->GetText()
               : "";
  }

  // Children in this order; '?' may be absent, '*' repeated.
  void Order(const Xml* element, const std::vector<std::string>& grammar) {
    if (element->FirstChild() && element->FirstChild()->ToComment() &&
        (std::string(element->Name()) == "gravity" || std::string(element->Name()) == "com")) {
      Wrong(element, "comment before <coordinates>: the C loader reads zeros");
    }
    const Xml* child = element->FirstChildElement();
    for (const std::string& rule : grammar) {
      const char kind = rule.back();
      const std::string name =
          kind == '?' || kind == '*' || kind == '+' ? rule.substr(0, rule.size() - 1) : rule;
      const bool found = child && name == child->Name();
      if (!found && kind != '?' && kind != '*')
        Wrong(element, "<" + name + "> is missing or out of order");
      if (!found) continue;
      child = child->NextSiblingElement();
      while ((kind == '*' || kind == '+') && child && name == child->Name())
        child = child->NextSiblingElement();
    }
    if (child) Wrong(element, "<" + std::string(child->Name()) + "> is not expected here");
  }

  // Moments of inertia are kept however small (of specks), and so are products that are not small
  // beside them.
  static double Noise(const Xml* element) {
    const std::string name = element->Name();
    if (name.size() != 3 || name[0] != 'I') return 1e-15;
    if (name[1] == name[2]) return 0;
    double largest = 0;
    for (const Xml* e = element->Parent()->FirstChildElement(); e; e = e->NextSiblingElement())
      largest = std::max(largest, std::abs(std::atof(e->GetText() ? e->GetText() : "")));
    return std::min(1e-15, 1e-9 * largest);
  }

  void Number(const Xml* element) {
    static const std::regex kJava(R"(-?(0|[1-9][0-9]*)\.[0-9]+(E-?[1-9][0-9]*)?)");
    const std::string text = element->GetText() ? element->GetText() : "";
    if (!std::regex_match(text, kJava))
      Wrong(element, "'" + text + "' is not a number as Java prints it");
    if (text == "-0.0") Wrong(element, "negative zero");
    const double value = std::atof(text.c_str());
    if (value != 0 && std::abs(value) <= Noise(element))
      Wrong(element, "'" + text + "' is noise that should be an exact zero");
  }
  void Numbers(const Xml* element, const std::vector<std::string>& names) {
    Order(element, names);
    for (const Xml* c = element->FirstChildElement(); c; c = c->NextSiblingElement()) Number(c);
  }
  void Xyz(const Xml* element) { Numbers(element, {"x", "y", "z"}); }
  void Xy(const Xml* element) { Numbers(element, {"x", "y"}); }
  void Coordinates(const Xml* element) {
    Order(element, {"coordinates"});
    if (element->FirstChildElement()) Xyz(element->FirstChildElement());
  }

  void Name(const Xml* element, const char* tag, std::set<std::string>& taken) {
    static const std::regex kIdentifier("[A-Za-z_][A-Za-z0-9_]*");
    const std::string name = TextOf(element, tag);
    if (!element->FirstChildElement() || std::string(element->FirstChildElement()->Name()) != tag)
      Wrong(element, "the name is not the first child");
    if (!std::regex_match(name, kIdentifier))
      Wrong(element, "'" + name + "' cannot become a C macro");
    if (!taken.insert(name).second) Wrong(element, "'" + name + "' is there twice");
  }

  void File(const Xml* root) {
    if (std::string(root->Name()) != "mbsDescR7" || root->FirstAttribute())
      Wrong(root, "root must be mbsDescR7 without attributes");
    Order(root, {"mbsname", "mbsyspad_version", "base", "bodytree", "cuts?", "links?",
                 "user_constraints?", "user_models?", "user_variables?", "x3D"});
    Base(root->FirstChildElement("base"));
    const Xml* tree = root->FirstChildElement("bodytree");
    Order(tree, {"body*"});
    for (const Xml* b = tree->FirstChildElement("body"); b; b = b->NextSiblingElement("body"))
      Body(b);
    Preorder(tree);
    for (const char* optional :
         {"cuts", "links", "user_constraints", "user_models", "user_variables"}) {
      const Xml* section = root->FirstChildElement(optional);
      if (section && !section->FirstChildElement()) Wrong(section, "empty sections are left out");
    }
    if (const Xml* cuts = root->FirstChildElement("cuts")) Cuts(cuts);
    if (const Xml* constraints = root->FirstChildElement("user_constraints"))
      UserConstraints(constraints);
    if (const Xml* models = root->FirstChildElement("user_models")) UserModels(models);
  }

  void Base(const Xml* base) {
    Order(base, {"gravity", "baseBodyName", "point*", "graphics"});
    Coordinates(base->FirstChildElement("gravity"));
    Points(base, "base");
    const Xml* graphics = base->FirstChildElement("graphics");
    Order(graphics, {"x2D", "x3D"});
    const Xml* x2D = graphics->FirstChildElement("x2D");
    Order(x2D, {"position", "base_body"});
    Box(x2D->FirstChildElement("base_body"));
    Shapes(graphics->FirstChildElement("x3D"));
  }

  void Body(const Xml* body) {
    Name(body, "bodyname", bodies_);
    if (TextOf(body, "bodyname") == "base") Wrong(body, "'base' is the inertial frame");
    Order(body,
          {"bodyname", "parent", "joint+", "mass?", "com?", "inertia?", "point*", "graphics"});
    const Xml* parent = body->FirstChildElement("parent");
    Order(parent, {"bodyname", "pointname"});
    const std::string parent_name = TextOf(parent, "bodyname");
    if (parent_name != "base" &&
        (bodies_.count(parent_name) == 0 || parent_name == TextOf(body, "bodyname")))
      Wrong(body, "its parent is not above it");
    if (!HasPoint(parent_name, TextOf(parent, "pointname")))
      Wrong(body, "its anchor point is not declared");
    for (const Xml* j = body->FirstChildElement("joint"); j; j = j->NextSiblingElement("joint"))
      Joint(j);
    if (const Xml* mass = body->FirstChildElement("mass")) {
      Number(mass);
      if (std::atof(mass->GetText()) == 0) Wrong(body, "zero mass is left out");
    }
    if (const Xml* com = body->FirstChildElement("com")) Coordinates(com);
    if (const Xml* inertia = body->FirstChildElement("inertia"))
      Numbers(inertia, {"Ixx?", "Ixy?", "Ixz?", "Iyy?", "Iyz?", "Izz?"});
    Points(body, TextOf(body, "bodyname"));
    const Xml* graphics = body->FirstChildElement("graphics");
    Order(graphics, {"x2D", "x3D"});
    Box(graphics->FirstChildElement("x2D"));
    Shapes(graphics->FirstChildElement("x3D"));
  }

  void Joint(const Xml* joint) {
    Name(joint, "jointname", joints_);
    Order(joint, {"jointname", "type", "nature", "initialvalue?", "actuated?", "extforce?",
                  "symbols?", "graphics"});
    static const std::set<std::string> kTypes = {"R1", "R2", "R3", "T1", "T2", "T3"},
                                       kNatures = {"independent", "dependent", "driven"};
    if (kTypes.count(TextOf(joint, "type")) == 0) Wrong(joint, "type");
    if (kNatures.count(TextOf(joint, "nature")) == 0) Wrong(joint, "nature");
    const bool driven = TextOf(joint, "nature") == "driven";
    const Xml* symbols = joint->FirstChildElement("symbols");
    if (driven != (symbols != nullptr))
      Wrong(joint, "symbols belong to driven joints and to all of them");
    if (symbols && !symbols->FirstChildElement("q")) Wrong(joint, "symbols without q");
    if (const Xml* initial = joint->FirstChildElement("initialvalue")) {
      Numbers(initial, {"q?", "qd?", "qdd?"});
      for (const Xml* c = initial->FirstChildElement(); c; c = c->NextSiblingElement())
        if (std::atof(c->GetText()) == 0) Wrong(joint, "zero initial value");
    }
    Marker(joint);
  }

  // graphics of joints and points: without the empty x3D the editor crashes.
  void Marker(const Xml* owner) {
    const Xml* graphics = owner->FirstChildElement("graphics");
    if (!graphics) return Wrong(owner, "graphics are missing");
    Order(graphics, {"x2D", "x3D"});
    Order(graphics->FirstChildElement("x2D"), {"position"});
    Xy(graphics->FirstChildElement("x2D")->FirstChildElement("position"));
  }

  void Box(const Xml* box) {
    Order(box, {"position", "name_pos", "shape", "size", "control_points", "angle"});
    Xy(box->FirstChildElement("position"));
    Xy(box->FirstChildElement("size"));
    Number(box->FirstChildElement("angle"));
    int corners = 0;
    for (const Xml* c = box->FirstChildElement("control_points")->FirstChildElement(); c;
         c = c->NextSiblingElement(), ++corners)
      Xy(c);
    if (TextOf(box, "shape") == "rectangle" && corners != 4)
      Wrong(box, "a rectangle has four control points");
  }

  void Points(const Xml* owner, const std::string& name) {
    std::set<std::string>& points = points_[name];
    bool first = true;
    for (const Xml* p = owner->FirstChildElement("point"); p;
         p = p->NextSiblingElement("point"), first = false) {
      Name(p, "pointname", points);
      Order(p, {"pointname", "coordinates", "graphics?", "sensor?", "extforce?"});
      Xyz(p->FirstChildElement("coordinates"));
      const bool origin = TextOf(p, "pointname") == "origin";
      if (!origin) Marker(p);
      if (origin && !first) Wrong(p, "a declared origin stands first");
      if (origin && !p->FirstChildElement("sensor") && !p->FirstChildElement("extforce"))
        Wrong(p, "an origin is declared only to carry something");
    }
  }
  [[nodiscard]] bool HasPoint(const std::string& body, const std::string& point) const {
    const auto found = points_.find(body);
    return point == "origin" || (found != points_.end() && found->second.count(point) > 0);
  }

  void Shapes(const Xml* x3D) {
    Order(x3D, {"x3D_frame?", "x3D_com?", "x3D_points?", "x3D_lines?", "x3D_shapes?"});
    const Xml* shapes = x3D->FirstChildElement("x3D_shapes");
    for (const Xml* s = shapes ? shapes->FirstChildElement() : nullptr; s;
         s = s->NextSiblingElement()) {
      const std::string kind = s->Name();
      std::vector<std::string> grammar = {"name",           "hide?",      "position",
                                          "scale",          "rotation",   "color",
                                          "specularColor?", "shininess?", "transparency"};
      if (kind == "box") grammar.emplace_back("size");
      if (kind == "cylinder" || kind == "cone" || kind == "sphere") grammar.emplace_back("radius");
      if (kind == "cylinder" || kind == "cone") grammar.emplace_back("height");
      if (kind == "inline") grammar.emplace_back("url");
      Order(s, grammar);
      for (const char* vector : {"position", "scale", "rotation"})
        Xyz(s->FirstChildElement(vector));
      for (const char* channel : {"R", "G", "B"}) {
        const int value = s->FirstChildElement("color")->IntAttribute(channel, -1);
        if (value < 0 || value > 255) Wrong(s, "colour");
      }
    }
  }

  void Cuts(const Xml* cuts) {
    Order(cuts, {"solid*", "ball*", "rod*"});
    std::set<std::string> names;
    for (const Xml* c = cuts->FirstChildElement(); c; c = c->NextSiblingElement()) {
      Name(c, "name", names);
      std::vector<std::string> grammar = {"name", "endpoint1", "endpoint2"};
      if (std::string(c->Name()) == "rod") grammar.emplace_back("length");
      grammar.emplace_back("ignore?");
      grammar.emplace_back("graphics?");
      Order(c, grammar);
      for (const char* end : {"endpoint1", "endpoint2"}) {
        const Xml* e = c->FirstChildElement(end);
        Order(e, {"bodyname", "pointname"});
        const std::string body = TextOf(e, "bodyname");
        if (body != "base" && bodies_.count(body) == 0) Wrong(c, "no body '" + body + "'");
        if (!HasPoint(body, TextOf(e, "pointname")))
          Wrong(c, "no point '" + TextOf(e, "pointname") + "' on '" + body + "'");
      }
      if (std::string(c->Name()) == "rod" && !(NumberOf(c, "length") > 0)) Wrong(c, "length");
    }
  }

  void UserConstraints(const Xml* section) {
    std::set<std::string> names;
    for (const Xml* c = section->FirstChildElement(); c; c = c->NextSiblingElement()) {
      Name(c, "name", names);
      Order(c, {"name", "joints"});
      for (const Xml* j = c->FirstChildElement("joints")->FirstChildElement(); j;
           j = j->NextSiblingElement()) {
        if (joints_.count(j->GetText()) == 0)
          Wrong(c, "no joint '" + std::string(j->GetText()) + "'");
      }
    }
  }

  void UserModels(const Xml* section) {
    std::set<std::string> names;
    for (const Xml* m = section->FirstChildElement(); m; m = m->NextSiblingElement()) {
      Name(m, "name", names);
      Order(m, {"name", "parameter*"});
      std::set<std::string> parameters;
      for (const Xml* p = m->FirstChildElement("parameter"); p;
           p = p->NextSiblingElement("parameter")) {
        Name(p, "name", parameters);
        if (TextOf(p, "type") == "scalar" || TextOf(p, "type") == "vector")
          Order(p, {"name", "type", "value+"});
      }
    }
  }

  // Depth-first preorder, siblings in the order of their anchor points, the implicit origin first.
  void Preorder(const Xml* tree) {
    std::vector<std::pair<std::string, long>>
        path;  // body, and the place of the anchor of its child seen last
    for (const Xml* b = tree->FirstChildElement("body"); b; b = b->NextSiblingElement("body")) {
      const Xml* parent = b->FirstChildElement("parent");
      const std::string name = TextOf(parent, "bodyname"), point = TextOf(parent, "pointname");
      while (!path.empty() && path.back().first != name) path.pop_back();
      if (path.empty() && name != "base") return Wrong(b, "not in depth-first preorder");
      const Xml* owner =
          name == "base" ? tree->PreviousSiblingElement("base") : BodyNamed(tree, name);
      long place = 0, at = 1;
      for (const Xml* p = owner->FirstChildElement("point"); p;
           p = p->NextSiblingElement("point"), ++at)
        if (TextOf(p, "pointname") == point) place = at;
      long& last = path.empty() ? base_place_ : path.back().second;
      if (place < last) Wrong(b, "siblings are not in the order of their anchor points");
      last = place;
      path.emplace_back(TextOf(b, "bodyname"), 0);
    }
  }
  static const Xml* BodyNamed(const Xml* tree, const std::string& name) {
    const Xml* b = tree->FirstChildElement("body");
    while (b && TextOf(b, "bodyname") != name) b = b->NextSiblingElement("body");
    return b;
  }

  std::vector<std::string> wrong_;
  std::set<std::string> bodies_, joints_;
  std::map<std::string, std::set<std::string>> points_ = {{"base", {}}};
  long base_place_ = 0;
};

}  // namespace kinemorph::test
