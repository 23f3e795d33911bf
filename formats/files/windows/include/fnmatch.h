#pragma once  // posix.h has what it declares
