// Whether a piece of kept content says all that another says.
#pragma once

#include <vector>

#include "kinemorph/graph/model/native_data.h"

namespace kinemorph::verify {

/// Whether canonical `whole` has all that `part` has, element in element and in its order; it may
/// have more. `zeros_say_nothing`: a number that is zero in `part` may also be absent there.
/// `lost`: canonical elements that may be absent, too; one called kTextBetween is text.
[[nodiscard]] bool SaysAllOf(const NativeElement& whole, const NativeElement& part,
                             bool zeros_say_nothing, const std::vector<NativeElement>& lost = {});

}  // namespace kinemorph::verify
