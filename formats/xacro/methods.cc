// Methods of texts, lists and dictionaries.
#include <algorithm>
#include <array>

#include "evaluator.h"
#include "kinemorph/graph/base/text.h"

namespace kinemorph::xacro {

// Methods are found in three lists by the kind of the value, so that a call of an unknown one says
// what is supported. Those of texts give new texts; those of lists change the list itself, which
// all that refer to it see. Files of robots rely on this: they append in one expression and sum in
// another. Search and MakeText charge for a result before it is made.

namespace {

constexpr std::array<std::string_view, 31> kOfTexts = {
    "capitalize", "count",   "endswith",  "find",         "format",       "index",      "isalnum",
    "isalpha",    "isdigit", "islower",   "isupper",      "isspace",      "join",       "ljust",
    "lower",      "lstrip",  "partition", "removeprefix", "removesuffix", "replace",    "rfind",
    "rjust",      "rsplit",  "rstrip",    "split",        "splitlines",   "startswith", "strip",
    "title",      "upper",   "zfill"};
constexpr std::array<std::string_view, 10> kOfLists = {
    "append", "copy", "count", "extend", "index", "insert", "pop", "remove", "reverse", "clear"};
constexpr std::array<std::string_view, 7> kOfDictionaries = {"copy",   "get",    "items", "keys",
                                                             "update", "values", "pop"};

bool Wrong(const Call& c, const std::string& why) {
  return c.machine().Fail("xacro-type", "." + c.name + "(): " + why);
}

// A text argument; null with an error where it is none.
const std::string* TextAt(const Call& c, std::size_t i) {
  const std::string* const text = c.arguments[i].Text();
  if (!text) Wrong(c, "a text is needed, not " + std::string(TypeOf(c.arguments[i])));
  return text;
}

bool MakeText(const Call& c, std::string text, Value& out) {
  if (!c.machine().MakeText(text.size())) return false;
  out = std::move(text);
  return true;
}

// Texts that were cut from another.
bool MakeTexts(const Call& c, Form form, std::vector<std::string> parts, Value& out) {
  std::vector<Value> items;
  items.reserve(parts.size());
  for (std::string& part : parts) {
    if (!c.machine().MakeText(part.size())) return false;
    items.emplace_back(std::move(part));
  }
  return c.machine().Make(form, std::move(items), out);
}

// Whether there are as many parts as a collection may have; then no more are cut.
// The cut stops one beyond the limit, which MakeTexts then reports.
bool Enough(const std::vector<std::string>& parts) {
  return parts.size() > Machine::kLongestSequence;
}

// `what` is about to be looked for everywhere in `text`.
bool Search(const Call& c, std::string_view text, std::string_view what) {
  return c.machine().Pass(text.size() + text.size() * what.size() / 16);
}

bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
char Upper(char c) { return IsLower(c) ? static_cast<char>(c - 'a' + 'A') : c; }
char Lower(char c) { return IsUpper(c) ? static_cast<char>(c - 'A' + 'a') : c; }

// lower, upper, title, capitalize and the questions, of ASCII.
bool Letters(const Call& c, const std::string& text, Value& out) {
  // Beyond ASCII upper and lower case need tables of Unicode, which no name of a link has asked for
  // yet.
  if (!c.Takes(0, 0)) return false;
  if (!IsAscii(text))
    return c.machine().Fail("xacro-unsupported",
                            "." + c.name + "() of a text beyond ASCII is not supported");
  const auto all = [&](const auto& holds) {
    return !text.empty() && std::all_of(text.begin(), text.end(), holds);
  };
  const auto any = [&](const auto& holds) { return std::any_of(text.begin(), text.end(), holds); };
  const auto letter = [](char x) { return IsLower(x) || IsUpper(x); };
  if (c.name == "isalpha") {
    out = all(letter);
  } else if (c.name == "isdigit") {
    out = all(IsDigit);
  } else if (c.name == "isalnum") {
    out = all([&](char x) { return letter(x) || IsDigit(x); });
  } else if (c.name == "isspace") {
    out = all([](char x) { return IsSpace(x) || (x >= 0x1c && x <= 0x1f); });
  } else if (c.name == "islower") {
    out = any(IsLower) && !any(IsUpper);
  } else if (c.name == "isupper") {
    out = any(IsUpper) && !any(IsLower);
  } else {
    std::string made = text;
    bool inside = false;
    for (char& x : made) {
      const bool first = c.name == "title" ? !inside : &x == made.data();
      inside = letter(x);
      x = c.name == "upper" || (c.name != "lower" && first) ? Upper(x) : Lower(x);
    }
    return MakeText(c, std::move(made), out);
  }
  return true;
}

bool Ends(const Call& c, const std::string& text, Value& out) {  // startswith, endswith
  if (!c.Takes(1, 1)) return false;
  // A tuple of texts asks for any of them.
  std::vector<Value> options = {c.arguments[0]};
  if (c.arguments[0].Items() && c.arguments[0].Items()->form == Form::kTuple)
    options = c.arguments[0].Items()->items;
  bool holds = false;
  for (const Value& option : options) {
    if (!option.Text()) return Wrong(c, "a text is needed, not " + std::string(TypeOf(option)));
    if (!c.machine().Pass(std::min(option.Text()->size(), text.size()))) return false;
    holds = holds || (c.name == "startswith" ? text.starts_with(*option.Text())
                                             : text.ends_with(*option.Text()));
  }
  out = holds;
  return true;
}

bool Strip(const Call& c, std::string_view text, Value& out) {
  if (!c.Takes(0, 1)) return false;
  // None or nothing: blanks, among them four control characters that Python counts as such. A text:
  // any of its characters, in any order.
  const bool blanks = c.arguments.empty() || c.arguments[0].IsNone();
  std::u32string set;
  if (!blanks) {
    if (!TextAt(c, 0) || !Search(c, text, *c.arguments[0].Text())) return false;
    set = Decoded(*c.arguments[0].Text());
  }
  const std::u32string points = Decoded(text);
  const auto taken = [&](char32_t x) {
    return blanks ? (x < 128 && (IsSpace(static_cast<char>(x)) || (x >= 0x1c && x <= 0x1f)))
                  : set.find(x) != std::u32string::npos;
  };
  std::size_t begin = 0, end = points.size();
  while (c.name != "rstrip" && begin < end && taken(points[begin])) ++begin;
  while (c.name != "lstrip" && begin < end && taken(points[end - 1])) --end;
  return MakeText(c, Encoded(std::u32string_view(points).substr(begin, end - begin)), out);
}

std::vector<std::string> SplitAtBlanks(std::string_view text, std::int64_t most) {
  std::vector<std::string> parts;
  std::size_t i = 0;
  while (true) {
    while (i < text.size() && IsSpace(text[i])) ++i;
    if (i == text.size() || Enough(parts)) return parts;
    if (most >= 0 && static_cast<std::int64_t>(parts.size()) == most) {
      std::size_t end = text.size();
      while (IsSpace(text[end - 1])) --end;
      parts.emplace_back(text.substr(i, end - i));
      return parts;
    }
    const std::size_t begin = i;
    while (i < text.size() && !IsSpace(text[i])) ++i;
    parts.emplace_back(text.substr(begin, i - begin));
  }
}

bool Split(const Call& c, const std::string& text, Value& out) {
  if (!c.Takes(0, 2, {"sep", "maxsplit"})) return false;
  const Value *const separator = c.At(0, "sep"), *const limit = c.At(1, "maxsplit");
  if (limit && !limit->IsInteger()) return Wrong(c, "maxsplit is an integer");
  const std::int64_t most = limit ? limit->Integer() : -1;
  std::vector<std::string> parts;
  if (!separator || separator->IsNone()) {
    if (c.name == "rsplit" && most >= 0)
      return c.machine().Fail("xacro-unsupported",
                              ".rsplit() without a separator is not supported");
    parts = SplitAtBlanks(text, most);
  } else {
    // With a separator each one cuts: 'a,,b' has an empty part in the middle.
    if (!separator->Text() || separator->Text()->empty())
      return Wrong(c, "the separator is a text that is not empty");
    const std::string& mark = *separator->Text();
    if (!Search(c, text, mark)) return false;
    if (c.name == "split") {
      std::size_t begin = 0;
      for (std::size_t at = text.find(mark);
           at != std::string::npos && !Enough(parts) &&
           (most < 0 || static_cast<std::int64_t>(parts.size()) < most);
           at = text.find(mark, begin)) {
        parts.push_back(text.substr(begin, at - begin));
        begin = at + mark.size();
      }
      parts.push_back(text.substr(begin));
    } else {
      // From the end on, so that a limit leaves the uncut rest in front.
      std::string_view rest = text;
      for (std::size_t at = rest.rfind(mark);
           at != std::string::npos && !Enough(parts) &&
           (most < 0 || static_cast<std::int64_t>(parts.size()) < most);
           at = rest.rfind(mark)) {
        parts.emplace_back(rest.substr(at + mark.size()));
        rest = rest.substr(0, at);
      }
      parts.emplace_back(rest);
      std::reverse(parts.begin(), parts.end());
    }
  }
  return MakeTexts(c, Form::kList, std::move(parts), out);
}

bool Replace(const Call& c, const std::string& text, Value& out) {
  if (!c.Takes(2, 3)) return false;
  const std::string *const from = TextAt(c, 0), *const to = TextAt(c, 1);
  std::int64_t most = -1;
  if (!from || !to || (c.arguments.size() == 3 && !c.Integer(2, most))) return false;
  // Python puts the text between all characters; nobody has needed it.
  if (from->empty())
    return c.machine().Fail("xacro-unsupported", ".replace() of an empty text is not supported");
  if (!Search(c, text, *from)) return false;
  std::string made;
  std::size_t begin = 0;
  for (std::size_t at = text.find(*from); at != std::string::npos && most != 0;
       at = text.find(*from, begin), --most) {
    made.append(text, begin, at - begin);
    made += *to;
    begin = at + from->size();
    if (made.size() > Machine::kLongestText) break;
  }
  made.append(text, begin);
  return MakeText(c, std::move(made), out);
}

bool Join(const Call& c, const std::string& text, Value& out) {
  std::vector<Value> items;
  if (!c.Takes(1, 1) || !c.machine().Iterate(c.arguments[0], items)) return false;
  std::string made;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i].Text())
      return Wrong(
          c, "item " + std::to_string(i) + " is not text but " + std::string(TypeOf(items[i])));
    if (i > 0) made += text;
    made += *items[i].Text();
    if (made.size() > Machine::kLongestText) break;
  }
  return MakeText(c, std::move(made), out);
}

bool Look(const Call& c, const std::string& text, Value& out) {  // find, rfind, index, count
  if (!c.Takes(1, 1) || !TextAt(c, 0)) return false;
  const std::string& what = *c.arguments[0].Text();
  if (!Search(c, text, what)) return false;
  // Positions are told in characters, and found in bytes: what stands before is decoded to count.
  const auto points = [&](std::size_t bytes) {
    return static_cast<std::int64_t>(Decoded(std::string_view(text).substr(0, bytes)).size());
  };
  if (c.name == "count") {
    // An empty text stands before each character and at the end.
    std::int64_t n = what.empty() ? points(text.size()) + 1 : 0;
    if (!what.empty())
      for (std::size_t at = text.find(what); at != std::string::npos;
           at = text.find(what, at + what.size()))
        ++n;
    out = n;
    return true;
  }
  const std::size_t at = c.name == "rfind" ? text.rfind(what) : text.find(what);
  if (at == std::string::npos && c.name == "index") return Wrong(c, "not found");
  out = at == std::string::npos ? std::int64_t{-1} : points(at);
  return true;
}

bool Pad(const Call& c, const std::string& text, Value& out) {  // ljust, rjust, zfill
  std::int64_t width = 0;
  if (!c.Takes(1, c.name == "zfill" ? 1 : 2) || !c.Integer(0, width)) return false;
  if (c.arguments.size() == 2 && !TextAt(c, 1)) return false;
  const std::string filling = c.name == "zfill"         ? "0"
                              : c.arguments.size() == 2 ? *c.arguments[1].Text()
                                                        : " ";
  if (filling.size() > 4 || Decoded(filling).size() != 1)
    return Wrong(c, "the filling is one character");
  const auto size = static_cast<std::int64_t>(Decoded(text).size());
  if (width > static_cast<std::int64_t>(Machine::kLongestText))
    return c.machine().MakeText(static_cast<std::size_t>(width));
  std::string room;
  for (std::int64_t i = size; i < width; ++i) room += filling;
  if (c.name == "ljust") return MakeText(c, text + room, out);
  // zfill puts zeros behind the sign of a number.
  if (c.name == "zfill" && !text.empty() && (text[0] == '-' || text[0] == '+'))
    return MakeText(c, text[0] + room + text.substr(1), out);
  return MakeText(c, room + text, out);
}

bool Parts(const Call& c, const std::string& text, Value& out) {  // partition, splitlines, ...
  if (c.name == "splitlines") {
    if (!c.Takes(0, 0)) return false;
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size() && !Enough(lines);) {
      const std::size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
      lines.emplace_back(text.substr(begin, end - begin));
      begin = end + (text.compare(end, 2, "\r\n") == 0 ? 2 : 1);
    }
    return MakeTexts(c, Form::kList, std::move(lines), out);
  }
  if (!c.Takes(1, 1) || !TextAt(c, 0)) return false;
  const std::string& mark = *c.arguments[0].Text();
  if (c.name == "partition") {
    if (mark.empty()) return Wrong(c, "the separator is empty");
    if (!Search(c, text, mark)) return false;
    const std::size_t at = text.find(mark);
    if (at == std::string::npos) return MakeTexts(c, Form::kTuple, {text, "", ""}, out);
    return MakeTexts(c, Form::kTuple, {text.substr(0, at), mark, text.substr(at + mark.size())},
                     out);
  }
  const bool front = c.name == "removeprefix";
  const bool has = front ? text.starts_with(mark) : text.ends_with(mark);
  return MakeText(c,
                  !has    ? text
                  : front ? text.substr(mark.size())
                          : text.substr(0, text.size() - mark.size()),
                  out);
}

bool CallOfText(const Call& c, const std::string& text, Value& out) {
  const std::string& name = c.name;
  if (!c.machine().Step(text.size() / 16)) return false;
  if (name == "startswith" || name == "endswith") return Ends(c, text, out);
  if (name == "strip" || name == "lstrip" || name == "rstrip") return Strip(c, text, out);
  if (name == "split" || name == "rsplit") return Split(c, text, out);
  if (name == "replace") return Replace(c, text, out);
  if (name == "join") return Join(c, text, out);
  if (name == "format") return FormatFields(c, text, out);
  if (name == "find" || name == "rfind" || name == "index" || name == "count")
    return Look(c, text, out);
  if (name == "ljust" || name == "rjust" || name == "zfill") return Pad(c, text, out);
  if (name == "partition" || name == "splitlines" || name.starts_with("remove"))
    return Parts(c, text, out);
  return Letters(c, text, out);
}

// By ==, as Python compares: 1 finds 1.0 and True.
bool PlaceOf(const Call& c, const std::vector<Value>& items, const Value& what,
             std::size_t& place) {
  for (place = 0; place < items.size(); ++place) {
    bool same = false;
    if (!c.machine().Equal(items[place], what, same)) return false;
    if (same) return true;
  }
  return Wrong(c, "the value is not in the list");
}

bool CallOfList(const Call& c, const Value& self, Value& out) {
  Sequence& list = *self.Items();
  const std::string& name = c.name;
  const bool none = name == "copy" || name == "reverse" || name == "clear";
  if (!c.Takes(none || name == "pop" ? 0
               : name == "insert"    ? 2
                                     : 1,
               none               ? 0
               : name == "insert" ? 2
                                  : 1))
    return false;
  if (name == "copy") return c.machine().Make(Form::kList, list.items, out);
  std::size_t place = 0;
  out = Value();
  if (name == "append") return c.machine().Append(self, c.arguments[0]);
  if (name == "count") {
    std::int64_t n = 0;
    for (const Value& item : list.items) {
      bool same = false;
      if (!c.machine().Equal(item, c.arguments[0], same)) return false;
      n += same ? 1 : 0;
    }
    out = n;
    return true;
  }
  if (name == "index") {
    if (!PlaceOf(c, list.items, c.arguments[0], place)) return false;
    out = static_cast<std::int64_t>(place);
    return true;
  }
  if (name == "extend") {
    // Copied first: a list may be extended by itself.
    std::vector<Value> items;
    if (!c.machine().Iterate(c.arguments[0], items)) return false;
    return std::all_of(items.begin(), items.end(),
                       [&](const Value& item) { return c.machine().Append(self, item); });
  }
  if (name == "insert") {
    std::int64_t at = 0;
    const auto size = static_cast<std::int64_t>(list.items.size());
    // Appended, then turned into its place: Append does the accounting for all that add to a list.
    if (!c.Integer(0, at) || !c.machine().Append(self, c.arguments[1])) return false;
    at = std::clamp<std::int64_t>(at < 0 ? std::max<std::int64_t>(at, -size) + size : at, 0, size);
    std::rotate(list.items.begin() + static_cast<std::ptrdiff_t>(at), list.items.end() - 1,
                list.items.end());
    return c.machine().Step(list.items.size());
  }
  if (name == "reverse") {
    std::reverse(list.items.begin(), list.items.end());
  } else if (name == "clear") {
    list.items.clear();
  } else if (name == "remove") {
    if (!PlaceOf(c, list.items, c.arguments[0], place)) return false;
    list.items.erase(list.items.begin() + static_cast<std::ptrdiff_t>(place));
  } else {  // pop
    std::int64_t at = -1;
    if (!c.arguments.empty() && !c.Integer(0, at)) return false;
    const auto size = static_cast<std::int64_t>(list.items.size());
    if (at < 0) at += size;
    if (at < 0 || at >= size) return Wrong(c, "index out of range");
    out = list.items[static_cast<std::size_t>(at)];
    list.items.erase(list.items.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return c.machine().Step(list.items.size());
}

bool CallOfDictionary(const Call& c, const Value& self, Value& out) {
  Dictionary& dictionary = *self.Dict();
  const std::string& name = c.name;
  if (name == "get") {
    if (!c.Takes(1, 2)) return false;
    // No error for a missing key, but for a value that can be no key.
    const Value* const found = c.machine().Find(dictionary, c.arguments[0]);
    if (c.machine().failed()) return false;
    out = found ? Value(*found) : c.arguments.size() == 2 ? c.arguments[1] : Value();
    return true;
  }
  if (name == "update" || name == "pop")
    return c.machine().Fail("xacro-unsupported", "dict." + name + "() is not supported");
  if (!c.Takes(0, 0)) return false;
  if (name == "copy") {
    auto made = std::make_shared<Dictionary>();
    made->dotted = dictionary.dotted;
    for (const auto& [key, value] : dictionary.items)
      if (!c.machine().Put(*made, key, value)) return false;
    out = std::move(made);
    return true;
  }
  // A view is made at once: no method changes a dictionary.
  std::vector<Value> items;
  for (const auto& [key, value] : dictionary.items) {
    if (name == "keys") {
      items.push_back(key);
    } else if (name == "values") {
      items.push_back(value);
    } else if (!c.machine().Make(Form::kTuple, {key, value}, items.emplace_back())) {
      return false;
    }
  }
  return c.machine().Make(Form::kView, std::move(items), out);
}

}  // namespace

bool HasMethod(const Value& value, std::string_view name) {
  const auto in = [&](const auto& names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  if (value.Text()) return in(kOfTexts);
  if (value.Items() && value.Items()->form == Form::kList) return in(kOfLists);
  if (value.Items() && value.Items()->form == Form::kTuple)
    return name == "count" || name == "index";
  return value.Dict() && in(kOfDictionaries);
}

bool CallMethod(const Call& call, Value& out) {
  const Value& self = *call.self;
  if (self.Text()) return CallOfText(call, *self.Text(), out);
  return self.Items() ? CallOfList(call, self, out) : CallOfDictionary(call, self, out);
}

}  // namespace kinemorph::xacro
