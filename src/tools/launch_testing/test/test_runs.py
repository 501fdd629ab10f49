"""Runs of launch_test: which tests run when, what counts, and the exit status."""

import signal
import subprocess
import time

import pytest
from conftest import PATIENCE


def test_tests_run_during_and_after_the_launch(runner):
    results = runner.run("""
        def generate_test_description():
            process = sh(WAITING)
            return LaunchDescription([process, ReadyToTest()]), locals()

        class During(unittest.TestCase):
            def test_output(self, proc_output, proc_info, process):
                proc_output.assertWaitFor('up', process=process, timeout=60, stream='stdout')
                proc_info.assertWaitForStartup('sh')
                self.assertFalse(proc_output.waitFor('ending', timeout=0.05, stream='stdout'))

        @post_shutdown_test()
        class After(unittest.TestCase):
            def test_exit_code(self, proc_info, proc_output, process):
                assertExitCodes(proc_info, process=process)
                assertInStdout(proc_output, 'ending', process)
                with assertSequentialStdout(proc_output, process) as output:
                    output.assertInStdout('up')
                    output.assertInStdout('ending')
    """, '--package-name=some_package')
    assert results.status == 0, results.output
    assert results.cases() == ['test_output', 'test_exit_code']
    assert results.counts() == {'tests': 2}
    assert results.xml[0].get('name') == 'some_package.some_launch_test.launch_tests'
    assert results.xml[0][0].get('classname') == 'some_package.During'


def test_failures_and_errors_are_counted(runner):
    results = runner.run(r"""
        def generate_test_description():
            return LaunchDescription([sh(WAITING), ReadyToTest()])

        class During(unittest.TestCase):
            def test_fails(self):
                self.assertEqual(1, 2, 'numbers \x1b[1m differ')

            def test_errs(self):
                raise ValueError('what is wrong')

            def test_parts(self):
                for number in range(3):
                    with self.subTest(number=number):
                        self.assertNotEqual(number, 1)

            @unittest.expectedFailure
            def test_expected(self):
                self.fail()

            @unittest.expectedFailure
            def test_unexpected(self):
                pass

            @unittest.skip('not now')
            def test_skipped(self):
                self.fail()

        class Broken(unittest.TestCase):
            @classmethod
            def setUpClass(cls):
                raise RuntimeError('cannot be set up')

            def test_never(self):
                pass

        @post_shutdown_test()
        class After(unittest.TestCase):
            def test_runs_all_the_same(self):
                pass
    """)
    assert results.status == 1, results.output
    assert results.cases('failure') == ['test_fails', 'test_parts', 'test_unexpected']
    assert results.cases('error')[0] == 'test_errs'
    assert 'setUpClass' in results.cases('error')[1]
    assert results.cases('skipped') == ['test_skipped']
    assert 'test_runs_all_the_same' in results.cases()
    assert results.counts() == {'tests': 7, 'failures': 3, 'errors': 2, 'skipped': 1}
    assert 'numbers ?[1m differ' in results.xml.find('.//failure').get('message')


def test_processes_that_end_too_early_fail_all_tests(runner):
    results = runner.run("""
        def generate_test_description():
            return LaunchDescription([sh('echo reason >&2; exit 3'), ReadyToTest()])

        class During(unittest.TestCase):
            def test_waits(self, proc_output):
                proc_output.assertWaitFor('never', timeout=60)

        @post_shutdown_test()
        class After(unittest.TestCase):
            def test_after(self):
                pass
    """)
    assert results.status == 1
    assert 'Processes under test stopped before tests completed' in results.output
    assert "Process 'sh-1' exited with 3" in results.output
    assert "##### 'sh-1' output #####\nreason\n" in results.output
    assert results.cases('failure') == ['test_waits', 'test_after']


def test_keep_alive(runner):
    text = """
        KEEPER
        def generate_test_description():
            process = sh('echo done')
            return LaunchDescription([process, ReadyToTest(), ANOTHER]), locals()

        class During(unittest.TestCase):
            def test_end(self, proc_info, process):
                proc_info.assertWaitForShutdown(process, timeout=60)
                time.sleep(0.2)

        @post_shutdown_test()
        class After(unittest.TestCase):
            def test_exit_codes(self, proc_info):
                assertExitCodes(proc_info)
    """
    for marker, action in (('@keep_alive', "LogInfo(msg='')"), ('', 'KeepAliveProc()')):
        results = runner.run(text.replace('KEEPER', marker).replace('ANOTHER', action))
        assert results.status == 0, results.output
        assert results.counts() == {'tests': 2}


def test_a_process_that_is_just_ending_is_not_interrupted(runner):
    results = runner.run("""
        @keep_alive
        def generate_test_description():
            return LaunchDescription([sh('echo last words; sleep 0.05; exit 0'), ReadyToTest()])

        class During(unittest.TestCase):
            def test_last_words(self, proc_output):
                proc_output.assertWaitFor('last words', timeout=60, stream='stdout')

        @post_shutdown_test()
        class After(unittest.TestCase):
            def test_exit_codes(self, proc_info):
                assertExitCodes(proc_info)
    """)
    assert results.status == 0, results.output


def test_description_that_is_never_ready(runner):
    results = runner.run("""
        @launch_testing.ready_to_test_action_timeout(0.2)
        def generate_test_description():
            return LaunchDescription([sh(WAITING), TimerAction(period=3600.0, actions=[ReadyToTest()])])

        class During(unittest.TestCase):
            def test_never(self):
                pass
    """)
    assert results.status == 1
    assert 'Timed out waiting for processes to start up (0.2 s)' in results.output
    assert results.cases('failure') == ['test_never']


def test_ready_when_a_process_says_so(runner):
    results = runner.run("""
        def generate_test_description():
            process = sh('sleep 0.2; ' + WAITING)
            return LaunchDescription([process, RegisterEventHandler(
                StdoutReadyListener(target_action=process, ready_txt='up', actions=[ReadyToTest()]))])

        class During(unittest.TestCase):
            def test_is_up(self, proc_output):
                assertInStdout(proc_output, 'up', 'sh')
    """)
    assert results.status == 0, results.output


def test_one_run_for_each_set_of_parameters(runner):
    results = runner.run("""
        @launch_testing.parametrize('word, number', [('a', 1), ('b', 2), ('c', 3)])
        def generate_test_description(word, number):
            return LaunchDescription([sh(f'echo {word}; ' + WAITING), ReadyToTest()])

        class During(unittest.TestCase):
            def test_word(self, proc_output, word):
                proc_output.assertWaitFor(word, timeout=60, stream='stdout')

        @post_shutdown_test()
        class After(unittest.TestCase):
            def test_number(self, number):
                self.assertNotEqual(number, 2)
    """)
    assert results.status == 1
    assert results.cases() == ['test_word[a, 1]', 'test_number[a, 1]', 'test_word[b, 2]', 'test_number[b, 2]',
                               'test_word[c, 3]', 'test_number[c, 3]']
    assert results.cases('failure') == ['test_number[b, 2]']


def test_skipped_description(runner):
    results = runner.run("""
        @unittest.skip('no hardware')
        def generate_test_description():
            raise AssertionError

        class During(unittest.TestCase):
            def test_one(self):
                pass
    """)
    assert results.status == 0
    assert results.cases('skipped') == ['test_one']


def test_arguments(runner):
    text = """
        def generate_test_description():
            return LaunchDescription([
                DeclareLaunchArgument('word', default_value='nothing', description='what to say'),
                sh(['echo said ', LaunchConfiguration('word'), '; ', WAITING]), ReadyToTest()])

        class During(unittest.TestCase):
            def test_word(self, proc_output, test_args):
                proc_output.assertWaitFor('said ' + test_args['word'], timeout=60, stream='stdout')
                self.assertIs(self.test_args, test_args)
    """
    results = runner.run(text, 'word:=first', 'word:=--second')
    assert results.status == 0, results.output
    assert 'what to say' in runner.run(text, '--show-args').output
    results = runner.run(text, 'word')
    assert results.status == 2
    assert "'word' is no argument of a launch file" in results.output


def test_what_is_around_the_tests_gets_arguments_too(runner):
    results = runner.run("""
        def generate_test_description():
            return LaunchDescription([sh(WAITING), ReadyToTest()]), {'word': 'given'}

        class During(unittest.TestCase):
            @classmethod
            def setUpClass(cls, word):
                cls.words = [word]

            @classmethod
            def tearDownClass(cls, launch_service):
                assert launch_service is not None

            def setUp(self, word):
                self.words.append(word)

            def tearDown(self, word):
                assert word == 'given'

            def test_words(self, word):
                self.assertEqual(self.words, [word, word])
    """)
    assert results.status == 0, results.output


@pytest.mark.parametrize('text, message', [
    ('def generate_test_description():\n    return LaunchDescription([])', 'containing a ReadyToTest action'),
    ('def generate_test_description(other):\n    pass', "unexpected extra argument 'other'"),
    ("@launch_testing.parametrize('a', [1])\ndef generate_test_description():\n    pass", "for the parameter 'a'"),
    ('def other():\n    pass', 'has no function generate_test_description'),
    ('import no_such_module', "No module named 'no_such_module'"),
])
def test_mistakes_in_the_file_are_told(runner, text, message):
    results = runner.run(text)
    assert results.status == 2
    assert message in results.output
    assert 'Traceback' not in results.output


def test_file_that_is_not_there(runner):
    results = runner.run_command(runner.command('none.py'))
    assert results.status == 2
    assert "Test file 'none.py' does not exist" in results.output


def test_interrupt_ends_the_processes_and_fails(runner):
    path = runner.file("""
        def generate_test_description():
            return LaunchDescription([sh(WAITING, output='screen'), ReadyToTest()])

        class During(unittest.TestCase):
            def test_waits(self, proc_output):
                proc_output.assertWaitFor('never', timeout=3600)
    """)
    process = subprocess.Popen(runner.command(path), env=runner.env, stdout=subprocess.PIPE, text=True,
                               start_new_session=True)
    begin = ''
    deadline = time.monotonic() + PATIENCE
    while '[sh-1] up' not in begin and time.monotonic() < deadline:
        begin += process.stdout.readline()
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 1
    assert '[sh-1] ending' in output
