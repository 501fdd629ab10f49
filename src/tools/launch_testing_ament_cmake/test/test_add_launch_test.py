"""A package with launch tests, configured by CMake and run by CTest."""

import os
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest

LAUNCH_TEST = """
import os
import unittest

from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, ExecuteProcess
from launch.substitutions import EnvironmentVariable, LaunchConfiguration
from launch_testing.actions import ReadyToTest
from launch_testing.markers import keep_alive


@keep_alive
def generate_test_description():
    return LaunchDescription([
        DeclareLaunchArgument('word', default_value='default'),
        ExecuteProcess(cmd=['echo', LaunchConfiguration('word'), EnvironmentVariable('COLOUR', default_value='none')]),
        ReadyToTest()])


class TestOutput(unittest.TestCase):
    def test_output(self, proc_output):
        proc_output.assertWaitFor('right red', timeout=60 if 'COLOUR' in os.environ else 1, stream='stdout')
"""
CMAKE = """
cmake_minimum_required(VERSION 3.22)
project(some_package LANGUAGES NONE)
find_package(ament_cmake REQUIRED)
if(BUILD_TESTING)
  find_package(launch_testing_ament_cmake REQUIRED)
  {calls}
endif()
ament_package()
"""
PACKAGE = """<?xml version="1.0"?>
<package format="3">
  <name>some_package</name> <version>0.0.0</version> <description>A package.</description>
  <maintainer email="someone@example.org">Someone</maintainer> <license>Apache-2.0</license>
  <buildtool_depend>ament_cmake</buildtool_depend> <test_depend>launch_testing_ament_cmake</test_depend>
</package>
"""


class Package:
    """A package with these calls in its CMakeLists.txt."""

    def __init__(self, folder, calls):
        self.build = folder / 'build'
        (folder / 'test').mkdir()
        (folder / 'test/some_launch_test.py').write_text(LAUNCH_TEST)
        (folder / 'CMakeLists.txt').write_text(CMAKE.format(calls=calls))
        (folder / 'package.xml').write_text(PACKAGE)
        env = {**os.environ, 'ROS_LOG_DIR': str(folder / 'log')}
        env.pop('COLOUR', None)
        self.configured = self.run(['cmake', '-S', folder, '-B', self.build, '-DBUILD_TESTING=ON'], env)
        if self.configured.returncode == 0:
            self.tested = self.run(['ctest', '--output-on-failure'], env, cwd=self.build)

    @staticmethod
    def run(command, env, cwd=None):
        return subprocess.run(command, env=env, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=300)

    def counts(self, name):
        """Tests and failures, as the results say."""
        root = ElementTree.parse(self.build / f'test_results/some_package/{name}.xunit.xml').getroot()
        return int(root.get('tests')), int(root.get('failures'))


def test_results_are_counted(tmp_path):
    package = Package(tmp_path, """
        add_launch_test(test/some_launch_test.py ARGS word:=right ENV COLOUR=red)
        add_launch_test(test/some_launch_test.py TARGET fails TIMEOUT 100 LABELS own ARGS word:=wrong)
        add_launch_test("${CMAKE_CURRENT_SOURCE_DIR}/test/some_launch_test.py" TARGET skipped SKIP_TEST)
    """)
    assert package.configured.returncode == 0, package.configured.stdout
    assert package.tested.returncode != 0
    assert 'test_some_launch_test.py .........   Passed' in package.tested.stdout, package.tested.stdout
    assert 'fails ............................***Failed' in package.tested.stdout
    assert 'skipped ..........................***Skipped' in package.tested.stdout
    assert package.counts('test_some_launch_test.py') == (1, 0)
    assert package.counts('fails') == (1, 1)
    assert 'Waiting for output timed out' in (package.build / 'launch_test/fails.txt').read_text()
    assert 'launch_test    ' in package.tested.stdout and 'own    ' in package.tested.stdout


@pytest.mark.parametrize('name', ['test/none.py', 'some_launch_test.py'])
def test_file_that_is_not_there(tmp_path, name):
    package = Package(tmp_path, f'add_launch_test({name})')
    assert package.configured.returncode != 0
    assert f"there is no launch test '{name}'" in package.configured.stdout


def test_file_that_is_made_later(tmp_path):
    package = Package(tmp_path, """
        file(GENERATE OUTPUT "${CMAKE_CURRENT_BINARY_DIR}/made_$<CONFIG>.py" INPUT test/some_launch_test.py)
        add_launch_test("${CMAKE_CURRENT_BINARY_DIR}/made_$<CONFIG>.py" TARGET made ARGS word:=right ENV COLOUR=red)
    """)
    assert package.configured.returncode == 0, package.configured.stdout
    assert package.tested.returncode == 0, package.tested.stdout
    assert package.counts('made') == (1, 0)
