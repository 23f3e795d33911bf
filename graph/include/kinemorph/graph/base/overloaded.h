// Visits a std::variant with one lambda per alternative; a missing alternative does not compile.
#pragma once

namespace kinemorph {

template <class... Lambdas>
struct Overloaded : Lambdas... {
  using Lambdas::operator()...;
};
template <class... Lambdas>
Overloaded(Lambdas...) -> Overloaded<Lambdas...>;

}  // namespace kinemorph
