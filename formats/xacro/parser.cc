// The grammar of expressions, by precedence.
#include <algorithm>
#include <array>

#include "syntax.h"

namespace kinemorph::xacro {
namespace {

// Precedence climbing: Binary(least) reads operands and every operator that binds at least as
// tightly. Operators of one level make one flat node with many parts, for long sums are common and
// deep trees cost stack. The parser runs when an expression is evaluated, not when a file is
// loaded: macros that nobody calls may hold what is no expression.

using Tree = std::unique_ptr<Expression>;

// How tightly operators bind.
enum Level : int {
  kLevelOr = 1,
  kLevelAnd,
  kLevelNot,
  kLevelCompare,
  kLevelBitOr,
  kLevelBitXor,
  kLevelBitAnd,
  kLevelShift,
  kLevelAdd,
  kLevelMultiply,
};

// 0: no operator that joins two operands. `not` counts as a comparison, for the sake of `not in`.
int LevelOf(const std::string& op) {
  if (op == "or") return kLevelOr;
  if (op == "and") return kLevelAnd;
  if (op == "|") return kLevelBitOr;
  if (op == "^") return kLevelBitXor;
  if (op == "&") return kLevelBitAnd;
  if (op == "<<" || op == ">>") return kLevelShift;
  if (op == "+" || op == "-") return kLevelAdd;
  if (op == "*" || op == "/" || op == "//" || op == "%") return kLevelMultiply;
  constexpr std::array<std::string_view, 9> kComparisons = {
      "<", "<=", ">", ">=", "==", "!=", "in", "is", "not"};
  return std::find(kComparisons.begin(), kComparisons.end(), op) != kComparisons.end()
             ? kLevelCompare
             : 0;
}

class Grammar {
 public:
  Grammar(const std::vector<Token>& tokens, Machine& machine)
      : tokens_(tokens), machine_(machine) {}

  Tree Whole() {
    if (Now().kind == Token::Kind::kEnd) return Wrong("the expression is empty");
    Tree tree = TupleOr();
    if (tree && Now().kind != Token::Kind::kEnd) return Unexpected();
    return tree;
  }

 private:
  [[nodiscard]] const Token& Now() const { return tokens_[at_]; }
  [[nodiscard]] bool Is(std::string_view word) const {
    return (Now().kind == Token::Kind::kOperator || Now().kind == Token::Kind::kName) &&
           Now().word == word;
  }
  bool Take(std::string_view word) {
    if (!Is(word)) return false;
    ++at_;
    return true;
  }
  Tree Wrong(const std::string& why) {
    machine_.Fail("xacro-syntax", why);
    return nullptr;
  }
  Tree Unsupported(const std::string& what) {
    machine_.Fail("xacro-unsupported", what + " not supported");
    return nullptr;
  }
  Tree Unexpected() {
    switch (Now().kind) {
      case Token::Kind::kEnd:
        return Wrong("the expression ends too early");
      case Token::Kind::kText:
        return Wrong("a text is in the place of an operator");
      case Token::Kind::kName:
      case Token::Kind::kNumber:
      case Token::Kind::kOperator:
        break;
    }
    if (Is("=")) return Wrong("'=' assigns: equality is '=='");
    return Wrong("'" + Now().word + "' is not allowed at this place");
  }
  bool Expect(std::string_view word) {
    if (Take(word)) return true;
    if (Now().kind == Token::Kind::kEnd)
      Wrong("'" + std::string(word) + "' is missing: a bracket is not closed");
    else
      Unexpected();
    return false;
  }
  static Tree Make(Shape shape) {
    Tree tree = std::make_unique<Expression>();
    tree->shape = shape;
    return tree;
  }

  // An expression, or several with commas between: a tuple. `end`: what may stand after the last
  // comma.
  Tree TupleOr() {
    Tree first = Conditional();
    if (!first || !Is(",")) return first;
    Tree tuple = Make(Shape::kTuple);
    tuple->parts.push_back(std::move(first));
    while (Take(",")) {
      if (Now().kind == Token::Kind::kEnd || Is(")") || Is("]")) break;
      Tree next = Conditional();
      if (!next) return nullptr;
      tuple->parts.push_back(std::move(next));
    }
    return tuple;
  }

  // `a if c else b` binds looser than all operators, and groups to the right.
  Tree Conditional() {
    if (Is("lambda")) return Unsupported("lambda is");
    Tree value = Binary(kLevelOr);
    if (!value || !Take("if")) return value;
    Tree condition = Binary(kLevelOr);
    if (!condition) return nullptr;
    if (!Take("else")) return Wrong("'if' without 'else'");
    Tree otherwise = Conditional();
    if (!otherwise) return nullptr;
    Tree tree = Make(Shape::kConditional);
    tree->parts.push_back(std::move(value));
    tree->parts.push_back(std::move(condition));
    tree->parts.push_back(std::move(otherwise));
    return tree;
  }

  // An expression of operators that bind at least as tightly as `least`.
  Tree Binary(int least) {
    Tree left;
    if (Is("not")) {
      // `1 + not x` is an error in Python as well: `not` binds looser than what stands before it.
      if (least > kLevelNot) return Unexpected();
      std::size_t negations = 0;
      // Counted rather than nested: a row of a thousand `not` must not make a deep tree.
      while (Take("not")) ++negations;
      Tree inner = Binary(kLevelCompare);
      if (!inner) return nullptr;
      // not not x is the truth of x
      for (std::size_t i = 0; i < std::min<std::size_t>(negations, 2 - negations % 2); ++i) {
        left = Make(Shape::kNot);
        left->parts.push_back(std::move(inner));
        inner = std::move(left);
      }
      left = std::move(inner);
    } else {
      left = Unary();
    }
    bool joined = false;  // `left` was made here: the same level adds to it
    while (left) {
      const Token::Kind kind = Now().kind;
      if (kind != Token::Kind::kOperator && kind != Token::Kind::kName) break;
      std::string op = Now().word;
      const int level = LevelOf(op);
      if (level == 0 || level < least) break;
      if (op == "not" && tokens_[at_ + 1].word != "in") break;
      ++at_;
      if (op == "not") ++at_, op = "not in";
      if (op == "is" && Take("not")) op = "is not";
      // One level tighter on the right: operators of the same level group to the left.
      Tree right = Binary(level + 1);
      if (!right) return nullptr;
      // Only a node that was made in this loop may take one more part: `(a < b) < c` compares a
      // truth, and is not `a < b < c`.
      if (!joined || left->level != level) {
        Tree tree = Make(level == kLevelOr        ? Shape::kOr
                         : level == kLevelAnd     ? Shape::kAnd
                         : level == kLevelCompare ? Shape::kCompare
                                                  : Shape::kChain);
        tree->level = level;
        tree->parts.push_back(std::move(left));
        left = std::move(tree);
        joined = true;
      }
      left->parts.push_back(std::move(right));
      left->operators.push_back(std::move(op));
    }
    return left;
  }

  Tree Unary() {
    std::vector<std::string> signs;
    while (Is("+") || Is("-") || Is("~")) signs.push_back(tokens_[at_++].word);
    // Each sign is a level of the tree; the innermost, written last, is applied first.
    if (signs.size() > 50) return Wrong("more than 50 signs in a row");
    Tree tree = Power();
    for (; tree && !signs.empty(); signs.pop_back()) {
      Tree outer = Make(Shape::kSign);
      outer->name = signs.back();
      outer->parts.push_back(std::move(tree));
      tree = std::move(outer);
    }
    return tree;
  }

  // a ** b ** c is a ** (b ** c), and binds before a sign on its left.
  Tree Power() {
    Tree base = Postfix();
    if (!base || !Is("**")) return base;
    if (++powers_ > Machine::kDeepest) return Wrong("more than 100 powers in an expression");
    ++at_;
    // The exponent may have a sign: 2 ** -1.
    Tree exponent = Unary();
    if (!exponent) return nullptr;
    Tree tree = Make(Shape::kPower);
    tree->parts.push_back(std::move(base));
    tree->parts.push_back(std::move(exponent));
    return tree;
  }

  Tree Postfix() {
    Tree tree = Atom();
    int depth = 0;
    while (tree && (Is("(") || Is("[") || Is("."))) {
      if (++depth > Machine::kDeepest) return Wrong("more than 100 calls in a row");
      if (Take(".")) {
        if (Now().kind != Token::Kind::kName || IsKeyword(Now().word)) return Unexpected();
        Tree outer = Make(Shape::kAttribute);
        outer->name = tokens_[at_++].word;
        outer->parts.push_back(std::move(tree));
        tree = std::move(outer);
      } else {
        tree = Take("(") ? Call(std::move(tree)) : (++at_, Subscript(std::move(tree)));
      }
    }
    return tree;
  }

  Tree Call(Tree function) {
    Tree call = Make(Shape::kCall);
    call->parts.push_back(std::move(function));
    while (!Is(")")) {
      if (Is("*") || Is("**")) return Unsupported("unpacking with * in a call is");
      // `name =` makes an argument with a name; `name ==` is another token, and a comparison.
      const bool word = Now().kind == Token::Kind::kName && tokens_[at_ + 1].word == "=" &&
                        !IsKeyword(Now().word);
      if (word) {
        call->words.push_back(Now().word);
        at_ += 2;
      } else if (!call->words.empty()) {
        return Wrong("an argument without a name follows one with a name");
      }
      Tree argument = Conditional();
      // f(x for x in y) needs no brackets of its own.
      if (argument && Is("for")) {
        argument = Comprehension(std::move(argument));
        if (argument) argument->iterator = true;
      }
      if (!argument) return nullptr;
      call->parts.push_back(std::move(argument));
      if (!Take(",")) break;
    }
    return Expect(")") ? std::move(call) : nullptr;
  }

  Tree Subscript(Tree object) {
    // a[i], a[i, j] with a tuple as the key, or a[begin:end:step] with any part left out.
    Tree tree = Make(Shape::kIndex);
    tree->parts.push_back(std::move(object));
    Tree first;
    if (!Is(":")) {
      first = TupleOr();
      if (!first) return nullptr;
    }
    tree->parts.push_back(std::move(first));
    if (!Is(":")) return Expect("]") ? std::move(tree) : nullptr;
    tree->shape = Shape::kSlice;
    while (tree->parts.size() < 4 && Take(":")) {
      Tree bound;
      if (!Is(":") && !Is("]")) {
        bound = Conditional();
        if (!bound) return nullptr;
      }
      tree->parts.push_back(std::move(bound));
    }
    // Parts that were left out are null, which the evaluator takes for the default.
    tree->parts.resize(4);
    return Expect("]") ? std::move(tree) : nullptr;
  }

  // [first for a, b in items if condition ...], of which `first` is read.
  Tree Comprehension(Tree first) {
    Tree tree = Make(Shape::kComprehension);
    tree->parts.push_back(std::move(first));
    while (Take("for")) {
      Expression::Clause& clause = tree->clauses.emplace_back();
      const bool brackets = Take("(");
      do {
        if (Is("in") || Is(")")) break;
        if (Now().kind != Token::Kind::kName || IsKeyword(Now().word)) return Unexpected();
        clause.names.push_back(tokens_[at_++].word);
      } while (Take(","));
      if (clause.names.size() == 1 && tokens_[at_ - 1].word == ",")
        return Unsupported("a loop over tuples of one is");
      if (brackets && !Expect(")")) return nullptr;
      if (!Take("in")) return Unexpected();
      // No conditional here: its `if` would be taken for that of the comprehension.
      clause.items = Binary(kLevelOr);
      if (!clause.items) return nullptr;
      while (Take("if")) {
        Tree condition = Binary(kLevelOr);
        if (!condition) return nullptr;
        clause.conditions.push_back(std::move(condition));
      }
    }
    return tree;
  }

  Tree Atom() {
    const Token& token = Now();
    Tree tree = Make(Shape::kConstant);
    switch (token.kind) {
      case Token::Kind::kEnd:
        return Unexpected();
      case Token::Kind::kNumber:
        tree->constant = tokens_[at_++].value;
        return tree;
      case Token::Kind::kText: {
        // Texts side by side are one, as in Python and in C.
        std::string joined;
        while (Now().kind == Token::Kind::kText) joined += *tokens_[at_++].value.Text();
        tree->constant = std::move(joined);
        return tree;
      }
      case Token::Kind::kName:
        break;
      case Token::Kind::kOperator:
        if (Take("(")) return Brackets(")", Shape::kTuple);
        if (Take("[")) return Brackets("]", Shape::kList);
        if (Is("{")) return Unsupported("a dictionary in braces is");
        return Unexpected();
    }
    // None stays the empty constant; True and False are words of the language, which no name can
    // hide.
    if (token.word == "True" || token.word == "False") {
      tree->constant = token.word == "True";
    } else if (token.word == "lambda" || token.word == "await" || token.word == "yield") {
      return Unsupported("'" + token.word + "' is");
    } else if (token.word != "None") {
      if (IsKeyword(token.word)) return Unexpected();
      tree->shape = Shape::kName;
      tree->name = token.word;
    }
    ++at_;
    return tree;
  }

  // After the opening bracket: a list, a tuple, a comprehension, or brackets around one expression.
  Tree Brackets(std::string_view close, Shape shape) {
    Tree tree = Make(shape);
    bool comma = false;
    while (!Is(close)) {
      if (Is("*")) return Unsupported("unpacking with * is");
      Tree item = Conditional();
      if (!item) return nullptr;
      if (tree->parts.empty() && Is("for")) {
        tree = Comprehension(std::move(item));
        if (tree) tree->iterator = shape == Shape::kTuple;
        return tree && Expect(close) ? std::move(tree) : nullptr;
      }
      tree->parts.push_back(std::move(item));
      comma = Take(",");
      if (!comma) break;
    }
    if (!Expect(close)) return nullptr;
    // (a) is a, (a,) a tuple of one, () the empty tuple.
    if (shape == Shape::kTuple && tree->parts.size() == 1 && !comma)
      return std::move(tree->parts.front());
    return tree;
  }

  const std::vector<Token>& tokens_;
  Machine& machine_;
  std::size_t at_ = 0;
  int powers_ = 0;
};

}  // namespace

std::unique_ptr<Expression> ParseExpression(std::string_view text, Machine& machine) {
  std::vector<Token> tokens;
  return Tokens(text, machine, tokens) ? Grammar(tokens, machine).Whole() : nullptr;
}

}  // namespace kinemorph::xacro
