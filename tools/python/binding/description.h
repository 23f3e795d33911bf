// A robot as Python holds it, and what the files of the binding share. The package beside it says
// what is wrong in words; here nothing is read that is not there: arrays are float64 and nothing else
// (noconvert), have the right sizes, and no object is without its content.
#pragma once

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "arrays.h"
#include "kinemorph/gateway.h"
#include "kinemorph/options.h"

namespace kinemorph::python {

namespace py = pybind11;
using Vector = Eigen::VectorXd;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
/// What runs without the interpreter's lock: nothing of Python may be touched then.
using WithoutLock = py::call_guard<py::gil_scoped_release>;

/// Where something stands in its link.
struct Place {
  LinkId link = kWorld;
  RigidTransform X_LF;
};

/// A description that was read, compiled when it is first computed with. Any number of threads may
/// ask it.
class Description {
 public:
  Description(Robot robot, Diagnostics reading);

  [[nodiscard]] const Robot& robot() const { return robot_; }
  [[nodiscard]] const Model& model() const { return robot_.model; }
  [[nodiscard]] const Diagnostics& reading() const { return reading_; }  ///< messages
  /// Not to be called with the interpreter's lock: another thread may be compiling.
  [[nodiscard]] std::shared_ptr<const Mechanics> mechanics() const;
  /// Links that the file names, in its order: not the world.
  [[nodiscard]] const std::vector<LinkId>& links() const { return links_; }
  /// What has a pose: those links, then the frames and sites of the model.
  [[nodiscard]] const std::vector<Place>& places() const { return places_; }
  /// The same messages about the files that were read, where xacro was expanded.
  [[nodiscard]] Diagnostics Translated(const Diagnostics& messages) const;

 private:
  Robot robot_;
  Diagnostics reading_;
  std::vector<LinkId> links_;
  std::vector<Place> places_;
  mutable std::once_flag once_;
  mutable std::shared_ptr<const Mechanics> mechanics_;
};

/// Objects of this class come from functions: `__new__` would make one without content, whose use
/// reads memory that is nobody's, and is refused.
void Seal(py::handle type);

/// What options of JSON ask for. Throws ValueError where they make no sense.
template <class Request>
[[nodiscard]] Request RequestOf(const std::string& options) {
  std::string why;
  std::optional<Request> request = FromJson<Request>(options, why);
  if (!request) throw py::value_error(why);
  return *std::move(request);
}

/// The robot's mechanics, for arrays of its sizes. Throws ValueError for others.
[[nodiscard]] std::shared_ptr<const Mechanics> MechanicsFor(
    const Description& robot, Eigen::Index positions,
    std::initializer_list<Eigen::Index> velocities = {});

using DescriptionClass = py::class_<Description, std::shared_ptr<Description>>;
/// @{
/// Each adds what its file is about.
void BindElements(DescriptionClass& type);
void BindMechanics(DescriptionClass& type);
void BindConversion(py::module_& module, DescriptionClass& type);
void BindMotion(DescriptionClass& type);
/// @}

}  // namespace kinemorph::python
