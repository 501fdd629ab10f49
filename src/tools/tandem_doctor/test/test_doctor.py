"""tandem doctor: what it finds, says and cleans."""

import os
import re
import signal
import subprocess
import time

from conftest import become_client, codes, connect, doctor, doctor_json, DOCTOR, serve
import pytest


def listing(path):
    return sorted(os.path.join(folder, name) for folder, _, names in os.walk(path) for name in names)


def until(condition):
    """Looks until it is so; the limit is for a hang."""
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_nobody_is_healthy_and_nothing_is_made(folder):
    os.rmdir(folder)
    done = doctor()
    assert (done.returncode, done.stderr) == (0, '')
    assert 'not there yet' in done.stdout and 'healthy' in done.stdout
    assert not os.path.exists(folder)
    assert doctor_json()['directory']['exists'] is False


def test_wrong_usage_has_a_status_of_its_own(folder):
    assert doctor('--domain', '233').returncode == 2
    assert doctor('--sing').returncode == 2
    assert doctor('--help').returncode == 0


def test_tells_who_is_connected_to_whom(folder, cast):
    a, b = cast(), cast()
    connect(a, b, subscription='depth=5')
    assert a('publish p 3 1000') == '3'
    before = listing(folder)
    report = doctor_json()
    assert report['findings'] == []
    assert listing(folder) == before
    (domain,) = report['domains']
    assert sorted(region['pid'] for region in domain['regions']) == sorted([a.pid, b.pid])
    assert {region['state'] for region in domain['regions']} == {'alive'}
    (topic,) = domain['topics']
    assert topic['name'] == '/topic'
    assert topic['publishers'][0]['node']['name'] == 'talker'
    assert topic['publishers'][0]['published'] == 3
    (connection,) = topic['connections']
    assert (connection['means'], connection['backlog'], connection['lost']) == ('zero-copy', 3, 0)
    text = doctor().stdout
    assert re.search(rf'from /talker \(pid {a.pid}\): 3 published of 1000 B', text), text
    assert re.search(rf'/listener \(pid {b.pid}\) +zero-copy +3/5', text), text
    assert '\033' not in text
    assert max(len(line) for line in text.splitlines()) <= 80


def test_tells_of_copies_without_calling_them_a_finding(folder, cast):
    a, b = cast(), cast()
    connect(a, b, subscription='depth=20')
    assert a('copy p 12 100') == '12'
    assert b('keep s 10') == '10'
    report = doctor_json()
    assert report['healthy']
    (connection,) = report['domains'][0]['topics'][0]['connections']
    assert (connection['means'], connection['copied'], connection['held']) == ('copies', 2, 8)
    assert '12 of 12 messages were published by const reference' in connection['why']
    assert 'more than its quota of 8' in connection['why']


def test_finds_what_goes_wrong(folder, cast):
    a, b = cast(), cast()
    connect(a, b, publisher='keep_all loans=1 block=1', subscription='keep_all')
    assert a('borrow p 2') == '1'
    connect_lost = 'pub q /lossy node=talker'
    assert a(connect_lost) == 'ok' and b('sub t /lossy depth=2') == 'ok' and b('matched t 1') == 'ok'
    assert a('publish q 10 8') == '10' and b('take t 1') == '1'
    assert a('pub r /odd best_effort') == 'ok' and b('sub u /odd') == 'ok'
    report = doctor_json()
    assert codes(report) == ['failed-borrows', 'lost-messages', 'mismatch']
    text = ' '.join(doctor().stdout.split())
    assert 'lost 8 messages of /talker' in text
    assert 'RELIABILITY: the publisher offers BEST_EFFORT, the subscription requests RELIABLE' in text
    assert '3 findings' in text


def test_finds_publishes_that_ran_out_of_time(folder, cast):
    a, b = cast(), cast()
    connect(a, b, publisher='keep_all block=1', subscription='keep_all')
    assert a('copy p 16002 8') == '16000'
    report = doctor_json()
    assert codes(report) == ['publish-timeouts']
    (topic,) = report['domains'][0]['topics']
    assert topic['publishers'][0]['timeouts'] == 2
    assert topic['connections'][0]['backlog'] == 16000


def test_finds_the_stopped_and_those_who_wait_for_them(folder, cast):
    a, b = cast(), cast()
    connect(a, b)
    b.signal(signal.SIGSTOP)
    until(lambda: codes(doctor_json()) == ['stopped-process'])
    assert f'process {b.pid}' in doctor_json()['findings'][0]['where']
    assert '1 other is connected' in doctor_json()['findings'][0]['what']
    assert a('pub q /new') == 'ok' and a('sub t /more') == 'ok'
    b.signal(signal.SIGCONT)
    until(lambda: doctor_json()['healthy'])


def test_finds_a_connection_that_does_not_come_about(folder, cast):
    a, b = cast(), cast()
    assert a('pub p /topic') == 'ok'
    a.signal(signal.SIGSTOP)
    assert b('sub s /topic') == 'ok'
    report = doctor_json()
    assert codes(report) == ['not-connected', 'stopped-process']
    assert 'has not acknowledged it yet' in report['findings'][-1]['what']


def test_cleans_what_the_killed_left_and_nothing_else(folder, cast):
    a, b, c = cast(), cast(), cast(7)
    connect(a, b)
    assert c('pub p /topic') == 'ok'
    c.kill()
    report = doctor_json()
    assert codes(report) == ['dead-regions']
    assert report['findings'][0]['where'] == 'domain 7'
    before = listing(os.path.join(folder, '0'))
    assert codes(doctor_json('--domain', '0', '--clean')) == []
    assert os.path.exists(os.path.join(folder, '7'))
    done = doctor('--clean')
    assert done.returncode == 0, done.stdout
    assert re.search(r'removed \S+\.region \(\d', done.stdout) and re.search(r'freed \d{6,} bytes', done.stdout)
    assert not os.path.exists(os.path.join(folder, '7'))
    assert listing(os.path.join(folder, '0')) == before
    assert a('publish p 1 8') == '1' and b('take s 1') == '1'
    assert 'nothing to clean' in doctor('--clean').stdout
    b.kill()
    a.kill()
    cleaned = doctor_json('--clean')['cleaned']
    assert cleaned['failed'] == [] and sum(file['memory'] for file in cleaned['removed']) > 1 << 20
    assert os.listdir(folder) == []


def test_finds_an_unsafe_directory_and_bad_settings(folder, monkeypatch):
    os.chmod(folder, 0o777)
    monkeypatch.setenv('TANDEM_REGION_SIZE', 'much')
    report = doctor_json()
    assert codes(report) == ['bad-setting', 'unsafe-directory']
    assert '`chmod o-w`' in report['findings'][0]['what']


def test_says_which_rclpy_is_imported(folder, tmp_path, monkeypatch):
    stock, tandem = tmp_path / 'stock', tmp_path / 'tandem'
    for modules in (stock / 'rclpy', tandem / 'rclpy', tandem / 'rosidl_generator_py'):
        modules.mkdir(parents=True)
    for file in (stock / 'rclpy/__init__.py', tandem / 'rclpy/__init__.py',
                 tandem / 'rosidl_generator_py/array_view.py'):
        file.touch()
    monkeypatch.setenv('PYTHONPATH', f'{stock}:{tandem}')
    report = doctor_json()
    assert codes(report) == ['other-rclpy']
    assert str(tandem) in report['findings'][0]['what']
    monkeypatch.setenv('PYTHONPATH', f'{tandem}:{stock}')
    assert codes(doctor_json()) == []


def test_names_both_versions(folder):
    os.mkdir(os.path.join(folder, '0'))
    path = os.path.join(folder, '0', '00000000000000aa.region')
    script = ('import fcntl, os, struct, sys; file = open(sys.argv[1], "w+b"); '
              'file.write(struct.pack("<QIi", 0x314d45444e4154, 99, 4711)); file.truncate(1 << 21); file.flush(); '
              'fcntl.fcntl(file, 37, struct.pack("hhqqi4x", fcntl.F_WRLCK, 0, 0, 0, 0)); '
              'print("locked", flush=True); sys.stdin.read()')
    with subprocess.Popen(['/usr/bin/python3', '-c', script, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as holder:
        assert holder.stdout.readline() == 'locked\n'
        report = doctor_json('--clean')
        assert codes(report) == ['other-version']
        what = report['findings'][0]['what']
        assert 'version 99' in what and f'version {report["layout_version"]}' in what
        holder.stdin.close()
    assert codes(doctor_json()) == ['dead-regions']


def test_thirty_topics_fit_eighty_columns(folder, cast):
    a, b = cast(), cast()
    for i in range(30):
        assert a(f'pub p{i} /robot/arm_{i}/joint_states node=driver_with_a_long_name_{i}') == 'ok'
        assert b(f'sub s{i} /robot/arm_{i}/joint_states node=reader_with_a_very_long_name_indeed_{i}') == 'ok'
    text = doctor().stdout
    assert text.count('zero-copy') == 30
    assert max(len(line) for line in text.splitlines()) <= 80


def test_names_from_others_cannot_drive_the_terminal(folder, cast):
    assert cast()('pub p /\x1b[2Jboo') == 'ok'
    assert '\x1b' not in doctor().stdout
    assert '/?[2Jboo' in doctor().stdout
    assert doctor_json()['domains'][0]['topics'][0]['name'] == '/?[2Jboo'


def test_tells_services_from_topics(folder, cast):
    server, caller, other = cast(), cast(), cast()
    serve(server, '/add')
    become_client(caller, '/add')
    become_client(other, '/add')
    assert server('matched replies 2') == 'ok' and server('matched requests 2') == 'ok'
    for _ in range(30):
        assert caller('ask requests replies 10') == '10'
        assert server('answer requests replies') == '10'
        assert caller('take replies 11') == '10'
    report = doctor_json()
    assert report['findings'] == []
    (domain,) = report['domains']
    assert domain['topics'] == []
    (service,) = domain['services']
    assert service['name'] == '/add'
    assert sorted(each['published'] for each in service['requests']['publishers']) == [0, 300]
    assert [each['published'] for each in service['replies']['publishers']] == [300]
    # The other client never took, and nothing was for it.
    assert [(each['backlog'], each['lost']) for each in service['replies']['connections']] == [(0, 0)] * 2
    text = doctor().stdout
    assert '3 processes, 0 dead, 0 topics, 1 service\n' in text
    assert '  service /add  test/srv/Add\n' in text
    assert f'from /client (pid {caller.pid}): 300 requests sent of 8 B' in text
    assert f'from /server (pid {server.pid}): 300 replies sent of 8 B' in text
    assert re.search(rf'/client \(pid {other.pid}\) +copies +- +0/8 +0 +0\n', text), text
    assert 'rq/' not in text and 'rr/' not in text


def test_names_services_that_nobody_calls_in_short(folder, cast):
    serve(cast(), '/add')
    report = doctor_json()
    assert report['healthy'] and report['domains'][0]['services'][0]['requests']['publishers'] == []
    assert '  services without a client: /add\n' in doctor().stdout


def test_finds_replies_that_nobody_took(folder, cast):
    server, caller = cast(), cast()
    serve(server, '/add', 'block=1')
    become_client(caller, '/add')
    assert server('matched replies 1') == 'ok' and server('matched requests 1') == 'ok'
    for _ in range(30):
        assert caller('ask requests replies 10') == '10'
        assert server('answer requests replies') == '10'
    (finding,) = doctor_json()['findings']
    assert (finding['code'], finding['where']) == ('dropped-replies', 'service /add in domain 0')
    assert f'/server (pid {server.pid}) dropped the replies' in finding['what']


def test_finds_a_request_that_reaches_nobody(folder, cast):
    server, caller = cast(), cast()
    serve(server, '/add')
    assert caller('pub requests rq/addRequest best_effort type=test/srv/Add_Request') == 'ok'
    until(lambda: doctor_json()['findings'])
    (finding,) = doctor_json()['findings']
    assert (finding['code'], finding['where']) == ('mismatch', 'service /add in domain 0')
    assert finding['what'].startswith('no request passes from ')


def can_mount():
    return subprocess.run(['unshare', '-m', 'true'], capture_output=True).returncode == 0


@pytest.mark.skipif(not can_mount(), reason='a mount namespace may not be made here')
def test_works_where_everything_is_full(folder):
    script = f'''
        mount -t tmpfs -o size=1m,nr_inodes=6 none {folder}
        mkdir {folder}/0
        echo x > {folder}/0/00000000000000bb.bell
        head -c 2m /dev/zero > {folder}/filler 2>/dev/null
        : > {folder}/a; : > {folder}/b 2>/dev/null
        {DOCTOR}; echo status $?
        {DOCTOR} --clean >/dev/null; ls {folder}
    '''
    done = subprocess.run(['unshare', '-m', 'sh', '-c', script], capture_output=True, text=True, timeout=60)
    text = ' '.join(done.stdout.split())
    assert 'status 1' in text, done
    assert 'shm-full' in text and '100 % full' in text
    assert 'stray-files' in text
    assert ' 0 ' not in text.split('status 1')[1], 'the folder of the domain is still there'
