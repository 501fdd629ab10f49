"""A talker whose messages are waited for: run by `ros2 test`, in a domain of its own."""

import os
import shutil
import tempfile
import unittest

import launch_testing
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, ExecuteProcess
from launch.substitutions import LaunchConfiguration
from launch_testing.actions import ReadyToTest
from launch_testing_ros import WaitForTopics
from launch_testing_ros.tools import basic_output_filter

FOLDER = tempfile.mkdtemp(prefix='tandem-test-', dir='/dev/shm')


def generate_test_description():
    os.environ['TANDEM_SHM_DIR'] = FOLDER
    talker = ExecuteProcess(cmd=['ros2', 'topic', 'pub', '-r', '20', 'chatter', 'std_msgs/msg/String',
                                 ['{data: "hello ', LaunchConfiguration('count'), '"}']], name='talker')
    return LaunchDescription([DeclareLaunchArgument('count'), talker, ReadyToTest()]), {'talker': talker}


class TestTalker(unittest.TestCase):

    def test_has_a_domain_of_its_own(self):
        self.assertIn('ROS_DOMAIN_ID', os.environ)

    def test_messages(self, test_args):
        with WaitForTopics([('/chatter', 'std_msgs/msg/String')], timeout=60) as topics:
            self.assertEqual(topics.topics_received(), {'/chatter'})
            self.assertEqual(topics.topics_not_received(), set())
            self.assertEqual(topics.received_messages('/chatter')[0], {'data': 'hello ' + test_args['count']})

    def test_topic_without_messages(self):
        with self.assertRaisesRegex(RuntimeError, 'these topics within 0.5 s: /silence'):
            with WaitForTopics([('/silence', 'std_msgs/msg/String')], timeout=0.5):
                pass

    def test_classes_of_messages_are_refused(self):
        with self.assertRaisesRegex(TypeError, "given as a text such as 'std_msgs/msg/String'"):
            WaitForTopics([('/chatter', object)])

    def test_output(self, proc_output, talker):
        proc_output.assertWaitFor(
            'hello', process=talker, timeout=60, stream='stdout',
            output_filter=basic_output_filter(filtered_rmw_implementation='rmw_tandem_cpp'))


@launch_testing.post_shutdown_test()
class TestTalkerAfterShutdown(unittest.TestCase):

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(FOLDER)

    def test_exit_code(self, proc_info, talker):
        launch_testing.asserts.assertExitCodes(proc_info, process=talker)
