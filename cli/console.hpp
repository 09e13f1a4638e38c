// The observer of the command line: notes, and a bar for what takes longer than two seconds on a terminal.
#pragma once
#include <chrono>
#include <copse/execution.hpp>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>

namespace copse::cli {

/// `automatic`: a bar when stderr is a terminal and two seconds have passed.
enum class progress_mode : std::uint8_t { automatic, always, never };

class console final : public observer {
public:
  explicit console(progress_mode mode);
  console(const console&) = delete;
  console& operator=(const console&) = delete;
  ~console() override { clear(); }

  void progress(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view unit) override;
  /// Prints a note, once for each text.
  void note(std::string_view text) override;
  /// Shows one line in place of the bar, for work whose progress is unknown. It is redrawn no more often than the bar.
  void status(std::string_view text);
  /// Erases the bar before other output is written.
  void clear();

private:
  using clock = std::chrono::steady_clock;
  [[nodiscard]] bool is_silent() const noexcept;
  [[nodiscard]] bool is_due(clock::time_point now);
  void draw(std::string_view text);
  void erase_bar();

  std::mutex guard_;
  bool terminal_;
  progress_mode mode_;
  bool bar_shown_ = false;
  std::string stage_;
  std::uint64_t done_at_start_ = 0;  ///< the amount done when the stage was first reported
  std::uint64_t last_done_ = 0;
  std::set<std::string, std::less<>> said_;
  clock::time_point start_ = clock::now();
  clock::time_point stage_start_ = start_;
  clock::time_point next_drawing_ = start_;
};

}  // namespace copse::cli
