"""Events of QoS at stock nodes over Tandem: by stock nodes, and by native ones."""

from line_process import wait_for


def test_both_ends_are_told_of_matches(world, a, b):
    a.do('advertise("/matched")')
    for number in 1, 2:
        b.do(f'listen("/matched", key={number})')
        a.wait(f'count("/matched", "matched", "current_count") == {number}')
    assert b.ask('count("/matched", "matched", "current_count")') == 1
    listener = world.command('ros2', 'topic', 'echo', '/matched')
    a.wait('count("/matched", "matched", "current_count") == 3')
    listener.process.terminate()
    a.wait('count("/matched", "matched", "current_count") == 2')
    b.do('[node.destroy_subscription(subscriptions.pop(n)) for n in (1, 2)]')
    a.wait('count("/matched", "matched", "current_count") == 0')
    assert a.ask('count("/matched", "matched")') == 3


def test_both_ends_are_told_of_qos_that_does_not_fit(world, a, b):
    for topic, offered, requested, policy in (('/unreliable', 'best_effort', 'reliable', 'RELIABILITY'),
                                              ('/forgetful', 'volatile', 'transient_local', 'DURABILITY')):
        a.do(f'advertise({topic!r}, "std_msgs/msg/String", {offered!r})')
        b.do(f'listen({topic!r}, "std_msgs/msg/String", {requested!r})')
        for peer in a, b:
            peer.wait(f'count({topic!r}, "incompatible_qos") == 1')
            kind = f'count({topic!r}, "incompatible_qos", "last_policy_kind")'
            assert peer.ask(f'rclpy.qos.qos_policy_name_from_kind({kind})') == policy
        a.do(f'publish({topic!r}, {{"data": "unheard"}})')
    world.command('ros2', 'topic', 'echo', '/unreliable', '--qos-reliability', 'reliable')
    a.wait('count("/unreliable", "incompatible_qos") == 2')
    assert b.ask('got["/unreliable"] + got["/forgetful"]') == []


def test_both_ends_are_told_of_missed_deadlines(a, b):
    a.do('advertise("/timely", deadline=0.05)')
    b.do('listen("/timely", deadline=0.05)')
    a.wait('matched("/timely")')  # a subscription's deadline begins with its first message
    a.do('publish("/timely", {"data": "first"})')
    for peer in a, b:
        peer.wait('count("/timely", "deadline") > 1')


def test_a_native_publisher_that_falls_silent_misses_its_deadline(world, a):
    a.do('listen("/silent", "std_msgs/msg/UInt64", keep=data, deadline=10.0)')  # of no offer: none fits
    talker = world.command('ros2', 'topic', 'pub', '-r', '50', '/silent', 'std_msgs/msg/UInt64', '{data: 1}')
    a.wait('count("/silent", "incompatible_qos") == 1')
    talker.process.terminate()


def test_subscriptions_are_told_of_publishers_alive_and_not(a, b):
    b.do('listen("/alive", liveliness_lease_duration=0.3)')
    a.do('advertise("/alive", "std_msgs/msg/String", "manual", liveliness_lease_duration=0.2)')
    is_alive = 'any(s.alive_count == 1 for what, s in told.get("/alive", []) if what == "liveliness")'
    # Shown again and again: where the subscription is slow, it is told of two changes at once.
    for sign_of_life in 'publishers["/alive"].assert_liveliness()', 'publish("/alive", {"data": "again"})':
        wait_for(lambda: a.do(sign_of_life) or b.ask(is_alive), f'publisher alive after {sign_of_life}')
        b.wait('count("/alive", "liveliness", "not_alive_count") == 1')  # it shows nothing more
        b.do('del told["/alive"]')
    a.wait('count("/alive", "liveliness") > 0')


def test_a_subscription_is_told_what_it_lost(a, b):
    b.do('idle = rclpy.create_node("idle")')
    b.do('listen("/flood", "std_msgs/msg/UInt64", keep=data, at=idle, depth=1)')
    a.do('advertise("/flood", "std_msgs/msg/UInt64", depth=1)')
    a.wait('matched("/flood")')
    a.do('[publish("/flood", {"data": n}, "std_msgs/msg/UInt64") for n in range(2000)]')
    b.do('take_all(idle)')
    assert b.ask('got["/flood"]') == [1999]
    assert b.ask('count("/flood", "message_lost")') == 1999
    b.do('idle.destroy_node()')
