"""The report on paper: chromium prints it, with every chart drawn."""

import os
import shutil
import signal
import subprocess
import tempfile

MISSING = ('No PDF: chromium is not there (apt-get install chromium). report.html can be printed from any browser '
           'as well.')


def browser():
    """The path of chromium, or None."""
    return next(filter(None, map(shutil.which, ('chromium', 'chromium-browser', 'google-chrome'))), None)


def quiet_flags(profile):
    """Flags for a browser that shows nothing, fetches nothing and leaves nothing behind but `profile`."""
    flags = ['--headless', '--disable-gpu', '--no-first-run', '--no-default-browser-check',
             '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-quic',
             '--disable-dev-shm-usage', '--disable-extensions', '--metrics-recording-only', '--mute-audio',
             f'--user-data-dir={profile}']
    # Its sandbox cannot be set up by root.
    return flags + (['--no-sandbox'] if os.geteuid() == 0 else [])


def print_to(html, target, seconds=180):
    """Print the page `html` to the file `target`. Returns a sentence when it did not work, else ''."""
    program = browser()
    if not program:
        return MISSING
    target.unlink(missing_ok=True)
    with tempfile.TemporaryDirectory(prefix='tandem-lab-', ignore_cleanup_errors=True) as profile:
        command = [program, *quiet_flags(profile), '--no-pdf-header-footer', f'--print-to-pdf={target.resolve()}',
                   html.resolve().as_uri() + '#print']
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   errors='replace', start_new_session=True)
        try:
            said, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return f'No PDF: chromium was not done after {seconds} s and was ended.'
    if process.returncode == 0 and target.is_file():
        return ''
    lines = [line for line in said.splitlines() if line.strip()]
    return f'No PDF: chromium failed (exit status {process.returncode}): {lines[-1] if lines else "it said nothing"}'
