// The tree of an expression.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "value.h"

namespace kinemorph::xacro {

enum class Shape {
  kConstant,       ///< constant
  kName,           ///< name
  kChain,          ///< parts joined by operators of one level, from left to right
  kCompare,        ///< parts joined by comparisons: a < b < c
  kAnd,            ///< parts
  kOr,             ///< parts
  kNot,            ///< parts[0]
  kSign,           ///< name: + - ~; parts[0]
  kPower,          ///< parts[0] ** parts[1]
  kConditional,    ///< parts[0] if parts[1] else parts[2]
  kIndex,          ///< parts[0][parts[1]]
  kSlice,          ///< parts[0][parts[1]:parts[2]:parts[3]], each of which may be null
  kAttribute,      ///< parts[0].name
  kCall,           ///< parts[0](parts[1], ..., words[i] = ...)
  kList,           ///< parts
  kTuple,          ///< parts
  kComprehension,  ///< parts[0] for each of `clauses`
};

struct Expression {
  struct Clause {
    std::vector<std::string> names;
    std::unique_ptr<Expression> items;
    std::vector<std::unique_ptr<Expression>> conditions;
  };
  Shape shape = Shape::kConstant;
  Value constant;
  std::string name;
  std::vector<std::unique_ptr<Expression>> parts;
  std::vector<std::string> operators;  ///< of a chain or comparison: before parts[i + 1]
  int level = 0;                       ///< of a chain
  std::vector<std::string> words;      ///< of a call: names of the last arguments
  std::vector<Clause> clauses;
  bool iterator = false;  ///< a comprehension that stands alone in the brackets of a call
};

/// The tree of `text`; null, with an error of `machine`, where it is no expression or not one of
/// those that are supported.
[[nodiscard]] std::unique_ptr<Expression> ParseExpression(std::string_view text, Machine& machine);

struct Token {
  enum class Kind { kEnd, kName, kNumber, kText, kOperator } kind = Kind::kEnd;
  std::string word;  ///< of names and operators
  Value value;       ///< of numbers and texts
};

/// The tokens of an expression, the last of which is the end; false with an error.
[[nodiscard]] bool Tokens(std::string_view text, Machine& machine, std::vector<Token>& tokens);

/// What no name may be.
[[nodiscard]] bool IsKeyword(std::string_view word);
/// A Python identifier.
[[nodiscard]] bool IsIdentifier(std::string_view word);

}  // namespace kinemorph::xacro
