"""Who is let in: the token, Host and Origin; what is said to others."""

import os
import subprocess

from raw_websocket import RawWebSocket, request


def test_page_needs_the_token(view):
    status, head, body = request(view.port, f'/{view.token}/')
    assert status == 200 and b'<div id="app">' in body
    assert "default-src 'none'" in head and 'no-referrer' in head
    for target in ['/', '/index.html', '/app.js', f'/{view.token[:-1]}/', f'/{view.token}x/', '/?token=', '/../']:
        status, _, body = request(view.port, target)
        assert status == 403 and b'token' in body, target


def test_page_without_slash_is_sent_on(view):
    status, head, _ = request(view.port, f'/{view.token}')
    assert status == 308 and f'Location: /{view.token}/' in head


def test_only_files_of_the_page_are_served(view):
    for path in ['/nothing', '/../../../../../../etc/passwd', '/..%2f..%2fetc/passwd', '//etc/passwd']:
        status, _, _ = request(view.port, f'/{view.token}{path}')
        assert status == 404, path
    assert request(view.port, f'/{view.token}/app.js', method='HEAD')[0] == 200
    assert request(view.port, f'/{view.token}/app.js', method='DELETE')[0] == 405
    assert b'MIT' in request(view.port, f'/{view.token}/licences.txt')[2]


def test_name_that_others_point_at_this_machine_is_refused(view):
    status, _, body = request(view.port, f'/{view.token}/', [('Host', f'evil.example:{view.port}')])
    assert status == 403 and b'127.0.0.1' in body


def test_websocket_needs_token_origin_and_protocol(view):
    path, query = f'/{view.token}', f'/?token={view.token}'
    own, other = f'Origin: http://127.0.0.1:{view.port}', 'Origin: https://evil.example'
    for target, protocol, headers, status in [
            (path, 'foxglove.websocket.v1', [], 101), (query, 'foxglove.sdk.v1', [], 101),
            (path, 'tandem.view.v1', [own], 101), (path, 'foxglove.sdk.v1', ['Origin: file://'], 101),
            (path, 'foxglove.sdk.v1', [other], 403), ('/', 'foxglove.sdk.v1', [], 403),
            ('/?token=x', 'foxglove.sdk.v1', [], 403), (path, 'mqtt', [], 400), (path, None, [], 400)]:
        client = RawWebSocket(view.port, target, protocol, headers)
        assert client.status == status, (target, protocol, headers)
        client.close()


def test_without_token_only_by_wish(robot_domain):
    view = robot_domain.view('--no-token', '--allow-origin', 'https://friend.example')
    assert request(view.port, '/')[0] == 200
    for origin, status in [('https://friend.example', 101), ('https://evil.example', 403), ('null', 403)]:
        client = RawWebSocket(view.port, '/', headers=[f'Origin: {origin}'])
        assert client.status == status, origin
        client.close()


def test_address_that_cannot_be_used_is_explained(robot_domain, view):
    web = ['--web', os.environ['WEB']]
    for words, hint in [([*web, '--port', str(view.port)], '--port 0'), ([*web, '--host', 'nowhere'], 'is no address'),
                        (['--web', '/nowhere'], 'the page is not in')]:
        ended = subprocess.run([os.environ['VIEW'], *words], text=True,
                               env=robot_domain.environment, stderr=subprocess.PIPE, timeout=30)
        assert ended.returncode == 1 and hint in ended.stderr, ended.stderr
