#include "console.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "output.hpp"

namespace copse::cli {
namespace {

using namespace std::chrono_literals;
constexpr auto patience = 2s;
constexpr auto frame_on_terminal = 100ms;
constexpr auto frame_in_log = 1s;
constexpr int bar_cells = 24;

std::string amount_text(std::uint64_t amount, std::string_view unit) {
  return unit == "bytes" ? bytes_text(amount) : fmt::format("{} {}", amount, unit);
}

/// Returns the amount per second; 0 in the first hundredth of a second.
double rate_of(std::uint64_t done, double seconds) { return seconds > 0.01 ? static_cast<double>(done) / seconds : 0; }

/// Returns `read [#####     ] 43 %  1.2 GB of 2.8 GB, 800.0 MB a second, 2 s left`, without the parts that are not known yet.
std::string bar_text(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view unit, double rate) {
  const std::string speed = rate > 0 ? fmt::format(", {} a second", amount_text(static_cast<std::uint64_t>(rate), unit)) : "";
  if (total == 0) return fmt::format("copse: {} {}{}", stage, amount_text(done, unit), speed);
  const double share = std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const auto full = static_cast<std::size_t>(share * bar_cells);
  std::string text = fmt::format("copse: {} [{}{}] {:.0f} %  {} of {}{}", stage, std::string(full, '#'), std::string(bar_cells - full, ' '),
                                 100 * share, amount_text(done, unit), amount_text(total, unit), speed);
  if (rate > 0 && done < total) text += fmt::format(", {:.0f} s left", static_cast<double>(total - done) / rate);
  return text;
}

}  // namespace

console::console(progress_mode mode) : terminal_{isatty(STDERR_FILENO) == 1}, mode_{mode} {}

bool console::is_silent() const noexcept { return mode_ == progress_mode::never || (mode_ == progress_mode::automatic && !terminal_); }

bool console::is_due(clock::time_point now) {
  if (now < next_drawing_ || (mode_ == progress_mode::automatic && now - start_ < patience)) return false;
  next_drawing_ = now + (terminal_ ? std::chrono::milliseconds{frame_on_terminal} : std::chrono::milliseconds{frame_in_log});
  return true;
}

void console::draw(std::string_view text) {
  erase_bar();
  write_stderr(printable(text) + (terminal_ ? "" : "\n"));
  bar_shown_ = terminal_;
}

void console::progress(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view unit) {
  if (is_silent()) return;
  const std::lock_guard lock{guard_};
  const auto now = clock::now();
  if (stage != stage_ || done < last_done_) {  // a new stage, or the same stage for the next file
    stage_ = stage;
    stage_start_ = now;
    done_at_start_ = done;
  }
  last_done_ = done;
  const double seconds = std::chrono::duration<double>(now - stage_start_).count();
  if (is_due(now)) draw(bar_text(stage, done, total, unit, rate_of(done - done_at_start_, seconds)));
}

void console::status(std::string_view text) {
  if (is_silent()) return;
  const std::lock_guard lock{guard_};
  if (is_due(clock::now())) draw(fmt::format("copse: {}", text));
}

void console::note(std::string_view text) {
  const std::lock_guard lock{guard_};
  if (!said_.emplace(text).second) return;  // a note is printed once, even if its input is read again
  erase_bar();
  complain(fmt::format("copse: note: {}", text));
}

void console::clear() {
  const std::lock_guard lock{guard_};
  erase_bar();
}

void console::erase_bar() {
  if (!bar_shown_) return;
  write_stderr("\r\033[K");
  bar_shown_ = false;
}

}  // namespace copse::cli
