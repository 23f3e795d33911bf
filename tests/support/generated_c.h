// Compiles exported C, loads it and runs its functions beside the library's.
#pragma once

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <Eigen/SVD>

#include "command.h"
#include "equations_reference.h"

namespace kinemorph::test {

inline const std::string kStrict = "-std=c99 -pedantic -Wall -Wextra -Werror";

inline void WriteFiles(const std::vector<ExportedFile>& files, const fs::path& folder) {
  for (const ExportedFile& file : files) WriteFile(folder / file.name, file.text);
}

/// A shared object, unloaded at the end.
class Loaded {
 public:
  explicit Loaded(const fs::path& path) : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {}
  ~Loaded() {
    if (handle_ != nullptr) dlclose(handle_);
  }
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;
  [[nodiscard]] bool good() const { return handle_ != nullptr; }
  template <class Function>
  [[nodiscard]] Function* Find(const std::string& name) const {
    return reinterpret_cast<Function*>(dlsym(handle_, name.c_str()));
  }

 private:
  void* handle_;
};

/// Calls one exported function by its kind.
inline int CallGenerated(const Loaded& loaded, const std::string& prefix, const Program& program,
                         EquationsAt& at, std::vector<Values>& results) {
  const std::string name = prefix + "_" + program.name;
  for (const ProgramOutput& output : program.outputs)
    results.emplace_back(static_cast<std::size_t>(std::max(1, output.rows * output.columns)));
  std::vector<const double*> in;
  for (const ProgramInput& input : program.inputs) in.push_back(at.inputs[input.name].data());
  double* const out = results[0].data();
  using In = const double*;
  if (program.name == "kin")
    return loaded.Find<int(In, double*, double*)>(name)(in[0], out, results[1].data());
  if (program.name == "spf_rhs")
    return loaded.Find<int(double, In, In, double, double*)>(name)(*in[0], in[1], in[2], *in[3],
                                                                   out);
  if (in.size() == 1) return loaded.Find<int(In, double*)>(name)(in[0], out);
  if (in.size() == 2) return loaded.Find<int(In, In, double*)>(name)(in[0], in[1], out);
  return loaded.Find<int(In, In, In, double*)>(name)(in[0], in[1], in[2], out);
}

/// By function: the largest difference of an output at `states` random closed states, relative to
/// its largest entry.
inline std::map<std::string, double> DifferencesOfGenerated(const Loaded& loaded,
                                                            const Mechanism& m,
                                                            const Coordinates& coordinates,
                                                            const Equations& e, int states) {
  ClosureSolver solver(m);
  Random random(5);
  std::map<std::string, double> largest;
  std::vector<Program> functions = e.programs;
  functions.push_back(CloseSignature(e));
  for (int i = 0; i < states; ++i) {
    EquationsAt at = ReferenceAt(m, coordinates, e, solver, random);
    for (const Program& program : functions) {
      if (at.outputs[program.name].empty()) continue;
      std::vector<Values> results;
      EXPECT_EQ(CallGenerated(loaded, e.name, program, at, results), 0)
          << e.name << " " << program.name;
      for (std::size_t o = 0; o < results.size(); ++o) {
        const double difference =
            LargestDifference(results[o], at.outputs[program.name][program.outputs[o].name]);
        largest[program.name] = std::max(largest[program.name], difference);
      }
    }
  }
  return largest;
}

/// sigma_max / sigma_min of G^T M G, by which round-off grows on the way to the accelerations where
/// they come from that matrix.
inline double ConditionOfMass(const Mechanism& m, const Coordinates& coordinates,
                              const Eigen::VectorXd& q) {
  const Eigen::MatrixXd G = Embed(m, coordinates, q, Eigen::VectorXd::Zero(m.nv)).G;
  const Eigen::MatrixXd H = G.transpose() * MassMatrix(m, q) * G;
  const Eigen::VectorXd sigma = H.jacobiSvd().singularValues();
  return sigma[0] / sigma[sigma.size() - 1];
}

}  // namespace kinemorph::test
