// OpenCV's functions that deduce std::vector<T>, for a tandem::Vector; so that source that calls them compiles. OpenCV
// itself is not needed, unless they are called.
#pragma once

#include <cstddef>
#include <type_traits>
#include <vector>

namespace tandem {

template <class T, std::size_t Bound>
class Vector;

}  // namespace tandem

namespace cv {

class Mat;
template <class T>
class DataType;

/// cv::imencode into the bytes of a message. Copies the result once. Errors: OpenCV's.
template <class Extension, class Image, std::size_t Bound>
bool imencode(const Extension & extension, const Image & image, tandem::Vector<unsigned char, Bound> & bytes,
              const std::vector<int> & parameters = {}) {
  std::vector<unsigned char> encoded;
  const bool done = imencode(extension, image, encoded, parameters);  // OpenCV's own, by its argument
  bytes = encoded;
  return done;
}

}  // namespace cv

namespace tandem::detail {

template <class M>
using IfOpenCvMatrix = std::enable_if_t<std::is_same_v<M, cv::Mat>, int>;

/// A matrix of one column over the elements, which it neither copies nor owns, as cv::Mat(std::vector<T>) is.
template <class M, class T>
M opencv_matrix(const T * elements, std::size_t count) {
  return count == 0 ? M() : M(static_cast<int>(count), 1, cv::DataType<T>::type, const_cast<T *>(elements));
}

}  // namespace tandem::detail
