// Visits a std::variant with one lambda per alternative; a missing alternative does not compile.
#pragma once

namespace kinemorph {

/// Visitor of std::visit: Overloaded{[](const Box&) {...}, [](const Sphere&) {...}, ...}.
template <class... Lambdas>
struct Overloaded : Lambdas... {
  using Lambdas::operator()...;
};
/// Takes the types of the lambdas; clang 14 needs to be told.
template <class... Lambdas>
Overloaded(Lambdas...) -> Overloaded<Lambdas...>;

}  // namespace kinemorph
