// Arrays of numpy as matrices of Eigen and back, by the buffer protocol and numpy's own functions:
// pybind11/eigen.h reads structures of numpy's C interface, which numpy 2 laid out anew, so that a
// module would work with one of the two only.
#pragma once

#include <pybind11/pybind11.h>

#include <Eigen/Core>
#include <cstring>

namespace pybind11::detail {

template <int Rows, int Columns, int Order, int MaxRows, int MaxColumns>
struct type_caster<Eigen::Matrix<double, Rows, Columns, Order, MaxRows, MaxColumns>> {
  using Type = Eigen::Matrix<double, Rows, Columns, Order, MaxRows, MaxColumns>;
  PYBIND11_TYPE_CASTER(Type, const_name("numpy.ndarray[numpy.float64]"));

  /// float64 of one or two dimensions is copied; anything else only where `convert` lets numpy make
  /// such an array of it.
  bool load(handle source, bool convert) {
    try {
      if (!convert && !isinstance<buffer>(source)) return false;
      const object array = convert ? module_::import("numpy").attr("asarray")(source, "d")
                                   : reinterpret_borrow<object>(source);
      return Copy(reinterpret_borrow<buffer>(array).request());
    } catch (const error_already_set&) {
      return false;  // the caller says what is wanted
    }
  }

  static handle cast(const Type& matrix, return_value_policy /*policy*/, handle /*parent*/) {
    tuple shape = make_tuple(matrix.rows(), matrix.cols());
    if (Type::IsVectorAtCompileTime) shape = make_tuple(matrix.size());
    const object array = module_::import("numpy").attr("empty")(shape, "d");
    Eigen::Map<RowMajor>(static_cast<double*>(reinterpret_borrow<buffer>(array).request().ptr),
                         matrix.rows(), matrix.cols()) = matrix;
    return object(array).release();
  }

 private:
  // Of Eigen's two orders a column takes only the one, where both are the same.
  using RowMajor =
      Eigen::Matrix<double, Rows, Columns, Columns == 1 ? Eigen::ColMajor : Eigen::RowMajor,
                    MaxRows, MaxColumns>;

  bool Copy(const buffer_info& from) {
    if (from.format != format_descriptor<double>::format() || from.ndim < 1 || from.ndim > 2)
      return false;
    const ssize_t rows = from.shape[0], columns = from.ndim == 2 ? from.shape[1] : 1;
    const ssize_t across = from.ndim == 2 ? from.strides[1] : 0;
    if ((Rows != Eigen::Dynamic && rows != Rows) ||
        (Columns != Eigen::Dynamic && columns != Columns))
      return false;
    value.resize(rows, columns);
    const char* const bytes = static_cast<const char*>(from.ptr);
    for (ssize_t row = 0; row < rows; ++row)
      for (ssize_t column = 0; column < columns; ++column)
        std::memcpy(&value(row, column), bytes + row * from.strides[0] + column * across,
                    sizeof(double));
    return true;
  }
};

}  // namespace pybind11::detail
