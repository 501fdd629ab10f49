// Search and comparison of tandem::BasicString: those of its std::basic_string_view.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tandem::detail {

/// The base of the string type `Derived`, which converts to a view of `Char`. It has no members. Arguments are views, and
/// `const Char *` and single characters too.
template <class Derived, class Char>
class StringSearch {
  using View = std::basic_string_view<Char>;
  using Std = std::basic_string<Char>;

 public:
  using size_type = std::size_t;
  static constexpr size_type npos = View::npos;

  size_type copy(Char * to, size_type count, size_type position = 0) const { return view().copy(to, count, position); }
  Std substr(size_type position = 0, size_type count = npos) const { return Std(view().substr(position, count)); }
  template <class... Arguments>
  int compare(const Arguments &... arguments) const {
    return view().compare(arguments...);
  }
  size_type find(View text, size_type from = 0) const noexcept { return view().find(text, from); }
  size_type find(const Char * text, size_type from, size_type n) const { return view().find(text, from, n); }
  size_type find(Char c, size_type from = 0) const noexcept { return view().find(c, from); }
  size_type rfind(View text, size_type from = npos) const noexcept { return view().rfind(text, from); }
  size_type rfind(const Char * text, size_type from, size_type n) const { return view().rfind(text, from, n); }
  size_type rfind(Char c, size_type from = npos) const noexcept { return view().rfind(c, from); }
  size_type find_first_of(View any, size_type from = 0) const noexcept { return view().find_first_of(any, from); }
  size_type find_first_of(const Char * any, size_type from, size_type n) const {
    return view().find_first_of(any, from, n);
  }
  size_type find_first_of(Char c, size_type from = 0) const noexcept { return view().find_first_of(c, from); }
  size_type find_last_of(View any, size_type from = npos) const noexcept { return view().find_last_of(any, from); }
  size_type find_last_of(const Char * any, size_type from, size_type n) const {
    return view().find_last_of(any, from, n);
  }
  size_type find_last_of(Char c, size_type from = npos) const noexcept { return view().find_last_of(c, from); }
  size_type find_first_not_of(View any, size_type from = 0) const noexcept {
    return view().find_first_not_of(any, from);
  }
  size_type find_first_not_of(const Char * any, size_type from, size_type n) const {
    return view().find_first_not_of(any, from, n);
  }
  size_type find_first_not_of(Char c, size_type from = 0) const noexcept { return view().find_first_not_of(c, from); }
  size_type find_last_not_of(View any, size_type from = npos) const noexcept {
    return view().find_last_not_of(any, from);
  }
  size_type find_last_not_of(const Char * any, size_type from, size_type n) const {
    return view().find_last_not_of(any, from, n);
  }
  size_type find_last_not_of(Char c, size_type from = npos) const noexcept { return view().find_last_not_of(c, from); }

  bool starts_with(View text) const noexcept { return view().substr(0, text.size()) == text; }
  bool starts_with(Char c) const noexcept { return starts_with(View(&c, 1)); }
  bool ends_with(View text) const noexcept {
    return view().size() >= text.size() && view().substr(view().size() - text.size()) == text;
  }
  bool ends_with(Char c) const noexcept { return ends_with(View(&c, 1)); }

 private:
  View view() const noexcept { return static_cast<const Derived &>(*this); }
};

}  // namespace tandem::detail
