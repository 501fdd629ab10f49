"""Managed nodes: states, transitions, and what is enabled by them."""

from conftest import spin_until, wait_until
from lifecycle_msgs.msg import State, Transition, TransitionEvent
from lifecycle_msgs.srv import ChangeState, GetAvailableStates, GetAvailableTransitions, GetState
import pytest
from rclpy.lifecycle import LifecycleNode, SimpleManagedEntity, TransitionCallbackReturn
from rclpy.subscription import RCLError
from std_msgs.msg import String

OTHER = """
import rclpy
from rclpy.lifecycle import LifecycleNode, TransitionCallbackReturn
from std_msgs.msg import String
class Managed(LifecycleNode):
    def on_configure(self, state):
        print('configures from', state.label)
        self.talker = self.create_lifecycle_publisher(String, 'talk', 10)
        self.timer_ = self.create_timer(0.005, lambda: self.talker.publish(String(data='active')))
        return super().on_configure(state)
    def on_cleanup(self, state):
        self.destroy_timer(self.timer_)
        self.destroy_lifecycle_publisher(self.talker)
        return super().on_cleanup(state)
rclpy.init()
node = Managed('other')
print('ready')
rclpy.spin(node)
"""

SUCCESS, FAILURE, ERROR = (
    TransitionCallbackReturn.SUCCESS, TransitionCallbackReturn.FAILURE, TransitionCallbackReturn.ERROR)


class Managed(LifecycleNode):
    """A node that notes its callbacks, and answers as it is told."""

    def __init__(self, context, **answers):
        self.calls = []
        self.answers = answers
        super().__init__('managed', context=context)

    def _answer(self, name, state):
        self.calls.append((name, state.label))
        answer = self.answers.get(name, SUCCESS)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def on_configure(self, state):
        return self._answer('configure', state)

    def on_activate(self, state):
        super().on_activate(state)  # which tells its entities
        return self._answer('activate', state)

    def on_shutdown(self, state):
        return self._answer('shutdown', state)

    def on_error(self, state):
        return self._answer('error', state)


@pytest.fixture
def make(context):
    """Make managed nodes, which are destroyed at the end."""
    nodes = []

    def make(**answers):
        nodes.append(Managed(context, **answers))
        return nodes[-1]

    yield make
    for node in nodes:
        node.destroy_node()


class Remote:
    """Asks a managed node by its services."""

    def __init__(self, node, executor, name):
        self.node, self.executor, self.name = node, executor, name

    def ask(self, kind, service, **values):
        client = self.node.create_client(kind, f'{self.name}/{service}')
        assert client.wait_for_service(60)
        future = client.call_async(kind.Request(**values))
        self.executor.spin_until_future_complete(future, 60)
        self.node.destroy_client(client)
        return future.result()

    def change(self, transition):
        return self.ask(ChangeState, 'change_state', transition=Transition(id=transition)).success

    def state(self):
        return self.ask(GetState, 'get_state').current_state.label


def state_of(node):
    return node._state_machine.current_state[1]


def test_a_node_goes_through_its_states(make):
    node = make()
    assert state_of(node) == 'unconfigured'
    assert node.trigger_configure() == SUCCESS and state_of(node) == 'inactive'
    assert node.trigger_activate() == SUCCESS and state_of(node) == 'active'
    assert node.trigger_deactivate() == SUCCESS and state_of(node) == 'inactive'
    assert node.trigger_cleanup() == SUCCESS and state_of(node) == 'unconfigured'
    assert node.trigger_shutdown() == SUCCESS and state_of(node) == 'finalized'
    assert node.calls == [('configure', 'unconfigured'), ('activate', 'inactive'), ('shutdown', 'unconfigured')]


def test_a_transition_that_there_is_not_is_refused(make):
    node = make()
    with pytest.raises(RCLError):
        node.trigger_activate()
    assert state_of(node) == 'unconfigured' and node.calls == []


@pytest.mark.parametrize('answer, at_error, state, calls', [
    (FAILURE, SUCCESS, 'unconfigured', ['configure']),
    (ERROR, SUCCESS, 'unconfigured', ['configure', 'error']),
    (ERROR, FAILURE, 'finalized', ['configure', 'error']),
    (LookupError('of the callback'), SUCCESS, 'unconfigured', ['configure', 'error']),
    (LookupError('of the callback'), LookupError('again'), 'finalized', ['configure', 'error'])])
def test_callbacks_decide_where_a_transition_leads(make, answer, at_error, state, calls):
    node = make(configure=answer, error=at_error)
    assert node.trigger_configure() in (FAILURE, ERROR)
    assert state_of(node) == state and [name for name, _ in node.calls] == calls


def test_publishers_publish_while_their_node_is_active(make, node, executor):
    managed = make()
    publisher = managed.create_lifecycle_publisher(String, 'talk', 10)
    got = []
    node.create_subscription(String, 'talk', lambda message: got.append(message.data), 10)
    publisher.publish(String(data='unconfigured'))
    managed.trigger_configure()
    publisher.publish(String(data='inactive'))
    managed.trigger_activate()
    assert publisher.is_activated
    publisher.publish(String(data='active'))
    managed.trigger_deactivate()
    publisher.publish(String(data='inactive again'))
    managed.trigger_activate()
    publisher.publish(String(data='active again'))
    spin_until(executor, lambda: 'active again' in got)
    assert got == ['active', 'active again']
    managed.destroy_lifecycle_publisher(publisher)


def test_entities_of_programs_are_told_and_enabled(context):
    class Doing(SimpleManagedEntity):
        done = 0

        @SimpleManagedEntity.when_enabled
        def do(self):
            self.done += 1

    with LifecycleNode('managed', context=context) as node:
        entity = Doing()
        node.add_managed_entity(entity)
        entity.do()
        node.trigger_configure()
        entity.do()
        assert entity.done == 0
        node.trigger_activate()
        entity.do()
        assert entity.done == 1 and entity.is_activated
        node.trigger_deactivate()
        entity.do()
        assert entity.done == 1


def test_another_process_is_managed_by_services(node, executor, run):
    other = run(OTHER)
    other.wait_for('ready')
    remote = Remote(node, executor, '/other')
    got = []
    node.create_subscription(String, 'talk', lambda message: got.append(message.data), 10)
    assert remote.state() == 'unconfigured'
    assert remote.change(Transition.TRANSITION_CONFIGURE) and remote.state() == 'inactive'
    other.wait_for('configures from unconfigured')
    wait_until(lambda: node.count_publishers('talk') == 1)
    assert not got
    assert remote.change(Transition.TRANSITION_ACTIVATE) and remote.state() == 'active'
    spin_until(executor, lambda: len(got) > 3)
    assert not remote.change(Transition.TRANSITION_CONFIGURE) and remote.state() == 'active'
    assert remote.change(Transition.TRANSITION_DEACTIVATE)
    assert remote.change(Transition.TRANSITION_CLEANUP) and remote.state() == 'unconfigured'
    wait_until(lambda: node.count_publishers('talk') == 0)
    assert remote.change(Transition.TRANSITION_UNCONFIGURED_SHUTDOWN) and remote.state() == 'finalized'


def test_services_tell_states_and_transitions(make, node, executor):
    executor.add_node(make())
    remote = Remote(node, executor, '/managed')
    states = {state.id: state.label for state in
              remote.ask(GetAvailableStates, 'get_available_states').available_states}
    assert states[State.PRIMARY_STATE_ACTIVE] == 'active' and states[State.PRIMARY_STATE_FINALIZED] == 'finalized'
    assert states[State.TRANSITION_STATE_CONFIGURING] == 'configuring' and len(states) == 11

    def transitions(service):
        return {(step.start_state.label, step.transition.label, step.goal_state.label)
                for step in remote.ask(GetAvailableTransitions, service).available_transitions}

    assert {label for _, label, _ in transitions('get_available_transitions')} == {'configure', 'shutdown'}
    graph = transitions('get_transition_graph')
    assert transitions('get_available_transitions') < graph
    assert ('unconfigured', 'configure', 'configuring') in graph
    assert ('inactive', 'activate', 'activating') in graph


def test_transitions_are_events(make, node, executor):
    got = []
    subscription = node.create_subscription(TransitionEvent, '/managed/transition_event', lambda event: got.append(
        (event.start_state.label, event.goal_state.label)), 10)
    managed = make()
    wait_until(lambda: subscription.get_publisher_count() == 1)
    managed.trigger_configure()
    managed.trigger_activate()
    spin_until(executor, lambda: ('activating', 'active') in got)
    assert got == [('unconfigured', 'configuring'), ('configuring', 'inactive'),
                   ('inactive', 'activating'), ('activating', 'active')]


def test_a_node_without_services_is_managed_by_its_program_alone(context, node):
    with LifecycleNode('alone', context=context, enable_communication_interface=False) as managed:
        wait_until(lambda: 'alone' in node.get_node_names())
        names = [name for name, _ in node.get_service_names_and_types_by_node('alone', '/')]
        assert '/alone/change_state' not in names and '/alone/get_parameters' in names
        assert managed.trigger_configure() == SUCCESS
    with pytest.raises(TypeError):
        LifecycleNode('alone', context=context, enable_communication_interface=1)
