"""The camera and its reader as two processes; the reader subscribes anew while images flow."""

from conftest import wait_until


def test_reader_sees_whole_images_of_every_topic(bench):
    camera = bench.ros2_run('hbm_img', 'camera')
    reader = bench.ros2_run('hbm_img', 'reader')

    def images(size):
        return reader.numbers(rf'image (\d+), nv12 {size}')

    def subscribed():
        return reader.text().count('subscribed to /hbmem_img')

    wait_until(lambda: subscribed() >= 2, 'the reader subscribes again')
    before = len(images('1920x1080'))
    wait_until(lambda: len(images('1920x1080')) >= before + 5, 'images come after that too')
    wait_until(lambda: len(images('960x540')) >= 5 and len(reader.numbers(r'frame (\d+), h264')) >= 5,
               'the other topics are heard')
    assert (camera.stop(), reader.stop()) == (0, 0)
    assert 'DAMAGED' not in reader.text()
    assert images('960x540') == sorted(set(images('960x540')))
    assert bench.files_left() == []
