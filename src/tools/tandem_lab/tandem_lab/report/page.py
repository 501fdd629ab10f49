"""One HTML file from an analysis: style, scripts and data are put into it, so it needs no network and no server."""

import base64
import hashlib
import html
import json
import math
import os
from pathlib import Path

ASSETS = Path(__file__).parent / 'assets'
# In the order in which they need each other; together they are one script.
SCRIPTS = ['dom', 'format', 'palette', 'plugins', 'scales', 'draw', 'bars', 'card', 'verdict', 'sections', 'facts',
           'page']
# None of these may occur in a script element: '</script' ends it, '<!--' changes how the rest is read; the two
# separators end lines in older JavaScript.
ESCAPES = {'<': '\\u003c', '>': '\\u003e', '&': '\\u0026', '\u2028': '\\u2028', '\u2029': '\\u2029'}


def html_of(analysis):
    """The whole page as text."""
    style = (ASSETS / 'report.css').read_text(encoding='utf-8')
    library = chart_library().read_text(encoding='utf-8')
    own = ''.join((ASSETS / f'{name}.js').read_text(encoding='utf-8') + '\n' for name in SCRIPTS)
    script = f"(() => {{\n'use strict';\n{own}}})();\n"
    policy = (f"default-src 'none'; script-src {hash_of(library)} {hash_of(script)}; style-src {hash_of(style)}; "
              "img-src data:; base-uri 'none'; form-action 'none'; "
              "require-trusted-types-for 'script'; trusted-types 'none'")
    title = html.escape(str((analysis.get('run') or {}).get('title') or 'Run'))
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>{style}</style>
</head>
<body>
{without_scripts(analysis)}
<script type="application/json" id="analysis">{json_of(analysis)}</script>
<script>{library}</script>
<script>{script}</script>
</body>
</html>
"""


def chart_library():
    """Chart.js: beside the installed package, else where Debian has it."""
    places = [Path(__file__).parents[4] / 'share/tandem_lab/report/chart.min.js',
              Path('/usr/share/javascript/chart.js/chart.min.js')]
    if os.environ.get('LAB_CHART_JS'):
        places.insert(0, Path(os.environ['LAB_CHART_JS']))
    for place in places:
        if place.is_file():
            return place
    raise FileNotFoundError(f'chart.min.js is not in {places[-1].parent}; apt-get install libjs-chart.js')


def hash_of(text):
    """What the content security policy calls an inline script or style by."""
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def json_of(analysis):
    """JSON that is safe inside a script element."""
    text = json.dumps(finite(analysis), separators=(',', ':'), ensure_ascii=False, allow_nan=False)
    for character, escape in ESCAPES.items():
        text = text.replace(character, escape)
    return text.encode('utf-8', 'replace').decode()


def finite(value):
    """The same with null for what is no number (JSON has no NaN)."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): finite(one) for key, one in value.items()}
    return [finite(one) for one in value] if isinstance(value, list) else value


def without_scripts(analysis):
    """The verdict for readers whose viewer runs no scripts."""
    rows = ''.join(f"<li>{html.escape(str(row.get('text', '')))}</li>" for row in analysis.get('verdict') or [])
    hint = 'The charts need JavaScript. All numbers are in analysis.json and charts/ beside this file.'
    return f'<noscript><h1>Verdict</h1><ul>{rows}</ul><p>{hint}</p></noscript>'
