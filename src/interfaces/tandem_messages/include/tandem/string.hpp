// tandem::String: the strings of messages. A std::string whose characters lie in the message heap and which may lie,
// with them, in memory that other processes map elsewhere.
#pragma once

#include <atomic>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tandem/detail/relative_storage.hpp"
#include "tandem/detail/string_operators.hpp"
#include "tandem/detail/string_search.hpp"
#include "tandem/string_yaml.hpp"

namespace tandem {

/// A string of at most `Bound` characters with the interface, complexity, exception safety and rules of iterator
/// validity of std::basic_string<Char>; sources may be parts of the string itself. c_str() and data() are always
/// terminated. It converts implicitly from what converts to a string_view and from `const Char *`, and to string_view
/// and std::basic_string. `+` and substr() give a std::basic_string. find(), compare() and the like are in
/// detail/string_search.hpp, the operators in detail/string_operators.hpp.
///
/// Memory: the message heap (tandem/heap.hpp), owned; moving a string moves the ownership, whatever its length.
/// Layout: 24 bytes, see detail/relative_storage.hpp, whose capacity counts the terminator. Zeroed memory is an empty
/// string.
/// Thread-safety: as std::string.
/// Errors: std::bad_alloc, std::length_error beyond the bound, std::out_of_range for positions beyond the end.
template <class Char, std::size_t Bound = kUnbounded>
class BasicString : public detail::StringSearch<BasicString<Char, Bound>, Char> {
  template <class Iterator>
  using IfInput = std::enable_if_t<
      std::is_convertible_v<typename std::iterator_traits<Iterator>::iterator_category, std::input_iterator_tag>, int>;
  /// Other kinds of string: those of std, views, those with another bound.
  template <class Other>
  using IfText = std::enable_if_t<std::conjunction_v<std::negation<std::is_base_of<BasicString, Other>>,
                                                     std::is_convertible<const Other &, std::basic_string_view<Char>>,
                                                     std::negation<std::is_convertible<const Other &, const Char *>>>,
                                  int>;
  /// What converts to a std::string only, as a std::filesystem::path does.
  template <class Other>
  using IfConverted = std::enable_if_t<
      std::conjunction_v<std::negation<std::is_convertible<const Other &, std::basic_string_view<Char>>>,
                         std::negation<std::is_convertible<const Other &, const Char *>>,
                         std::is_convertible<const Other &, std::basic_string<Char>>>,
      int>;
  /// A position is a pointer; a literal 0 is an index, although it converts to one.
  template <class Position>
  using IfPosition =
      std::enable_if_t<std::is_pointer_v<Position> && std::is_convertible_v<Position, const Char *>, int>;
  using View = std::basic_string_view<Char>;
  using Std = std::basic_string<Char>;

 public:
  using value_type = Char;
  using traits_type = std::char_traits<Char>;
  using allocator_type = std::allocator<Char>;  // only so that source written for std::string compiles
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = Char &;
  using const_reference = const Char &;
  using pointer = Char *;
  using const_pointer = const Char *;
  using iterator = Char *;
  using const_iterator = const Char *;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;
  static constexpr size_type npos = View::npos;

  BasicString() noexcept = default;
  BasicString(const Char * text) : BasicString(View(text), Exactly()) {}
  BasicString(const Char * text, size_type count) : BasicString(View(text, count), Exactly()) {}
  BasicString(size_type count, Char c) { append(count, c); }
  BasicString(std::initializer_list<Char> characters) { append(characters); }
  BasicString(const BasicString & other) : BasicString(View(other), Exactly()) {}
  BasicString(BasicString && other) noexcept = default;
  BasicString(const BasicString & other, size_type position, size_type count = npos) {
    append(View(other).substr(position, count));
  }
  template <class Other, IfText<Other> = 0>
  BasicString(const Other & other) : BasicString(View(other), Exactly()) {}
  template <class Iterator, IfInput<Iterator> = 0>
  BasicString(Iterator first, Iterator last) {
    append(first, last);
  }
  ~BasicString() = default;

  BasicString & operator=(const BasicString & other) { return this == &other ? *this : assign(View(other)); }
  BasicString & operator=(BasicString && other) noexcept {
    BasicString(std::move(other)).swap(*this);
    return *this;
  }
  BasicString & operator=(const Char * text) { return assign(View(text)); }
  BasicString & operator=(Char c) { return assign(View(&c, 1)); }
  BasicString & operator=(std::initializer_list<Char> characters) { return assign(characters); }
  template <class Other, IfText<Other> = 0>
  BasicString & operator=(const Other & other) {
    return assign(View(other));
  }
  template <class Other, IfConverted<Other> = 0>
  BasicString & operator=(const Other & other) {
    const Std text = other;
    return assign(View(text));
  }

  operator View() const noexcept { return View(data(), size()); }
  template <class Traits, class Allocator>
  operator std::basic_string<Char, Traits, Allocator>() const {
    return std::basic_string<Char, Traits, Allocator>(data(), size());
  }

  BasicString & assign(View text) {
    if (!storage_.has_block() || text.size() > capacity()) return splice(0, size(), text);
    traits_type::move(data(), text.data(), text.size());
    set_size(text.size());
    return *this;
  }
  BasicString & assign(const Char * text) { return assign(View(text)); }
  BasicString & assign(const Char * text, size_type count) { return assign(View(text, count)); }
  BasicString & assign(View text, size_type position, size_type count = npos) {
    return assign(text.substr(position, count));
  }
  BasicString & assign(size_type count, Char c) {
    reserve(count);
    clear();
    return append(count, c);
  }
  BasicString & assign(std::initializer_list<Char> characters) {
    return assign(View(characters.begin(), characters.size()));
  }
  template <class Iterator, IfInput<Iterator> = 0>
  BasicString & assign(Iterator first, Iterator last) {
    return assign(View(Std(first, last)));
  }

  // Access. Only at() checks; the terminator may be read.
  reference operator[](size_type index) noexcept { return data()[index]; }
  const_reference operator[](size_type index) const noexcept { return data()[index]; }
  reference at(size_type index) { return data()[checked(index, size_type{1})]; }
  const_reference at(size_type index) const { return data()[checked(index, size_type{1})]; }
  reference front() noexcept { return data()[0]; }
  const_reference front() const noexcept { return data()[0]; }
  reference back() noexcept { return data()[size() - 1]; }
  const_reference back() const noexcept { return data()[size() - 1]; }
  Char * data() noexcept { return characters(); }
  const Char * data() const noexcept { return characters(); }
  const Char * c_str() const noexcept { return data(); }

  iterator begin() noexcept { return data(); }
  const_iterator begin() const noexcept { return data(); }
  const_iterator cbegin() const noexcept { return data(); }
  iterator end() noexcept { return storage_.end(); }
  const_iterator end() const noexcept { return storage_.end(); }
  const_iterator cend() const noexcept { return storage_.end(); }
  reverse_iterator rbegin() noexcept { return reverse_iterator(end()); }
  const_reverse_iterator rbegin() const noexcept { return const_reverse_iterator(end()); }
  const_reverse_iterator crbegin() const noexcept { return rbegin(); }
  reverse_iterator rend() noexcept { return reverse_iterator(begin()); }
  const_reverse_iterator rend() const noexcept { return const_reverse_iterator(begin()); }
  const_reverse_iterator crend() const noexcept { return rend(); }

  // Size.
  [[nodiscard]] bool empty() const noexcept { return storage_.begin() == storage_.end(); }
  size_type size() const noexcept { return storage_.size(); }
  size_type length() const noexcept { return size(); }
  size_type capacity() const noexcept { return storage_.has_block() ? storage_.capacity() - 1 : 0; }
  static constexpr size_type max_size() noexcept { return detail::max_elements<Char>(Bound); }
  void reserve(size_type count = 0) {
    check_bound(count);
    if (count > capacity()) {
      reallocate(count);
    }
  }
  void shrink_to_fit() {
    if (size() < capacity()) {
      BasicString(*this).swap(*this);
    }
  }
  void clear() noexcept { set_size(0); }
  void resize(size_type count, Char c = Char()) {
    count < size() ? set_size(count) : static_cast<void>(append(count - size(), c));
  }

  // Changes. All of them end in splice() or make_room().
  void push_back(Char c) {
    if (storage_.spare() < 2) {
      make_room(1);
    }
    Char * const place = storage_.end();
    storage_.add_one();
    place[0] = c;
    place[1] = Char();
  }
  void pop_back() noexcept { set_size(size() - 1); }
  BasicString & append(View text) { return splice(size(), 0, text); }
  BasicString & append(const Char * text) { return append(View(text)); }
  BasicString & append(const Char * text, size_type count) { return append(View(text, count)); }
  BasicString & append(View text, size_type position, size_type count = npos) {
    return append(text.substr(position, count));
  }
  BasicString & append(size_type count, Char c) {
    if (count != 0) {
      make_room(count);
      traits_type::assign(end(), count, c);
      set_size(size() + count);
    }
    return *this;
  }
  BasicString & append(std::initializer_list<Char> characters) {
    return append(View(characters.begin(), characters.size()));
  }
  template <class Iterator, IfInput<Iterator> = 0>
  BasicString & append(Iterator first, Iterator last) {
    return append(View(Std(first, last)));
  }
  BasicString & operator+=(View text) { return append(text); }
  BasicString & operator+=(const Char * text) { return append(View(text)); }
  BasicString & operator+=(std::initializer_list<Char> characters) { return append(characters); }
  BasicString & operator+=(Char c) {
    push_back(c);
    return *this;
  }

  BasicString & insert(size_type index, View text) { return splice(checked(index), 0, text); }
  BasicString & insert(size_type index, const Char * text) { return insert(index, View(text)); }
  BasicString & insert(size_type index, const Char * text, size_type count) { return insert(index, View(text, count)); }
  BasicString & insert(size_type index, View text, size_type position, size_type count = npos) {
    return insert(index, text.substr(position, count));
  }
  BasicString & insert(size_type index, size_type count, Char c) { return replace(index, 0, count, c); }
  template <class Position, IfPosition<Position> = 0>
  iterator insert(Position position, Char c) {
    return insert(position, size_type{1}, c);
  }
  template <class Position, IfPosition<Position> = 0>
  iterator insert(Position position, size_type count, Char c) {
    const size_type index = index_of(position);
    replace(index, 0, count, c);
    return begin() + index;
  }
  iterator insert(const_iterator position, std::initializer_list<Char> characters) {
    return insert(position, characters.begin(), characters.end());
  }
  template <class Iterator, IfInput<Iterator> = 0>
  iterator insert(const_iterator position, Iterator first, Iterator last) {
    const size_type index = index_of(position);
    splice(index, 0, Std(first, last));
    return begin() + index;
  }

  BasicString & erase(size_type index = 0, size_type count = npos) { return splice(checked(index), count, View()); }
  template <class Position, IfPosition<Position> = 0>
  iterator erase(Position position) {
    return erase(position, position + 1);
  }
  iterator erase(const_iterator first, const_iterator last) {
    const size_type index = index_of(first);
    splice(index, static_cast<size_type>(last - first), View());
    return begin() + index;
  }

  BasicString & replace(size_type index, size_type removed, View text) { return splice(checked(index), removed, text); }
  BasicString & replace(size_type index, size_type removed, const Char * text) {
    return replace(index, removed, View(text));
  }
  BasicString & replace(size_type index, size_type removed, const Char * text, size_type count) {
    return replace(index, removed, View(text, count));
  }
  BasicString & replace(size_type index, size_type removed, View text, size_type position, size_type count = npos) {
    return replace(index, removed, text.substr(position, count));
  }
  BasicString & replace(size_type index, size_type removed, size_type count, Char c) {
    check_bound(count);
    return replace(index, removed, View(Std(count, c)));
  }
  template <class Position, IfPosition<Position> = 0>
  BasicString & replace(Position first, Position last, View text) {
    return splice(index_of(first), static_cast<size_type>(last - first), text);
  }
  BasicString & replace(const_iterator first, const_iterator last, size_type count, Char c) {
    return replace(index_of(first), static_cast<size_type>(last - first), count, c);
  }
  BasicString & replace(const_iterator first, const_iterator last, std::initializer_list<Char> characters) {
    return replace(first, last, characters.begin(), characters.end());
  }
  template <class Iterator, IfInput<Iterator> = 0>
  BasicString & replace(const_iterator first, const_iterator last, Iterator from, Iterator to) {
    return replace(first, last, View(Std(from, to)));
  }

  void swap(BasicString & other) noexcept { storage_.swap(other.storage_); }
  friend void swap(BasicString & a, BasicString & b) noexcept { a.swap(b); }
  /// Copies, both ways.
  void swap(Std & other) {
    BasicString ours(other);
    other = View(*this);
    ours.swap(*this);
  }
  allocator_type get_allocator() const noexcept { return allocator_type(); }

 private:
  using Storage = detail::RelativeStorage<Char>;

  struct Exactly {};
  BasicString(View text, Exactly) : storage_(room_for(text.size())) {
    if (!text.empty()) {
      traits_type::copy(storage_.begin(), text.data(), text.size());
      set_size(text.size());
    }
  }
  static size_type room_for(size_type count) {
    check_bound(count);
    return count == 0 ? 0 : count + 1;
  }

  Char * characters() const noexcept {
    if constexpr (sizeof(Char) != 1) {
      std::atomic_signal_fence(std::memory_order_seq_cst);  // without a block, it reads offsets as characters
    }
    return storage_.begin();
  }

  static void check_bound(size_type count) {
    if (count > max_size()) {
      detail::throw_length_error();
    }
  }
  /// `index`, of which `needed` characters must follow.
  size_type checked(size_type index, size_type needed = 0) const {
    if (index + needed > size() || index > size()) {
      detail::throw_out_of_range("tandem::String: position beyond the end");
    }
    return index;
  }
  size_type index_of(const_iterator position) const noexcept { return static_cast<size_type>(position - data()); }

  /// \pre count <= capacity()
  void set_size(size_type count) noexcept {
    if (storage_.has_block()) {
      storage_.set_size(count);
      *storage_.end() = Char();
    }
  }

  /// The capacity to grow to, in steps.
  size_type capacity_for(size_type count) const noexcept {
    const size_type grown =
        detail::grown_capacity(count, capacity(), max_size()) | (detail::kGrowthStep / sizeof(Char) - 1);
    return grown < max_size() ? grown : max_size();
  }

  void reallocate(size_type room) {
    Storage other(room + 1);
    traits_type::copy(other.begin(), data(), size() + 1);
    other.set_size(size());
    storage_.swap(other);
  }

  void make_room(size_type more) {
    if (more > capacity() - size()) {
      if (more > max_size() - size()) {
        detail::throw_length_error();
      }
      reallocate(capacity_for(size() + more));
    }
  }

  /// Puts `text`, which may be part of this string, in place of `removed` characters, or all from `index` if fewer.
  BasicString & splice(size_type index, size_type removed, View text) {
    removed = removed < size() - index ? removed : size() - index;
    const size_type tail = size() - index - removed;
    if (text.size() > max_size() - (index + tail)) {
      detail::throw_length_error();
    }
    const size_type new_size = index + text.size() + tail;
    const bool is_own = text.data() >= data() && text.data() <= data() + size();
    if (new_size > capacity() || (is_own && index != size())) {
      Storage other(1 +
                    (new_size > capacity() ? detail::grown_capacity(new_size, capacity(), max_size()) : capacity()));
      traits_type::copy(other.begin(), data(), index);
      traits_type::copy(other.begin() + index, text.data(), text.size());
      traits_type::copy(other.begin() + index + text.size(), data() + index + removed, tail);
      storage_.swap(other);
    } else if (storage_.has_block()) {
      traits_type::move(data() + index + text.size(), data() + index + removed, tail);
      traits_type::copy(data() + index, text.data(), text.size());
    }
    set_size(new_size);
    return *this;
  }

  Storage storage_;
};

using String = BasicString<char>;
using U16String = BasicString<char16_t>;

}  // namespace tandem
