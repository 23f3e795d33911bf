#include "verify/says_all.h"

#include <algorithm>
#include <string>

namespace kinemorph::verify {
namespace {

// A leaf that is the number zero, or what holds such leaves only.
bool IsZero(const NativeElement& element) {
  if (element.children.empty()) return element.text == "0" || element.text == "-0";
  return std::all_of(element.children.begin(), element.children.end(), IsZero);
}

// What of a part the whole may lack.
struct Absent {
  bool zeros;
  const std::vector<NativeElement>& lost;

  [[nodiscard]] bool Has(const NativeElement& element) const {
    if (!element.IsElement()) return HasText(element.text);
    return std::find(lost.begin(), lost.end(), element) != lost.end();
  }
  [[nodiscard]] bool HasText(const std::string& text) const {
    return Has({.name = kTextBetween, .text = text});
  }
};

// `whole` says all of `part` if it has each child in the same order, with possibly more in between.
// A child may be absent if nobody reads it, or if it is zero and zeros say nothing (an attribute
// that a format writes out).
bool Holds(const NativeElement& whole, const NativeElement& part, const Absent& may_be) {
  if (whole.kind != part.kind || whole.name != part.name || whole.attributes != part.attributes)
    return false;
  if (whole.text != part.text && !(whole.text.empty() && may_be.HasText(part.text))) return false;
  auto from = whole.children.begin();
  for (const NativeElement& wanted : part.children) {
    const auto found = std::find_if(from, whole.children.end(), [&](const NativeElement& child) {
      return Holds(child, wanted, may_be);
    });
    if (found != whole.children.end()) {
      from = found + 1;
      continue;
    }
    if (may_be.Has(wanted)) continue;
    // An element of that name with other words in it is no absence.
    const bool other = std::any_of(from, whole.children.end(), [&](const NativeElement& child) {
      return child.name == wanted.name;
    });
    if (!may_be.zeros || !IsZero(wanted) || other) return false;
  }
  return true;
}

}  // namespace

bool SaysAllOf(const NativeElement& whole, const NativeElement& part, bool zeros_say_nothing,
               const std::vector<NativeElement>& lost) {
  return !whole.empty() && !part.empty() && Holds(whole, part, {zeros_say_nothing, lost});
}

}  // namespace kinemorph::verify
