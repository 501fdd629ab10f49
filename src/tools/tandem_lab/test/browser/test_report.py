"""The report in a real browser: drawn without complaint or network, toggles change what is drawn, CSV, paper."""

import json
import math
import re
import sys
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parent.parent)]
from tandem_lab.report import pdf  # noqa: E402

if not pdf.browser():
    pytest.skip('THE REPORT IS NOT TESTED: no chromium (apt-get install chromium)', allow_module_level=True)

from browser import Browser  # noqa: E402
from made_up_run import make  # noqa: E402
from tandem_lab import report  # noqa: E402
from tandem_lab.analysis import analysis  # noqa: E402
from tandem_lab.report import tables  # noqa: E402

HOSTILE = '</script><script>owned=1</script><!--<script><img src=x onerror="owned=1"> \u2028 =1+1,"quoted"\n'
# One of each kind of chart; fewer than the whole, to be quick.
EXPERIMENTS = {'round-trip', 'delay-study', 'pinning', 'layers'}
# The chart library's own record of what it drew, and the pixels (read from a copy: the page's own canvases stay fast).
DRAWN = '''(id) => {
  const canvas = document.querySelector(`#chart-${id} canvas`);
  const chart = Chart.getChart(canvas);
  const copy = Object.assign(document.createElement('canvas'), {width: canvas.width, height: canvas.height});
  const context = copy.getContext('2d', {willReadFrequently: true});
  context.drawImage(canvas, 0, 0);
  const pixels = new Uint32Array(context.getImageData(0, 0, copy.width, copy.height).data.buffer);
  return {sum: pixels.reduce((sum, pixel) => (sum * 31 + pixel) % 4294967291, 7), colours: new Set(pixels).size,
    sets: chart.data.datasets.length, axes: [chart.scales.x.type, chart.scales.y.type]};
}'''


@pytest.fixture(scope='module')
def run(tmp_path_factory):
    """The folder of a made-up run with its report."""
    folder = make(tmp_path_factory.mktemp('run'), messages=150, only=EXPERIMENTS)
    analysis.analyse(folder)
    report.write(folder)
    return folder


@pytest.fixture(scope='module')
def browser():
    with Browser() as one:
        yield one


@pytest.fixture
def page(browser, run):
    one = browser.open(url_of(run), colour='light')
    yield one
    assert one.complaints == []
    one.close()


def url_of(folder):
    return (folder / 'report.html').resolve().as_uri()


def show(page, chart):
    """Scroll to a chart and wait until it is drawn."""
    page.run(f'document.querySelector("#chart-{chart} .stage").scrollIntoView({{block: "center"}})')
    page.wait(f'Boolean(Chart.getChart(document.querySelector("#chart-{chart} canvas")))')


def drawn(page, chart):
    return page.run(f'({DRAWN})("{chart}")')


def click(page, selector):
    page.run(f'document.querySelector({json.dumps(selector)}).click()')


def charts_of(folder):
    return [chart for section in load(folder)['sections'] for chart in section['charts']]


def load(folder):
    return json.loads((folder / 'analysis.json').read_text())


def written(tmp_path, made):
    (tmp_path / 'analysis.json').write_text(json.dumps(made))
    return report.write(tmp_path)


def test_every_chart_is_drawn_without_network_or_complaint(page, run):
    charts = charts_of(run)
    assert {chart['kind'] for chart in charts} == {'by_point', 'by_percentile', 'by_number', 'boxes', 'jitter', 'queue',
                                                   'bars', 'by_layer'}
    assert page.run('document.querySelectorAll("canvas").length') == len(charts)
    for chart in charts:
        if any(series['points'] for series in chart['series']):
            show(page, chart['id'])
            assert drawn(page, chart['id'])['colours'] > 8, f'{chart["id"]} is blank'
        else:
            card = f'document.querySelector("#chart-{chart["id"]}")'
            page.run(f'{card}.scrollIntoView()')
            page.wait(f'{card}.querySelector(".empty").textContent.startsWith("Nothing was measured")')
    assert page.requests == [url_of(run)]


def test_the_verdict_comes_first_and_gives_reasons(page, run):
    verdict = load(run)['verdict']
    assert page.run('document.querySelector("main section").id') == 'verdict'
    assert page.run('document.querySelectorAll(".verdict-row").length') == len(verdict)
    behind = [row for row in verdict if (row['ours'] or {}).get('rank') and row['ours']['rank'] > 1]
    assert behind and page.run('document.querySelectorAll(".verdict-row.behind").length') == len(behind)
    why = page.run('document.querySelector(".verdict-row.behind .why").textContent')
    assert behind[0]['ours']['why'].split(';')[0] in why


def test_legend_filter_and_scale_switches_change_what_is_drawn(page):
    show(page, 'round-trip-1')
    before = drawn(page, 'round-trip-1')
    click(page, '#chart-round-trip-1 .key[data-contestant=fastdds]')
    without = drawn(page, 'round-trip-1')
    assert without['sets'] == before['sets'] - 1 and without['sum'] != before['sum']
    click(page, '.filter [data-contestant=zeromq]')
    assert drawn(page, 'round-trip-1')['sets'] == before['sets'] - 2
    show(page, 'round-trip-5')
    assert drawn(page, 'round-trip-5')['sets'] == before['sets'] - 1, 'the filter is for all charts, the legend for one'
    click(page, '.filter [data-choose=floors]')
    assert 0 < drawn(page, 'round-trip-5')['sets'] < before['sets'] - 1
    click(page, '.filter [data-choose=all]')
    show(page, 'round-trip-1')
    assert drawn(page, 'round-trip-1')['sets'] == before['sets'] - 1
    click(page, '#chart-round-trip-1 .key[data-contestant=fastdds]')
    assert drawn(page, 'round-trip-1') == before
    click(page, '#chart-round-trip-1 [data-tool=yLog]')
    linear = drawn(page, 'round-trip-1')
    assert before['axes'][1] == 'logarithmic' and linear['axes'][1] == 'linear' and linear['sum'] != before['sum']
    click(page, '.filter [data-choose=none]')
    assert page.run('document.querySelector("#chart-round-trip-1 .empty").hidden') is False


def test_dark_follows_the_system_and_the_choice_is_kept(browser, run):
    page = browser.open(url_of(run), colour='dark')
    assert page.run('document.documentElement.dataset.theme') == 'dark'
    show(page, 'round-trip-1')
    dark = drawn(page, 'round-trip-1')
    click(page, '#theme')
    assert page.run('document.documentElement.dataset.theme') == 'light'
    assert drawn(page, 'round-trip-1')['sum'] != dark['sum']
    page.load(url_of(run))
    assert page.run('document.documentElement.dataset.theme') == 'light'
    page.run('localStorage.clear()')
    assert page.complaints == []
    page.close()


def test_the_csv_button_gives_what_the_file_has(browser, page, run, tmp_path):
    browser.call('Browser.setDownloadBehavior', behavior='allow', downloadPath=str(tmp_path), eventsEnabled=True)
    for chart in charts_of(run):
        shown = page.run(f'''new Promise((done) => {{
          const create = URL.createObjectURL;
          URL.createObjectURL = (blob) => {{
            URL.createObjectURL = create;
            blob.text().then(done);
            return create(blob);
          }};
          document.querySelector('#chart-{chart["id"]} [data-tool=csv]').click(); }})''')
        assert shown == (run / chart['csv']).read_text(), chart['id']
    # Only the first is kept: browsers ask before a page saves several files on its own.
    page.wait((tmp_path / 'round-trip-1.csv').is_file)
    assert (tmp_path / 'round-trip-1.csv').read_bytes() == (run / 'charts/round-trip-1.csv').read_bytes()


def test_numbers_are_spelled_as_in_the_browser(page):
    values = [0, -0.0, 1, -3, 0.1, 1e-6, 1.5e-7, 1e-7, 123456789.125, 1e15, 1e20, 1e21, 1.25e22, 2**53, 5e-324, 1 / 3,
              -2.5e-9, True]
    assert [tables.field_of(value) for value in values] == page.run(f'{json.dumps(values)}.map(String)')
    assert tables.field_of(math.nan) == tables.field_of(None) == ''


def test_a_phone_shows_it_without_scrolling_sideways(browser, run):
    page = browser.open(url_of(run), width=360, height=740, colour='light')
    page.run('document.querySelectorAll("details").forEach((box) => { box.open = true; })')
    for place in ('0', 'document.documentElement.scrollHeight / 2', 'document.documentElement.scrollHeight'):
        page.run(f'scrollTo(0, {place}); new Promise((done) => setTimeout(done, 100))')
        assert page.run('document.documentElement.scrollWidth') <= 360
    click(page, '.menu')
    assert page.run('getComputedStyle(document.querySelector("#side")).display') == 'block'
    assert page.complaints == []
    page.close()


def test_the_keyboard_reaches_it_and_focus_is_seen(page):
    page.call('Page.bringToFront')
    seen = set()
    for _ in range(12):
        page.key('Tab')
        focus = page.run('({what: document.activeElement.className || document.activeElement.tagName,'
                         ' outline: getComputedStyle(document.activeElement).outlineStyle})')
        assert focus['outline'] == 'solid', focus
        seen.add(focus['what'])
    assert {'skip', 'brand', 'tool'} <= seen
    page.run('document.querySelector("#theme").focus()')
    before = page.run('document.documentElement.dataset.theme')
    page.key('Enter')
    assert page.run('document.documentElement.dataset.theme') != before
    page.run('localStorage.clear()')


def test_numbers_stand_in_a_table_too(page):
    page.run('document.querySelectorAll("#chart-round-trip-1 details").forEach((box) => { box.open = true; })')
    page.wait('Boolean(document.querySelector("#chart-round-trip-1 td"))')
    text = page.run('document.querySelector("#chart-round-trip-1 table").textContent')
    assert 'Tandem' in text and '64\u00a0KiB' in text and '\u00b5s' in text


def test_paper_has_every_chart(run):
    problem = pdf.print_to(run / 'report.html', run / 'report.pdf')
    assert problem == ''
    data = (run / 'report.pdf').read_bytes()
    pages = len(re.findall(rb'/Type\s*/Page\b', data))
    images = len(re.findall(rb'/Subtype\s*/Image\b', data))
    assert data.startswith(b'%PDF') and pages >= 5 and images >= len(charts_of(run)) and b'/Font' in data


def test_without_chromium_a_sentence_says_what_to_install(run, monkeypatch):
    monkeypatch.setattr(pdf.shutil, 'which', lambda _: None)
    made = report.write(run, pdf=True)
    assert made.pdf is None and 'apt-get install chromium' in made.problem


def hostile(value):
    """The same analysis with every text for people turned into an attack; what code depends on is left."""
    kept = {'id', 'kind', 'shape', 'scale', 'unit', 'contestant', 'certainty', 'csv', 'experiment', 'winner',
            'runner_up', 'severity', 'better'}
    if isinstance(value, dict):
        return {key: one if key in kept else hostile(one) for key, one in value.items()}
    if isinstance(value, list):
        return [hostile(one) for one in value]
    return HOSTILE if isinstance(value, str) else value


def test_hostile_texts_stay_texts(browser, run, tmp_path):
    made = hostile(load(run))
    made['sections'][0]['charts'][0]['id'] = '../../evil'
    made['contestants'][0]['id'] = made['sections'][0]['charts'][0]['series'][0]['contestant'] = HOSTILE
    csv = written(tmp_path, made).csv
    assert all(file.parent == tmp_path / 'charts' for file in csv)
    page = browser.open(url_of(tmp_path), colour='light')
    page.run('document.querySelector("canvas").scrollIntoView(); new Promise((done) => setTimeout(done, 200))')
    assert page.run('typeof owned') == 'undefined' and page.run('document.querySelectorAll("img").length') == 0
    assert '<!--<script>' in page.run('document.querySelector("h1").textContent')
    assert page.complaints == [] and len(page.requests) == 1
    page.close()


@pytest.mark.parametrize('cut', ['nothing', 'keys', 'lists', 'charts'])
def test_what_is_missing_is_said_not_stumbled_over(browser, run, tmp_path, cut):
    made = load(run)
    if cut == 'nothing':
        made = {}
    elif cut == 'keys':
        section = {'id': 'one', 'charts': [{'id': 'c', 'series': [{'contestant': 'x'}]}]}
        made = {'run': {'complete': False}, 'sections': [section], 'verdict': [{}]}
    elif cut == 'lists':
        made = {key: [] if isinstance(value, list) else value for key, value in made.items()}
        made['run']['complete'] = False
    else:
        for chart in (chart for section in made['sections'] for chart in section['charts']):
            chart['noise'] = None
            chart['series'] = chart['series'][:1]
            for point in (point for series in chart['series'] for point in series['points'][::2]):
                point.update({key: None for key in point if key != 'x'})
    written(tmp_path, made)
    page = browser.open(url_of(tmp_path), colour='light')
    for index in range(page.run('document.querySelectorAll(".stage").length')):
        page.run(f'document.querySelectorAll(".stage")[{index}].scrollIntoView();'
                 'new Promise((done) => requestAnimationFrame(() => setTimeout(done)))')
    assert page.run('document.querySelectorAll("main section").length') >= 3
    assert cut in ('charts',) or 'not finished' in page.run('document.querySelector("main").textContent')
    assert page.complaints == []
    page.close()


def test_a_broken_analysis_is_named(tmp_path):
    (tmp_path / 'analysis.json').write_text('{"run": \n oops}')
    with pytest.raises(ValueError, match=r'analysis\.json:2: not JSON'):
        report.write(tmp_path)
