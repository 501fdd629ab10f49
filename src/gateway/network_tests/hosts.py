"""Several hosts on this machine: each has a network and a /dev/shm of its own, so that it shares memory with no other.

    with Hosts(3, env={'ROS_DOMAIN_ID': '83'}) as hosts:
        a, b, c = hosts
        talker = a.start('ros2', 'topic', 'pub', '/chatter', 'std_msgs/msg/String', '{data: hi}')
        a.start('tandem-gateway', '--network', 'cyclonedds')
        b.lose(5)                                   # percent of what reaches b
        c.cut()
        print(b.out('ros2', 'topic', 'list'))
        talker.wait_for('publishing', 'stdout')

A host is a process that sleeps in namespaces made for it (network and mount). Its eth0 (10.99.0.1, .2, ...) is one end
of a veth pair; the other end is a port of a bridge in a namespace of its own. Nothing has a name outside, so nothing is
left behind: all of it ends with the processes, and those with the test, even if it is killed. It needs root, as in a
container with CAP_NET_ADMIN and CAP_SYS_ADMIN, and says so instead of skipping anything.
"""

import contextlib
import ctypes
import os
import re
import signal
import subprocess
import tempfile
import time
from pathlib import Path

TIMEOUT = 120  # seconds, for a machine that is busy with other things
PREFIX = Path(os.environ.get('TANDEM_PREFIX', Path(__file__).resolve().parents[3] / 'install'))
# What would lead a program out of its host, or to other middleware than the test means.
UNWANTED = ('TANDEM_SHM_DIR', 'RMW_IMPLEMENTATION', 'TANDEM_NETWORK', 'ROS_DOMAIN_ID', 'AMENT_PREFIX_PATH',
            'CYCLONEDDS_URI', 'FASTRTPS_DEFAULT_PROFILES_FILE', 'FASTDDS_DEFAULT_PROFILES_FILE', 'ROS_LOCALHOST_ONLY')
# The networks that the gateway can use here, as its --network calls them.
NETWORKS = [name for name, plug_in in (('cyclonedds', 'rmw_cyclonedds_cpp'), ('fastdds', 'rmw_fastrtps_cpp'))
            if (PREFIX / 'lib' / f'lib{plug_in}.so').is_file()]


def end_with_parent():
    """Of a child: killed when the test is."""
    PR_SET_PDEATHSIG = 1
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def wait_until(condition, what, timeout=TIMEOUT):
    """The first true value of the condition."""
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f'{what} did not happen within {timeout} s')


def processor_time(process):
    """Seconds that it has taken so far."""
    with open(f'/proc/{process}/stat') as stat:
        fields = stat.read().rsplit(')', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')


class Program:
    """A program that runs on a host; its output is read meanwhile."""

    def __init__(self, host, command, env):
        self._folder = tempfile.TemporaryDirectory(prefix='tandem-hosts-')
        self.name = ' '.join(map(str, command))
        self._files = {name: Path(self._folder.name) / name for name in ('stdout', 'stderr')}
        with open(self._files['stdout'], 'wb') as out, open(self._files['stderr'], 'wb') as err:
            self.process = subprocess.Popen(host.enter(command), env=env, stdin=subprocess.PIPE, stdout=out, stderr=err,
                                            preexec_fn=end_with_parent)

    @property
    def stdout(self):
        return self._files['stdout'].read_text(errors='replace')

    @property
    def stderr(self):
        return self._files['stderr'].read_text(errors='replace')

    def wait_for(self, text, stream='stdout', timeout=TIMEOUT):
        """Until it has written something that this regular expression finds. Returns the match."""
        pattern = re.compile(text, re.MULTILINE)

        def found():
            # Whether it has ended is asked first: what it wrote last counts.
            ended = self.process.poll() is not None
            match = pattern.search(getattr(self, stream))
            assert match or not ended, f'{self.name} ended ({self.process.returncode}):\n{self.stdout}\n{self.stderr}'
            return match
        try:
            return wait_until(found, f'{text!r} from {self.name}', timeout)
        except AssertionError as error:
            raise AssertionError(f'{error}\n{self.stdout[-2000:]}\n{self.stderr[-2000:]}') from None

    def wait(self, timeout=TIMEOUT):
        """Until it ends. Returns its exit status."""
        return self.process.wait(timeout=timeout)

    def interrupt(self):
        """Ctrl-C. Returns the exit status."""
        self.process.send_signal(signal.SIGINT)
        return self.wait()

    def kill(self):
        """As kill -9."""
        self.process.kill()
        self.process.wait()

    def end(self):
        self.kill()
        self.process.stdin.close()
        self._folder.cleanup()


class Host:
    """Namespaces, and the programs that run in them."""

    def __init__(self, name, env):
        self.name = name
        self.env = env
        self.programs = []
        # Mounts made here are seen nowhere else.
        script = 'mount -t tmpfs -o mode=1777 tmpfs /dev/shm && ip link set lo up && echo ready && exec sleep infinity'
        self.keeper = subprocess.Popen(['unshare', '--net', '--mount', '--propagation', 'private', 'sh', '-c', script],
                                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                       preexec_fn=end_with_parent)
        if self.keeper.stdout.readline() != b'ready\n':
            reason = self.keeper.stderr.read().decode(errors='replace')
            raise RuntimeError(f'no namespaces for a host: {reason}Network tests need root with CAP_NET_ADMIN and '
                               'CAP_SYS_ADMIN; in a container run it with --privileged')

    def enter(self, command):
        command = [str(word) for word in command]
        own = PREFIX / 'bin' / command[0]
        if own.is_file():
            command[0] = str(own)
        return ['nsenter', '--target', str(self.keeper.pid), '--net', '--mount', '--', *command]

    def run(self, *command, env=None, timeout=TIMEOUT, **options):
        """Runs a program to its end."""
        return subprocess.run(self.enter(command), env={**self.env, **(env or {})}, capture_output=True, text=True,
                              timeout=timeout, preexec_fn=end_with_parent, **options)

    def out(self, *command, **options):
        """Output of a program that succeeds."""
        done = self.run(*command, **options)
        assert done.returncode == 0, f'{self.name}: {" ".join(map(str, command))}: {done.stdout}{done.stderr}'
        return done.stdout

    def start(self, *command, env=None):
        """A program in the background; it is killed with its host if it has not ended before."""
        self.programs.append(Program(self, command, {**self.env, **(env or {})}))
        return self.programs[-1]

    def processes(self):
        """The numbers of all processes that run here."""
        own = os.readlink(f'/proc/{self.keeper.pid}/ns/net')
        found = []
        for process in Path('/proc').glob('[0-9]*'):
            with contextlib.suppress(OSError):  # it has just ended
                if os.readlink(process / 'ns/net') == own:
                    found.append(int(process.name))
        return found

    def lose(self, percent):
        """From now on so many percent of the datagrams that reach this host are dropped; 0 to end it."""
        self.run('nft', 'delete', 'table', 'inet', 'loss')
        if percent:
            rules = ('table inet loss { chain input { type filter hook input priority 0; '
                     f'iifname "eth0" numgen random mod 1000 < {round(percent * 10)} counter drop; ' '}; }')
            self.out('nft', '-f', '-', input=rules)

    def dropped(self):
        """Datagrams that lose() has dropped."""
        return int(re.search(r'counter packets (\d+)', self.out('nft', 'list', 'table', 'inet', 'loss')).group(1))

    def packets(self):
        """Packets that its eth0 has received and sent so far."""
        folder = '/sys/class/net/eth0/statistics'
        # The namespace's own view of /sys, which is mounted for each namespace.
        script = f'mount -t sysfs sysfs /sys && cat {folder}/rx_packets {folder}/tx_packets && umount /sys'
        return tuple(map(int, self.out('sh', '-c', script).split()))

    @contextlib.contextmanager
    def capture(self, what=''):
        """Writes the packets on eth0 (of this tcpdump filter) to a file meanwhile; yields its path."""
        with tempfile.TemporaryDirectory(prefix='tandem-capture-') as folder:
            file = Path(folder) / 'packets.pcap'
            dump = self.start('tcpdump', '-i', 'eth0', '-U', '--immediate-mode', '-Z', 'root', '-w', file,
                              *what.split())
            dump.wait_for('listening on', 'stderr')
            try:
                yield file
            finally:
                dump.interrupt()

    def end(self):
        for program in self.programs:
            program.end()
        for process in self.processes():  # also those that have left their parents
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self.keeper.communicate()


class NetworkHost(Host):
    """A host with a cable."""

    def __init__(self, switch, number, env):
        super().__init__(f'host {number}', env)
        self.address = f'10.99.0.{number}'
        self._switch = switch
        self._port = f'port{number}'
        switch.out('ip', 'link', 'add', self._port, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', self.keeper.pid)
        switch.out('ip', 'link', 'set', self._port, 'master', 'bridge', 'up')
        self.out('ip', 'address', 'add', f'{self.address}/24', 'dev', 'eth0')
        self.out('ip', 'link', 'set', 'eth0', 'up', 'multicast', 'on')
        self.out('ip', 'route', 'add', 'default', 'dev', 'eth0')  # multicast included

    def cut(self):
        """Pulls the cable out."""
        self._switch.out('ip', 'link', 'set', self._port, 'down')

    def restore(self):
        """Puts it in again."""
        self._switch.out('ip', 'link', 'set', self._port, 'up')


class Hosts:
    """So many hosts on one bridge; env is added to the environment of their programs."""

    def __init__(self, count, env=None):
        kept = {key: value for key, value in os.environ.items() if key not in UNWANTED}
        kept['PATH'] = f'{PREFIX / "bin"}:{kept.get("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")}'
        self._stack = contextlib.ExitStack()
        with contextlib.ExitStack() as stack:
            switch = Host('the switch', kept)
            stack.callback(switch.end)
            # Without multicast snooping, as an unmanaged switch: no querier has to be waited for.
            switch.out('ip', 'link', 'add', 'bridge', 'type', 'bridge', 'mcast_snooping', '0')
            switch.out('ip', 'link', 'set', 'bridge', 'up')
            self.hosts = []
            for number in range(1, count + 1):
                self.hosts.append(NetworkHost(switch, number, {**kept, **(env or {})}))
                stack.callback(self.hosts[-1].end)
            self._stack = stack.pop_all()

    def __enter__(self):
        return self.hosts

    def __exit__(self, *_):
        self._stack.close()
