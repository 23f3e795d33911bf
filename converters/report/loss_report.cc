// The loss report as text, Markdown and JSON.
#include "kinemorph/converters/loss_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kinemorph/graph/base/printable.h"
#include "kinemorph/graph/base/text.h"
#include "kinemorph/graph/model/model_dump.h"

namespace kinemorph {
namespace {

using Json = nlohmann::ordered_json;

// The same report four times: text for a terminal and diffs, Markdown for pages, JSON for programs,
// and counts. All text of a file is made harmless for its place: printable on a terminal, escaped
// in Markdown.
std::string PlaceOf(const Loss& loss) {
  if (loss.file.empty()) return {};
  return loss.file + (loss.subject.where.line > 0 ? ":" + std::to_string(loss.subject.where.line)
                                                  : std::string());
}

bool IsWordPart(std::string_view text, std::size_t at) {
  return at < text.size() &&
         ((text[at] >= '0' && text[at] <= '9') || (text[at] >= 'A' && text[at] <= 'Z') ||
          (text[at] >= 'a' && text[at] <= 'z'));
}

// Pages of GitHub and the like look for mentions, issues and addresses after Markdown was read, so
// that no escape helps; they leave code alone.
bool WouldBeLinked(std::string_view text) {
  if (text.find('@') != text.npos || text.find("://") != text.npos) return true;
  const std::string lower = LowerCase(text);
  for (const std::string_view start : {"www.", "#", "gh-"})
    for (std::size_t at = 0; (at = lower.find(start, at)) != lower.npos; ++at)
      if (IsWordPart(lower, at + start.size())) return true;
  return false;
}

// Text of others in Markdown, as it is: no cell, tag, link, picture, style or mention of it.
std::string Cell(std::string_view text) {
  std::string spaced(text), out;
  std::replace(spaced.begin(), spaced.end(), '\n', ' ');

  // Underscores within a word are no emphasis, and names of robots are full of them. In code, where
  // a backslash shows, characters are written by number.
  const std::string shown = Printable(spaced);
  const bool code = WouldBeLinked(shown);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const char c = shown[i];
    const bool inside_word =
        c == '_' && i > 0 && IsWordPart(shown, i - 1) && IsWordPart(shown, i + 1);
    if (std::string_view("\\`*_[]<>&~|$").find(c) == std::string_view::npos || inside_word)
      out += c;
    else if (code)
      out += "&#" + std::to_string(static_cast<int>(c)) + ";";
    else
      out += '\\', out += c;
  }
  return code ? "<code>" + out + "</code>" : out;
}

// Longer than any row of them in the code.
std::string Fence(std::string_view code) {
  std::string fence = "```";
  while (code.find(fence) != code.npos) fence += '`';
  return fence;
}

// Text of a file again: names may hold anything.
std::string Listed(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "'" : ", '") + Printable(name) + "'";
  return text.empty() ? "none" : text;
}

std::string PoseText(const RigidTransform& X) {
  const Vector3 rpy = RpyFromRotation(X.R);
  std::string out = "xyz";
  for (int i = 0; i < 3; ++i) out += " " + FormatNumber(X.p(i));
  out += " rpy";
  for (int i = 0; i < 3; ++i) out += " " + FormatNumber(rpy(i));
  return out;
}

nlohmann::ordered_json Numbers(const Vector3& v) {
  // Adding 0.0 makes -0 a 0.
  return nlohmann::ordered_json::array({v.x() + 0.0, v.y() + 0.0, v.z() + 0.0});
}

}  // namespace

LossCounts CountLosses(const LossReport& report) {
  LossCounts counts;
  for (const Loss& loss : report.losses) {
    switch (loss.weight) {
      case Weight::kMotion:
        ++counts.motion;
        break;
      case Weight::kInterface:
        ++counts.interface;
        break;
      case Weight::kLooks:
        ++counts.looks;
        break;
    }
  }
  return counts;
}

std::string LossReportText(const LossReport& report) {
  std::string out;
  for (const Loss& loss : report.losses) {
    // FILE:LINE in front, as editors jump to it; the feature in brackets at the end, as --drop
    // takes it.
    if (const std::string place = PlaceOf(loss); !place.empty()) out += Printable(place) + ": ";
    out +=
        "lost: " + Printable(Text(loss.subject) + ": " + loss.what + " (" + loss.why + ")") + " [";
    out.append(FeatureName(loss.feature)) += "]";
    for (const std::string& call : loss.calls) out += ", " + Printable(call);
    out += "\n";
  }
  for (const Lowering& lowering : report.lowerings)
    out += "lowered: " + Printable(Text(lowering.subject) + ": " + lowering.what) + " [" +
           lowering.pass + "]\n";
  for (const NameChange& change : report.names) {
    out.append("renamed: ").append(Name(change.kind)) +=
        " '" + Printable(change.from) + "' -> '" + Printable(change.to) + "'\n";
  }
  for (const FrameChange& change : report.frames) {
    out += "re-based: link '" + Printable(change.link) + "': its frame is now at " +
           PoseText(change.X_old_new) + " of the old one\n";
  }
  const CoordinatesReport& coordinates = report.coordinates;
  if (!coordinates.loop_joints.empty())
    out += "loop joints: " + Listed(coordinates.loop_joints) + "\n";
  if (!coordinates.independent.empty() || !coordinates.dependent.empty())
    out += "independent: " + Listed(coordinates.independent) +
           "; dependent: " + Listed(coordinates.dependent) + "\n";
  // Code that the user must compile in (Robotran) is part of what was lost otherwise.
  if (!report.user_code.empty()) out += "code to go with the file:\n" + report.user_code;
  return out;
}

std::string LossReportMarkdown(const LossReport& report) {
  std::string out = "# Loss report\n\n";
  // A page that says nothing about losses would be taken for one that was cut off.
  if (report.losses.empty()) {
    out += "Nothing is lost.\n";
  } else {
    out += "| feature | weight | element | where | what | why |\n|---|---|---|---|---|---|\n";
    for (const Loss& loss : report.losses) {
      std::string where = PlaceOf(loss);
      for (const std::string& call : loss.calls) where += ", " + call;
      out += "| " + Cell(FeatureName(loss.feature)) + " | " + Cell(Name(loss.weight)) + " | " +
             Cell(Text(loss.subject)) + " | " + Cell(where) + " | " + Cell(loss.what) + " | " +
             Cell(loss.why) + " |\n";
    }
  }
  if (!report.lowerings.empty()) {
    out += "\n## Changed exactly\n\n| element | what | pass |\n|---|---|---|\n";
    for (const Lowering& l : report.lowerings)
      out += "| " + Cell(Text(l.subject)) + " | " + Cell(l.what) + " | " + Cell(l.pass) + " |\n";
  }
  if (!report.names.empty()) {
    out += "\n## Names\n\n| kind | from | to |\n|---|---|---|\n";
    for (const NameChange& n : report.names)
      out += "| " + Cell(Name(n.kind)) + " | " + Cell(n.from) + " | " + Cell(n.to) + " |\n";
  }
  if (!report.frames.empty()) {
    out += "\n## Link frames\n\n| link | new frame in the old one |\n|---|---|\n";
    for (const FrameChange& f : report.frames)
      out += "| " + Cell(f.link) + " | " + PoseText(f.X_old_new) + " |\n";
  }
  if (!report.coordinates.loop_joints.empty())
    out += "\nLoop joints: " + Cell(Listed(report.coordinates.loop_joints)) + ".\n";
  if (!report.coordinates.independent.empty()) {
    out += "\nIndependent coordinates: " + Cell(Listed(report.coordinates.independent)) +
           "; dependent: " + Cell(Listed(report.coordinates.dependent)) + ".\n";
  }
  if (!report.user_code.empty()) {
    const std::string fence = Fence(report.user_code);
    out += "\n## Code to go with the file\n\n" + fence + "c\n" + report.user_code + fence + "\n";
  }
  return out;
}

std::string LossReportJson(const LossReport& report) {
  // Keys are there even if empty, but for those that say something only when they are there
  // (source, target, calls): readers need not ask first.
  Json root;
  root["losses"] = Json::array();
  for (const Loss& l : report.losses) {
    Json item = {{"feature", FeatureName(l.feature)},
                 {"weight", Name(l.weight)},
                 {"subject", {{"kind", Name(l.subject.kind)}, {"name", l.subject.name}}},
                 {"element", Text(l.subject)},
                 {"file", l.file},
                 {"line", l.subject.where.line},
                 {"what", l.what},
                 {"why", l.why},
                 {"pass", l.pass}};
    if (!l.source.empty()) item["source"] = l.source;
    if (!l.target.empty()) item["target"] = l.target;
    if (l.asked) item["asked"] = true;
    if (!l.calls.empty()) item["calls"] = l.calls;
    root["losses"].push_back(std::move(item));
  }
  root["lowerings"] = Json::array();
  for (const Lowering& l : report.lowerings)
    root["lowerings"].push_back({{"pass", l.pass}, {"element", Text(l.subject)}, {"what", l.what}});
  root["names"] = Json::array();
  for (const NameChange& n : report.names)
    root["names"].push_back({{"kind", Name(n.kind)}, {"from", n.from}, {"to", n.to}});
  root["frames"] = Json::array();
  for (const FrameChange& f : report.frames) {
    root["frames"].push_back({{"link", f.link},
                              {"xyz", Numbers(f.X_old_new.p)},
                              {"rpy", Numbers(RpyFromRotation(f.X_old_new.R))}});
  }
  // Only there where --mimic fit put a line in place of a loop.
  for (const FittedMimic& f : report.fitted)
    root["fitted"].push_back({{"follower", f.follower},
                              {"leader", f.leader},
                              {"multiplier", f.multiplier},
                              {"offset", f.offset}});
  root["loop_joints"] = report.coordinates.loop_joints;
  root["independent"] = report.coordinates.independent;
  root["dependent"] = report.coordinates.dependent;
  if (!report.user_code.empty()) root["user_code"] = report.user_code;
  return PrintableJson(root.dump(2, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace kinemorph
