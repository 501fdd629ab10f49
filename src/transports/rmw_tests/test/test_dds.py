"""A stock ROS 2 over its own Fast DDS: with native nodes over DDS, and through the gateway with shared memory."""

import pytest
from peers import PREFIX, World

IMAGE = 'sensor_msgs/msg/Image'
SERVE = '''
from std_srvs.srv import SetBool

def answer(request, response):
    response.success, response.message = not request.data, "stock"
    return response

service = node.create_service(SetBool, "/stock_bool", answer)
'''
RMW = {'fastdds': 'rmw_fastrtps_cpp', 'cyclonedds': 'rmw_cyclonedds_cpp'}
# Services of one vendor do not meet those of the other: each has its own way to say which request a response answers.
OF_ONE_VENDOR = pytest.mark.parametrize('world', ['fastdds', 'fastdds gateway'], indirect=True)
GATEWAYS = [f'{dds} gateway' for dds in RMW]


@pytest.fixture(scope='module', params=[*RMW, *GATEWAYS])
def world(request):
    """A stock node over Fast DDS, 'far', and a native one over that DDS or behind a gateway that speaks it."""
    dds, *gateway = request.param.split()
    if not (PREFIX / f'share/ament_index/resource_index/tandem_transport/{RMW[dds]}').exists():
        pytest.skip(f'{RMW[dds]} is not built here')
    with World() as world:
        world.dds, world.rmw = dds, '' if gateway else RMW[dds]
        network = str(int(world.env['ROS_DOMAIN_ID']) + (50 if gateway else 0))
        world.far, world.near = world.stock('far', rmw='', ROS_DOMAIN_ID=network), world.native(rmw=world.rmw)
        if gateway:
            world.command('tandem-gateway', '--network', dds, '--network-domain', network)
        yield world


def test_images_come_back_from_native_nodes(world):
    far = world.far
    far.do(f'import array, numpy; listen("/from_native", "{IMAGE}", keep=summary); advertise("/to_native", "{IMAGE}")')
    far.wait('matched("/to_native") and matched("/from_native")')
    # Between vendors the default buffers of the sockets hold no more.
    size = (1080, 1920, 3) if world.dds == 'fastdds' else (240, 320, 3)
    far.do(f'pixels = numpy.random.default_rng().integers(0, 256, {size}, numpy.uint8)')
    far.do('image = dict(header=interface("std_msgs/msg/Header")(frame_id="camera"), '
           'data=array.array("B", pixels.tobytes()))')
    # A writer may know a reader that does not know it yet.
    far.do(f'timer = node.create_timer(0.2, lambda: publish("/to_native", image, "{IMAGE}"))')
    far.wait('len(got["/from_native"]) > 1')
    far.do('timer.cancel()')
    assert far.ask('got["/from_native"][-1] == ["camera", pixels.size, hashlib.sha256(pixels).hexdigest()]')


def test_strings_pass_both_ways(world):
    far = world.far
    far.do('advertise("/far", "std_msgs/msg/String", "transient_local"); listen("/near", keep=data)')
    listener = world.command('ros2', 'topic', 'echo', '/far', 'std_msgs/msg/String', '--field', 'data',
                             '--qos-durability', 'transient_local', '--qos-reliability', 'reliable', rmw=world.rmw)
    far.do('publish("/far", {"data": "from far"})')
    listener.await_line(lambda line: line == 'from far')
    world.command('ros2', 'topic', 'pub', '-r', '20', '-p', '0', '/near', 'std_msgs/msg/String',
                  '{data: from near}', rmw=world.rmw)
    far.wait('"from near" in got["/near"]')


@OF_ONE_VENDOR
def test_services_answer_both_ways(world):
    far = world.far
    far.do(SERVE)
    far.do('client = node.create_client(SetBool, "/set_bool")')
    far.wait('client.service_is_ready()')
    far.do('done = client.call_async(SetBool.Request(data=False))')
    far.wait('done.done()')
    assert far.ask('[done.result().success, done.result().message]') == [True, 'native']
    output = world.ros2('service', 'call', '/stock_bool', 'std_srvs/srv/SetBool', '{data: false}', rmw=world.rmw)
    assert "message='stock'" in output


@OF_ONE_VENDOR
def test_native_actions_are_used(world):
    far = world.far
    far.do('from rclpy.action import ActionClient\nfrom test_msgs.action import Fibonacci')
    far.do('action = ActionClient(node, Fibonacci, "/native_fibonacci")')
    far.wait('action.server_is_ready()')
    far.do('goal = action.send_goal_async(Fibonacci.Goal(order=5))')
    far.wait('goal.done()')
    far.do('done = goal.result().get_result_async()')
    far.wait('done.done()')
    assert far.ask('[done.result().status, list(done.result().result.sequence)]') == [4, [0, 1, 1, 2, 3, 5]]


def test_the_graph_shows_the_other_side(world):
    far = world.far
    far.wait('"native_peer" in node.get_node_names()')
    far.wait('dict(node.get_topic_names_and_types()).get("/to_native") == ["sensor_msgs/msg/Image"]')
    far.do('advertise("/only_far", "geometry_msgs/msg/Pose")')
    world.eventually('topic', 'list', '-t', '--spin-time', '1', rmw=world.rmw,
                     holds=lambda output: '/only_far [geometry_msgs/msg/Pose]' in output)
    world.eventually('node', 'list', '--spin-time', '1', rmw=world.rmw, holds=lambda output: '/far' in output.split())


@pytest.mark.parametrize('world', GATEWAYS, indirect=True)
def test_stock_nodes_over_tandem_meet_those_over_fast_dds_through_the_gateway(world):
    inside, far = world.stock('inside'), world.far
    for peer, own, other in (inside, '/inside', '/outside'), (far, '/outside', '/inside'):
        peer.do(f'advertise({own!r}, "std_msgs/msg/String", "transient_local")')
        peer.do(f'listen({other!r}, "std_msgs/msg/String", "transient_local", keep=data)')
        peer.do(f'publish({own!r}, {{"data": "on {own}"}})')
    inside.wait('got["/outside"] == ["on /outside"]')
    far.wait('got["/inside"] == ["on /inside"]')
