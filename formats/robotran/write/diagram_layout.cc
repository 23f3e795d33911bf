#include "write/diagram_layout.h"

#include <algorithm>
#include <unordered_map>

#include "java_number.h"

namespace kinemorph::mbs {
namespace {

// The editor cannot load bodies, joints or points without a place in its diagram. Children stand
// below their parent, the first in its column and each further one in a new column; parts that have
// a place keep it.

// Pixels.
constexpr double kMargin = 20, kJointStep = 25, kPointStep = 20, kBodyWidth = 80, kBodyHeight = 20,
                 kGap = 40;

struct Cell {
  std::size_t column = 0, row = 0;
};

void Position(NativeElement& in, const char* tag, double x, double y) {
  NativeElement& position = in.Add(tag);
  position.Add("x", JavaNumber(x));
  position.Add("y", JavaNumber(y));
}

// graphics of a joint or a point: absolute position, and an x3D, without which the editor cannot
// load it.
NativeElement Marker(double x, double y) {
  NativeElement graphics{.name = "graphics"};
  Position(graphics.Add("x2D"), "position", x, y);
  graphics.Add("x3D");
  return graphics;
}

// A rectangle; coordinates relative to the body's last joint. Control points: top right, bottom
// right, bottom left, top left.
void Rectangle(NativeElement& in, double x, double y, double width) {
  Position(in, "position", x, y);
  Position(in, "name_pos", 0, 0);
  in.Add("shape", "rectangle");
  Position(in, "size", width, kBodyHeight);
  NativeElement& corners = in.Add("control_points");
  Position(corners, "control_point", x + width, y);
  Position(corners, "control_point", x + width, y + kBodyHeight);
  Position(corners, "control_point", x, y + kBodyHeight);
  Position(corners, "control_point", x, y);
  in.Add("angle", JavaNumber(0));
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
// Columns are as wide as their widest body.
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
    file.base_graphics.x2D.name = "x2D";
    Position(file.base_graphics.x2D, "position", x[0], y[0]);
    Rectangle(file.base_graphics.x2D.Add("base_body"), 0, 0, Width(file.base_points.size()));
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
      body.graphics.x2D.name = "x2D";
      Rectangle(body.graphics.x2D, 0, kJointStep, Width(body.points.size()));
    }
    PlacePoints(body.points, left, at + kBodyHeight);
  }
}

}  // namespace kinemorph::mbs
