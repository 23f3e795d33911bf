// What the scene says of shapes is what the published declarations say, shape by shape.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "conversion.h"
#include "kinemorph/graph/model/fields.h"

namespace kinemorph::test {
namespace {

// "number", "[number, number, number]" ...
template <class Value>
std::string TypeOf() {
  if constexpr (std::same_as<Value, double>) return "number";
  if constexpr (std::same_as<Value, bool>) return "boolean";
  if constexpr (std::same_as<Value, Vector3>) return "[number, number, number]";
  if constexpr (std::same_as<Value, Eigen::Vector2d>) return "[number, number]";
  if constexpr (std::same_as<Value, decltype(Polyline::polylines)>) return "[number, number][][]";
  return "string";
}

template <class Value>
bool IsAlways(const auto& field) {
  return !kMayBeAbsent<Value> && !field.words.empty();
}

template <class Kind>
std::string Members() {
  std::string members;
  ForEachField<Kind>([&]<class Value>(const Field<Kind, Value>& field) {
    members +=
        "; " + std::string(field.key) + (IsAlways<Value>(field) ? ": " : "?: ") + TypeOf<Value>();
  });
  return members;
}

// Calls visit(type_identity<Kind>, name) for every shape.
template <class Visit, std::size_t... kPlace>
void ForEachShape(const Visit& visit, std::index_sequence<kPlace...>) {
  (visit(std::type_identity<std::variant_alternative_t<kPlace, Shape>>(),
         std::string(kShapeNames[kPlace])),
   ...);
}
template <class Visit>
void ForEachShape(const Visit& visit) {
  ForEachShape(visit, std::make_index_sequence<std::variant_size_v<Shape>>());
}

TEST(DeclaredShapes, InTypeScript) {
  std::vector<std::pair<std::string, std::string>> kinds;  // names, members: of one kind together
  ForEachShape([&]<class Kind>(std::type_identity<Kind>, const std::string& name) {
    const std::string members = Members<Kind>();
    if (!kinds.empty() && kinds.back().second == members)
      kinds.back().first += " | '" + name + "'";
    else
      kinds.emplace_back("'" + name + "'", members);
  });
  std::string declared = "export type Shape =";
  for (const auto& [names, members] : kinds) declared += "\n  | { type: " + names + members + " }";
  const std::string text = ReadAll(SourceDir() + "/tools/web/package/index.d.ts");
  EXPECT_NE(text.find(declared + ";"), std::string::npos) << "index.d.ts wants\n"
                                                          << declared << ";";
}

TEST(DeclaredShapes, InTheSchema) {
  const nlohmann::json schema =
      nlohmann::json::parse(ReadAll(SourceDir() + "/tools/docs/schemas/scene.schema.json"));
  std::map<std::string, std::map<std::string, bool>> declared, listed;  // by type: keys, required
  for (const auto& kind : schema["$defs"]["shape"]["oneOf"]) {
    const auto& type = kind["properties"]["type"];
    const std::vector<std::string> names = type.contains("enum")
                                               ? type["enum"].get<std::vector<std::string>>()
                                               : std::vector{type["const"].get<std::string>()};
    for (const std::string& name : names) {
      for (const auto& [key, value] : kind["properties"].items())
        if (key != "type") declared[name][key] = false;
      for (const auto& key : kind["required"]) declared[name][key.get<std::string>()] = true;
    }
  }
  ForEachShape([&]<class Kind>(std::type_identity<Kind>, const std::string& name) {
    ForEachField<Kind>([&]<class Value>(const Field<Kind, Value>& field) {
      listed[name][std::string(field.key)] = IsAlways<Value>(field);
    });
  });
  EXPECT_EQ(declared, listed);
}

}  // namespace
}  // namespace kinemorph::test
