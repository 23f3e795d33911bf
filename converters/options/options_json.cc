// The tables of options for those who pass texts: JSON in, and what the tables say as JSON.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "gateway/did_you_mean.h"
#include "kinemorph/gateway.h"
#include "kinemorph/options.h"
#include "kinemorph/simulate.h"

namespace kinemorph {
namespace {

// Every value is turned into what would be typed on the command line and goes through the same
// functions (TakeJson), so that both faces accept and refuse the same, with the same words. Only
// the kind of the value is judged here: a number in quotes is no number in JSON.
using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

// Kinds as pages and bindings see them: a file is a text there, a count a number.
const char* Name(OptionKind kind) {
  switch (kind) {
    case OptionKind::kFlag:
      return "flag";
    case OptionKind::kText:
    case OptionKind::kFile:
      return "text";
    case OptionKind::kTexts:
      return "texts";
    case OptionKind::kAssignments:
      return "assignments";
    case OptionKind::kNumber:
    case OptionKind::kCount:
      return "number";
    case OptionKind::kWord:
      return "word";
    case OptionKind::kWords:
      return "words";
    case OptionKind::kFlagOrWord:
      return "flag or word";
    case OptionKind::kVector:
      break;
  }
  return "vector";
}

// Texts, numbers, true and false as they would be typed.
std::string Typed(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// Each item of a list, or the one that stands for it; false where one is of another kind.
bool ItemsOf(const Json& value, bool (Json::*is)() const, Words& words) {
  const Json list = value.is_array() ? value : Json::array({value});
  for (const Json& item : list) {
    if (!(item.*is)()) return false;
    words.push_back(Typed(item));
  }
  return true;
}

// What would be typed for a value; why it is none of the option's kind, or nothing.
std::string WordsOf(const Json& value, const OptionRow& row, Words& words) {
  const auto one = [&](bool fits, const char* why) {
    if (fits) words.push_back(Typed(value));
    return std::string(fits ? "" : why);
  };
  switch (row.kind) {
    case OptionKind::kFlag:
      return one(value.is_boolean(), "must be true or false");
    case OptionKind::kNumber:
    case OptionKind::kCount:
      return one(value.is_number(), "must be a number");
    case OptionKind::kTexts:
    case OptionKind::kWords:
      return ItemsOf(value, &Json::is_string, words) ? "" : "must be a list of texts";
    case OptionKind::kAssignments:
      if (!value.is_object())
        return ItemsOf(value, &Json::is_string, words) ? ""
                                                       : "must be an object or a list of texts";
      for (const auto& item : value.items()) {
        if (!item.value().is_string() && !item.value().is_number())
          return "'" + item.key() + "' must be a number or a text";
        // Arguments of xacro are assigned by ":=", all else by "=": the row's word for its value
        // shows which.
        const char* const is = row.value.find(":=") == row.value.npos ? "=" : ":=";
        words.push_back(item.key() + is + Typed(item.value()));
      }
      return {};
    case OptionKind::kFlagOrWord:
      if (!value.is_boolean()) return one(value.is_string(), "must be true, false or a text");
      // False is the option left out: no words.
      if (value.get<bool>()) words = {row.words.front()};
      return {};
    case OptionKind::kVector:
      if (!value.is_array()) return one(value.is_string(), "must be a text or three numbers");
      if (value.size() != 3 || !ItemsOf(value, &Json::is_number, words))
        return "must be a text or three numbers";
      words = {words[0] + "," + words[1] + "," + words[2]};
      return {};
    case OptionKind::kText:
    case OptionKind::kFile:
    case OptionKind::kWord:
      break;
  }
  return one(value.is_string(), "must be a text");
}

Json RowJson(const OptionRow& row) {
  Json json = {{"name", row.name}, {"kind", Name(row.kind)}, {"value", row.value}};
  json["words"] = row.words;
  json["default"] = row.standard;
  const bool is_file = row.kind == OptionKind::kFile;
  json["about"] = is_file ? "the text of " + row.help : row.help;
  return json;
}

template <class Request>
Json TableJson() {
  Json rows = Json::array();
  for (const OptionRow& row : Options<Request>())
    if (row.faces & kOfTexts) rows.push_back(RowJson(row));
  return rows;
}

}  // namespace

std::string TakeJson(std::string_view json, const std::vector<const OptionRow*>& rows,
                     const std::function<std::string(std::size_t row, const Words& words)>& take) {
  // Without exceptions: what is no JSON is no object either.
  const Json object = Json::parse(json, nullptr, false);
  if (!object.is_object()) return "the options are no JSON object";
  Words known;
  for (const OptionRow* row : rows)
    if (row->faces & kOfTexts) known.emplace_back(row->name);

  // The first key that cannot be taken ends it; a known key is looked for among those that this
  // face has.
  for (const auto& item : object.items()) {
    const std::string& key = item.key();
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const OptionRow* row) {
      return (row->faces & kOfTexts) && row->name == key;
    });
    if (found == rows.end()) return "'" + key + "' is not an option" + DidYouMean(key, known);
    Words words;
    std::string why = WordsOf(item.value(), **found, words);
    if (why.empty()) why = take(static_cast<std::size_t>(found - rows.begin()), words);
    if (!why.empty()) return "'" + key + "' " + why;
  }
  return {};
}

std::string OptionsJson() {
  const Json json = {{"convert", TableJson<ConversionRequest>()},
                     {"verify", TableJson<VerifyOptions>()},
                     {"simulate", TableJson<MotionRequest>()},
                     {"inspect", TableJson<InspectOptions>()}};
  return json.dump();
}

}  // namespace kinemorph
