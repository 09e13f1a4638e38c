#include "c/call.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <stdexcept>

namespace copse::c {
namespace {

/// A null-terminated copy of a text for a callback; it is truncated if it is too long.
template <std::size_t Size>
class short_text {
public:
  explicit short_text(std::string_view text) noexcept { text_[text.copy(text_.data(), Size - 1)] = '\0'; }
  [[nodiscard]] const char* get() const noexcept { return text_.data(); }

private:
  std::array<char, Size> text_;
};

/// Copies a text to an array. If it does not fit, it is truncated, without splitting a UTF-8 character, and ends with "...".
template <std::size_t Size>
void copy_text(char (&to)[Size], std::string_view text) noexcept {
  constexpr std::string_view more = "...";
  std::size_t size = text.size();
  if (size >= Size) {
    size = Size - 1 - more.size();
    while (size != 0 && (static_cast<unsigned char>(text[size]) & 0xC0) == 0x80) --size;
  }
  text.copy(to, size);
  if (size < text.size()) size += more.copy(to + size, more.size());
  to[size] = '\0';
}

copse_status tell(copse_error* error, copse_status status, std::string_view text) noexcept {
  if (error != nullptr) {
    error->status = status;
    copy_text(error->text, text);
  }
  return status;
}

}  // namespace

copse_status success(copse_error* error) noexcept { return tell(error, COPSE_OK, {}); }

copse_status failure(copse_error* error) noexcept {
  try {
    throw;
  } catch (const cancelled& e) {
    return tell(error, COPSE_CANCELLED, e.what());
  } catch (const usage_error& e) {
    return tell(error, COPSE_MISUSE, e.what());
  } catch (const input_error& e) {
    return tell(error, COPSE_BAD_INPUT, e.what());
  } catch (const resource_error& e) {
    return tell(error, COPSE_OUT_OF_RESOURCES, e.what());
  } catch (const std::bad_alloc&) {
    return tell(error, COPSE_OUT_OF_RESOURCES, "out of memory: the system refused an allocation");
  } catch (const std::length_error&) {
    return tell(error, COPSE_OUT_OF_RESOURCES, "out of memory: found an array that is larger than the address space");
  } catch (const std::exception& e) {
    return tell(error, COPSE_FAILED, e.what());
  } catch (...) {
    return tell(error, COPSE_FAILED, "found an exception of an unknown type");
  }
}

void callback_observer::progress(std::string_view stage, std::uint64_t done, std::uint64_t total, std::string_view unit) {
  if (options_.progress == nullptr) return;
  options_.progress(options_.context, short_text<64>{stage}.get(), done, total, short_text<64>{unit}.get());
}

void callback_observer::note(std::string_view text) {
  if (options_.note != nullptr) options_.note(options_.context, std::string{text}.c_str());
}

namespace {

copse_options read_options(const copse_options* options) { return sized(options, copse_options COPSE_OPTIONS_INIT, "options"); }

}  // namespace

caller_options::caller_options(const copse_options* options) : observer_{read_options(options)} {
  const copse_options given = read_options(options);
  if (given.memory_limit != 0) memory_ = std::make_unique<tracked_memory>(given.memory_limit);
  if (given.variant != nullptr) solve_.variant = given.variant;
  if (given.seed != 0) solve_.seed = given.seed;
  if (given.device != nullptr) on_.device = given.device;
  if (given.gpu_memory != 0) on_.gpu_memory = given.gpu_memory;
  on_.threads = given.threads;
  on_.observer = &observer_;
  if (memory_) on_.memory = memory_.get();
}

void caller_options::expect_no_choice(const std::string& what) const {
  if (solve_.variant != "auto") throw usage_error{"the variant must be auto for " + what + ", not '" + solve_.variant + "'"};
  if (on_.device != "cpu" && on_.device != "auto")
    throw usage_error{"the device must be cpu or auto for " + what + ", not '" + on_.device + "'"};
}

}  // namespace copse::c
