"""What the benchmark makes of its bursts: ratios within a round, slopes, limits; and the tables."""

import pytest

from tandem_lab.bench import cli, figures, python_suites, tables
from tandem_lab.bench.rounds import Failed


def burst(p50):
    return {'samples': 10, 'p50': p50, 'p90': 2 * p50, 'p99': 3 * p50, 'p999': 4 * p50, 'max': 5 * p50}


def suite(name='core', **more):
    return {'name': name, 'disk': False, 'figures': [], 'targets': [], 'excesses': [], 'slopes': [], **more}


def rounds(*values):
    return [burst(value) for value in values]


def test_a_ratio_is_formed_within_a_round():
    one = suite(targets=[{'what': 'a / b', 'series': 'a', 'reference': 'b', 'limit': 2.0}])
    # The machine is ten times as slow in the second round.
    _, targets = figures.evaluate([one], {'a': rounds(3, 30, 3), 'b': rounds(2, 20, 2)})
    assert targets == [{'what': 'a / b', 'unit': 'ratio', 'value': 1.5, 'low': 1.5, 'high': 1.5, 'limit': 2.0,
                        'met': True}]


def test_a_target_without_a_limit_has_no_verdict():
    one = suite(targets=[{'what': 'a', 'series': 'a', 'reference': '', 'limit': 0}])
    _, (target,) = figures.evaluate([one], {'a': rounds(7)})
    assert target['unit'] == 'ns' and target['value'] == 7 and 'met' not in target


def test_what_was_not_played_is_left_out():
    one = suite(figures=[{'series': 'a', 'what': 'A'}, {'series': 'b', 'what': 'B'}],
                targets=[{'what': 'a / b', 'series': 'a', 'reference': 'b', 'limit': 1}],
                excesses=[{'what': 'a - b', 'series': 'a', 'floor': 'b'}],
                slopes=[{'what': 's', 'prefix': 's.', 'counts': [1, 2], 'limit': 1}])
    series, targets = figures.evaluate([one], {'a': rounds(1, 2), 's.1': rounds(1, 1)})
    assert [found['name'] for found in series] == ['a'] and targets == []


def test_a_series_has_medians_over_the_rounds_and_the_greatest_of_all():
    one = suite(figures=[{'series': 'a', 'what': 'A'}])
    (found,), _ = figures.evaluate([one], {'a': rounds(*range(1, 21))})
    assert found['p50'] == {'value': 10.5, 'low': 6, 'high': 15}  # the usual table: the 6th and the 15th of 20
    assert (found['p90'], found['p99'], found['p999'], found['max'], found['samples']) == (21, 31.5, 42, 100, 200)
    assert found['bursts'] == list(range(1, 21))


@pytest.mark.parametrize('count', [1, 2])
def test_the_interval_of_few_values_is_their_range(count):
    assert figures.median(list(range(1, count + 1))) == {'value': (1 + count) / 2, 'low': 1, 'high': count}


@pytest.mark.parametrize('values, slope', [((103, 106, 112, 124), 3), ((5, 5, 5, 5), 0)])
def test_a_slope_ignores_the_offset(values, slope):
    one = suite(slopes=[{'what': 's', 'prefix': 's.', 'counts': [1, 2, 4, 8], 'limit': 4}])
    bursts = {f's.{count}': rounds(value) for count, value in zip((1, 2, 4, 8), values)}
    _, (target,) = figures.evaluate([one], bursts)
    assert target['value'] == pytest.approx(slope) and target['met']


@pytest.mark.parametrize('floor, limit', [(40, 50), (60, 50), (105, 77.5), (150, 105), (200, 140)])
def test_the_limit_above_a_floor_grows_with_it(floor, limit):
    assert figures.excess_limit(floor) == pytest.approx(limit)


@pytest.mark.parametrize('only, names', [
    ([], ['core', 'transports.rmw_a_cpp']), (['bag'], ['bag']), (['transports'], ['transports.rmw_a_cpp']),
    (['core', 'transports.rmw_a_cpp'], ['core', 'transports.rmw_a_cpp'])])
def test_groups_are_chosen_by_name_or_its_first_word(only, names):
    suites = [suite(), {**suite('bag'), 'disk': True}, suite('transports.rmw_a_cpp')]
    assert [one['name'] for one in cli.chosen(suites, only)] == names


def test_an_unknown_group_is_refused():
    with pytest.raises(Failed, match='no group other; groups: core'):
        cli.chosen([suite()], ['other'])


@pytest.mark.parametrize('nanoseconds, text', [
    (0.5, '0.50 ns'), (212.4, '212 ns'), (999.6, '1.00 us'), (1949, '1.95 us'), (27300, '27.3 us'), (3.2e9, '3.20 s'),
    (-40, '-40.0 ns')])
def test_times_have_three_digits_and_a_unit(nanoseconds, text):
    assert tables.time_text(nanoseconds) == text


def test_transports_have_a_row_each_the_fastest_first():
    def row(name, what, value):
        return {'name': name, 'what': what, 'p50': {'value': value, 'low': value, 'high': value}}
    result = {'series': [
        row('floor.futex', 'floor: futex', 10000),
        *(row(f'transports.block.{player}.{size}', f'blocking, {player}, {words}', value * size)
          for player, value in (('slow', 900), ('fast', 500)) for size, words in ((64, '64 B'), (8192, '8 KiB')))]}
    block, cpu, poll = tables.transport_tables(result)
    assert block == [('one way, blocking (p50)', '64 B', '8 KiB'), ('floor: futex', '10.0 us', '10.0 us'),
                     ('fast', '32.0 us', '4.10 ms'), ('slow', '57.6 us', '7.37 ms')]
    assert len(cpu) == len(poll) == 1


def test_suites_of_python_measure_what_they_compare():
    suites = python_suites.listed()
    measured = {figure['series'] for suite in suites for figure in suite['figures']}
    assert 'python.tandem.image' in measured
    for target in figures.each(suites, 'targets'):
        assert target['series'] in measured
        assert target['reference'].startswith('python.stock.')
    assert all(suite['named'] for suite in suites)


def test_python_is_played_when_it_is_named():
    suites = [{'name': 'python.tandem', 'disk': False, 'named': True}, {'name': 'core', 'disk': False}]
    assert [suite['name'] for suite in cli.chosen(suites, [])] == ['core']
    assert [suite['name'] for suite in cli.chosen(suites, ['python'])] == ['python.tandem']
