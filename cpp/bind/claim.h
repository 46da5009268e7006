// For one caller at a time: whoever comes while another is at work, in another thread or further up in this one, is
// refused.
#pragma once

#include <atomic>
#include <stdexcept>
#include <string>

namespace treewise {

class Claim {
 public:
  Claim(std::atomic<bool>& taken, const std::string& refusal) : taken_(taken) {
    if (taken_.exchange(true)) throw std::runtime_error(refusal);
  }
  ~Claim() { taken_ = false; }
  Claim(const Claim&) = delete;
  Claim& operator=(const Claim&) = delete;

 private:
  std::atomic<bool>& taken_;
};

}  // namespace treewise
