"""Decorators, processes that tests start, tests that are programs, and the plug-in for pytest."""

import sys


def test_retries(runner):
    results = runner.run("""
        def generate_test_description():
            return LaunchDescription([sh(WAITING), ReadyToTest()])

        class During(unittest.TestCase):
            tries = {'plain': 0, 'parts': 0, 'vain': 0, 'error': 0}

            @retry_on_failure(times=3, delay=0.01)
            def test_plain(self, proc_output):
                self.tries['plain'] += 1
                self.assertEqual(self.tries['plain'], 3)

            @retry_on_failure(times=3)
            def test_parts(self):
                self.tries['parts'] += 1
                with self.subTest(part=1):
                    self.assertEqual(self.tries['parts'], 3)

            @retry_on_failure(times=2)
            def test_vain(self):
                self.tries['vain'] += 1
                self.fail()

            @retry_on_failure(times=2)
            def test_error(self):
                self.tries['error'] += 1
                raise KeyError

            def test_zz_tries(self):
                self.assertEqual(self.tries, {'plain': 3, 'parts': 3, 'vain': 2, 'error': 1})
    """)
    assert results.cases('failure') == ['test_vain']
    assert results.cases('error') == ['test_error']
    assert results.counts() == {'tests': 5, 'failures': 1, 'errors': 1}


def test_processes_that_tests_start(runner):
    results = runner.run("""
        @keep_alive
        def generate_test_description():
            return LaunchDescription([ReadyToTest()])

        class During(unittest.TestCase):
            def test_process(self, launch_service, proc_info, proc_output):
                action = sh('echo noise; ' + WAITING)
                with launch_testing.tools.launch_process(
                        launch_service, action, proc_info, proc_output,
                        output_filter=launch_testing.tools.basic_output_filter(['noise'])) as process:
                    assert process.wait_for_output(lambda output: output == 'up\\n', timeout=60)
                    assert process.running and not process.terminated
                    waited = process.wait_for_output(lambda output: False, timeout=0.05)
                    assert not waited and 'up' in repr(waited)
                assert process.wait_for_shutdown(timeout=60)
                assert process.terminated and process.exit_code == 0
                assert process.stdout == 'up\\nending\\n' and process.stderr == ''
    """)
    assert results.status == 0, results.output


def test_programs_that_are_tests(runner):
    results = runner.run("""
        @keep_alive
        def generate_test_description():
            slow = Test(cmd=['sh', '-c', WAITING], name='slow', timeout=0.3)
            stubborn = Test(cmd=['sh', '-c', 'trap "" INT TERM; while :; do sleep 0.05; done'], name='stubborn',
                            timeout=0.3, kill_timeout=0.1)
            quick = GTest(path='true', timeout=3600)
            python = PyTest(path=__file__, name='python', additional_env={'NESTED': 'yes'})
            return LaunchDescription([slow, stubborn, quick, python, ReadyToTest()]), locals()

        def test_for_pytest():
            assert os.environ['NESTED'] == 'yes'

        class During(unittest.TestCase):
            def test_ends(self, proc_info, slow, stubborn, quick, python):
                for process, code in ((slow, 0), (stubborn, -9), (quick, 0), (python, 0)):
                    proc_info.assertWaitForShutdown(process, timeout=60)
                    assertExitCodes(proc_info, [code], process)
    """.replace('class During', 'if "NESTED" not in os.environ:\n          class During')
       .replace('            def test_ends', '              def test_ends'))
    assert results.status == 0, results.output


def test_launch_ends_though_a_test_could_have_taken_longer(runner):
    results = runner.run("""
        def generate_test_description():
            return LaunchDescription([GTest(path='true', timeout=3600), ReadyToTest()])

        class During(unittest.TestCase):
            def test_waits_for_ever(self, proc_output):
                proc_output.assertWaitFor('never', timeout=3600)
    """)
    assert 'Processes under test stopped before tests completed' in results.output


PYTEST = """
    @pytest.mark.launch_test
    def generate_test_description():
        return LaunchDescription([sh(WAITING), ReadyToTest()])

    class During(unittest.TestCase):
        def test_word(self, test_args):
            self.assertEqual(test_args['word'], 'right')
"""


def run_pytest(runner, *words):
    return runner.run_command([sys.executable, '-m', 'pytest', '-p', 'launch_testing_pytest', '-p',
                               'no:cacheprovider', *words])


def test_pytest_runs_marked_files(runner):
    runner.file(PYTEST, 'test_marked.py')
    runner.file('def test_ordinary():\n    pass', 'test_other.py')
    results = run_pytest(runner, '--launch-args', 'word:=right', '--', '.')
    assert results.status == 0, results.output
    assert '2 passed' in results.output


def test_pytest_reports_failures(runner):
    runner.file(PYTEST, 'test_marked.py')
    results = run_pytest(runner, '--launch-args', 'word:=wrong', '--', '.')
    assert results.status == 1
    assert 'FAIL: test_marked.During.test_word' in results.output
    assert "'wrong' != 'right'" in results.output
