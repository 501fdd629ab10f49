"""Driver, filter and viewer as three processes: all arrives, and only what is published by reference is copied."""

import re

from conftest import wait_until


def tallies(process, topic):
    """(messages, copied) of each line about the topic."""
    return [(int(n), int(c)) for n, c in re.findall(rf'/{topic}: (\d+) \w+, (\d+) copied', process.text())]


def test_images_and_clouds_pass_without_a_copy(bench):
    driver = bench.ros2_run('camera_pipeline', 'driver')
    middle = bench.ros2_run('camera_pipeline', 'filter')
    viewer = bench.ros2_run('camera_pipeline', 'viewer')
    wait_until(lambda: len(tallies(viewer, 'image_mono')) >= 2 and len(tallies(viewer, 'points')) >= 2 and
               len(tallies(middle, 'image_raw')) >= 2, 'the viewer shows images and clouds')
    assert [p.stop() for p in (driver, middle, viewer)] == [0, 0, 0]

    assert '1920x1080 mono8 from camera' in viewer.text()
    assert '76800 points' in viewer.text() and '2.00 m away' in viewer.text()
    for process, topic in ((driver, 'image_raw'), (driver, 'points'), (middle, 'image_raw'), (middle, 'image_mono'),
                           (viewer, 'image_mono'), (viewer, 'points'), (viewer, 'camera_info')):
        counted = tallies(process, topic)
        assert counted and all(copied == 0 for _, copied in counted), (topic, counted)
    by_reference = tallies(driver, 'camera_info')
    assert by_reference and all(copied == messages for messages, copied in by_reference)
    assert bench.files_left() == []
