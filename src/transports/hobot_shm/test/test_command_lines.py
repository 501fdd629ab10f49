"""The command lines of TogetheROS.Bot's documentation for Humble."""

import os
import re
from pathlib import Path

ZERO_COPY = ('performance_test', 'perf_test', '--zero-copy', '--reliable', '--keep-last', '--history-depth', '10',
             '-s', '1', '-m', 'Array4m', '-r', '100', '--max-runtime', '3')


def test_zero_copy_over_fast_dds(bench):
    profile = Path(os.environ['TANDEM_TEST_PREFIX']) / 'lib/hobot_shm/config/shm_fastdds.xml'
    assert profile.is_file()
    test = bench.ros2_run(*ZERO_COPY, environment={
        'RMW_IMPLEMENTATION': 'rmw_fastrtps_cpp',
        'FASTRTPS_DEFAULT_PROFILES_FILE': str(profile),
        'RMW_FASTRTPS_USE_QOS_FROM_XML': '1',
        'ROS_DISABLE_LOANED_MESSAGES': '0',
        'ROS_DOMAIN_ID': '71',
    })
    assert test.wait() == 0, test.text()
    received = [int(row) for row in re.findall(r'^\| (\d+) +\| \d+ +\| \d+ +\| \d+ +\| [\d.]+ +\|', test.text(), re.M)]
    assert received and max(received) > 0, test.text()
    assert 'cannot loan' not in test.text() and 'copied' not in test.text()
