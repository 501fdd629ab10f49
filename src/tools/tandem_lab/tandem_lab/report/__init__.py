"""The report of a run: analysis.json becomes one report.html that opens offline, charts/*.csv and a PDF."""

import json
from dataclasses import dataclass
from pathlib import Path

from tandem_lab.report import page, pdf as pdf_file, tables


@dataclass(frozen=True)
class Written:
    """What was made: the files, and a sentence for people when the PDF could not be (else empty)."""

    html: Path
    csv: list
    pdf: Path | None = None
    problem: str = ''


def write(folder, pdf=False):
    """Make the report of the run in `folder` from its analysis.json; an older report is replaced.

    Raises OSError when a file cannot be read or written, ValueError when analysis.json is broken.
    """
    folder = Path(folder)
    source = folder / 'analysis.json'
    try:
        analysis = json.loads(source.read_text(encoding='utf-8'))
    except json.JSONDecodeError as error:
        raise ValueError(f'{source}:{error.lineno}: not JSON: {error.msg}; analyse the run again') from error
    if not isinstance(analysis, dict):
        raise ValueError(f'{source}: not an analysis: its outermost value is not an object; analyse the run again')
    csv_files = tables.write(analysis, folder)
    html = folder / 'report.html'
    html.write_text(page.html_of(analysis), encoding='utf-8')
    if not pdf:
        return Written(html, csv_files)
    problem = pdf_file.print_to(html, folder / 'report.pdf')
    return Written(html, csv_files, None if problem else folder / 'report.pdf', problem)
