"""Programs as tests of scripts that launch them themselves, as packages did before `launch_test`, and still do."""

from launch.actions import EmitEvent, ExecuteProcess, RegisterEventHandler
from launch.event_handlers import OnProcessExit
from launch.events import Shutdown
from launch.logging import get_logger


class LaunchTestService:
    """Runs a LaunchService until the tests that were added have ended, and tells whether all passed.

        tests = LaunchTestService()
        tests.add_test_action(description, ExecuteProcess(cmd=['test_of_mine']))
        service.include_launch_description(description)
        sys.exit(tests.run(service))
    """

    def __init__(self):
        self._running = set()
        self._failures = []

    def add_test_action(self, launch_description, action):
        """Adds a process that is a test: its exit status is the result. With the last test the launch ends. Returns the
        action."""
        self._add(launch_description, action, self._on_test_exit)
        self._running.add(action)
        return action

    def add_fixture_action(self, launch_description, action, exit_allowed=(0,)):
        """Adds a process that tests need. It may end before them only with a status of `exit_allowed`, or with any if
        that is True; otherwise the tests have failed, and the launch ends. Returns the action."""
        def on_exit(event, context):
            if not self._running or exit_allowed is True or event.returncode in (exit_allowed or ()):
                return None
            return self._give_up(f"'{event.process_name}', which tests need, ended with status {event.returncode}")

        self._add(launch_description, action, on_exit)
        return action

    def run(self, launch_service, *args, **kwargs):
        """Runs the service; further arguments are those of its run(). Returns 0 if all tests passed."""
        status = launch_service.run(*args, **kwargs)
        if self._running and not self._failures:
            self._failures.append(f'{len(self._running)} of the tests had not ended when the launch ended')
        for failure in self._failures:
            get_logger('launch_testing').error(failure)
        return 1 if self._failures else status

    def _add(self, launch_description, action, on_exit):
        if not isinstance(action, ExecuteProcess):
            raise TypeError(f'an ExecuteProcess is needed, not {action!r}')
        launch_description.add_action(action)
        launch_description.add_action(RegisterEventHandler(OnProcessExit(target_action=action, on_exit=on_exit)))

    def _on_test_exit(self, event, context):
        self._running.discard(event.action)
        if event.returncode != 0:
            self._failures.append(f"the test '{event.process_name}' ended with status {event.returncode}")
        return None if self._running else EmitEvent(event=Shutdown(reason='all tests have ended'))

    def _give_up(self, reason):
        self._failures.append(reason)
        return EmitEvent(event=Shutdown(reason=reason))
