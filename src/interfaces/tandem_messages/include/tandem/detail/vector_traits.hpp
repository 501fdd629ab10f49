// How tandem::Vector makes, moves and compares elements.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "tandem/message_memory.hpp"

namespace tandem {

template <class T, std::size_t Bound>
class Vector;
template <class Vector>
class VectorField;

namespace detail {

template <class Iterator, class Category, class = void>
inline constexpr bool has_category = false;
template <class Iterator, class Category>
inline constexpr bool
    has_category<Iterator, Category, std::void_t<typename std::iterator_traits<Iterator>::iterator_category>> =
        std::is_convertible_v<typename std::iterator_traits<Iterator>::iterator_category, Category>;

template <class Iterator>
inline constexpr bool is_input_iterator = has_category<Iterator, std::input_iterator_tag>;
template <class Iterator>
inline constexpr bool is_forward_iterator = has_category<Iterator, std::forward_iterator_tag>;

/// Whether a sequence of From becomes one of To without a cast. Numbers do not become other numbers: std::vector<int>
/// is no std::vector<double> either.
template <class From, class To>
inline constexpr bool is_element_conversion =
    std::disjunction_v<std::is_same<From, To>,
                       std::conjunction<std::negation<std::is_scalar<From>>, std::negation<std::is_scalar<To>>,
                                        std::is_convertible<const From &, To>>>;

/// std::vector<T>'s own iterators where they can be made of a pointer, as libstdc++'s can, so that source that names
/// std::vector<T>::iterator compiles; pointers elsewhere, and for bool.
#if defined(__GLIBCXX__) && !defined(_GLIBCXX_DEBUG)
// By the name that they have there: asking std::vector<T> would compile that for each field of each message.
template <class T>
using IteratorOf = std::conditional_t<std::is_same_v<T, bool>, T *, __gnu_cxx::__normal_iterator<T *, std::vector<T>>>;
template <class T>
using ConstIteratorOf =
    std::conditional_t<std::is_same_v<T, bool>, const T *, __gnu_cxx::__normal_iterator<const T *, std::vector<T>>>;
#else
template <class T>
using IteratorOf = T *;
template <class T>
using ConstIteratorOf = const T *;
#endif

/// Whether Iterator is a pointer to T, or walks contiguous memory of T as std::vector's does.
template <class Iterator, class T>
inline constexpr bool is_contiguous_over = (std::is_pointer_v<Iterator> &&
                                            std::is_same_v<std::remove_cv_t<std::remove_pointer_t<Iterator>>, T>) ||
                                           (!std::is_same_v<T, bool> && (std::is_same_v<Iterator, IteratorOf<T>> ||
                                                                         std::is_same_v<Iterator, ConstIteratorOf<T>>));

/// Whether elements of T made from what Iterator points at are copies of bytes.
template <class Iterator, class T>
inline constexpr bool is_copy_of_bytes = std::is_trivially_copyable_v<T> && is_contiguous_over<Iterator, T>;

/// The address of what a contiguous iterator over at least one element points at.
template <class Iterator>
auto address_of(Iterator position) {
  return std::addressof(*position);
}

/// Makes `count` elements as T() does.
template <class T>
void value_construct(T * memory, std::size_t count) {
  if constexpr (std::is_trivially_default_constructible_v<T> && std::is_trivially_copyable_v<T>) {
    std::memset(static_cast<void *>(memory), 0, count * sizeof(T));
  } else {
    std::uninitialized_value_construct_n(memory, count);
  }
}

/// Makes copies of [first, last), which are `count`.
template <class Iterator, class T>
void copy_construct(Iterator first, Iterator last, T * memory, [[maybe_unused]] std::size_t count) {
  if constexpr (is_copy_of_bytes<Iterator, T>) {
    if (count != 0) {
      copy_bytes(memory, address_of(first), count * sizeof(T));
    }
  } else {
    std::uninitialized_copy(first, last, memory);
  }
}

/// Makes `count` elements from those at `source`, which stay as they were if it throws.
template <class T>
void move_construct(T * source, std::size_t count, T * memory) {
  if constexpr (std::is_trivially_copyable_v<T>) {
    if (count != 0) {
      std::memcpy(static_cast<void *>(memory), static_cast<const void *>(source), count * sizeof(T));
    }
  } else if constexpr (std::is_nothrow_move_constructible_v<T> || !std::is_copy_constructible_v<T>) {
    std::uninitialized_move_n(source, count, memory);
  } else {
    std::uninitialized_copy_n(source, count, memory);
  }
}

template <class Sequence>
inline constexpr bool is_vector = false;
template <class T, std::size_t Bound>
inline constexpr bool is_vector<Vector<T, Bound>> = true;
template <class V>
inline constexpr bool is_vector<VectorField<V>> = true;

template <class Sequence>
inline constexpr bool is_std_sequence = false;
template <class T, class Allocator>
inline constexpr bool is_std_sequence<std::vector<T, Allocator>> = true;
template <class T, std::size_t N>
inline constexpr bool is_std_sequence<std::array<T, N>> = true;

/// A Vector with a Vector, or with a sequence of std on either side.
template <class A, class B>
using IfComparable =
    std::enable_if_t<(is_vector<A> && (is_vector<B> || is_std_sequence<B>)) || (is_std_sequence<A> && is_vector<B>),
                     bool>;

}  // namespace detail

template <class A, class B>
detail::IfComparable<A, B> operator==(const A & a, const B & b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin());
}
template <class A, class B>
detail::IfComparable<A, B> operator!=(const A & a, const B & b) {
  return !(a == b);
}
template <class A, class B>
detail::IfComparable<A, B> operator<(const A & a, const B & b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}
template <class A, class B>
detail::IfComparable<A, B> operator>(const A & a, const B & b) {
  return b < a;
}
template <class A, class B>
detail::IfComparable<A, B> operator<=(const A & a, const B & b) {
  return !(b < a);
}
template <class A, class B>
detail::IfComparable<A, B> operator>=(const A & a, const B & b) {
  return !(a < b);
}

}  // namespace tandem
