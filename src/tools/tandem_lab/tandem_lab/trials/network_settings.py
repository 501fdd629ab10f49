"""What a contestant needs so that its messages cross the cable between two namespaces, by unicast or by multicast.

Unicast: no multicast at all, the two sides know each other's addresses. Multicast: they find each other by it, and data
goes by it as well.
"""

from tandem_lab.trials.processes import Unsupported

ADDRESSES = ('10.98.0.1', '10.98.0.2')
MODES = ('unicast', 'multicast')
DATA_GROUP = '239.255.0.3'

# As rmw_fastrtps_cpp tunes Fast DDS (its settings.cpp), but over UDP only: a profile replaces all of it.
FAST_TUNED = {
    'transport': '<sendBufferSize>4194304</sendBufferSize><receiveBufferSize>4194304</receiveBufferSize>'
                 '<maxInitialPeersRange>32</maxInitialPeersRange>',
    'discovery': '<discovery_config><leaseDuration><sec>10</sec></leaseDuration>'
                 '<leaseAnnouncement><sec>3</sec></leaseAnnouncement></discovery_config>',
    'writer': '<times><heartbeatPeriod><nanosec>10000000</nanosec></heartbeatPeriod>'
              '<nackResponseDelay><nanosec>1000000</nanosec></nackResponseDelay></times>',
    'reader': '<times><heartbeatResponseDelay><nanosec>1000000</nanosec></heartbeatResponseDelay></times>',
}
FAST_PROFILE = """<?xml version="1.0" encoding="UTF-8"?>
<dds xmlns="http://www.eprosima.com/XMLSchemas/fastRTPS_Profiles">
  <library_settings><intraprocess_delivery>OFF</intraprocess_delivery></library_settings>
  <profiles>
    <transport_descriptors>
      <transport_descriptor><transport_id>udp</transport_id><type>UDPv4</type>{transport}</transport_descriptor>
    </transport_descriptors>
    <participant profile_name="participant" is_default_profile="true">
      <rtps>
        <builtin>{discovery}{peers}</builtin>
        <userTransports><transport_id>udp</transport_id></userTransports>
        <useBuiltinTransports>false</useBuiltinTransports>
      </rtps>
    </participant>
    <data_writer profile_name="writer" is_default_profile="true">{writer}</data_writer>
    <data_reader profile_name="reader" is_default_profile="true">{reader}{groups}</data_reader>
  </profiles>
</dds>
"""


def fast_locator(address, port=''):
    return f'<locator><udpv4>{port}<address>{address}</address></udpv4></locator>'


def fast_dds(contestant, mode, folder):
    tuned = contestant.settings == 'tuned'
    parts = {key: text if tuned else '' for key, text in FAST_TUNED.items()}
    parts.update(peers='', groups='')
    if mode == 'unicast':
        # Where it listens is said, so that it makes no multicast address.
        parts['peers'] = ('<metatrafficUnicastLocatorList><locator/></metatrafficUnicastLocatorList><initialPeersList>'
                          + ''.join(map(fast_locator, ADDRESSES)) + '</initialPeersList>')
    else:
        group = fast_locator(DATA_GROUP, '<port>7900</port>')
        parts['groups'] = f'<multicastLocatorList>{group}</multicastLocatorList>'
    file = folder / 'fastdds.xml'
    file.write_text(FAST_PROFILE.format(**parts), encoding='utf-8')
    variables = {'FASTRTPS_DEFAULT_PROFILES_FILE': str(file)}
    # Beside peers that are named, the transport asks the loopback in this range, and a multicast address in any other.
    return {**variables, 'ROS_AUTOMATIC_DISCOVERY_RANGE': 'LOCALHOST'} if mode == 'unicast' else variables


def cyclone_dds(_contestant, mode, _folder):
    prefer = ' prefer_multicast="true"' if mode == 'multicast' else ''
    general = (f'<Interfaces><NetworkInterface name="net0"{prefer}/></Interfaces>'
               f'<AllowMulticast>{str(mode == "multicast").lower()}</AllowMulticast>')
    peers = ''.join(f'<Peer address="{address}"/>' for address in ADDRESSES)
    discovery = '' if mode == 'multicast' else (
        f'<Discovery><ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>32</MaxAutoParticipantIndex>'
        f'<Peers>{peers}</Peers></Discovery>')
    return {'CYCLONEDDS_URI': f'<CycloneDDS><Domain id="any"><General>{general}</General>{discovery}'
                              '<SharedMemory><Enable>false</Enable></SharedMemory></Domain></CycloneDDS>'}


def zeromq(_contestant, mode, _folder):
    if mode == 'multicast':
        raise Unsupported('ZeroMQ over TCP has no multicast')
    # Both ends of the cable have this name; the peers find each other in TANDEM_SHM_DIR, which both sides see.
    return {'TANDEM_ZEROMQ_TRANSPORT': 'tcp', 'TANDEM_ZEROMQ_ADDRESS': 'net0'}


TRANSPORTS = {'rmw_fastrtps_cpp': fast_dds, 'rmw_cyclonedds_cpp': cyclone_dds, 'rmw_zeromq_cpp': zeromq}


def environment(contestant, mode, folder):
    """Variables for both sides; files that they name are written to the folder. Unsupported: it cannot, or not so."""
    if mode not in MODES:
        raise Unsupported(f"mode is '{mode}'; a cable knows {' and '.join(MODES)}")
    if contestant.kind == 'transport':
        if contestant.rmw not in TRANSPORTS:
            raise Unsupported(f'{contestant.title} as it is used here does not leave the host: its peers meet in '
                              'memory that they share')
        return TRANSPORTS[contestant.rmw](contestant, mode, folder)
    if contestant.kind == 'floor' and contestant.link['name'] not in ('tcp', 'udp'):
        raise Unsupported('this floor is memory or a socket of one host')
    if mode == 'multicast':
        raise Unsupported(f'{contestant.title}: no multicast here')
    return {}
