#include "write/diagram_layout.h"

#include <algorithm>
#include <unordered_map>

#include "java_number.h"
#include "xml_writer.h"

namespace kinemorph::mbs {
namespace {

using xml::Writer;

// Pixels.
constexpr double kMargin = 20, kJointStep = 25, kPointStep = 20, kBodyWidth = 80, kBodyHeight = 20,
                 kGap = 40;

struct Cell {
  std::size_t column = 0, row = 0;
};

void Position(Writer& w, const char* tag, double x, double y) {
  w.Open(tag).Leaf("x", JavaNumber(x)).Leaf("y", JavaNumber(y)).Close();
}

// graphics of a joint or a point: absolute position, and an x3D, without which the editor cannot
// load it.
std::string Marker(double x, double y) {
  Writer w(false);
  w.Open("graphics").Open("x2D");
  Position(w, "position", x, y);
  w.Close().Open("x3D").Close().Close();
  return std::move(w).text();
}

// A rectangle; coordinates relative to the body's last joint. Control points: top right, bottom
// right, bottom left, top left.
void Rectangle(Writer& w, double x, double y, double width) {
  Position(w, "position", x, y);
  Position(w, "name_pos", 0, 0);
  w.Leaf("shape", "rectangle");
  Position(w, "size", width, kBodyHeight);
  w.Open("control_points");
  Position(w, "control_point", x + width, y);
  Position(w, "control_point", x + width, y + kBodyHeight);
  Position(w, "control_point", x, y + kBodyHeight);
  Position(w, "control_point", x, y);
  w.Close().Leaf("angle", JavaNumber(0));
}

double Width(std::size_t points) {
  return std::max(kBodyWidth, kPointStep * static_cast<double>(points + 1));
}

// Bodies are in depth-first preorder, so that a parent's cell is known before its children's.
std::vector<Cell> Cells(const MbsFile& file) {
  std::unordered_map<std::string, std::size_t> index;
  for (std::size_t i = 0; i < file.bodies.size(); ++i) index.emplace(file.bodies[i].name, i);
  std::vector<Cell> cells(file.bodies.size());
  std::vector<bool> has_child(file.bodies.size() + 1);  // last: the base
  std::size_t columns = 1;
  for (std::size_t i = 0; i < file.bodies.size(); ++i) {
    const auto found = index.find(file.bodies[i].parent);
    const bool on_base = found == index.end();
    const Cell parent = on_base ? Cell{} : cells[found->second];
    const std::size_t parent_index = on_base ? file.bodies.size() : found->second;
    cells[i] = {has_child[parent_index] ? columns++ : parent.column, parent.row + 1};
    has_child[parent_index] = true;
  }
  return cells;
}

// Upper left corners of columns and rows, wide and high enough for what stands in them.
std::vector<double> Offsets(const std::vector<double>& sizes) {
  std::vector<double> offsets(sizes.size() + 1, kMargin);
  for (std::size_t i = 0; i < sizes.size(); ++i) offsets[i + 1] = offsets[i] + sizes[i] + kGap;
  return offsets;
}

void PlacePoints(std::vector<FilePoint>& points, double x, double y) {
  double at = x;
  for (FilePoint& point : points) {
    at += kPointStep;
    if (point.graphics.empty() && point.name != "origin") point.graphics = Marker(at, y);
  }
}

}  // namespace

void LayOutDiagram(MbsFile& file) {
  const std::vector<Cell> cells = Cells(file);
  std::vector<double> widths(1, Width(file.base_points.size())), heights(1, kBodyHeight);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    widths.resize(std::max(widths.size(), cells[i].column + 1), kBodyWidth);
    heights.resize(std::max(heights.size(), cells[i].row + 1), kBodyHeight);
    double& width = widths[cells[i].column];
    double& height = heights[cells[i].row];
    width = std::max(width, Width(file.bodies[i].points.size()));
    height = std::max(height,
                      kJointStep * static_cast<double>(file.bodies[i].joints.size()) + kBodyHeight);
  }
  const std::vector<double> x = Offsets(widths), y = Offsets(heights);
  if (file.base_graphics.x2D.empty()) {
    Writer w(false);
    w.Open("x2D");
    Position(w, "position", x[0], y[0]);
    w.Open("base_body");
    Rectangle(w, 0, 0, Width(file.base_points.size()));
    w.Close().Close();
    file.base_graphics.x2D = std::move(w).text();
  }
  PlacePoints(file.base_points, x[0], y[0] + kBodyHeight);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    FileBody& body = file.bodies[i];
    const double left = x[cells[i].column];
    double at = y[cells[i].row];
    for (FileJoint& joint : body.joints) {
      if (joint.graphics.empty()) joint.graphics = Marker(left, at);
      at += kJointStep;
    }
    if (body.graphics.x2D.empty()) {  // relative to the last joint, one step above
      Writer w(false);
      w.Open("x2D");
      Rectangle(w, 0, kJointStep, Width(body.points.size()));
      w.Close();
      body.graphics.x2D = std::move(w).text();
    }
    PlacePoints(body.points, left, at + kBodyHeight);
  }
}

}  // namespace kinemorph::mbs
