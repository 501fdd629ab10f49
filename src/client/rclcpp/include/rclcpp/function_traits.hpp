// What a callable takes and returns: of functions, pointers to functions and member functions, objects with one operator(), and
// std::bind of a function or a member function (then all that it takes, bound or not, without the object).
#ifndef RCLCPP__FUNCTION_TRAITS_HPP_
#define RCLCPP__FUNCTION_TRAITS_HPP_

#include <cstddef>
#include <functional>
#include <tuple>
#include <type_traits>

namespace rclcpp::function_traits {

template <class TupleT>
struct tuple_tail;
template <class HeadT, class... TailT>
struct tuple_tail<std::tuple<HeadT, TailT...>> {
  using type = std::tuple<TailT...>;
};

namespace detail {

template <class ReturnT, class... Args>
struct Signature {
  using arguments = std::tuple<Args...>;
  static constexpr std::size_t arity = sizeof...(Args);
  template <std::size_t kIndex>
  using argument_type = std::tuple_element_t<kIndex, arguments>;
  using return_type = ReturnT;
};

/// Of a pointer to a member function, without the object.
template <class MemberT>
struct member_signature;
template <class ClassT, class ReturnT, class... Args>
struct member_signature<ReturnT (ClassT::*)(Args...)> : Signature<ReturnT, Args...> {};
template <class ClassT, class ReturnT, class... Args>
struct member_signature<ReturnT (ClassT::*)(Args...) const> : Signature<ReturnT, Args...> {};
template <class ClassT, class ReturnT, class... Args>
struct member_signature<ReturnT (ClassT::*)(Args...) noexcept> : Signature<ReturnT, Args...> {};
template <class ClassT, class ReturnT, class... Args>
struct member_signature<ReturnT (ClassT::*)(Args...) const noexcept> : Signature<ReturnT, Args...> {};

}  // namespace detail

/// `arguments` (a tuple), `arity`, `argument_type<N>`, `return_type`.
template <class FunctionT>
struct function_traits : detail::member_signature<decltype(&FunctionT::operator())> {};
template <class FunctionT>
struct function_traits<FunctionT &> : function_traits<FunctionT> {};
template <class FunctionT>
struct function_traits<FunctionT &&> : function_traits<FunctionT> {};
template <class FunctionT>
struct function_traits<const FunctionT> : function_traits<FunctionT> {};
template <class ReturnT, class... Args>
struct function_traits<ReturnT(Args...)> : detail::Signature<ReturnT, Args...> {};
template <class ReturnT, class... Args>
struct function_traits<ReturnT (*)(Args...)> : detail::Signature<ReturnT, Args...> {};
// The object counts as the first argument of a member function.
template <class ClassT, class ReturnT, class... Args>
struct function_traits<ReturnT (ClassT::*)(Args...)> : detail::Signature<ReturnT, ClassT &, Args...> {};
template <class ClassT, class ReturnT, class... Args>
struct function_traits<ReturnT (ClassT::*)(Args...) const> : detail::Signature<ReturnT, ClassT &, Args...> {};

#ifdef __GLIBCXX__
// What std::bind returns; the names are the library's own.
template <class ReturnT, class... Args, class... Bound>
struct function_traits<std::_Bind<ReturnT (*(Bound...))(Args...)>> : detail::Signature<ReturnT, Args...> {};
template <class ClassT, class ReturnT, class... Args, class... Bound>
struct function_traits<std::_Bind<ReturnT (ClassT::*(Bound...))(Args...)>> : detail::Signature<ReturnT, Args...> {};
template <class ClassT, class ReturnT, class... Args, class... Bound>
struct function_traits<std::_Bind<ReturnT (ClassT::*(Bound...))(Args...) const>> : detail::Signature<ReturnT, Args...> {
};
#endif

template <std::size_t kArity, class FunctorT>
struct arity_comparator : std::bool_constant<kArity == function_traits<FunctorT>::arity> {};

template <class FunctorT, class... Args>
struct check_arguments : std::is_same<typename function_traits<FunctorT>::arguments, std::tuple<Args...>> {};

template <class FunctorAT, class FunctorBT>
struct same_arguments
    : std::is_same<typename function_traits<FunctorAT>::arguments, typename function_traits<FunctorBT>::arguments> {};

namespace detail {

template <class ReturnT, class TupleT>
struct std_function;
template <class ReturnT, class... Args>
struct std_function<ReturnT, std::tuple<Args...>> {
  using type = std::function<ReturnT(Args...)>;
};

}  // namespace detail

/// The std::function that holds it.
template <class FunctorT>
struct as_std_function : detail::std_function<typename function_traits<FunctorT>::return_type,
                                              typename function_traits<FunctorT>::arguments> {};

}  // namespace rclcpp::function_traits

#endif  // RCLCPP__FUNCTION_TRAITS_HPP_
