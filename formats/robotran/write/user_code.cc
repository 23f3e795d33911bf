// C code for what an .mbs only announces: the equations of couplings and screw joints.
#include "write/user_code.h"

#include <array>
#include <cctype>

#include "java_number.h"
#include "kinemorph/graph/connectivity/spanning_tree.h"
#include "user_data.h"

namespace kinemorph::mbs {
namespace {

// MBS lists which joints a user constraint touches; the equation itself is C: h and its Jacobian
// (user_cons_hJ), and the part of h'' without accelerations (user_cons_jdqd). Indices count from 1,
// as all arrays of Robotran do.

// One row h = 0: a sum of polynomials in coordinates.
struct Row {
  std::string name;
  double constant = 0;  // on the right-hand side
  struct Term {
    std::string joint;
    std::array<double, 4> c{};
  };
  std::vector<Term> terms;
};

std::string Q(const std::string& joint) { return "s->q[" + joint + "_id]"; }
std::string Qd(const std::string& joint) { return "s->qd[" + joint + "_id]"; }

void AppendSigned(std::string& sum, double factor, const std::string& rest) {
  if (sum.empty())
    sum += factor < 0 ? "-" : "";
  else
    sum += factor < 0 ? " - " : " + ";
  sum += JavaNumber(factor < 0 ? -factor : factor) + rest;
}

std::string Power(const std::string& q, int exponent) {
  std::string out;
  for (int i = 0; i < exponent; ++i) out += " * " + q;
  return out;
}

// d^n/dq^n of c1 q + c2 q^2 + c3 q^3 + c4 q^4, appended to `sum` with `tail` as a factor.
void AppendDerivative(std::string& sum, const Row::Term& term, int n, const std::string& tail) {
  for (int i = 1; i <= 4; ++i) {
    double factor = term.c[static_cast<std::size_t>(i - 1)];
    for (int k = 0; k < n; ++k) factor *= i - k;
    if (factor != 0) AppendSigned(sum, factor, Power(Q(term.joint), i - n) + tail);
  }
}

// A joint named twice has one column of the Jacobian.
void Add(const std::string& joint, const std::array<double, 4>& c, Row& row) {
  for (Row::Term& term : row.terms) {
    if (term.joint != joint) continue;
    for (std::size_t i = 0; i < c.size(); ++i) term.c[i] += c[i];
    return;
  }
  row.terms.push_back({joint, c});
}

std::vector<Row> Rows(const Model& model) {
  std::vector<Row> rows;
  for (const Coupling& coupling : model.couplings) {
    Row row;
    row.name = coupling.name;
    row.constant = coupling.constant;
    // A coordinate that occurs twice must be one term, or the second entry of the Jacobian would
    // replace the first.
    for (const CouplingTerm& term : coupling.terms) {
      Add(CoordinateName(model.joint(term.coordinate.joint), term.coordinate.axis),
          term.coefficients, row);
    }
    if (!row.terms.empty()) rows.push_back(std::move(row));
  }
  for (const JointId id : Joints(model)) {
    const Joint& joint = model.joint(id);
    if (const Screw* screw = std::get_if<Screw>(&joint.kind)) {
      rows.push_back({joint.name + "_screw",
                      0,
                      {{CoordinateName(joint, 1), {1, 0, 0, 0}},
                       {CoordinateName(joint, 0), {-screw->pitch, 0, 0, 0}}}});
    }
  }
  return rows;
}

// No name can end the comment it is printed in.
std::string Printable(const std::string& name) {
  std::string out;
  for (const char c : name)
    out += c == '*' || c == '/' || std::iscntrl(static_cast<unsigned char>(c)) ? '_' : c;
  return out;
}

}  // namespace

std::string UserConstraintCode(const Model& model) {
  bool needed = !model.couplings.empty();
  for (const JointId id : Joints(model))
    needed = needed || std::holds_alternative<Screw>(model.joint(id).kind);
  if (!needed) return "";

  // Names of coordinates depend on the role, which may be open until a tree is chosen.
  Model named = model;
  for (const JointId id : ChooseSpanningTree(model).loop_joints)
    named.joint(id).role = JointRole::kLoop;
  const std::vector<Row> rows = Rows(named);
  if (rows.empty()) return "";
  std::string values, drift;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& row = rows[i];
    const std::string index = "[" + std::to_string(i + 1) + "]";
    std::string h, jdqd;
    for (const Row::Term& term : row.terms) {
      AppendDerivative(h, term, 0, "");
      AppendDerivative(jdqd, term, 2, " * " + Qd(term.joint) + " * " + Qd(term.joint));
    }
    if (row.constant != 0) AppendSigned(h, -row.constant, "");
    values += "  /* " + Printable(row.name) + " */\n  h" + index + " = " + (h.empty() ? "0.0" : h) +
              ";\n";
    for (const Row::Term& term : row.terms) {
      std::string jacobian;
      AppendDerivative(jacobian, term, 1, "");
      values += "  Jac" + index + "[" + term.joint +
                "_id] = " + (jacobian.empty() ? "0.0" : jacobian) + ";\n";
    }
    drift += "  jdqd" + index + " = " + (jdqd.empty() ? "0.0" : jdqd) + ";\n";
  }
  return "/* " + std::to_string(rows.size()) +
         " user constraint(s); call mbs_set_nb_userc(mbs_data, " + std::to_string(rows.size()) +
         ") in the main program. */\n"
         "#include \"mbs_data.h\"\n#include \"user_all_id.h\"\n\n"
         "void user_cons_hJ(double *h, double **Jac, MbsData *s, double tsim)\n{\n  (void)tsim;\n" +
         values +
         "}\n\nvoid user_cons_jdqd(double *jdqd, MbsData *s, double tsim)\n{\n  (void)s;\n  "
         "(void)tsim;\n" +
         drift + "}\n";
}

}  // namespace kinemorph::mbs
