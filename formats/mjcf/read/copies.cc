// What refers to parts of a <replicate> stands for one element for each copy, as MuJoCo makes them.
#include <cstdint>
#include <map>
#include <set>

#include "read/reader.h"

namespace kinemorph::mjcf {
namespace {

// The elements of a section refer to parts by name. NoteCopied remembers, while the bodies are
// read, which names a replicate copies; ElementsOf then goes through the replicates in the order in
// which they end, and Multiply moves what refers to their names to the end, once for each suffix. A
// copy is a changed NativeElement; it becomes an element again by a document of its own.

// What an attribute of this name refers to: a kind of part; empty where it refers to none that can
// be in a replicate.
std::string KindOf(const NativeElement& element, std::string_view attribute) {
  if (attribute == "objname" || attribute == "refname") {
    const std::string* const type =
        element.Attribute(attribute == "objname" ? "objtype" : "reftype");
    return type == nullptr ? "" : *type == "xbody" ? "body" : *type;
  }
  if (attribute == "name" || !HoldsName(attribute)) return "";
  if (attribute.starts_with("subtree")) return "body";
  for (const char* kind : {"joint", "body", "geom", "tendon", "actuator", "camera"})
    if (attribute.starts_with(kind)) return kind;
  return attribute.find("site") == std::string_view::npos ? "" : "site";
}

// The place of the last element in it, which is that of its end.
auto EndOf(xml::Element element) {
  for (;;) {
    xml::Element last;
    for (const xml::Element child : element.Children()) last = child;
    if (!last) return element.place();
    element = last;
  }
}

using Reference = std::pair<std::string, std::string>;  // kind and name

template <class Visit>
void ForEachReference(NativeElement& element, const Visit& visit) {
  ForEachIn(element, [&](NativeElement& part) {
    for (auto& [attribute, value] : part.attributes) {
      const std::string kind = KindOf(part, attribute);
      if (!kind.empty()) visit(kind, value);
    }
  });
}

}  // namespace

// The elements of a section, and the copies behind them, by what they refer to.
struct Reader::Pieces {
  struct Piece {
    xml::Element element;
    NativeElement now;  ///< what it became
    ListPlace place = {};
    bool copied = false, gone = false;
  };
  std::vector<Piece> all;
  std::map<Reference, std::vector<std::size_t>> that_refer;

  void Add(Piece piece) {
    // An index by reference: with many replicates and many elements, to look through all of them
    // for each would be quadratic.
    ForEachReference(piece.now, [&](const std::string& kind, const std::string& name) {
      std::vector<std::size_t>& known = that_refer[{kind, name}];
      if (known.empty() || known.back() != all.size()) known.push_back(all.size());
    });
    all.push_back(std::move(piece));
  }
  [[nodiscard]] std::set<std::size_t> Touched(const Replicate& replicate) const {
    std::set<std::size_t> touched;
    for (const Reference& name : replicate.names)
      if (const auto found = that_refer.find(name); found != that_refer.end())
        for (const std::size_t i : found->second)
          if (!all[i].gone) touched.insert(i);
    return touched;
  }
};

void Reader::NoteCopied(const char* kind, const std::string& name, const Copy* copy) {
  if (name.empty()) return;
  std::string inner = name;

  // Seen from an outer replicate the name already has the suffixes of the inner ones.
  for (; copy != nullptr; copy = copy->outer) {
    replicates_[copy->replicate].names.emplace(kind, inner);
    inner += copy->suffix;
  }
}

// MuJoCo leaves out an equality that only in part refers to what is copied. (Told.)
bool Reader::IsHalfCopied(const xml::Element& element, NativeElement& now,
                          const Replicate& replicate) {
  bool outside = false;
  ForEachReference(now, [&](const std::string& kind, const std::string& name) {
    outside = outside || (name != "world" && replicate.names.count({kind, name}) == 0);
  });
  if (!outside) return false;
  element.ConsumeAll();
  element.Warn("replicate-equality",
               {"equality", element.Attribute("name", ""),
                "one of its ends is in a replicate and the other is not: MuJoCo leaves the "
                "equality out, and so does kinemorph"});
  return true;
}

// Behind those that do not refer to it stand, copy by copy, those that do.
void Reader::Multiply(Replicate& replicate, std::string_view section, Pieces& pieces) {
  std::vector<Pieces::Piece> touched;

  // They are taken out first, and only then copied: a copy refers to names with a suffix, which
  // this replicate does not know.
  for (const std::size_t i : pieces.Touched(replicate)) {
    Pieces::Piece& piece = pieces.all[i];
    piece.gone = true;
    if (section == "equality" && IsHalfCopied(piece.element, piece.now, replicate)) continue;
    // The bound counts the element and what is in it, with a guess of 16 bytes for the suffix.
    std::vector<xml::Element> parts = {piece.element};
    for (const xml::Element part : piece.element.Children()) parts.push_back(part);
    if (!ChargeCopies(replicate.element, parts, replicate.suffixes.size(), 16)) return;
    touched.push_back(std::move(piece));
  }
  // What refers to these is copied too.
  for (const Pieces::Piece& piece : touched)
    if (const std::string* const name = piece.now.Attribute("name"))
      replicate.names.emplace(std::string(section), *name);
  const auto end = EndOf(replicate.element);
  for (std::size_t i = 0; i < replicate.suffixes.size(); ++i)
    for (const Pieces::Piece& piece : touched) {
      const std::string& suffix = replicate.suffixes[i];
      Pieces::Piece copy = piece;
      copy.copied = true;
      copy.gone = false;
      copy.place.insert(copy.place.begin(), {end, i});
      ForEachReference(copy.now, [&](const std::string& kind, std::string& name) {
        if (replicate.names.count({kind, name}) != 0) name += suffix;
      });
      if (const std::string* const name = copy.now.Attribute("name"))
        SetAttribute(copy.now.attributes, "name", *name + suffix);
      pieces.Add(std::move(copy));
    }
}

ListPlace Reader::PlaceOf(const xml::Element& attach, const Copy* copy) const {
  ListPlace place = {{attach.place(), 0}};
  for (; copy != nullptr; copy = copy->outer)
    place.insert(place.begin(), {EndOf(replicates_[copy->replicate].element), copy->index});
  return place;
}

std::vector<SectionElement> Reader::ElementsOf(std::string_view section) {
  std::vector<SectionElement> elements;
  for (const xml::Element each : sources_.Children(sources_.root())) {
    if (each.name() != section) continue;
    each.Consume();
    for (const xml::Element element : sources_.Children(each)) elements.push_back({element, {}});
  }
  // Sections are read as they are where nothing is copied, which is nearly always.
  if (replicates_.empty() || too_many_copies_) return elements;
  Pieces pieces;
  for (const auto& [element, place] : elements) pieces.Add({element, element.Tree(), place});
  // As their end tags stand: one in another before it.
  std::map<std::pair<std::pair<std::uint32_t, std::size_t>, std::size_t>, Replicate*> by_end;
  for (Replicate& each : replicates_)
    by_end[{EndOf(each.element), SIZE_MAX - each.element.place().second}] = &each;
  for (const auto& each : by_end) Multiply(*each.second, section, pieces);
  elements.clear();
  for (const Pieces::Piece& piece : pieces.all) {
    if (piece.gone) continue;
    if (!piece.copied) {
      elements.push_back({piece.element, piece.place});
      continue;
    }
    // The copies report what is not used; the original has been taken apart.
    piece.element.ConsumeAll();
    xml::Context context = piece.element.context();
    context.asked = nullptr;
    context.made_by = piece.element.where();
    made_.push_back(xml::Document::Of(piece.now, std::move(context)));
    if (made_.back() != nullptr) elements.push_back({made_.back()->root(), piece.place});
  }
  return elements;
}

}  // namespace kinemorph::mjcf
