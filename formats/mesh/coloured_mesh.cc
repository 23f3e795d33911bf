#include "kinemorph/formats/coloured_mesh.h"

#include <algorithm>
#include <map>

#include "kinemorph/formats/mesh_file.h"
#include "lines.h"
#include "xml_reader.h"

namespace kinemorph {
namespace {

constexpr std::size_t kMostParts = 32;
constexpr std::size_t kLeastVertices = 4;  // of a mesh that MuJoCo loads

// The colour of each material of a library; none where a picture gives it.
std::map<std::string, std::optional<Rgba>, std::less<>> ColoursIn(std::string_view library) {
  std::map<std::string, std::optional<Rgba>, std::less<>> colours;
  std::optional<Rgba>* colour = nullptr;
  ForEachLine(library, [&](std::string_view line) {
    const auto words = xml::SplitWords(line);
    if (words.size() < 2) return true;
    const auto number = [&](std::size_t i) {
      return i < words.size() ? xml::ParseNumber(words[i]).value_or(0) : 0;
    };
    if (words[0] == "newmtl") {
      colour = &colours[std::string(words[1])];
      // What assimp writes of faces without a material.
      if (words[1] == "DefaultMaterial") colour = nullptr;
    }
    if (colour == nullptr) return true;
    if (words[0] == "Kd") *colour = Rgba(number(1), number(2), number(3), 1);
    if (words[0] == "d" && *colour) (*colour)->w() = number(1);
    if (words[0] == "map_Kd") colour->reset(), colour = nullptr;
    return true;
  });
  for (auto& [name, rgba] : colours) {
    if (rgba && !rgba->allFinite()) rgba.reset();
    if (rgba) rgba = rgba->cwiseMax(0.0).cwiseMin(1.0);
  }
  return colours;
}

// By triangle of an OBJ file: the colour of its material.
std::vector<std::optional<Rgba>> ColourOfFaces(std::string_view obj, std::string_view library) {
  const auto colours = ColoursIn(library);
  std::vector<std::optional<Rgba>> of_faces;
  std::optional<Rgba> colour;
  ForEachLine(obj, [&](std::string_view line) {
    const auto words = xml::SplitWords(line);
    if (words.size() < 2) return true;
    if (words[0] == "usemtl") {
      const auto known = colours.find(words[1]);
      colour = known == colours.end() ? std::nullopt : known->second;
    }
    if (words[0] == "f" && words.size() > 3)
      of_faces.insert(of_faces.end(), words.size() - 3, colour);  // a fan of triangles
    return true;
  });
  return of_faces;
}

// Some of the faces, with the vertices that they need.
Triangles PartOf(const Triangles& mesh, const std::vector<std::size_t>& faces) {
  Triangles part;
  std::map<std::uint32_t, std::uint32_t> numbers;
  for (const std::size_t face : faces) {
    auto& corners = part.faces.emplace_back(mesh.faces[face]);
    for (std::uint32_t& corner : corners) {
      const auto [entry, fresh] =
          numbers.try_emplace(corner, static_cast<std::uint32_t>(numbers.size()));
      if (fresh) part.vertices.push_back(mesh.vertices[corner]);
      corner = entry->second;
    }
  }
  while (part.vertices.size() < kLeastVertices) part.vertices.push_back(part.vertices.front());
  return part;
}

}  // namespace

std::vector<ColouredPart> PartsByColour(std::string_view obj, std::string_view library) {
  std::string why;
  const std::optional<Triangles> mesh = DecodeMesh("mesh.obj", obj, why);
  if (!mesh || mesh->faces.empty()) return {{std::string(obj), std::nullopt}};
  struct Group {
    std::optional<Rgba> colour;
    std::vector<std::size_t> faces;
  };
  std::vector<Group> groups;
  const auto colours = ColourOfFaces(obj, library);
  for (std::size_t face = 0; face < mesh->faces.size() && groups.size() <= kMostParts; ++face) {
    const auto same = std::ranges::find(groups, colours[face], &Group::colour);
    (same == groups.end() ? groups.emplace_back(Group{colours[face], {}}) : *same)
        .faces.push_back(face);
  }
  if (groups.size() > kMostParts) return {{ObjText(*mesh), std::nullopt}};
  std::vector<ColouredPart> parts;
  for (const Group& group : groups)
    parts.push_back({ObjText(PartOf(*mesh, group.faces)), group.colour});
  return parts;
}

}  // namespace kinemorph
