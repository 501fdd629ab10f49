"""A headless chromium for tests, driven over a pipe with the DevTools protocol by the standard library alone."""

import base64
import json
import os
import select
import signal
import subprocess
import tempfile
import time

from tandem_lab.report import pdf

PATIENCE = 120  # seconds for one answer: a loaded machine is slow


class Browser:
    """One browser process with a fresh profile; use as a context."""

    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(prefix='tandem-lab-test-', ignore_cleanup_errors=True)
        theirs_in, self.write_end = os.pipe()
        self.read_end, theirs_out = os.pipe()
        # The protocol asks for descriptors 3 and 4; a shell moves ours there.
        command = ['bash', '-c', f'exec "$@" 3<&{theirs_in} 4>&{theirs_out}', 'bash', pdf.browser(),
                   *pdf.quiet_flags(self.profile.name), '--remote-debugging-pipe', '--force-device-scale-factor=1',
                   'about:blank']
        nowhere = subprocess.DEVNULL
        self.process = subprocess.Popen(command, pass_fds=(theirs_in, theirs_out), stdin=nowhere, stdout=nowhere,
                                        stderr=nowhere, start_new_session=True)
        os.close(theirs_in)
        os.close(theirs_out)
        self.buffer = b''
        self.last_id = 0
        self.listeners = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.write_end)
        os.close(self.read_end)
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.profile.cleanup()

    def receive(self, deadline):
        """The next message of the browser."""
        while b'\0' not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.read_end], [], [], left)[0]:
                raise TimeoutError('the browser does not answer')
            data = os.read(self.read_end, 1 << 16)
            if not data:
                raise ConnectionError('the browser ended')
            self.buffer += data
        message, self.buffer = self.buffer.split(b'\0', 1)
        return json.loads(message)

    def dispatch(self, message):
        """Give an event to who listens."""
        for listener in self.listeners:
            listener(message)

    def call(self, method, session=None, **parameters):
        """Call a method of the protocol; returns its result."""
        self.last_id += 1
        request = {'id': self.last_id, 'method': method, 'params': parameters}
        data = json.dumps({**request, 'sessionId': session} if session else request).encode() + b'\0'
        while data:
            data = data[os.write(self.write_end, data):]
        deadline = time.monotonic() + PATIENCE
        while (answer := self.receive(deadline)).get('id') != self.last_id:
            self.dispatch(answer)
        if 'error' in answer:
            raise RuntimeError(f'{method}: {answer["error"]["message"]}')
        return answer['result']

    def open(self, url, width=1280, height=900, **media):
        """A page that has loaded `url`; media: colour='dark' and the like."""
        return Page(self, url, (width, height), media)


class Page:
    """One tab. What it complains about is gathered in `complaints`, what it asks for in `requests`."""

    def __init__(self, browser, url, size, media):
        self.browser = browser
        self.complaints = []
        self.requests = []
        self.events = []
        self.target = browser.call('Target.createTarget', url='about:blank')['targetId']
        self.session = browser.call('Target.attachToTarget', targetId=self.target, flatten=True)['sessionId']
        browser.listeners.append(self.listen)
        for domain in ('Page', 'Runtime', 'Log', 'Network'):
            self.call(f'{domain}.enable')
        self.resize(*size)
        if media:
            scheme = {'name': 'prefers-color-scheme', 'value': media['colour']}
            self.call('Emulation.setEmulatedMedia', features=[scheme])
        self.load(url)

    def call(self, method, **parameters):
        """Call a method of the protocol for this page."""
        return self.browser.call(method, self.session, **parameters)

    def listen(self, message):
        """Keep what tests ask for."""
        method, parameters = message.get('method', ''), message.get('params', {})
        if message.get('sessionId') != self.session and not method.startswith('Browser.'):
            return
        self.events.append(method)
        if method == 'Runtime.exceptionThrown':
            self.complaints.append(parameters['exceptionDetails'].get('exception', {}).get('description', 'exception'))
        elif method == 'Runtime.consoleAPICalled' and parameters['type'] in ('error', 'warning', 'assert'):
            self.complaints.append(str(parameters['args']))
        elif method == 'Log.entryAdded' and parameters['entry']['level'] in ('error', 'warning'):
            self.complaints.append(parameters['entry']['text'])
        elif method == 'Network.loadingFailed':
            self.complaints.append(f'request failed: {parameters["errorText"]}')
        elif method == 'Network.requestWillBeSent':
            self.requests.append(parameters['request']['url'])

    def load(self, url):
        """Go to `url` and wait until it is loaded."""
        self.events.clear()
        self.call('Page.navigate', url=url)
        self.wait(lambda: 'Page.loadEventFired' in self.events)

    def resize(self, width, height):
        """The size of the window in CSS pixels; narrow ones are phones."""
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 600)

    def run(self, script):
        """The value of a JavaScript expression (a promise is awaited)."""
        answer = self.call('Runtime.evaluate', expression=script, returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in answer:
            raise RuntimeError(answer['exceptionDetails']['exception'].get('description', script))
        return answer['result'].get('value')

    def wait(self, condition):
        """Until condition() holds; a text is JavaScript."""
        deadline = time.monotonic() + PATIENCE
        while not (self.run(condition) if isinstance(condition, str) else condition()):
            if time.monotonic() > deadline:
                raise TimeoutError(f'never came true: {condition}')
            self.run('new Promise((done) => setTimeout(done, 20))')

    def key(self, key):
        """Press and release a key such as Tab or Enter."""
        code = {'Tab': 9, 'Enter': 13}[key]
        text = {'text': '\r'} if key == 'Enter' else {}
        self.call('Input.dispatchKeyEvent', type='keyDown', key=key, code=key, windowsVirtualKeyCode=code, **text)
        self.call('Input.dispatchKeyEvent', type='keyUp', key=key, code=key, windowsVirtualKeyCode=code)

    def screenshot(self, file, whole=False):
        """A PNG of the window, or of the whole page."""
        data = self.call('Page.captureScreenshot', captureBeyondViewport=whole)['data']
        file.write_bytes(base64.b64decode(data))

    def close(self):
        """Close the tab."""
        self.browser.listeners.remove(self.listen)
        self.browser.call('Target.closeTarget', targetId=self.target)
