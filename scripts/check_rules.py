#!/usr/bin/python3
"""House rules that no other tool checks (see CONTRIBUTING.md). Prints each breach as path: what is wrong.

With --renew-quotes it writes what documents quote whole, instead.
"""

import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MAX_LINES = 500
MAX_BYTES = 500_000
# What was built or fetched, or packed.
PACKED = {'.a', '.bz2', '.deb', '.gz', '.jar', '.o', '.pyc', '.so', '.tar', '.tgz', '.whl', '.xz', '.zip', '.zst'}
SOURCE = {'.hpp', '.h', '.cpp', '.cc', '.inl', '.py', '.sh', '.cmake', '.em', '.pml'}
DEPENDS = {'depend', 'build_depend', 'build_export_depend', 'exec_depend', 'buildtool_depend',
           'buildtool_export_depend'}
MACHINE_PATH = re.compile(r'(?<![\w.$}{/-])/(?:home|root|work|Users)/\w')
QUOTE = re.compile(r'(<!-- quote: (\S+) -->\n```\w*\n).*?(```\n<!-- end of quote -->)', re.DOTALL)
LINK = re.compile(r'\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]*))?\)')
# Pages as sources name them, and the variables that users may set as sources read and as the page lists them.
PAGE = re.compile(r'\bdocs/[\w/-]+\.md\b')
VARIABLES_PAGE = Path('docs/reference/environment.md')
READ_VARIABLE = re.compile(r'["\'](TANDEM_(?!TEST_)[A-Z_]+)["\']')
BELOW_TRANSPORT = re.compile(r'find_package\(\s*(tandem_core|rmw_\w+)|tandem_core::|rmw_\w+_cpp::')


def tracked_files():
    listed = subprocess.run(['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'], cwd=ROOT,
                            capture_output=True, check=True).stdout.decode()
    return [Path(f) for f in listed.split('\0') if f and (ROOT / f).is_file()]


def text_of(file):
    return (ROOT / file).read_text(errors='replace')


def check_length(files):
    for file in files:
        if file.suffix in SOURCE and 'tutorial' not in file.parts:
            lines = text_of(file).count('\n')
            if lines > MAX_LINES:
                yield f'{file}: {lines} lines, at most {MAX_LINES} are allowed; split it'


def check_no_large_or_packed_files(files):
    for file in files:
        if PACKED & set(file.suffixes):
            yield f'{file}: an archive or a binary; install what is needed, and make what can be made'
        elif (ROOT / file).stat().st_size > MAX_BYTES:
            yield f'{file}: larger than {MAX_BYTES} bytes; keep figures and pictures, and make the rest'


def check_no_root_cmake(files):
    if Path('CMakeLists.txt') in files:
        yield 'CMakeLists.txt: a root CMakeLists.txt hides every package from colcon'


def check_machine_paths(files):
    for file in files:
        if file.suffix in SOURCE | {'.md', '.txt', '.xml', '.json', ''} and file.name != 'LICENSE':
            for number, line in enumerate(text_of(file).splitlines(), 1):
                if MACHINE_PATH.search(line):
                    yield f'{file}:{number}: an absolute path of one machine: {line.strip()}'


def with_quotes(text):
    """The document, with what it quotes whole as the files say it."""
    return QUOTE.sub(lambda match: match[1] + text_of(match[2]) + match[3], text)


def check_quotes(files):
    for file in files:
        if file.suffix == '.md' and with_quotes(text_of(file)) != text_of(file):
            yield f"{file}: a file that it quotes says something else by now; 'make format' quotes it anew"


def renew_quotes(files):
    for file in files:
        if file.suffix == '.md' and with_quotes(text_of(file)) != text_of(file):
            (ROOT / file).write_text(with_quotes(text_of(file)))


def anchors(text):
    """The anchors that the headings of a page give."""
    prose = re.sub(r'^```.*?^```', '', text, flags=re.DOTALL | re.MULTILINE)
    return {re.sub(r'[^\w\- ]', '', heading.lower()).strip().replace(' ', '-')
            for heading in re.findall(r'^#+ (.*)', prose, re.MULTILINE)}


def check_links(files):
    for file in files:
        text = text_of(file) if file.suffix == '.md' or file.suffix in SOURCE else ''
        if file.suffix == '.md':
            prose = re.sub(r'^```.*?^```|`[^`\n]*`', '', text, flags=re.DOTALL | re.MULTILINE)
            for target, anchor in LINK.findall(prose):
                to = (ROOT / file.parent / target).resolve() if target else ROOT / file
                if not to.exists():
                    yield f'{file}: links to {target}, which is not there'
                elif anchor and to.suffix == '.md' and anchor not in anchors(to.read_text()):
                    yield f'{file}: links to {target}#{anchor}, but there is no such heading'
        for page in sorted(set(PAGE.findall(text))):
            if not (ROOT / page).is_file():
                yield f'{file}: names {page}, which is not there'


def check_variables(files):
    """The page of environment variables lists what sources read, and nothing else."""
    listed = set(re.findall(r'^\| `(TANDEM_[A-Z_]+)`', text_of(VARIABLES_PAGE), re.MULTILINE))
    read = {name: file for file in files if file.parts[0] == 'src' and file.suffix in {'.cpp', '.hpp'}
            and not {'test', 'tests', 'fuzz'} & set(file.parts) for name in READ_VARIABLE.findall(text_of(file))}
    for name in sorted(read.keys() - listed):
        yield f'{VARIABLES_PAGE}: does not list {name}, which {read[name]} reads'
    for name in sorted(listed - read.keys()):
        yield f'{VARIABLES_PAGE}: lists {name}, which no source reads'


def packages(files):
    """(name, layer, package.xml, dependencies) of each package outside of tests."""
    for file in files:
        if file.name == 'package.xml' and file.parts[0] == 'src':
            root = ElementTree.fromstring(text_of(file))
            names = {e.text.strip() for e in root if e.tag in DEPENDS and e.text}
            yield root.findtext('name').strip(), file.parts[1], file, names


def has_only_interfaces(folder):
    """Whether a package is one of messages, services and actions alone."""
    return folder.parts[1] == 'interfaces' and not folder.name.endswith('_tests') \
        and not (ROOT / folder / 'src').is_dir() \
        and any((ROOT / folder / kind).is_dir() for kind in ('msg', 'srv', 'action'))


def check_readmes(files):
    """Each package says in a README what it is for; those of messages alone are told of in src/interfaces/README.md."""
    for _, _, file, _ in packages(files):
        if 'test' not in file.parts and not has_only_interfaces(file.parent) and file.parent / 'README.md' not in files:
            yield f'{file.parent}: no README.md; say what it is for, what may depend on it, and where to start'


def check_client_sees_interface_only(files):
    """rclcpp links the transport interface; which middleware runs is decided at start-up."""
    for file in files:
        if file.parts[:3] == ('src', 'client', 'rclcpp') and file.name == 'CMakeLists.txt':
            for number, line in enumerate(text_of(file).splitlines(), 1):
                if BELOW_TRANSPORT.search(line.split('#')[0]):
                    yield f'{file}:{number}: rclcpp may link tandem_transport only: {line.strip()}'
    library = ROOT / 'install' / 'lib' / 'librclcpp.so'
    if library.is_file():
        needed = subprocess.run(['readelf', '-d', library], capture_output=True, text=True).stdout
        for name in re.findall(r'NEEDED.*\[(lib(?:tandem_core|rmw_)\S*)\]', needed):
            yield f'librclcpp.so needs {name}: it may know the transport interface only'


CHECKS = [check_length, check_no_large_or_packed_files, check_no_root_cmake, check_machine_paths, check_quotes,
          check_links, check_variables, check_readmes, check_client_sees_interface_only]


def main():
    files = tracked_files()
    if '--renew-quotes' in sys.argv:
        renew_quotes(files)
        return 0
    breaches = [breach for check in CHECKS for breach in check(files)]
    print('\n'.join(breaches) if breaches else f'house rules: {len(files)} files, no breach')
    return 1 if breaches else 0


if __name__ == '__main__':
    sys.exit(main())
