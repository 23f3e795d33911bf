#include "emit/c_program.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/index.h"

namespace kinemorph::emit {
namespace {

// Statements of one function: compilers take more than linear time over long ones.
constexpr std::size_t kChunk = 400;

std::string Declaration(const ProgramInput& input) {
  return (input.scalar ? "double " : "const double *") + input.name;
}

std::string Call(Op op) {
  if (op == Op::kSine) return "sin";
  if (op == Op::kCosine) return "cos";
  if (op == Op::kRoot) return "sqrt";
  if (op == Op::kTanh) return "tanh";
  if (op == Op::kGreater) return "isgreater";
  return op == Op::kArcTangent ? "atan2" : "nearbyint";
}

// Writes a program: the statements in chunks. What crosses from one chunk to another, and the
// matrices, lie in a work array w; what does not is local.
// A list becomes one function, or a chain of functions of kChunk statements each, which the one
// with the signature calls in order.
class Writer {
 public:
  Writer(const Listing& listing, std::string prefix)
      : listing_(listing), program_(listing.program()), prefix_(std::move(prefix)) {
    count_ = std::max<std::size_t>(1, (listing.statements().size() + kChunk - 1) / kChunk);
    PlaceMatrices();
    PlaceValues();
  }

  std::string Write(const std::string& linkage) {
    std::string out;
    std::string calls;
    if (count_ == 1) {
      WriteChunk(0, calls);
    } else {
      for (std::size_t c = 0; c < count_; ++c) WriteChunkFunction(c, out, calls);
    }
    out += "\n" + linkage + CSignature(program_, prefix_) + " {\n";
    if (words_ > 0) out += "  double w[" + std::to_string(words_) + "];\n";
    if (pivots_ > 0) out += "  int rows[" + std::to_string(pivots_) + "];\n";
    bool clears = false;
    for (std::size_t o = 0; o < program_.outputs.size(); ++o)
      // A sparse output is cleared in a loop; then only its other elements are assigned.
      clears = clears || listing_.Cleared(static_cast<int>(o));
    if (clears) out += "  int i;\n";
    // Warnings for unused parameters: functions have all the inputs of their signature even if
    // nothing depends on them (t of the SPF).
    for (const ProgramInput& input : program_.inputs) {
      if (!inputs_.contains(input.name)) out += "  (void)" + input.name + ";\n";
    }
    for (std::size_t o = 0; o < program_.outputs.size(); ++o) {
      if (!listing_.Cleared(static_cast<int>(o))) continue;
      const ProgramOutput& output = program_.outputs[o];
      out += "  for (i = 0; i < " + std::to_string(output.steps.size()) + "; ++i) " + output.name +
             "[i] = 0;\n";
    }
    out += calls;
    // The one check of the whole: whatever went wrong on the way (a singular K_z, a formula without
    // a solution) shows as an infinity or NaN in the result.
    std::string finite;
    for (const ProgramOutput& output : program_.outputs) {
      finite += (finite.empty() ? "" : " && ") + prefix_ + "_finite(" +
                std::to_string(output.steps.size()) + ", " + output.name + ")";
    }
    AppendWrapped(out, "return " + finite + " ? 0 : 1;", 2, "");
    return out + "}\n";
  }

 private:
  void PlaceMatrices() {
    // Matrices live as long as the function: solutions may be asked for in any later chunk.
    A_.resize(program_.systems.size()), rows_.resize(program_.systems.size());
    B_.resize(program_.solutions.size());
    for (const Statement& statement : listing_.statements()) {
      const Step& step = program_.steps[U(statement.step)];
      if (statement.kind == Statement::kFactorize) {
        const int size = program_.systems[U(step.a)].size;
        A_[U(step.a)] = words_, words_ += U(size) * U(size);
        rows_[U(step.a)] = pivots_, pivots_ += U(size);
      } else if (statement.kind == Statement::kSolve) {
        B_[U(step.a)] = words_, words_ += program_.solutions[U(step.a)].B.size();
      }
    }
  }

  // Words of w for values that are used in a later chunk, each free again after its last use.
  void PlaceValues() {
    const std::vector<Statement>& all = listing_.statements();

    // First pass: in which chunk each value is made and used last. What is used in its own chunk
    // alone is a local there.
    std::map<int, std::size_t> made, last;  // by step: chunk
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::size_t chunk = i / kChunk;
      for (const int leaf : listing_.Leaves(all[i])) {
        if (made.contains(leaf)) last[leaf] = chunk;
      }
      if (all[i].kind == Statement::kAssign)
        made[all[i].step] = chunk, number_[all[i].step] = number_.size();
    }

    // Second pass: a linear scan, as of registers. A word is free in the chunk after its last use,
    // not within it, since statements of a chunk may still read it.
    std::vector<std::vector<std::size_t>> freed(count_ + 1);
    std::vector<std::size_t> free;
    std::size_t chunk = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (; chunk < i / kChunk; ++chunk)
        free.insert(free.end(), freed[chunk].begin(), freed[chunk].end());
      // Used in no later chunk: a local.
      const auto it = all[i].kind == Statement::kAssign ? last.find(all[i].step) : last.end();
      if (it == last.end() || it->second == chunk) continue;
      std::size_t word = words_;
      if (free.empty()) {
        ++words_;
      } else {
        word = free.back(), free.pop_back();
      }
      word_[all[i].step] = word;
      freed[it->second].push_back(word);
    }
  }

  std::string Word(std::size_t word) {
    uses_w_ = true;
    return "w[" + std::to_string(word) + "]";
  }
  std::string Array(std::size_t word) {
    uses_w_ = true;
    return word == 0 ? "w" : "w + " + std::to_string(word);
  }
  std::string Rows(std::size_t first) {
    uses_rows_ = true;
    return first == 0 ? "rows" : "rows + " + std::to_string(first);
  }
  std::string Name(int index) {
    const Step& step = program_.steps[U(index)];
    if (step.op == Op::kInput) {
      const ProgramInput& input = program_.inputs[U(step.a)];
      inputs_.insert(input.name), chunk_inputs_.insert(step.a);
      return input.scalar ? input.name : input.name + "[" + std::to_string(step.b) + "]";
    }
    if (step.op == Op::kElement) return Word(B_[U(step.a)] + U(step.b));
    // In w it has no declaration; as a local it is numbered by the order of assignment.
    if (const auto it = word_.find(index); it != word_.end()) return Word(it->second);
    return "t" + std::to_string(number_[index]);
  }
  std::string Formula(int step, bool named) {
    const auto name = [this](int leaf) { return Name(leaf); };
    // The root of a statement is written out; below it a value that has a name goes by that name.
    return named && !listing_.IsInlined(step) && Assigned(step)
               ? Name(step)
               : listing_.Formula(step, name, Call);
  }
  [[nodiscard]] bool Assigned(int step) const { return number_.contains(step); }

  void WriteStatement(const Statement& statement, std::string& out) {
    const Step& step = program_.steps[U(statement.step)];
    switch (statement.kind) {
      case Statement::kAssign: {
        const std::string target = word_.contains(statement.step)
                                       ? Name(statement.step)
                                       : "const double " + Name(statement.step);
        AppendWrapped(out, target + " = " + Formula(statement.step, false) + ";", 2, "");
        break;
      }
      case Statement::kOutput: {
        chunk_outputs_.insert(statement.output);
        AppendWrapped(out,
                      program_.outputs[U(statement.output)].name + "[" +
                          std::to_string(statement.element) +
                          "] = " + Formula(statement.step, true) + ";",
                      2, "");
        break;
      }
      case Statement::kFactorize: {
        const LinearSystem& system = program_.systems[U(step.a)];
        for (std::size_t i = 0; i < system.A.size(); ++i)
          AppendWrapped(out, Word(A_[U(step.a)] + i) + " = " + Formula(system.A[i], true) + ";", 2,
                        "");
        AppendWrapped(out,
                      prefix_ + "_factorize(" + std::to_string(system.size) + ", " +
                          Array(A_[U(step.a)]) + ", " + Rows(rows_[U(step.a)]) + ");",
                      2, "");
        break;
      }
      case Statement::kSolve: {
        const LinearSolution& solution = program_.solutions[U(step.a)];
        for (std::size_t i = 0; i < solution.B.size(); ++i)
          AppendWrapped(out, Word(B_[U(step.a)] + i) + " = " + Formula(solution.B[i], true) + ";",
                        2, "");
        AppendWrapped(
            out,
            prefix_ + "_solve(" + std::to_string(program_.systems[U(solution.system)].size) + ", " +
                Array(A_[U(solution.system)]) + ", " + Rows(rows_[U(solution.system)]) + ", " +
                std::to_string(solution.columns) + ", " + Array(B_[U(step.a)]) + ");",
            2, "");
        break;
      }
    }
  }

  void WriteChunk(std::size_t chunk, std::string& out) {
    chunk_inputs_.clear(), chunk_outputs_.clear();
    uses_w_ = uses_rows_ = false;
    const std::vector<Statement>& all = listing_.statements();
    const std::size_t end = std::min(all.size(), (chunk + 1) * kChunk);
    for (std::size_t i = chunk * kChunk; i < end; ++i) WriteStatement(all[i], out);
  }

  void WriteChunkFunction(std::size_t chunk, std::string& out, std::string& calls) {
    // The body goes first: writing it shows which arguments the chunk needs.
    std::string body;
    WriteChunk(chunk, body);
    // Parameters in the order of the signature; w and rows only where the chunk touches them, or
    // compilers warn.
    std::string parameters, arguments;
    const auto add = [&](const std::string& declaration, const std::string& name) {
      parameters += (parameters.empty() ? "" : ", ") + declaration;
      arguments += (arguments.empty() ? "" : ", ") + name;
    };
    for (const int i : chunk_inputs_)
      add(Declaration(program_.inputs[U(i)]), program_.inputs[U(i)].name);
    if (uses_w_) add("double *w", "w");
    if (uses_rows_) add("int *rows", "rows");
    for (const int o : chunk_outputs_)
      add("double *" + program_.outputs[U(o)].name, program_.outputs[U(o)].name);
    const std::string name = prefix_ + "_" + program_.name + "_" + std::to_string(chunk + 1) +
                             "_of_" + std::to_string(count_);
    out += "\n";
    AppendWrapped(out, "static void " + name + "(" + parameters + ") {", 0, "");
    out += body + "}\n";
    AppendWrapped(calls, name + "(" + arguments + ");", 2, "");
  }

  const Listing& listing_;
  const Program& program_;
  std::string prefix_;
  std::size_t count_ = 1, words_ = 0, pivots_ = 0;
  std::vector<std::size_t> A_, rows_, B_;  // where matrices lie in w, and rows in rows
  std::map<int, std::size_t> number_;      // by step that is assigned
  std::map<int, std::size_t> word_;        // by step that crosses chunks
  std::set<std::string> inputs_;           // that are used at all
  std::set<int> chunk_inputs_, chunk_outputs_;
  bool uses_w_ = false, uses_rows_ = false;
};

}  // namespace

std::string CSignature(const Program& program, const std::string& prefix) {
  std::string line = "int " + prefix + "_" + program.name + "(";
  for (const ProgramInput& input : program.inputs) line += Declaration(input) + ", ";
  for (std::size_t o = 0; o < program.outputs.size(); ++o)
    line += (o > 0 ? ", double *" : "double *") + program.outputs[o].name;
  std::string out;
  AppendWrapped(out, line + ")", 0, "");
  out.pop_back();
  return out;
}

std::string CDefinition(const Listing& listing, const std::string& prefix,
                        const std::string& linkage) {
  return Writer(listing, prefix).Write(linkage);
}

std::string CHelpers(const std::string& prefix, bool systems) {
  // What the functions call, static in the same file, so that nothing but <math.h> is linked. The
  // elimination is operation for operation that of the interpreter (program.cc).
  std::string out = "\nstatic int " + prefix + R"c(_finite(int n, const double *x) {
  int i;
  for (i = 0; i < n; ++i) {
    if (!isfinite(x[i])) return 0;
  }
  return 1;
}
)c";
  if (!systems) return out;
  out += "\n/* LU of A (n x n, row by row) with row pivoting. */\nstatic void " + prefix +
         R"c(_factorize(int n, double *A, int *rows) {
  int i, j, k;
  for (j = 0; j < n; ++j) {
    int best = j;
    double inverse;
    for (i = j + 1; i < n; ++i) {
      if (fabs(A[i * n + j]) > fabs(A[best * n + j])) best = i;
    }
    rows[j] = best;
    if (best != j) {
      for (k = 0; k < n; ++k) {
        const double swapped = A[j * n + k];
        A[j * n + k] = A[best * n + k];
        A[best * n + k] = swapped;
      }
    }
    inverse = 1 / A[j * n + j];
    for (i = j + 1; i < n; ++i) {
      const double factor = A[i * n + j] * inverse;
      A[i * n + j] = factor;
      for (k = j + 1; k < n; ++k) A[i * n + k] -= factor * A[j * n + k];
    }
  }
}

/* B (n x columns, row by row) becomes A^-1 B. */
static void )c" +
         prefix + R"c(_solve(int n, const double *A, const int *rows, int columns, double *B) {
  int i, j, c;
  for (i = 0; i < n; ++i) {
    if (rows[i] == i) continue;
    for (c = 0; c < columns; ++c) {
      const double swapped = B[i * columns + c];
      B[i * columns + c] = B[rows[i] * columns + c];
      B[rows[i] * columns + c] = swapped;
    }
  }
  for (i = 0; i < n; ++i) {
    for (j = 0; j < i; ++j) {
      for (c = 0; c < columns; ++c) B[i * columns + c] -= A[i * n + j] * B[j * columns + c];
    }
  }
  for (i = n - 1; i >= 0; --i) {
    for (j = i + 1; j < n; ++j) {
      for (c = 0; c < columns; ++c) B[i * columns + c] -= A[i * n + j] * B[j * columns + c];
    }
    for (c = 0; c < columns; ++c) B[i * columns + c] /= A[i * n + i];
  }
}
)c";
  return out;
}

}  // namespace kinemorph::emit
