// As much of rclcpp as a relay uses: spin() takes "JOINT POSITION" lines from standard input as a
// message each, and what is published goes to standard output.
#pragma once

#include <cstdio>
#include <functional>
#include <iostream>
#include <memory>
#include <string>

#include "sensor_msgs/msg/joint_state.hpp"

#define RCLCPP_WARN_THROTTLE(logger, clock, duration, ...) \
  (static_cast<void>(logger), static_cast<void>(clock), std::fprintf(stderr, __VA_ARGS__))

namespace rclcpp {

struct Logger {};
struct Clock {};

template <class Message>
struct Publisher {
  using SharedPtr = std::shared_ptr<Publisher>;
  void publish(const Message& message) {
    for (std::size_t i = 0; i < message.name.size(); ++i)
      std::printf("%s %.17g\n", message.name[i].c_str(), message.position[i]);
  }
};

template <class Message>
struct Subscription {
  using SharedPtr = std::shared_ptr<Subscription>;
  std::function<void(const Message&)> take;
};

class Node {
 public:
  explicit Node(const std::string&) {}
  template <class Message>
  typename Publisher<Message>::SharedPtr create_publisher(const std::string&, int) {
    return std::make_shared<Publisher<Message>>();
  }
  template <class Message, class Callback>
  typename Subscription<Message>::SharedPtr create_subscription(const std::string&, int,
                                                                Callback callback) {
    subscription_ = std::make_shared<Subscription<Message>>();
    subscription_->take = callback;
    return subscription_;
  }
  Logger get_logger() { return {}; }
  std::shared_ptr<Clock> get_clock() { return std::make_shared<Clock>(); }
  void Feed(const sensor_msgs::msg::JointState& message) { subscription_->take(message); }

 private:
  std::shared_ptr<Subscription<sensor_msgs::msg::JointState>> subscription_;
};

inline void init(int, char**) {}
inline void shutdown() {}
template <class Each>
void spin(const std::shared_ptr<Each>& node) {
  std::string name;
  double value = 0;
  while (std::cin >> name >> value) {
    sensor_msgs::msg::JointState message;
    message.name.push_back(name);
    message.position.push_back(value);
    node->Feed(message);
  }
}

}  // namespace rclcpp
