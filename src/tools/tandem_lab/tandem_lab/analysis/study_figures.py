"""What the published studies say (studies/figures.yaml, which explains its fields), to be set beside our figures."""

import functools

import yaml

from tandem_lab import paths


@functools.lru_cache(maxsize=None)
def load():
    """{'documents': [...], 'figures': [...], 'conclusions': [...]}, as in the file; empty lists when there is none."""
    empty = {'documents': [], 'figures': [], 'conclusions': []}
    try:
        with open(paths.data() / 'studies' / 'figures.yaml', encoding='utf-8') as file:
            return {**empty, **yaml.safe_load(file)}
    except OSError:
        return empty


def of_contestant(contestant):
    """[{'what', 'value'}] for people: all figures of a system, as analysis.json's `absent` has them."""
    return [{'what': f'{figure["what"]} ({figure["document"]})', 'value': in_words(figure)}
            for figure in load()['figures'] if figure['contestant'] == contestant]


def comparable(experiment, point, metric):
    """Figures that answer the same question as this metric of ours at this point."""
    return [figure for figure in load()['figures'] if figure.get('experiment') == experiment and
            figure.get('metric') == metric and figure.get('point', {}).items() <= dict(point).items()]


def in_words(figure):
    """'0.039 ms', with what is known to be wrong with it."""
    text = f'{figure["value"]:,} {figure["unit"]}'.strip()
    return f'{text} ({figure["error"]})' if 'error' in figure else text
