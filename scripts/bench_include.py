#!/usr/bin/python3
"""Measures what it costs to compile headers: processor seconds of the compiler, as in a package of a user.

bench_include.py [--rounds N] [--output FILE.json] [--prefix INSTALL]

Files are compiled in turns. A ratio is formed with the standard headers of the same round, since machines differ and
are busy; the table shows medians over the rounds.
"""

import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
STANDARD = ('algorithm', 'atomic', 'chrono', 'csignal', 'functional', 'future', 'map', 'memory', 'mutex', 'string',
            'thread', 'variant', 'vector')
NODE = """#include <rclcpp/rclcpp.hpp>
#include <std_msgs/msg/string.hpp>

class Minimal : public rclcpp::Node {
 public:
  Minimal() : Node("minimal") {
    publisher_ = create_publisher<std_msgs::msg::String>("out", 10);
    subscription_ = create_subscription<std_msgs::msg::String>(
        "in", 10, [this](std_msgs::msg::String::ConstSharedPtr message) { publisher_->publish(*message); });
  }

 private:
  rclcpp::Publisher<std_msgs::msg::String>::SharedPtr publisher_;
  rclcpp::Subscription<std_msgs::msg::String>::SharedPtr subscription_;
};

int main(int argc, char ** argv) {
  rclcpp::init(argc, argv);
  rclcpp::spin(std::make_shared<Minimal>());
  rclcpp::shutdown();
}
"""
BASE = 'standard headers'
SOURCES = {
    'nothing': 'int main() {}\n',
    BASE: ''.join(f'#include <{name}>\n' for name in STANDARD),
    'sensor_msgs/msg/image.hpp': '#include <sensor_msgs/msg/image.hpp>\n',
    'rclcpp/rclcpp.hpp': '#include <rclcpp/rclcpp.hpp>\n',
    'a node with publisher and subscription': NODE,
}
PROJECT = """cmake_minimum_required(VERSION 3.22)
project(bench_include LANGUAGES CXX)
find_package(rclcpp REQUIRED)
find_package(sensor_msgs REQUIRED)
add_library(one OBJECT one.cpp)
target_link_libraries(one PRIVATE rclcpp::rclcpp ${sensor_msgs_TARGETS})
"""


def compile_command(folder, prefix):
    """Return the compiler and its options for a source of a package that uses rclcpp."""
    (folder / 'CMakeLists.txt').write_text(PROJECT, encoding='utf-8')
    (folder / 'one.cpp').write_text('', encoding='utf-8')
    configured = subprocess.run(
        ['cmake', '-S', folder, '-B', folder / 'build', '-G', 'Ninja', '-DCMAKE_BUILD_TYPE=Release',
         '-DCMAKE_EXPORT_COMPILE_COMMANDS=ON', '-DCMAKE_CXX_COMPILER_LAUNCHER=', f'-DCMAKE_PREFIX_PATH={prefix}'],
        env={**os.environ, 'PYENV_VERSION': 'system'},  # Debian's Python has the ament modules
        capture_output=True, text=True, check=False)
    if configured.returncode != 0:
        sys.exit(f'error: {prefix} has no rclcpp to compile with: run make build first\n{configured.stderr.rstrip()}')
    commands = json.loads((folder / 'build' / 'compile_commands.json').read_text(encoding='utf-8'))
    words = commands[0]['command'].split()
    return words[:words.index('-o')]


def processor_seconds(command):
    """Return what the command takes, of all its processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(folder, compiler, rounds):
    """Return the seconds of each file, one for each round; nothing counts of a first round, which fills caches."""
    seconds = {name: [] for name in SOURCES}
    for index, text in enumerate(SOURCES.values()):
        (folder / f'{index}.cpp').write_text(text, encoding='utf-8')
    for turn in range(rounds + 1):
        for index, name in enumerate(SOURCES):
            taken = processor_seconds([*compiler, '-c', folder / f'{index}.cpp', '-o', folder / 'out.o'])
            if turn:
                seconds[name].append(taken)
    return seconds


def main():
    """Print a table, and write JSON if asked to."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--rounds', type=int, default=7)
    parser.add_argument('--output', type=pathlib.Path, help='JSON with the seconds of each round')
    parser.add_argument('--prefix', type=pathlib.Path, default=ROOT / 'install', help='where rclcpp is installed')
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        compiler = compile_command(folder, options.prefix)
        seconds = measure(folder, compiler, options.rounds)
    version = subprocess.run([compiler[0], '--version'], capture_output=True, text=True, check=True).stdout
    version = version.splitlines()[0]
    print(f'{version}, {options.rounds} rounds\n')
    print('| compiling | processor time | / standard headers |\n| --- | ---: | ---: |')
    for name, taken in seconds.items():
        ratio = statistics.median(t / base for t, base in zip(taken, seconds[BASE]))
        print(f'| {name} | {statistics.median(taken):.2f} s | {ratio:.1f} |')
    if options.output:
        options.output.parent.mkdir(parents=True, exist_ok=True)
        options.output.write_text(json.dumps({'compiler': version, 'seconds': seconds}, indent=1) + '\n',
                                  encoding='utf-8')


if __name__ == '__main__':
    main()
