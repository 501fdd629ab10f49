"""Messages that have to come, without rclpy: `ros2 topic echo` receives them."""

import collections
import subprocess
import threading

import yaml


class WaitForTopics:
    """Waits until each of some topics has had a message.

    `topic_tuples` has pairs of topic and type, as 'std_msgs/msg/String'. As a context manager it waits when it is
    entered, and raises RuntimeError after `timeout` seconds. Of each topic, the last messages are kept.
    """

    def __init__(self, topic_tuples, timeout=5.0, messages_received_buffer_length=10):
        self.topic_tuples = list(topic_tuples)
        for topic, data_type in self.topic_tuples:
            if not isinstance(data_type, str):
                raise TypeError(f"the type of topic '{topic}' is given as a text such as 'std_msgs/msg/String', not by "
                                f'{data_type!r}: message classes of Python are not part of Tandem')
        self.timeout = timeout
        self._condition = threading.Condition()
        self._texts = {topic: collections.deque(maxlen=messages_received_buffer_length)
                       for topic, _ in self.topic_tuples}
        self._processes = []

    def wait(self):
        """Whether each topic has had a message within the timeout."""
        for topic, data_type in [] if self._processes else self.topic_tuples:
            process = subprocess.Popen(['ros2', 'topic', 'echo', topic, data_type], stdout=subprocess.PIPE,
                                       stdin=subprocess.DEVNULL, text=True)
            self._processes.append(process)
            threading.Thread(target=self._read, args=(topic, process.stdout), daemon=True).start()
        with self._condition:
            return self._condition.wait_for(lambda: all(self._texts.values()), self.timeout)

    def _read(self, topic, stream):
        lines = []
        with stream:
            for line in stream:
                if line != '---\n':
                    lines.append(line)
                    continue
                with self._condition:
                    self._texts[topic].append(''.join(lines))
                    self._condition.notify_all()
                lines = []

    def shutdown(self):
        """Stops listening."""
        for process in self._processes:
            process.kill()
            process.wait()

    def topics_received(self):
        """The topics that have had a message."""
        with self._condition:
            return {topic for topic, texts in self._texts.items() if texts}

    def topics_not_received(self):
        return set(self._texts) - self.topics_received()

    def received_messages(self, topic_name):
        """The last messages of a topic, as dicts; of long arrays and texts, the beginning. KeyError for a topic that is
        not waited for."""
        with self._condition:
            texts = list(self._texts[topic_name])
        return [yaml.safe_load(text) for text in texts]

    def __enter__(self):
        if not self.wait():
            missing = ', '.join(sorted(self.topics_not_received()))
            self.shutdown()
            raise RuntimeError(f'Did not receive messages on these topics within {self.timeout} s: {missing}')
        return self

    def __exit__(self, kind, value, trace):
        self.shutdown()
