"""`ros2 bag`: recording from publishers and playing to subscriptions of other processes, and files that other programs
read and write."""

import json
import os
import re
import shutil
import signal
import time
from pathlib import Path

import pytest
from bags import STRING, Bags, needs_mcap, others
from conftest import ROS2, Running, wait_for

pytestmark = needs_mcap


@pytest.fixture
def bags(domain, tmp_path):
    return Bags(domain, tmp_path)


def test_every_message_is_recorded(bags):
    bags.record_messages(8000, rate=4000)
    info = bags.info()
    assert (info['messages'], info['storage'], info['incomplete_files']) == (8000, 'mcap', [])
    assert bags.domain.out('bag', 'info', '-t', bags.path()) == '/chatter\n'


def test_information_as_text(bags):
    bags.record_messages(3)
    text = bags.domain.out('bag', 'info', bags.path())
    number = r'\d+\.\d{9}'
    moment = rf'\w{{3}} [ \d]\d \d{{4}} \d\d:\d\d:\d\d\.\d{{9}} \({number}\)'
    assert re.fullmatch(
        '\n'
        'Files:             bag_0\\.mcap\n'
        'Bag size:          [\\d.]+ KiB\n'
        'Storage id:        mcap\n'
        'ROS Distro:        unknown\n'
        f'Duration:          {number}s\n'
        f'Start:             {moment}\n'
        f'End:               {moment}\n'
        'Messages:          3\n'
        'Topic information: Topic: /chatter \\| Type: std_msgs/msg/String \\| Count: 3 \\| Serialization Format: cdr\n'
        'Service:           0\n'
        'Service information: \n', text), text
    assert 'Size Contribution: 27 B' in bags.domain.out('bag', 'info', '-v', bags.path())


@pytest.mark.parametrize('options', [[], ['--storage-preset-profile', 'fastwrite'], ['-s', 'sqlite3'],
                                     ['--compression-mode', 'file', '--compression-format', 'zstd'],
                                     ['--compression-mode', 'message', '--compression-format', 'lz4']],
                         ids=['plain', 'fastwrite', 'sqlite3', 'zstd', 'lz4'])
def test_other_programs_read_what_is_recorded(bags, options):
    recorder = bags.record('--topics', '/chatter', *options)
    bags.domain.out('topic', 'pub', '-t', '5', '-r', '100', '-w', '1', '/chatter', STRING, '{data: hello}')
    assert recorder.interrupt() == 0, recorder.errors()
    seen = others('read', bags.path())
    assert [data for _, data in seen['rosbags']['/chatter']] == ['hello'] * 5
    if 'sqlite3' not in options:
        assert seen['mcap'] == seen['rosbags']
    assert seen['digests']['/chatter'].startswith('RIHS01_')


@pytest.mark.parametrize('storage', ['MCAP', 'SQLITE3'])
@pytest.mark.parametrize('compression', ['NONE', 'FILE', 'MESSAGE'])
def test_what_other_programs_wrote_is_played(bags, storage, compression):
    others('write', bags.path(), storage, compression, 50)
    assert bags.count() == 50
    listener = bags.domain.peer('take', '/chatter', STRING, 50)
    listener.wait_for_output('ready')
    player = bags.play('--start-paused')
    bags.domain.wait_for_topic('/chatter')
    bags.call('/rosbag2_player/resume', 'Resume')
    listener.wait_for_output('taken 50 lost 0')
    assert player.wait() == 0, player.errors()


def test_all_topics(bags):
    bags.domain.peer('publish', '/a', STRING, 10, 0, 1)
    bags.domain.peer('publish', '/_hidden', STRING, 10, 0, 0)
    for topic in ('/a', '/_hidden'):
        bags.domain.wait_for_topic(topic)
    recorder = bags.record('--all')
    late = bags.domain.peer('publish', '/late', STRING, 10, 0, 1)
    late.wait_for_output('published')
    assert recorder.interrupt() == 0
    assert bags.count(topic='/a') == 10
    assert bags.count(topic='/late') == 10
    assert bags.count(topic='/_hidden') is None


def test_filters(bags):
    for topic in ('/cam/left', '/cam/right', '/lidar'):
        bags.domain.peer('publish', topic, STRING, 1, 0, 0)
        bags.domain.wait_for_topic(topic)
    recorder = bags.record('--regex', 'cam', '--exclude-regex', 'right')
    assert recorder.interrupt() == 0
    assert [row['name'] for row in bags.info()['topics']] == ['/cam/left']


def test_late_joiner_gets_the_history_of_transient_local_publishers(bags):
    bags.domain.start('topic', 'pub', '-t', '1', '--keep-alive', '60', '--qos-durability', 'transient_local', '-w', '0',
                      '/map', STRING, '{data: map}')
    bags.domain.wait_for_topic('/map')
    recorder = bags.record('--topics', '/map')
    wait_for(lambda: bags.domain.ros2('topic', 'info', '/map').stdout.count('Subscription count: 1'), 'a reader')
    time.sleep(0.3)
    assert recorder.interrupt() == 0
    assert bags.count(topic='/map') == 1


def test_split_by_size_and_service(bags):
    bags.record_messages(3000, '--max-bag-size', '20000', name='by_size', rate=4000)
    assert len(bags.info('by_size')['files']) > 3
    assert bags.info('by_size')['messages'] == 3000
    recorder = bags.record('--topics', '/chatter')
    bags.call('/rosbag2_recorder/split_bagfile', 'SplitBagfile')
    assert recorder.interrupt() == 0
    assert [file['path'] for file in bags.info()['files']] == ['bag_0.mcap', 'bag_1.mcap']


def test_pause_and_resume(bags):
    recorder = bags.record('--topics', '/chatter', '--start-paused')
    assert 'paused=True' in bags.call('/rosbag2_recorder/is_paused', 'IsPaused')
    bags.domain.peer('publish', '/chatter', STRING, 10, 0, 1).wait_for_output('published')
    time.sleep(0.2)  # more than the recorder needs to take and drop them
    bags.call('/rosbag2_recorder/resume', 'Resume')
    bags.domain.peer('publish', '/chatter', STRING, 7, 0, 1).wait_for_output('published')
    assert recorder.interrupt() == 0
    assert bags.count() == 7


def test_snapshot(bags):
    recorder = bags.record('--topics', '/chatter', '--snapshot-mode', '--max-cache-size', '4000000')
    assert 'success=False' in bags.call('/rosbag2_recorder/snapshot', 'Snapshot')
    bags.domain.peer('publish', '/chatter', STRING, 10, 0, 1).wait_for_output('published')
    time.sleep(0.2)
    assert 'success=True' in bags.call('/rosbag2_recorder/snapshot', 'Snapshot')
    bags.domain.peer('publish', '/chatter', STRING, 5, 0, 1).wait_for_output('published')
    assert recorder.interrupt() == 0
    assert bags.count() == 10


def test_a_killed_recorder_leaves_a_readable_bag(bags):
    recorder = bags.record('--topics', '/chatter')
    bags.domain.peer('publish', '/chatter', STRING, 1000, 0, 1).wait_for_output('published')
    wait_for(lambda: bags.info()['messages'] == 1000, 'all messages on the disk')
    recorder.send(signal.SIGKILL)
    recorder.wait()
    info = bags.domain.ros2('bag', 'info', bags.path())
    assert 'was not completed by its recorder' in info.stderr
    assert 'Messages:          1000' in info.stdout
    assert bags.domain.out('bag', 'reindex', bags.path()) == 'Reindexing complete.\n'
    assert 'message_count: 1000' in Path(bags.path(), 'metadata.yaml').read_text()
    listener = bags.domain.peer('take', '/chatter', STRING, 1000)
    listener.wait_for_output('ready')
    assert bags.play('--delay', '0.2').wait() == 0
    listener.wait_for_output('taken 1000 lost 0')


@pytest.mark.parametrize('storage', ['mcap', 'sqlite3'])
def test_a_full_disk_ends_the_recording_with_one_error(bags, storage):
    if os.geteuid() != 0:
        pytest.skip('this user may not mount')
    place = bags.folder / 'small'
    place.mkdir()
    script = f'mount -t tmpfs -o size=8m none {place} && ' \
             f'"{ROS2}" bag record -s {storage} --topics /pixels -o {place}/bag; ' \
             f'echo "status $?"; "{ROS2}" bag info --json {place}/bag'
    recorder = Running(['unshare', '--mount', 'bash', '-c', script], bags.domain.env)
    bags.domain.running.append(recorder)
    wait_for(lambda: 'Recording...' in recorder.errors(), 'a recorder')
    bags.domain.start('topic', 'pub', '-r', '50', '/pixels', 'std_msgs/msg/String', f'{{data: {"x" * 100000}}}')
    assert recorder.wait() == 0, recorder.errors()
    status, info = recorder.output().splitlines()
    assert status == 'status 1'
    assert recorder.errors().count('there is no room left for') == 1
    assert json.loads(info)['messages'] > 10
    assert json.loads(info)['incomplete_files'] == []


def test_play_at_a_rate_from_an_offset_until(bags):
    others('write', bags.path(), 'MCAP', 'NONE', 1000)  # one a millisecond
    listener = bags.domain.peer('take', '/chatter', STRING, 400)
    listener.wait_for_output('ready')
    player = bags.play('--rate', '2', '--start-offset', '0.5', '--playback-duration', '0.399', '--delay', '0.2')
    assert player.wait() == 0, player.errors()
    listener.wait_for_output('taken 400 lost 0')


def test_play_at_a_rate_that_never_gets_anywhere(bags):
    others('write', bags.path(), 'MCAP', 'NONE', 10)
    player = bags.play('--rate', '1e-300', '--playback-duration', '1e300')
    bags.domain.wait_for_topic('/chatter')
    time.sleep(0.3)
    assert player.process.poll() is None, 'it has played what is not due'
    assert player.interrupt() == 0


def test_play_remapped_and_filtered(bags):
    others('write', bags.path(), 'MCAP', 'NONE', 10)
    listener = bags.domain.peer('take', '/other', STRING, 10)
    listener.wait_for_output('ready')
    assert bags.play('--remap', 'chatter:=other', '--delay', '0.2').wait() == 0
    listener.wait_for_output('taken 10 lost 0')
    refused = bags.domain.ros2('bag', 'play', bags.path(), '--topics', '/nothing')
    assert refused.returncode == 1
    assert 'there is nothing to play' in refused.stderr


def test_play_in_a_loop_until_interrupted(bags):
    others('write', bags.path(), 'MCAP', 'NONE', 10)
    listener = bags.domain.peer('take', '/chatter', STRING, 35)
    listener.wait_for_output('ready')
    player = bags.play('--loop')
    listener.wait_for_output('taken 35')
    assert player.interrupt() == 0


def test_play_step_by_step(bags):
    others('write', bags.path(), 'MCAP', 'NONE', 1000)
    echo = bags.domain.start('topic', 'echo', '--field', 'data', '/chatter', STRING)
    bags.domain.wait_for_topic('/chatter', 'Subscription count: 1')
    player = bags.play('--start-paused')
    bags.domain.wait_for_topic('/chatter')
    assert 'success=True' in bags.call('/rosbag2_player/play_next', 'PlayNext')
    echo.wait_for_output('message 0\n')
    assert 'actually_burst=3' in bags.call('/rosbag2_player/burst', 'Burst', '{num_messages: 3}')
    echo.wait_for_output('message 3\n')
    assert 'success=True' in bags.call('/rosbag2_player/seek', 'Seek', '{time: {sec: 1, nanosec: 500000000}}')
    assert 'success=True' in bags.call('/rosbag2_player/play_next', 'PlayNext')
    echo.wait_for_output('message 500\n')
    assert 'message 4\n' not in echo.output()
    assert 'success=False' in bags.call('/rosbag2_player/seek', 'Seek', '{time: {sec: 9}}')
    assert 'success=False' in bags.call('/rosbag2_player/set_rate', 'SetRate', '{rate: 0}')
    assert 'success=True' in bags.call('/rosbag2_player/set_rate', 'SetRate', '{rate: 10}')
    assert 'rate=10.0' in bags.call('/rosbag2_player/get_rate', 'GetRate')
    bags.call('/rosbag2_player/toggle_paused', 'TogglePaused')
    assert player.wait() == 0


def test_play_publishes_the_clock(bags):
    others('write', bags.path(), 'MCAP', 'NONE', 1000)
    player = bags.play('--clock', '100', '--start-offset', '0.25', '--start-paused')
    bags.domain.wait_for_topic('/clock')
    clock = bags.domain.out('topic', 'echo', '--once', '/clock')
    assert 'sec: 1\n' in clock
    assert int(re.search(r'nanosec: (\d+)', clock)[1]) == 250000000
    bags.call('/rosbag2_player/stop', 'Stop')
    assert player.wait() == 0


def test_services_are_recorded_and_called_again(bags):
    domain = bags.domain
    service = Running([os.environ['BAG_SERVICE']], domain.env)
    domain.running.append(service)
    service.wait_for_output('ready')
    recorder = bags.record('--all-services')
    for value in ('true', 'false', 'true'):
        domain.out('service', 'call', '/switch', 'std_srvs/srv/SetBool', f'{{data: {value}}}')
    assert recorder.interrupt() == 0
    assert 'Service: /switch | Type: std_srvs/srv/SetBool | Event Count: 6 |' in domain.out('bag', 'info', bags.path())
    assert 'Request Count: 3 | Response Count: 3' in domain.out('bag', 'info', '-v', bags.path())
    assert bags.play('--publish-service-requests', '--delay', '0.2').wait() == 0
    wait_for(lambda: service.output() == 'ready\n' + 2 * 'request 1\nrequest 0\nrequest 1\n', 'the same requests')


def test_convert_merges_divides_and_compresses(bags):
    bags.record_messages(10, name='one')
    bags.record_messages(20, name='two', topic='/other')
    assert (bags.count('one'), bags.count('two', '/other')) == (10, 20)
    outputs = bags.folder / 'out.yaml'
    outputs.write_text(f'output_bags:\n- uri: {bags.path("all")}\n  storage_id: sqlite3\n'
                       f'- uri: {bags.path("part")}\n  topics: [/other]\n  storage_preset_profile: zstd_small\n')
    bags.domain.out('bag', 'convert', '-i', bags.path('one'), '-i', bags.path('two'), '-o', str(outputs))
    assert (bags.info('all')['messages'], bags.info('all')['storage']) == (30, 'sqlite3')
    assert [row['name'] for row in bags.info('part')['topics']] == ['/other']
    assert len(others('read', bags.path('all'))['rosbags']['/chatter']) == 10
    assert len(others('read', bags.path('part'))['mcap']['/other']) == 20


def test_a_recorder_that_cannot_follow_counts_what_it_loses(bags):
    recorder = bags.record('--topics', '/chatter')
    publisher = bags.domain.peer('publish', '/chatter', STRING, 6000, 4000, 1)
    bags.domain.wait_for_topic('/chatter', 'Subscription count: 1')
    recorder.send(signal.SIGSTOP)
    publisher.wait_for_output('published 6000 failed 0')
    recorder.send(signal.SIGCONT)
    assert recorder.interrupt() == 0
    lost = int(re.findall(r"(\d+) messages of '/chatter' are lost", recorder.errors())[-1])
    assert lost > 0
    assert lost + bags.count() == 6000


def test_types_that_are_not_installed_are_named(bags):
    recorder = bags.record('--all')
    bags.domain.peer('publish', '/absent', 'absent_msgs/msg/Thing', 1, 0, 0)
    wait_for(lambda: "Topic '/absent' cannot be recorded" in recorder.errors(), 'a word on it')
    assert 'absent_msgs' in recorder.errors()
    assert recorder.interrupt() == 0


def test_types_that_are_not_installed_are_recorded_over_dds(bags):
    """Their bytes are kept as they come, and played as they are."""
    prefixes = os.environ['AMENT_PREFIX_PATH'].split(':')
    if not any(Path(prefix, 'lib/librmw_cyclonedds_cpp.so').exists() for prefix in prefixes):
        pytest.skip('Cyclone DDS is not installed')
    bags.domain.env.update(RMW_IMPLEMENTATION='rmw_cyclonedds_cpp', ROS_AUTOMATIC_DISCOVERY_RANGE='LOCALHOST')
    recorder = bags.record('--topics', '/absent')
    publisher = bags.domain.peer('publish', '/absent', 'absent_msgs/msg/Thing', 20, 100, 1)
    publisher.wait_for_output('published 20 failed 0')
    wait_for(lambda: bags.count(topic='/absent') == 20, 'all messages on the disk')
    assert recorder.interrupt() == 0
    publisher.end()
    assert 'The definition of absent_msgs/msg/Thing is not in the bag' in recorder.errors()
    listener = bags.domain.peer('take', '/absent', 'absent_msgs/msg/Thing', 20)
    listener.wait_for_output('ready')
    assert bags.play('--delay', '2', '--wait-for-all-acked', '20000').wait() == 0
    listener.wait_for_output('taken 20 lost 0')


@pytest.mark.parametrize(('arguments', 'error'), [
    (['record'], 'Need to specify at least one option'),
    (['record', '--all', '-o', '.'], 'already exists'),
    (['record', '--all', '-o', 'new', '-s', 'tape'], "'tape' is not known"),
    (['record', '--all', '-o', 'new', '--compression-mode', 'file'], 'needs a compression format'),
    (['record', '--all', '-o', 'new', '--regex', '('], 'no regular expression'),
    (['record', 'a b', '-o', 'new'], 'a b'),
    (['record', '--black-box', 'long'], "'long' is no time"),
    (['record', '--all', '--watch', '/a'], 'for --black-box'),
    (['record', '--all', '-o', 'new', '-d', '99999999999'], '--max-bag-duration'),
    (['play', 'none'], 'there is no bag none'),
    (['info', 'none'], 'there is no bag none'),
    (['play', '.', '--rate', '0'], '--rate'),
    (['convert', '-i', 'none', '-o', 'none.yaml'], 'none.yaml'),
])
def test_errors(bags, arguments, error):
    done = bags.domain.ros2('bag', *arguments, cwd=bags.folder)
    assert done.returncode != 0
    assert error in done.stderr, done.stderr
    assert not (bags.folder / 'new').exists()


def test_completion(bags):
    assert bags.domain.out('__complete', 'bag', 'p') == 'play\n'
    assert '--max-bag-size' in bags.domain.out('__complete', 'bag', 'record', '--max-')


def test_nothing_is_left_in_shared_memory(bags):
    bags.record_messages(10)
    assert bags.play().wait() == 0
    shutil.rmtree(bags.path())
    memory = Path(bags.domain.env['TANDEM_SHM_DIR'])
    wait_for(lambda: not list(memory.rglob('*.region')), 'an empty domain')
