#include "prescan.h"

#include <algorithm>
#include <array>
#include <set>

#include "characters.h"
#include "kinemorph/graph/base/text.h"

// One scan over the markup, before the parser sees it, for three ends: to refuse what would take it
// too much time or memory (depth, attributes, density, entities), to name mistakes that it would
// read over in silence, and to count the nodes, so that their table can be made in one piece. The
// scanner is more lenient than the parser: what it does not understand is left to that one.

namespace kinemorph::xml {
namespace {

bool StartsWith(std::string_view text, std::size_t at, std::string_view prefix) {
  return text.compare(at, prefix.size(), prefix) == 0;
}

// No element weighs 600 bytes for each byte of its own.
constexpr std::size_t kSmallText = kFreeBytes / 600;  // too small to take too much memory
constexpr std::size_t kMarkupWeight = 200;            // of a comment or declaration
constexpr std::size_t kLongestReference =
    40;  // "&name;" and "&#x10FFFF;"; what is longer is no reference
constexpr std::size_t kMostUndefined = 20;  // undefined entities that are told
// Parts of about a megabyte: small enough to be shared out evenly, large enough to be worth a
// thread.
constexpr std::size_t kCutDistance = 1 << 20;

class Scanner {
 public:
  Scanner(std::string_view text, const Context& context, Census& census)
      : text_(text),
        context_(context),
        census_(census),
        has_references_(text.find('&') != std::string_view::npos) {}

  // Walks all markup once. False on a refusal (reported).
  bool Scan() {
    std::size_t text_begin = 0;
    for (std::size_t i = text_.find('<'); i != std::string_view::npos; i = text_.find('<', i)) {
      // Text between tags is checked for references only; its bytes are checked at the end, all at
      // once.
      if (!References(text_begin, i)) return false;
      const char mark = i + 1 < text_.size() ? text_[i + 1] : '\0';
      if (mark == '/') {
        --depth_;
        ++i;
      } else if (mark != '!' && mark != '?') {
        if (!StartTag(i)) return false;
      } else if (StartsWith(text_, i, "<!--")) {
        if (!Light(i, kMarkupWeight)) return false;
        if (!Comment(i)) return true;  // unterminated: the parser names it
      } else if (StartsWith(text_, i, "<![CDATA[")) {
        const std::size_t end = text_.find("]]>", i);
        // A '<' inside CDATA or a processing instruction is no tag.
        if (end == std::string_view::npos) return true;
        i = end;
      } else if (mark == '!') {
        if (!Light(i, kMarkupWeight) || !Declaration(i)) return false;
      } else {
        const std::size_t end = text_.find("?>", i);
        if (end == std::string_view::npos) return true;
        i = end;
      }
      text_begin = i;
    }
    return Content() && NothingAfterRoot();
  }

 private:
  void Report(Severity severity, std::string code, std::size_t at, std::string message) {
    const auto line =
        1 + std::count(text_.begin(),
                       text_.begin() + static_cast<std::ptrdiff_t>(std::min(at, text_.size())),
                       '\n');
    context_.diagnostics->Add({severity,
                               std::move(code),
                               context_.file_name,
                               static_cast<std::uint32_t>(line),
                               "",
                               std::move(message),
                               {}});
  }

  // What is parsed takes far more memory than the shortest text of it: a text of nothing else is
  // no description of anything.
  bool Light(std::size_t at, std::size_t weight) {
    weight_ += weight;
    if (weight_ <= kFreeBytes + kTimesItsSize * text_.size()) return true;
    Report(Severity::kError, "xml-too-dense", at,
           "more than " + std::to_string(census_.elements) + " elements in " +
               std::to_string(text_.size()) + " bytes: to read them would take more than " +
               std::to_string(kTimesItsSize) + " times as much memory, and " +
               std::to_string(kFreeBytes / 1'000'000) + " MB");
    return false;
  }

  [[nodiscard]] std::string_view NameAt(std::size_t tag) const {
    constexpr auto ends = [](char c) {
      return c == ' ' || c == '>' || c == '/' || c == '\t' || c == '\r' || c == '\n';
    };
    const auto from = text_.begin() + static_cast<std::ptrdiff_t>(tag) + 1;
    return {from, std::find_if(from, text_.end(), ends)};
  }

  // Character references and entities in [from, to). A parser that takes them as they come would
  // let control characters in.
  bool References(std::size_t from, std::size_t to) {
    if (!has_references_) return true;
    const std::string_view text = text_.substr(0, to);
    for (std::size_t i = text.find('&', from); i != std::string_view::npos;
         i = text.find('&', i + 1)) {
      // A '&' without a ';' near by is a bare one, which many exporters write in names.
      const std::size_t end = text.substr(0, std::min(i + kLongestReference, to)).find(';', i);
      const std::string_view name =
          end == std::string_view::npos ? std::string_view() : text.substr(i + 1, end - i - 1);
      if (text.substr(i + 1, 1) == "#") {
        if (IsCharacter(name)) continue;
        Report(Severity::kError, "xml-reference", i,
               "'&" + std::string(name.empty() ? "#" : name) +
                   ";' is a character that XML does not allow");
        return false;
      }
      if (name == "amp" || name == "lt" || name == "gt" || name == "quot" || name == "apos")
        continue;
      if (++undefined_ > kMostUndefined) continue;
      Report(Severity::kWarning, "xml-entity-undefined", i,
             (name.empty() ? "a bare '&'" : "entity '&" + std::string(name) + ";'") +
                 " is not defined; kinemorph reads it as plain characters");
    }
    return true;
  }

  bool Comment(std::size_t& i) {
    const std::size_t end = text_.find("-->", i + 4);
    if (end == std::string_view::npos) return false;
    const std::string_view inside = text_.substr(i + 4, end - i - 4);
    // Once for each file: generated files are full of such lines.
    if (!warned_dashes_ && inside.find("--") != std::string_view::npos) {
      warned_dashes_ = true;
      Report(Severity::kWarning, "xml-double-dash", i + 4 + inside.find("--"),
             "'--' inside a comment is not well-formed XML; the comment was read up to '-->'");
    }
    // Comments have their own rule for bad bytes, below.
    comments_.emplace_back(i, end);
    i = end;
    return true;
  }

  // Each is looked at up to its own '>' only, so that a text full of them takes no longer than any
  // other.
  bool Declaration(std::size_t& i) {
    const std::size_t end = std::min(text_.find('>', i), text_.size());
    const std::string_view inside = text_.substr(i, end - i);
    // Entities could expand to any size, and external parts would open files past the resolver.
    if (inside.find('[') != std::string_view::npos ||
        inside.find("SYSTEM") != std::string_view::npos || inside.starts_with("<!ENTITY")) {
      Report(Severity::kError, "xml-entity", i,
             "document type declarations with entities or external parts are refused: write the "
             "text out");
      return false;
    }
    i = end;  // unterminated: the parser names it
    return true;
  }

  // Skips a start tag, counting its attributes and the depth.
  bool StartTag(std::size_t& i) {
    const std::size_t start = i;
    int attributes = 0;
    if (i + 1 < text_.size() && IsSpace(text_[i + 1])) {  // some parsers take the next word
      Report(Severity::kError, "xml-malformed", i,
             "a '<' is followed by white space instead of a name; write &lt; in a text");
      return false;
    }
    for (++i; i < text_.size() && text_[i] != '>'; ++i) {
      // A '>' inside quotes ends no tag. An attribute is counted by its value, which is cheaper
      // than by its name and never counts too few.
      if (text_[i] == '"' || text_[i] == '\'') {
        const std::size_t close = text_.find(text_[i], i + 1);
        if (close == std::string_view::npos) return true;
        i = close;
        ++attributes;
      } else if (text_[i] == ':' && attributes == 0) {
        Prefix(start, i);
      }
    }
    // The parser compares each attribute with all before it: time in the square of their number.
    if (attributes > kMaxAttributes) {
      Report(Severity::kError, "xml-too-many-attributes", start,
             "an element has " + std::to_string(attributes) + " attributes; at most " +
                 std::to_string(kMaxAttributes) + " are read");
      return false;
    }
    if (text_.size() > kSmallText && !Light(start, Weight(NameAt(start)))) return false;
    // Cuts stand before children of the root, where the state of the parser is known.
    if (depth_ == 1 && start >= next_cut_) {
      census_.cuts.push_back({start, census_.elements, census_.attributes});
      next_cut_ = start + kCutDistance;
    }
    census_.elements += 1;
    census_.attributes += static_cast<std::size_t>(attributes);
    if (!References(start, std::min(i, text_.size()))) return false;
    if (i < text_.size() && text_[i - 1] != '/' && ++depth_ > kMaxDepth) {
      Report(Severity::kError, "xml-too-deep", start,
             "elements are nested more than " + std::to_string(kMaxDepth) +
                 " levels deep, which the XML library cannot read");
      return false;
    }
    return true;
  }

  // An element name with a prefix that no xmlns declares: legal for every lenient reader, told once
  // per prefix.
  void Prefix(std::size_t tag, std::size_t colon) {
    const std::string_view prefix = text_.substr(tag + 1, colon - tag - 1);
    // What is no name, or too many of them, is not worth a warning: the parser decides.
    if (prefix.empty() || prefix.size() > 40 ||
        prefix.find_first_of(" \t\r\n=<") != std::string_view::npos || prefixes_.size() > 50)
      return;
    if (!prefixes_.insert(std::string(prefix)).second) return;
    if (text_.find("xmlns:" + std::string(prefix)) == std::string_view::npos) {
      Report(
          Severity::kWarning, "xml-unbound-prefix", tag,
          "prefix '" + std::string(prefix) +
              ":' is not declared by an xmlns attribute; kinemorph reads it as part of the name");
    }
  }

  // Bytes: anything invalid is fatal in content and a warning inside comments.
  bool Content() {
    bool control = false;
    std::size_t from = 0;
    for (const auto& [begin, end] : comments_) {
      const std::size_t bad = FirstBadByte(text_.substr(from, begin - from), control);
      if (bad != std::string_view::npos) return BadByte(from + bad, control);
      const std::size_t bad_comment = FirstBadByte(text_.substr(begin, end - begin), control);
      if (bad_comment != std::string_view::npos && !warned_bytes_) {
        warned_bytes_ = true;
        Report(Severity::kWarning, "xml-bad-comment-bytes", begin + bad_comment,
               "a comment holds bytes that are not UTF-8; they are ignored");
      }
      from = end;
    }
    const std::size_t bad = FirstBadByte(text_.substr(from), control);
    return bad == std::string_view::npos || BadByte(from + bad, control);
  }

  // Where all tags are closed, only white space may follow (a here-document's left-over, say).
  bool NothingAfterRoot() {
    const std::size_t last = text_.rfind('>');
    // Only where the scan balanced: otherwise the parser knows better.
    if (depth_ != 0 || last == std::string_view::npos ||
        text_.find('<', last) != std::string_view::npos)
      return true;
    const std::size_t text = text_.find_first_not_of(" \t\r\n", last + 1);
    if (text == std::string_view::npos) return true;
    Report(Severity::kError, "xml-malformed", text,
           "the file has text after the end of the root element");
    return false;
  }

  bool BadByte(std::size_t at, bool control) {
    if (control) {
      Report(Severity::kError, "xml-binary", at,
             "the text holds a control character: this is not an XML text file");
    } else {
      Report(Severity::kError, "xml-encoding", at,
             "the text is not valid UTF-8: save it as UTF-8, or declare its encoding (UTF-8 and "
             "ISO-8859-1 are read)");
    }
    return false;
  }

  std::string_view text_;
  const Context& context_;
  Census& census_;
  bool has_references_;
  int depth_ = 0;
  std::size_t weight_ = 0, undefined_ = 0, next_cut_ = 0;
  bool warned_dashes_ = false, warned_bytes_ = false;
  std::vector<std::pair<std::size_t, std::size_t>> comments_;
  std::set<std::string> prefixes_;
};

}  // namespace

// From heavy to light: what becomes a link or a shape with its vectors, a joint or a frame, a
// single number of its owner, and all else.
std::size_t Weight(std::string_view name) {
  constexpr std::size_t kObject = 2400, kJoint = 1700, kValue = 450, kOther = 1150;
  const auto is_one = [&](std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  switch (name.size()) {  // asked of every element
    case 3:
      return is_one({"ixx", "ixy", "ixz", "iyy", "iyz", "izz", "xyz", "rpy"}) ? kValue : kOther;
    case 4:
      if (is_one({"link", "geom"})) return kObject;
      if (name == "body") return kJoint;
      return is_one({"pose", "mass", "axis", "size"}) ? kValue : kOther;
    case 5:
      if (name == "model") return kObject;
      if (is_one({"joint", "frame"})) return kJoint;
      return is_one({"child", "limit", "lower", "upper"}) ? kValue : kOther;
    case 6:
      return is_one({"origin", "parent", "effort", "radius", "length"}) ? kValue : kOther;
    case 7:
      return is_one({"inertia", "damping"}) ? kValue : kOther;
    case 8:
      return is_one({"inertial", "dynamics", "geometry"}) ? kValue : kOther;
    case 9:
      return name == "freejoint" ? kJoint : kOther;
    default:
      return kOther;
  }
}

bool Prescan(std::string_view text, const Context& context, std::string& mended,
             std::string_view& result, Census& census) {
  const auto report = [&](Severity severity, const char* code, std::uint32_t line,
                          std::string message) {
    context.diagnostics->Add({severity, code, context.file_name, line, "", std::move(message), {}});
  };
  if (text.size() >= 2 && (StartsWith(text, 0, "\xFF\xFE") || StartsWith(text, 0, "\xFE\xFF"))) {
    report(Severity::kError, "xml-encoding", 1,
           "the text is UTF-16, which is not read: save it as UTF-8");
    return false;
  }
  if (StartsWith(text, 0, "\xEF\xBB\xBF")) text.remove_prefix(3);
  if (Trimmed(text).empty()) {
    report(Severity::kError, "xml-empty", 1, "the file is empty");
    return false;
  }
  result = text;
  // The declaration: its encoding, and its place.
  const std::size_t declaration = text.substr(0, 4096).find("?xml ");
  if (declaration != std::string_view::npos) {
    const std::size_t close = text.find("?>", declaration);
    const std::string encoding =
        close == std::string_view::npos
            ? ""
            : DeclaredEncoding(text.substr(declaration, close - declaration));
    // windows-1252 differs from Latin-1 by a few typographic signs, which stand in comments if
    // anywhere.
    if (encoding == "iso-8859-1" || encoding == "latin1" || encoding == "latin-1" ||
        encoding == "windows-1252") {
      report(Severity::kWarning, "xml-transcoded", 1,
             "the text declares encoding '" + encoding +
                 "'; kinemorph reads ISO-8859-1 and writes UTF-8");
      mended = Latin1ToUtf8(text);
      result = mended;
    } else if (!encoding.empty() && encoding != "utf-8" && encoding != "utf8" &&
               encoding != "us-ascii" && encoding != "ascii") {
      report(Severity::kError, "xml-encoding", 1,
             "the text declares encoding '" + encoding + "'; only UTF-8 and ISO-8859-1 are read");
      return false;
    }
  }
  // Anything before the first tag, and a declaration that does not come first, is blanked so that
  // lines stay as they are.
  const std::size_t first_tag = result.find('<');
  if (first_tag == std::string_view::npos) {
    report(Severity::kError, "xml-no-element", 1, "the text has no XML element");
    return false;
  }
  // Some tools put a licence, or a line of their own, before the declaration, which XML forbids.
  const std::size_t misplaced = result.find("<?xml ", 1);
  const bool junk = !Trimmed(result.substr(0, first_tag)).empty();
  const bool late = misplaced != std::string_view::npos && !StartsWith(result, 0, "<?xml ");
  if (junk || late) {
    std::string copy(result);
    const auto blank = [&](std::size_t from, std::size_t to) {
      for (std::size_t k = from; k < std::min(to, copy.size()); ++k)
        if (copy[k] != '\n') copy[k] = ' ';
    };
    if (junk) blank(0, first_tag);
    if (late)
      blank(misplaced, copy.find("?>", misplaced) == std::string::npos
                           ? misplaced
                           : copy.find("?>", misplaced) + 2);
    report(Severity::kWarning, "xml-junk-before-root", 1,
           junk ? "text before the first element is not XML; kinemorph ignores it"
                : "the XML declaration is not at the start; kinemorph ignores it");
    mended = std::move(copy);
    result = mended;
  }
  return Scanner(result, context, census).Scan();
}

}  // namespace kinemorph::xml
