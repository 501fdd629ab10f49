"""Whether there is anything to compare with: a test that runs, or is skipped, on every machine."""


def test_rosbags_is_installed():
    import reference
    assert reference.STORE.types
