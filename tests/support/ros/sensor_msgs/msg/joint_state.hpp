// As much of the message as a relay uses.
#pragma once

#include <string>
#include <vector>

namespace sensor_msgs::msg {

struct Header {
  std::string frame_id;
};
struct JointState {
  Header header;
  std::vector<std::string> name;
  std::vector<double> position, velocity, effort;
};

}  // namespace sensor_msgs::msg
