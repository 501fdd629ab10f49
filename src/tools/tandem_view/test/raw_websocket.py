"""A WebSocket client of the standard library alone, which also sends what no proper client would."""

import base64
import json
import os
import socket
import struct

PATIENCE = 30
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


def request(port, target, headers=(), method='GET'):
    """Status and body of an HTTP request."""
    with socket.create_connection(('127.0.0.1', port), PATIENCE) as sock:
        names = {name.lower() for name, _ in headers}
        lines = [f'{method} {target} HTTP/1.1', *(f'{name}: {value}' for name, value in headers)]
        if 'host' not in names:
            lines.append(f'Host: 127.0.0.1:{port}')
        sock.sendall('\r\n'.join([*lines, 'Connection: close', '', '']).encode())
        answer = b''
        while data := sock.recv(1 << 16):
            answer += data
    head, _, body = answer.partition(b'\r\n\r\n')
    return int(head.split()[1]), head.decode(), body


class RawWebSocket:
    """Connected once made."""

    def __init__(self, port, target, protocol='foxglove.websocket.v1', headers=()):
        self.sock = socket.create_connection(('127.0.0.1', port), PATIENCE)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f'GET {target} HTTP/1.1', f'Host: 127.0.0.1:{port}', 'Upgrade: websocket', 'Connection: Upgrade',
                 f'Sec-WebSocket-Key: {key}', 'Sec-WebSocket-Version: 13', *headers]
        if protocol:
            lines.append(f'Sec-WebSocket-Protocol: {protocol}')
        self.sock.sendall('\r\n'.join([*lines, '', '']).encode())
        self.buffer = b''
        while b'\r\n\r\n' not in self.buffer:
            data = self.sock.recv(1 << 16)
            if not data:
                break
            self.buffer += data
        self.head, _, self.buffer = self.buffer.partition(b'\r\n\r\n')
        self.status = int(self.head.split()[1])

    def send(self, payload, opcode=TEXT, length=None):
        """One masked frame; `length` may lie."""
        size = len(payload) if length is None else length
        head = bytes([0x80 | opcode])
        if size < 126:
            head += bytes([0x80 | size])
        elif size < 1 << 16:
            head += bytes([0x80 | 126]) + struct.pack('>H', size)
        else:
            head += bytes([0x80 | 127]) + struct.pack('>Q', size)
        self.sock.sendall(head + b'\0\0\0\0' + payload)  # masked with zeros

    def send_json(self, **message):
        self.send(json.dumps(message).encode())

    def receive_bytes(self, count):
        while len(self.buffer) < count:
            data = self.sock.recv(1 << 20)
            if not data:
                raise ConnectionError('closed')
            self.buffer += data
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def receive_frame(self):
        """(whether it is the last of its message, opcode, payload)"""
        head = self.receive_bytes(2)
        size = head[1] & 127
        if size == 126:
            size, = struct.unpack('>H', self.receive_bytes(2))
        elif size == 127:
            size, = struct.unpack('>Q', self.receive_bytes(8))
        return bool(head[0] & 0x80), head[0] & 15, self.receive_bytes(size)

    def receive(self):
        """(opcode, payload) of the next message; one that is cut off by the end of the connection is passed over."""
        is_last, opcode, payload = self.receive_frame()
        while not is_last:
            is_last, next_opcode, rest = self.receive_frame()
            if next_opcode == CLOSE:
                return next_opcode, rest
            if next_opcode != 0:
                raise AssertionError('a message within a message')
            payload += rest
        return opcode, payload

    def until(self, op, wanted=lambda _: True):
        """The next JSON message of this operation; others are passed over."""
        while True:
            opcode, payload = self.receive()
            if opcode == PING:
                self.send(payload, PONG)
            elif opcode == CLOSE:
                raise ConnectionError(f'closed with {struct.unpack(">H", payload[:2])[0]}: {payload[2:].decode()}')
            elif opcode == TEXT and (message := json.loads(payload))['op'] == op and wanted(message):
                return message

    def close(self):
        self.sock.close()
