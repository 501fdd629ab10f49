// The target orocos-kdl brings the library and all headers that those of KDL include.
#include <gtest/gtest.h>

#include <kdl/chain.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/jacobian.hpp>

TEST(Target, BringsKdlAndEigen) {
  KDL::Chain chain;
  chain.addSegment(KDL::Segment(KDL::Joint(KDL::Joint::RotZ), KDL::Frame(KDL::Vector(1, 0, 0))));
  KDL::ChainFkSolverPos_recursive solver(chain);
  KDL::Frame tip;
  ASSERT_EQ(solver.JntToCart(KDL::JntArray(1), tip), 0);
  EXPECT_EQ(tip.p.x(), 1);
  EXPECT_EQ(KDL::Jacobian(1).data.rows(), 6);  // a matrix of Eigen
}
