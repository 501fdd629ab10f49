"""What may be bad luck of a failed test, and what never is."""

import re

# An exit status from here on: ended by a signal.
SIGNALLED = 128

SANITIZER = re.compile(r'(Address|Leak|Memory|Thread|UndefinedBehavior)Sanitizer|: runtime error: ')
CRASH = re.compile(r'Segmentation fault|core dumped|SIGSEGV|SIGABRT|SIGBUS|terminate called|stack smashing|'
                   'Fatal Python error')
LEFTOVER = re.compile(r'^isolated\.sh: left in shared memory', re.MULTILINE)
MESSAGE = re.compile(r'\b(torn|lost|losses|corrupt(ed)?|damaged|duplicates?|twice)\b', re.IGNORECASE)
HANG = re.compile(r'not within \d|within \d+ s\b|TimeoutExpired|timed out|does not end', re.IGNORECASE)

# Crashes of middlewares that cannot be mended here, by what they print; ADR 0036 says how often each was seen.
KNOWN = (
    # A process that is killed within a call of Fast DDS 2.9 leaves a lock of its shared memory locked: others throw.
    'Interprocess mutex timeout when locking. Possible deadlock: owner died without unlocking?',
)


def fault(outcome, output, problems):
    """Why a failed test is not run again; None when it may have been bad luck.

    outcome: as one_test.py notes it. output: what the test printed. problems: the texts of its failed cases.
    """
    failures = '\n'.join(problems)
    if outcome['result'] == 'hung' or HANG.search(failures):
        return 'hang'
    if SANITIZER.search(output):
        return "sanitizer's report"
    status = outcome['status']
    if status is None or status < 0 or status >= SIGNALLED or CRASH.search(failures):
        return None if any(text in output for text in KNOWN) else 'crash'
    if LEFTOVER.search(output):
        return 'failed cleanup'
    if MESSAGE.search(failures):
        return 'torn or lost message'
    return None


def seeds(output):
    """The lines in which a test names its seed."""
    return [line.strip() for line in output.splitlines() if re.search(r'\bseed\b', line, re.IGNORECASE)][:3]
