// tandem::Vector: the sequences of messages. A std::vector whose elements lie in the message heap and which may lie,
// with them, in memory that other processes map elsewhere.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "tandem/detail/opencv.hpp"
#include "tandem/detail/relative_storage.hpp"
#include "tandem/detail/vector_traits.hpp"

namespace tandem {

// Found by their argument, as they are for a std::vector.
using std::begin;
using std::cbegin;
using std::cend;
using std::end;
using std::rbegin;
using std::rend;

/// A sequence of at most `Bound` elements, contiguous, with the interface, complexity, exception safety and rules of
/// iterator validity of std::vector<T>; more than that: a source may be an element or a range of the vector itself,
/// and moving or swapping never fails. It converts implicitly from and to std::vector with any allocator, elements
/// included (Vector<String> and std::vector<std::string>), which copies. Vector<bool> holds real bools.
///
/// Memory: the message heap (tandem/heap.hpp), owned; moving a Vector moves the ownership.
/// Layout: 24 bytes, see detail/relative_storage.hpp. Zeroed memory is an empty Vector.
/// Thread-safety: as std::vector.
/// Errors: std::bad_alloc, std::length_error beyond the bound, std::out_of_range from at(), and what T throws.
template <class T, std::size_t Bound = kUnbounded>
class Vector {
  template <class Iterator>
  using IfInput = std::enable_if_t<detail::is_input_iterator<Iterator>, int>;
  template <class U>
  using IfSource = std::enable_if_t<detail::is_element_conversion<U, T>, int>;
  template <class U>
  using IfTarget = std::enable_if_t<detail::is_element_conversion<T, U>, int>;

 public:
  using value_type = T;
  using allocator_type = std::allocator<T>;  // only so that source written for std::vector compiles
  using size_type = std::size_t;
  using difference_type = std::ptrdiff_t;
  using reference = T &;
  using const_reference = const T &;
  using pointer = T *;
  using const_pointer = const T *;
  using iterator = detail::IteratorOf<T>;
  using const_iterator = detail::ConstIteratorOf<T>;
  using reverse_iterator = std::reverse_iterator<iterator>;
  using const_reverse_iterator = std::reverse_iterator<const_iterator>;

  // Construction. Those that can fail halfway delegate, so that the destructor then runs.
  Vector() noexcept = default;
  explicit Vector(size_type count) : Vector() { resize(count); }
  Vector(size_type count, const T & value) : Vector() { resize(count, value); }
  template <class Iterator, IfInput<Iterator> = 0>
  Vector(Iterator first, Iterator last) : Vector() {
    append(first, last);
  }
  Vector(std::initializer_list<T> values) : Vector() { append(values.begin(), values.end()); }
  Vector(const Vector & other) : Vector() { append(other.begin(), other.end()); }
  Vector(Vector && other) noexcept = default;
  template <class U, std::size_t OtherBound, IfSource<U> = 0>
  Vector(const Vector<U, OtherBound> & other) : Vector() {
    append(other.begin(), other.end());
  }
  template <class U, class Allocator, IfSource<U> = 0>
  Vector(const std::vector<U, Allocator> & other) : Vector() {
    append(other.begin(), other.end());
  }

  ~Vector() { std::destroy(elements(), elements_end()); }

  Vector & operator=(const Vector & other) {
    if (this != &other) {
      assign(other.begin(), other.end());
    }
    return *this;
  }
  Vector & operator=(Vector && other) noexcept {
    Vector(std::move(other)).swap(*this);
    return *this;
  }
  Vector & operator=(std::initializer_list<T> values) {
    assign(values.begin(), values.end());
    return *this;
  }
  template <class U, std::size_t OtherBound, IfSource<U> = 0>
  Vector & operator=(const Vector<U, OtherBound> & other) {
    assign(other.begin(), other.end());
    return *this;
  }
  template <class U, class Allocator, IfSource<U> = 0>
  Vector & operator=(const std::vector<U, Allocator> & other) {
    assign(other.begin(), other.end());
    return *this;
  }

  template <class U, class Allocator, IfTarget<U> = 0>
  operator std::vector<U, Allocator>() const {
    return std::vector<U, Allocator>(begin(), end());
  }
  /// Shares the elements, which must stay where they are for as long as the matrix is used.
  template <class M, detail::IfOpenCvMatrix<M> = 0>
  operator M() const {
    return detail::opencv_matrix<M>(data(), size());
  }

  void assign(size_type count, const T & value) {
    check_bound(count);
    if (count > capacity()) {
      Vector(count, value).swap(*this);
      return;
    }
    const T copy(value);  // it may be one of ours
    std::fill_n(elements(), std::min(count, size()), copy);
    count < size() ? truncate(elements() + count) : resize(count, copy);
  }
  template <class Iterator, IfInput<Iterator> = 0>
  void assign(Iterator first, Iterator last) {
    if constexpr (detail::is_forward_iterator<Iterator>) {
      const auto count = static_cast<size_type>(std::distance(first, last));
      check_bound(count);
      if (count <= capacity()) {
        if constexpr (detail::is_copy_of_bytes<Iterator, T>) {
          if (count != 0) {
            detail::copy_bytes(elements(), detail::address_of(first), count * sizeof(T));
          }
          storage_.set_size(count);
          return;
        }
        const Iterator middle = std::next(first, static_cast<difference_type>(std::min(count, size())));
        std::copy(first, middle, begin());
        count < size() ? truncate(elements() + count) : append(middle, last);
        return;
      }
    }
    Vector(first, last).swap(*this);
  }
  void assign(std::initializer_list<T> values) { assign(values.begin(), values.end()); }

  // Access. Only at() checks.
  reference operator[](size_type index) noexcept { return elements()[index]; }
  const_reference operator[](size_type index) const noexcept { return elements()[index]; }
  reference at(size_type index) { return elements()[checked(index)]; }
  const_reference at(size_type index) const { return elements()[checked(index)]; }
  reference front() noexcept { return *elements(); }
  const_reference front() const noexcept { return *elements(); }
  reference back() noexcept { return elements_end()[-1]; }
  const_reference back() const noexcept { return elements_end()[-1]; }
  T * data() noexcept { return storage_.has_block() ? elements() : nullptr; }
  const T * data() const noexcept { return storage_.has_block() ? elements() : nullptr; }

  iterator begin() noexcept { return iterator(elements()); }
  const_iterator begin() const noexcept { return const_iterator(elements()); }
  const_iterator cbegin() const noexcept { return begin(); }
  iterator end() noexcept { return iterator(elements_end()); }
  const_iterator end() const noexcept { return const_iterator(elements_end()); }
  const_iterator cend() const noexcept { return end(); }
  reverse_iterator rbegin() noexcept { return reverse_iterator(end()); }
  const_reverse_iterator rbegin() const noexcept { return const_reverse_iterator(end()); }
  const_reverse_iterator crbegin() const noexcept { return rbegin(); }
  reverse_iterator rend() noexcept { return reverse_iterator(begin()); }
  const_reverse_iterator rend() const noexcept { return const_reverse_iterator(begin()); }
  const_reverse_iterator crend() const noexcept { return rend(); }

  // Size.
  [[nodiscard]] bool empty() const noexcept { return elements() == elements_end(); }
  size_type size() const noexcept { return storage_.size(); }
  size_type capacity() const noexcept { return storage_.capacity(); }
  static constexpr size_type max_size() noexcept { return detail::max_elements<T>(Bound); }
  void reserve(size_type count) {
    check_bound(count);
    if (count > capacity()) {
      reallocate(count);
    }
  }
  void shrink_to_fit() {
    if (size() < capacity()) {
      reallocate(size());
    }
  }
  void clear() noexcept { truncate(elements()); }
  void resize(size_type count) {
    resize_with(count, [](T * memory, size_type n) { detail::value_construct(memory, n); });
  }
  void resize(size_type count, const T & value) {
    resize_with(count, [&](T * memory, size_type n) { std::uninitialized_fill_n(memory, n, value); });
  }

  // Insertion.
  void push_back(const T & value) { emplace_back(value); }
  void push_back(T && value) { emplace_back(std::move(value)); }
  template <class... Arguments>
  reference emplace_back(Arguments &&... arguments) {
    if (storage_.is_full()) {
      if constexpr (std::is_trivially_copyable_v<T>) {
        return push_back_in_new_block(T(std::forward<Arguments>(arguments)...));
      } else {
        return emplace_back_in_new_block(std::forward<Arguments>(arguments)...);
      }
    }
    T * const place = elements_end();
    if constexpr (std::is_nothrow_constructible_v<T, Arguments...>) {
      storage_.add_one();  // first, since for all that is known a byte could change where the end is
      return *::new (static_cast<void *>(place)) T(std::forward<Arguments>(arguments)...);
    } else {
      ::new (static_cast<void *>(place)) T(std::forward<Arguments>(arguments)...);
      storage_.add_one();
      return *place;
    }
  }
  void pop_back() noexcept { truncate(elements_end() - 1); }
  template <class... Arguments>
  iterator emplace(const_iterator position, Arguments &&... arguments) {
    const size_type index = index_of(position);
    emplace_back(std::forward<Arguments>(arguments)...);
    return rotate_in(index, size() - 1);
  }
  iterator insert(const_iterator position, const T & value) { return emplace(position, value); }
  iterator insert(const_iterator position, T && value) { return emplace(position, std::move(value)); }
  iterator insert(const_iterator position, size_type count, const T & value) {
    const size_type index = index_of(position);
    const size_type old_size = size();
    append_with(count, [&](T * memory, size_type n) { std::uninitialized_fill_n(memory, n, value); });
    return rotate_in(index, old_size);
  }
  template <class Iterator, IfInput<Iterator> = 0>
  iterator insert(const_iterator position, Iterator first, Iterator last) {
    const size_type index = index_of(position);
    const size_type old_size = size();
    append(first, last);
    return rotate_in(index, old_size);
  }
  iterator insert(const_iterator position, std::initializer_list<T> values) {
    return insert(position, values.begin(), values.end());
  }

  iterator erase(const_iterator position) { return erase(position, position + 1); }
  iterator erase(const_iterator first, const_iterator last) {
    T * const hole = elements() + index_of(first);
    if (first != last) {
      truncate(std::move(elements() + index_of(last), elements_end(), hole));
    }
    return iterator(hole);
  }

  void swap(Vector & other) noexcept { storage_.swap(other.storage_); }
  friend void swap(Vector & a, Vector & b) noexcept { a.swap(b); }
  /// Copies, both ways. As between vectors, each then has at least the other's capacity.
  template <class U, class Allocator, IfSource<U> = 0, IfTarget<U> = 0>
  void swap(std::vector<U, Allocator> & other) {
    Vector ours;
    ours.reserve(std::min(other.capacity(), max_size()));
    ours = other;
    other.reserve(capacity());
    other.assign(begin(), end());
    ours.swap(*this);
  }
  allocator_type get_allocator() const noexcept { return allocator_type(); }

 private:
  using Storage = detail::RelativeStorage<T>;

  T * elements() noexcept { return storage_.begin(); }
  const T * elements() const noexcept { return storage_.begin(); }
  T * elements_end() noexcept { return storage_.end(); }
  const T * elements_end() const noexcept { return storage_.end(); }

  static void check_bound(size_type count) {
    if (count > max_size()) {
      detail::throw_length_error();
    }
  }
  size_type checked(size_type index) const {
    if (index >= size()) {
      detail::throw_out_of_range("tandem::Vector::at: there is no such element");
    }
    return index;
  }
  size_type index_of(const_iterator position) const noexcept { return static_cast<size_type>(position - cbegin()); }

  /// Destroys the elements from `new_end` on.
  void truncate(T * new_end) noexcept {
    T * const old_end = elements_end();
    storage_.set_end(new_end);
    std::destroy(new_end, old_end);
  }

  template <class Construct>
  void resize_with(size_type count, Construct construct) {
    count < size() ? truncate(elements() + count) : append_with(count - size(), construct);
  }

  /// Makes `count` elements at the end with construct(memory, count), which makes all or throws having made none.
  /// Those that are there stay where they are until then, so that they may be what is copied.
  template <class Construct>
  void append_with(size_type count, Construct construct) {
    if (count > storage_.spare()) {
      const size_type old_size = size();
      if (count > max_size() - std::min(old_size, max_size())) {
        detail::throw_length_error();
      }
      Storage bigger(detail::grown_capacity(old_size + count, capacity(), max_size()));
      construct(bigger.begin() + old_size, count);
      move_into(bigger, count);
    } else if (count != 0) {
      construct(elements_end(), count);
      storage_.set_end(elements_end() + count);
    }
  }

  template <class Iterator>
  void append(Iterator first, Iterator last) {
    if constexpr (detail::is_forward_iterator<Iterator>) {
      append_with(static_cast<size_type>(std::distance(first, last)),
                  [&](T * memory, size_type n) { detail::copy_construct(first, last, memory, n); });
    } else {
      for (; first != last; ++first) {
        emplace_back(*first);
      }
    }
  }

  /// The capacity for one more element than there are.
  size_type capacity_for_one_more() const {
    constexpr size_type kFirst = std::max<size_type>(1, detail::kGrowthStep / sizeof(T));
    check_bound(size() + 1);
    return std::max(detail::grown_capacity(size() + 1, size(), max_size()), std::min(kFirst, max_size()));
  }

  /// Takes the value itself, so that its copy elsewhere can stay in registers, and it may be one of ours.
  [[gnu::noinline]] reference push_back_in_new_block(T value) {
    reallocate(capacity_for_one_more());
    return emplace_back(value);
  }

  /// Makes the new element before the others move, since it may be made of one of them.
  template <class... Arguments>
  [[gnu::noinline]] reference emplace_back_in_new_block(Arguments &&... arguments) {
    Storage bigger(capacity_for_one_more());
    ::new (static_cast<void *>(bigger.begin() + size())) T(std::forward<Arguments>(arguments)...);
    move_into(bigger, 1);
    return back();
  }

  void reallocate(size_type count) {
    Storage other(count);
    move_into(other, 0);
  }

  /// Moves the elements to the front of `other`, where `more` have been made behind them, and exchanges the two.
  void move_into(Storage & other, size_type more) {
    const size_type count = size();
    try {
      detail::move_construct(elements(), count, other.begin());
    } catch (...) {
      std::destroy_n(other.begin() + count, more);
      throw;
    }
    std::destroy(elements(), elements_end());
    other.set_size(count + more);
    storage_.swap(other);
  }

  /// Brings the elements from `middle` to the end before the one at `index`.
  iterator rotate_in(size_type index, size_type middle) {
    std::rotate(elements() + index, elements() + middle, elements_end());
    return iterator(elements() + index);
  }

  Storage storage_;
};

}  // namespace tandem
