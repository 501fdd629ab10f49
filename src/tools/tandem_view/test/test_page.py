"""The page in a real browser, at the size of a desktop and of a phone: what it shows, keys, words, colours, memory."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tandem_lab.report import pdf

if not pdf.browser():
    pytest.skip('THE PAGE IS NOT TESTED: no chromium (apt-get install chromium)', allow_module_level=True)

from browser import Browser  # noqa: E402

DESKTOP = (1280, 900)
PHONE = (390, 844)
# Said by a browser without a graphics processor.
HARMLESS = ('WebGL', 'GPU stall')
TEXT = "(document.querySelector('main') || document.body).innerText"


@pytest.fixture(scope='module')
def browser():
    with Browser() as one:
        yield one


def show(browser, view, place='', size=DESKTOP, colour='light'):
    """The page at a place such as 'topics:/imu'."""
    page = browser.open('about:blank', *size, colour=colour)
    page.load(view.page + f'#{place}')
    page.run("localStorage.setItem('tandem-view-language', 'en')")
    page.wait("document.querySelector('.state.connected') !== null")
    return page


def done(page, *screenshot):
    """Closes the page, which must not have complained or asked anybody else."""
    folder = os.environ.get('SCREENSHOTS')
    if folder and screenshot:
        page.screenshot(Path(folder) / screenshot[0])
    complaints = [each for each in page.complaints if not any(word in each for word in HARMLESS)]
    assert complaints == []
    assert {each.split('/')[2] for each in page.requests if each.startswith(('http', 'ws'))} <= \
        {page.run('location.host')}
    page.close()


def number_of_colours(page):
    """Of the canvas that shows messages."""
    return page.run('''(() => {
      const canvas = document.querySelector('figure.picture canvas, figure.points canvas');
      if (!canvas || !canvas.width) return 0;
      const copy = Object.assign(document.createElement('canvas'), {width: canvas.width, height: canvas.height});
      const context = copy.getContext('2d');
      context.drawImage(canvas, 0, 0);
      return new Set(new Uint32Array(context.getImageData(0, 0, copy.width, copy.height).data.buffer)).size;
    })()''')


def row_of(page, topic):
    return page.run(f'''[...document.querySelectorAll('.table tbody tr')]
      .filter((row) => row.querySelector('th')?.innerText === {json.dumps(topic)})
      .map((row) => [...row.children].map((cell) => cell.innerText))[0] || null''')


@pytest.mark.parametrize('size', [DESKTOP, PHONE], ids=['desktop', 'phone'])
def test_topics_have_types_rates_and_means(browser, view, size):
    page = show(browser, view, size=size)
    page.wait(lambda: (row_of(page, '/imu') or [''] * 5)[4].startswith(('4', '5')))
    cells = row_of(page, '/imu')
    if size == DESKTOP:
        assert cells[1:4] == ['sensor_msgs/msg/Imu', '1', '1'] and cells[7] == 'copies'
        assert row_of(page, '/camera/image')[7] == 'zero-copy'
    assert page.run('document.documentElement.scrollWidth <= innerWidth'), 'nothing sticks out sideways'
    done(page, f'topics-{size[0]}.png')


@pytest.mark.parametrize('size', [DESKTOP, PHONE], ids=['desktop', 'phone'])
def test_topic_shows_connections_and_why_they_copy(browser, view, size):
    page = show(browser, view, 'topics:/imu', size)
    page.wait(f"{TEXT}.includes('/listener')")
    words = page.run(TEXT)
    assert 'copies' in words and '/robot' in words and 'reliable, last 10' in words
    page.wait("document.querySelectorAll('.histogram svg').length === 3")
    page.wait("document.querySelectorAll('.charts canvas').length === 3")
    assert page.run('document.documentElement.scrollWidth <= innerWidth')
    done(page, f'topic-{size[0]}.png')


def test_message_is_a_tree(browser, view):
    page = show(browser, view, 'topics:/camera/image')
    page.wait("document.querySelector('input[value=tree]') !== null")
    page.run("document.querySelector('input[value=tree]').click()")
    page.wait(f"{TEXT}.includes('2764800 elements, 24 of them shown')")
    assert 'rgb8' in page.run(TEXT)
    done(page)


def test_image_is_drawn_no_larger_than_shown(browser, view):
    page = show(browser, view, 'topics:/camera/image')
    page.wait(lambda: number_of_colours(page) > 100)
    assert '1280 × 720 pixels, shown as 640 × 360' in page.run(TEXT)
    done(page, 'picture.png')


@pytest.mark.parametrize('topic, total', [('/lidar/points', '50.0 k'), ('/lidar/scan', '720')])
def test_points_are_drawn_and_turned_with_keys(browser, view, topic, total):
    page = show(browser, view, f'topics:{topic}', colour='dark')
    if not page.run("document.createElement('canvas').getContext('webgl2') !== null"):
        page.close()
        pytest.skip('THE POINTS ARE NOT TESTED: this browser has no WebGL')
    page.wait(lambda: number_of_colours(page) > 50)
    assert f'of {total} points' in page.run(TEXT)
    page.run("document.querySelector('.points canvas').focus()")
    for key in ['ArrowLeft', 'ArrowUp']:
        page.call('Input.dispatchKeyEvent', type='keyDown', key=key, code=key)
    assert page.run('scrollY') == 0
    done(page, f'points-{total}.png'.replace(' ', ''))


def test_numbers_are_plotted(browser, view):
    page = show(browser, view, 'topics:/imu')
    page.wait("document.querySelector('input[value=plot]') !== null")
    page.run("document.querySelector('input[value=plot]').click()")
    page.wait("document.querySelectorAll('.fields input').length > 10")
    assert 'angular_velocity.z' in page.run(TEXT)
    page.run('''[...document.querySelectorAll('.fields label')]
      .filter((label) => /angular_velocity.z|linear_acceleration.x/.test(label.innerText))
      .forEach((label) => label.querySelector('input').click())''')
    page.wait("document.querySelectorAll('.fields output').length >= 2")
    page.wait("Math.abs(parseFloat(document.querySelector('.fields .line-2 output')?.innerText)) <= 1")
    done(page, 'plot.png')


def test_last_minute_is_kept(browser, view):
    page = show(browser, view, 'topics:/chatter')
    page.wait("Number(document.querySelector('.look-back input')?.max) >= 5")
    page.run('''(() => {
      const range = document.querySelector('.look-back input');
      range.value = 0;
      range.dispatchEvent(new Event('input', {bubbles: true}));
    })()''')
    page.wait("document.querySelector('.look-back button').getAttribute('aria-pressed') === 'false'")
    first = page.run("document.querySelector('.tree').innerText")
    kept = "Number(document.querySelector('.look-back input').max)"
    before = page.run(kept)
    page.wait(f'{kept} > {before}')
    assert page.run("document.querySelector('.tree').innerText") == first, 'what is looked back at stays'
    page.run("document.querySelector('.look-back button').click()")
    page.wait(f"document.querySelector('.tree').innerText !== {json.dumps(first)}")
    done(page)


def test_graph_joins_nodes_and_topics(browser, view):
    page = show(browser, view, 'graph')
    page.wait("document.querySelectorAll('.graph .edge.zero-copy').length >= 4")
    assert page.run("document.querySelectorAll('.graph .edge.copies').length") >= 2
    titles = "[...document.querySelectorAll('.graph title')].map((each) => each.textContent.split(' ')[0])"
    assert {'/robot', '/listener', '/imu'} <= set(page.run(titles))
    page.run('''document.querySelector('.graph a[href="#topics:/imu"]')
      .dispatchEvent(new MouseEvent('click', {bubbles: true}))''')
    page.wait(f"{TEXT}.includes('sensor_msgs/msg/Imu')")
    done(page)


def test_parameters_are_read_and_set(browser, view):
    page = show(browser, view, 'parameters')
    field = '''[...document.querySelectorAll('input[type=text]')]
      .find((each) => each.ariaLabel.includes('/robot.gears'))'''
    page.wait(f'{field} !== undefined')
    for value in ['7', '4']:
        page.run(f'''(() => {{
          const field = {field};
          field.value = {value};
          field.dispatchEvent(new Event('input', {{bubbles: true}}));
        }})()''')
        page.wait(f"!{field}.closest('form').querySelector('button').disabled")
        page.run(f"{field}.closest('form').requestSubmit()")
        page.wait(f"{field}.value === '{value}' && {field}.closest('form').querySelector('button').disabled")
    done(page, 'parameters.png')


def test_keys_alone_reach_everything(browser, view):
    page = show(browser, view)
    page.wait(lambda: row_of(page, '/imu'))
    reached = []
    for _ in range(24):
        page.key('Tab')
        reached.append(page.run('''((each) => `${each.tagName} ${each.innerText || each.type}`)
          (document.activeElement)'''))
        if reached[-1].startswith('TR'):
            break
    assert reached[0] == 'A Skip to the content'
    assert [each for each in reached if each.startswith('A ')][1:4] == ['A Topics', 'A Graph', 'A Parameters']
    assert reached[-1].startswith('TR /camera/image')
    for key, code in [('ArrowDown', 40), ('End', 35), ('Home', 36), ('ArrowDown', 40)]:
        page.call('Input.dispatchKeyEvent', type='keyDown', key=key, code=key, windowsVirtualKeyCode=code)
        page.run('new Promise((done) => setTimeout(done, 60))')
    assert page.run('document.activeElement.innerText').startswith('/chatter')
    page.key('Enter')
    page.wait("location.hash === '#topics:/chatter'")
    done(page)


def test_screen_reader_gets_names_for_everything(browser, view):
    page = show(browser, view, 'topics:/camera/image')
    page.wait("document.querySelectorAll('.charts canvas').length === 3")
    tree = page.call('Accessibility.getFullAXTree')['nodes']
    named = {'button', 'link', 'checkbox', 'radio', 'slider', 'searchbox', 'img', 'table', 'textbox', 'region',
             'navigation', 'image'}
    nameless = [node['role']['value'] for node in tree if not node.get('ignored') and
                node['role']['value'] in named and not node.get('name', {}).get('value')]
    assert nameless == []
    assert page.run("document.querySelector('[aria-sort=ascending]').innerText").startswith('Topic')
    assert page.run("document.querySelectorAll('h1').length") == 1
    done(page)


def test_chinese_and_english(browser, view):
    page = show(browser, view, 'topics:/imu', PHONE)
    page.run("document.querySelector('.language').click()")
    page.wait(f"{TEXT}.includes('最近一分钟')")
    page.wait("document.documentElement.lang === 'zh'")
    page.load(view.page)
    page.wait("document.querySelector('nav').innerText.includes('话题')")
    page.run("document.querySelector('.language').click()")
    page.wait("document.querySelector('nav').innerText.includes('Topics')")
    done(page)


@pytest.mark.skipif(not shutil.which('node'), reason='WHAT THE PAGE KEEPS IS NOT TESTED: no node')
def test_what_the_page_keeps_is_bounded():
    subprocess.run(['node', Path(__file__).parent / 'kept.mjs'], check=True, timeout=60)


def test_every_word_is_in_both_languages_and_used():
    sources = Path(__file__).parent.parent / 'web' / 'src'
    words = set(re.findall(r"^  '?([\w-]+(?: \w+)?)'?: \[", (sources / 'text.js').read_text(), re.MULTILINE))
    assert len(words) > 80
    code = ''.join(file.read_text() for file in sources.glob('*.jsx'))
    used = set(re.findall(r"\btext\('([\w -]+)'", code))
    assert used <= words, used - words


@pytest.mark.parametrize('colour', ['light', 'dark'])
def test_text_has_contrast(browser, view, colour):
    page = show(browser, view, 'topics:/imu', colour=colour)
    page.wait(f"{TEXT}.includes('/listener')")
    worst = page.run('''(() => {
      const light = (text) => {
        const parts = text.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255)
          .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
      };
      const ground = (element) => {
        for (let each = element; each; each = each.parentElement) {
          const colour = getComputedStyle(each).backgroundColor;
          if (!/, 0\\)|transparent/.test(colour)) return colour;
        }
        return 'rgb(255, 255, 255)';
      };
      const found = [...document.querySelectorAll('main *, header *')]
        .filter((each) => [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
        .map((each) => {
          const [a, b] = [light(getComputedStyle(each).color), light(ground(each))];
          return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), each.innerText];
        });
      return found.sort((a, b) => a[0] - b[0])[0];
    })()''')
    assert worst[0] >= 4.5, worst
    done(page)


def test_ten_thousand_topics_are_scrolled_and_filtered(browser, empty_domain):
    empty_domain.robot('many', '10000')
    view = empty_domain.view()
    page = show(browser, view)
    page.wait("document.querySelector('.tools p').innerText.startsWith('10002 of 10002')")
    assert page.run("document.querySelectorAll('.table tbody tr').length") < 80, 'only rows in view are drawn'
    page.run("document.querySelector('.table').scrollTop = 1e9")
    page.wait(lambda: row_of(page, '/rosout'))
    page.run('''(() => {
      const field = document.querySelector('input[type=search]');
      field.value = 'topic_9999';
      field.dispatchEvent(new Event('input', {bubbles: true}));
    })()''')
    page.wait(lambda: row_of(page, '/many/topic_9999'))
    page.run("location.hash = 'graph'")
    page.wait(f"{TEXT}.includes('more topics are left out')")
    done(page)


def test_connection_that_was_cut_comes_back(browser, empty_domain):
    empty_domain.robot('publish')
    first = empty_domain.view('--no-token')
    page = show(browser, first, 'topics:/chatter')
    page.wait("document.querySelector('.tree') !== null")
    first.terminate()
    first.wait()
    page.wait("document.querySelector('.state.disconnected') !== null")
    empty_domain.view('--no-token', '--port', str(first.port))
    page.wait("document.querySelector('.state.connected') !== null && document.querySelector('.tree') !== null")
    before = page.run("document.querySelector('.tree').innerText")
    page.wait(f"document.querySelector('.tree').innerText !== {json.dumps(before)}")
    page.complaints.clear()  # it complained that the connection was cut
    done(page)
