// The door in texts: what pages and Node call. Every function takes texts with their lengths and
// leaves its answer in one place, which stays until the next call: km_answer, km_answer_size. Those
// that return an int say 1, or 0 and the reason as the answer. Options are JSON objects whose keys
// are the long options of the command.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "folder.h"
#include "kinemorph/converters/json.h"
#include "kinemorph/converters/lint.h"
#include "kinemorph/converters/screen.h"
#include "kinemorph/gateway.h"
#include "kinemorph/graph/base/number.h"
#include "kinemorph/options.h"
#include "kinemorph/simulate.h"
#include "kinemorph/views.h"

#define KM_EXPORT(name) extern "C" [[clang::export_name(#name)]]

namespace kinemorph::web {
namespace {

// WebAssembly has one memory and no exceptions here: texts go in by address and length, the answer
// lies in one string, and errors are the number 0. Robots stay between calls under numbers, since a
// page asks many questions of one. Nothing is read from a disk: a folder comes in as bytes
// (folder.h).

using Json = nlohmann::ordered_json;

// A folder that was opened: the robot in it, or what stands against it.
struct Opened {
  std::optional<Robot> robot;
  Diagnostics messages;
  std::optional<XacroExpansion> expansion;
  std::unique_ptr<Articulation> posture;  // made when it is asked for
};

std::string& Answer() {
  static std::string text;
  return text;
}
std::map<int, Opened>& AllOpened() {
  static std::map<int, Opened> opened;
  return opened;
}

int Good(std::string text) {
  Answer() = std::move(text);
  return 1;
}
int Bad(std::string why) {
  Answer() = std::move(why);
  return 0;
}

Opened* Find(int id) {
  const auto at = AllOpened().find(id);
  if (at != AllOpened().end() && at->second.robot) return &at->second;
  Answer() = "no robot has this number: the robot was freed, or could not be read";
  return nullptr;
}

// As on the command line, messages of an expanded file name lines of its source.
Diagnostics Translated(const Opened& opened, Diagnostics messages) {
  return opened.expansion ? opened.expansion->Translated(messages) : messages;
}

std::string Dump(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string Text(const char* text, std::size_t size) { return {text, size}; }

// Rows for options that have no table, so that they are read by the same rules.
OptionRow RowOf(std::string_view name, OptionKind kind, std::string_view value = {}) {
  return {name, value, kInputGroup, {}, kOfTexts, kind};
}

// Numbers that JSON has not are null.
Json Finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json CoordinatesJson(const Articulation& posture) {
  Json list = Json::array();
  for (const CoordinateInfo& info : posture.coordinates())
    list.push_back({{"name", info.name},
                    {"joint", info.joint},
                    {"length", info.length},
                    {"quaternion", info.quaternion},
                    {"independent", info.independent},
                    {"lower", Finite(info.lower)},
                    {"upper", Finite(info.upper)}});
  return list;
}

// Made late: a page that only converts needs no mechanics.
Articulation& PostureOf(Opened& opened) {
  if (!opened.posture) opened.posture = std::make_unique<Articulation>(opened.robot->model);
  return *opened.posture;
}

// What is read, expanded where it is xacro.
bool Expand(const Folder& folder, const std::map<std::string, std::string>& arguments,
            std::string& file, std::string& text, Opened& opened) {
  XacroOptions options;
  options.file_name = file;
  options.resolver = folder.resolver.get();
  options.arguments = arguments;
  options.names_in = [&](const std::string& below) { return folder.NamesIn(below); };
  opened.expansion = ExpandXacro(text, options, opened.messages);
  if (!opened.expansion) return false;
  file = opened.expansion->name, text = opened.expansion->text;
  return true;
}

// Also a robot with errors is kept, because its messages are the answer.
Opened Open(const Folder& folder, std::string file, const LoadOptions& how, bool expand,
            const std::map<std::string, std::string>& arguments) {
  Opened opened;
  std::string text = folder.files.at(file);
  if (expand && !Expand(folder, arguments, file, text, opened)) return opened;
  Loaded loaded = LoadText(std::move(text), std::move(file), folder.resolver, how);
  opened.messages.Append(loaded.diagnostics);
  opened.messages = Translated(opened, opened.messages);
  opened.robot = std::move(loaded.robot);
  return opened;
}

}  // namespace

/// Room for a text that is handed over; km_give_back takes it.
KM_EXPORT(km_room) char* Room(std::size_t size) {
  // One byte more: for no bytes malloc may give no address, which would mean failure.
  return static_cast<char*>(std::malloc(size + 1));
}
KM_EXPORT(km_give_back) void GiveBack(char* room) { std::free(room); }
KM_EXPORT(km_answer) const char* AnswerText() { return Answer().data(); }
KM_EXPORT(km_answer_size) std::size_t AnswerSize() { return Answer().size(); }

/// Opens the robot in `file` of a folder (folder.h). Options: from, with, xacro-arg, xacro. A
/// number for the functions below and the messages as the answer; 0 where the call makes no sense.
/// A robot with errors has a number too: its other questions are answered by 0.
KM_EXPORT(km_open)
int OpenFolder(const char* files, std::size_t files_size, const char* name, std::size_t name_size,
               const char* json, std::size_t json_size) {
  static int last = 0;
  std::string why;
  const std::optional<Folder> folder = FolderIn({files, files_size}, why);
  if (!folder) return Bad(why);
  const std::string file = Text(name, name_size);
  if (folder->files.count(file) == 0) return Bad("there is no file '" + file + "' in the folder");
  LoadOptions how;
  bool expand = file.ends_with(".xacro");
  std::vector<std::string> with;
  std::map<std::string, std::string> arguments;
  const OptionRow from = RowOf("from", OptionKind::kText),
                  beside = RowOf("with", OptionKind::kTexts),
                  xacro = RowOf("xacro", OptionKind::kFlag),
                  argument = RowOf("xacro-arg", OptionKind::kAssignments, "K:=V");
  // Keys that are no rows, and values of another kind, are refused by TakeJson.
  why = TakeJson({json, json_size}, {&from, &beside, &xacro, &argument},
                 [&](std::size_t row, const std::vector<std::string>& words) {
                   if (row == 0) how.from = words.back();
                   if (row == 1) with = words;
                   if (row == 2) expand = words.back() == "true";
                   for (const std::string& word : row == 3 ? words : std::vector<std::string>()) {
                     const std::size_t is = word.find(":=");
                     arguments[word.substr(0, is)] = word.substr(is + 2);
                   }
                   return std::string();
                 });
  // As --with of the command: named ones replace the search beside the file.
  for (const std::string& each : with) {
    how.look_beside = false;
    if (each == "none") continue;
    if (each == kFramesByName)
      how.with.push_back({each, {}});
    else if (folder->files.count(each) == 0)
      why = "'with': there is no file '" + each + "' in the folder";
    else
      how.with.push_back({each, folder->files.at(each)});
  }
  if (!why.empty()) return Bad(why);
  Opened opened = Open(*folder, file, how, expand, arguments);
  Answer() = MessagesJson(opened.messages);
  AllOpened()[++last] = std::move(opened);
  return last;
}
KM_EXPORT(km_free) void Free(int robot) { AllOpened().erase(robot); }

KM_EXPORT(km_scene) int Scene(int id) {
  Opened* const opened = Find(id);
  return opened == nullptr ? 0 : Good(SceneJson(opened->robot->model));
}
/// "cg", "cdd", "lacg".
KM_EXPORT(km_graph) int Graph(int id, const char* kind, std::size_t size) {
  Opened* const opened = Find(id);
  if (opened == nullptr) return 0;
  const std::optional<GraphKind> known = GraphKindNamed({kind, size});
  if (!known) return Bad("'" + Text(kind, size) + "' is none of cg, cdd, lacg");
  return Good(GraphJson(GraphOf(opened->robot->model, *known)));
}
/// With the options of `inspect`.
KM_EXPORT(km_inspect) int InspectOpened(int id, const char* json, std::size_t size) {
  Opened* const opened = Find(id);
  if (opened == nullptr) return 0;
  std::string why;
  // The options of the command as JSON, so that the documentation of one is that of both.
  const auto options = FromJson<InspectOptions>({json, size}, why);
  if (!options) return Bad(why);
  Diagnostics messages = opened->messages;
  const std::optional<Inspection> seen = InspectRobot(*opened->robot, *options, messages);
  if (!seen) return Bad(MessagesJson(messages));
  return Good(InspectionJson(*seen, Translated(*opened, messages)));
}

/// The coordinates, and the posture.
KM_EXPORT(km_posture) int Posture(int id) {
  Opened* const opened = Find(id);
  if (opened == nullptr) return 0;
  Json json = Json::parse(PostureOf(*opened).Json(), nullptr, false);
  json["coordinates"] = CoordinatesJson(PostureOf(*opened));
  return Good(Dump(json));
}
/// `{"JOINT": number or text with a unit, ...}`: set at once, the loops kept closed. An empty one
/// gives back the posture nearest to zero.
KM_EXPORT(km_set) int Set(int id, const char* json, std::size_t size) {
  Opened* const opened = Find(id);
  if (opened == nullptr) return 0;
  // Joints are set all at once, with the loops kept closed: one after the other could pass through
  // postures that do not exist.
  const Json values = Json::parse(std::string_view(json, size), nullptr, false);
  if (!values.is_object()) return Bad("the values are no JSON object");
  Articulation& posture = PostureOf(*opened);
  std::vector<std::string> texts;
  for (const auto& [name, value] : values.items()) {
    if (!value.is_number() && !value.is_string())
      return Bad("'" + name + "' must be a number or a text");
    texts.push_back(
        name + "=" +
        (value.is_number() ? FormatNumber(value.get<double>()) : value.get<std::string>()));
  }
  std::string why;
  if (values.empty())
    posture.Reset();
  else if (!posture.Set(texts, why))
    return Bad(why);
  return Good(posture.Json());
}
/// `[numbers]`, a value for each coordinate: stands there, closed or not.
KM_EXPORT(km_stand) int Stand(int id, const char* json, std::size_t size) {
  Opened* const opened = Find(id);
  if (opened == nullptr) return 0;
  const Json values = Json::parse(std::string_view(json, size), nullptr, false);
  Articulation& posture = PostureOf(*opened);
  const auto number = [](const Json& value) { return value.is_number(); };
  if (!values.is_array() || values.size() != posture.coordinates().size() ||
      !std::all_of(values.begin(), values.end(), number))
    return Bad("the posture is not a list of a number for each coordinate");
  // Nothing is closed here: a table of a simulation is played back as it is.
  const std::vector<double> q = values.get<std::vector<double>>();
  posture.StandAt(Eigen::Map<const Eigen::VectorXd>(q.data(), static_cast<Eigen::Index>(q.size())));
  return Good(posture.Json());
}
/// Keeps a coordinate where it is while others are set (1), or frees it (0).
KM_EXPORT(km_hold) int Hold(int id, const char* name, std::size_t size, int held) {
  Opened* const opened = Find(id);
  if (opened == nullptr) return 0;
  std::string why;
  return PostureOf(*opened).Hold(Text(name, size), held != 0, why) ? Good("") : Bad(why);
}

/// With the options of `convert`: ConversionJson.
KM_EXPORT(km_convert) int ConvertOpened(int id, const char* json, std::size_t size) {
  Opened* const opened = Find(id);
  if (opened == nullptr) return 0;
  std::string why;
  const auto request = FromJson<ConversionRequest>({json, size}, why);
  if (!request) return Bad(why);
  ConversionResult result = ConvertRobot(*opened->robot, *request);
  if (opened->expansion) TranslateResult(*opened->expansion, result);
  return Good(ConversionJson(result));
}
/// With the options of `verify`: VerdictJson, with the verdict as a `line` and `differences`.
KM_EXPORT(km_verify) int Verify(int a, int b, const char* json, std::size_t size) {
  Opened *const first = Find(a), *const second = Find(b);
  if (first == nullptr || second == nullptr) return 0;
  std::string why;
  const auto options = FromJson<VerifyOptions>({json, size}, why);
  if (!options) return Bad(why);
  const VerifyResult result = VerifyRobots(*first->robot, *second->robot, *options);
  Json verdict = Json::parse(VerdictJson(result), nullptr, false);
  verdict["line"] = result.line;
  verdict["differences"] = DifferenceLines(result);
  verdict["messages"] =
      Json::parse(MessagesJson(Translated(*first, result.diagnostics)), nullptr, false);
  return Good(Dump(verdict));
}

/// The messages of reading with those of the rules; with "fix" what they can mend, as a text.
KM_EXPORT(km_lint) int LintOpened(int id, const char* json, std::size_t size) {
  Opened* const opened = Find(id);
  if (opened == nullptr) return 0;
  std::vector<std::string> fix;
  const OptionRow row = RowOf("fix", OptionKind::kTexts);
  const std::string why = TakeJson({json, size}, {&row}, [&](std::size_t, const auto& words) {
    return fix = words, std::string();
  });
  if (!why.empty()) return Bad(why);
  const Diagnostics said =
      Lint(opened->robot->model, opened->messages, opened->robot->resolver.get());
  Json out = {{"messages", Json::parse(MessagesJson(Translated(*opened, said)), nullptr, false)}};
  if (!fix.empty() && !opened->expansion) {
    const LintFixes fixes = FixText(opened->robot->text, opened->robot->model, said, fix);
    out["text"] = fixes.text, out["fixed"] = fixes.done;
  }
  return Good(Dump(out));
}

/// With the options of `simulate`: table, summary, messages.
KM_EXPORT(km_simulate) int Simulate(int id, const char* json, std::size_t size) {
  Opened* const opened = Find(id);
  if (opened == nullptr) return 0;
  std::string why;
  auto request = FromJson<MotionRequest>({json, size}, why);
  // What a browser can hold; the command writes rows to a disk.
  constexpr std::size_t kMostRows = 1'000'000;  // the table stays in memory
  if (request && request->max_rows > kMostRows) why = "'max-rows' is at most 1000000 here";
  if (request && !(request->time / request->Interval() <= static_cast<double>(request->max_rows)))
    why = "'time' makes more rows than 'max-rows' allows";
  if (!why.empty()) return Bad(why);
  request->controller_name = "controller";
  Diagnostics messages;
  const std::unique_ptr<Motion> motion = Motion::Prepare(*opened->robot, *request, messages);
  if (!motion) return Bad(MessagesJson(Translated(*opened, messages)));
  MotionTable table = motion->Table();
  bool finite = true;
  const SimulationResult result =
      motion->Run([&](const MotionSample& sample) { finite = finite && table.Add(sample); },
                  [&] { return std::string(finite ? "" : "a number is none"); }, messages);
  return Good(Dump(
      {{"done", result.end == SimulationEnd::kDone},
       {"table", table.Take()},
       {"summary", Json::parse(motion->Summary(result), nullptr, false)},
       {"messages", Json::parse(MessagesJson(Translated(*opened, messages)), nullptr, false)}}));
}

KM_EXPORT(km_formats) int Formats() { return Good(FormatsJson()); }
/// All options: what the types of the package are made of.
KM_EXPORT(km_options) int AllOptions() { return Good(OptionsJson()); }
/// One code; the answer of an unknown one is the nearest.
KM_EXPORT(km_explain) int Explain(const char* code, std::size_t size) {
  const CodeEntry* const entry = FindCode({code, size});
  if (entry != nullptr)
    return Good(Dump({{"code", entry->code},
                      {"meaning", entry->meaning},
                      {"example", entry->example},
                      {"remedy", entry->remedy},
                      {"area", entry->area},
                      {"why", entry->why},
                      {"ignore", entry->ignore}}));
  std::vector<std::string> known;
  for (const CodeEntry& each : AllCodes()) known.push_back(each.code);
  const std::string nearest = NearestName(Text(code, size), known);
  return Bad("'" + Text(code, size) + "' is not a code" +
             (nearest.empty() ? "" : "; did you mean '" + nearest + "'?"));
}

}  // namespace kinemorph::web
