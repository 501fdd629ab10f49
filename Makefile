# The front door. Every target installs the Debian packages that it needs first (scripts/debian-packages.txt).
PREFIX ?= /opt/tandem

.DEFAULT_GOAL := help
.PHONY: help packages demo lab lab-full test test-all rust build lint format bench torture test-fresh install clean

help:
	@echo 'make demo        4 MiB messages between processes, with and without zero-copy, measured'
	@echo 'make lab         the laboratory: pub/sub systems side by side in 15 minutes; makes log/lab/RUN/report.html'
	@echo 'make lab-full    all experiments on all systems built; takes hours, can be interrupted and resumed'
	@echo 'make test        build, all tests, sanitizers, arm64; ends with the count'
	@echo 'make test-all    the same with the transports in Rust'
	@echo 'make rust        build what the transports over iceoryx2 and Zenoh need (minutes, once)'
	@echo 'make build       build everything into install/'
	@echo 'make lint        formatting, static checks and house rules'
	@echo 'make format      apply the formatting'
	@echo 'make bench       benchmarks; writes log/bench/latest.json'
	@echo 'make torture     the long tests, two hours; PARTS="kill fuzz" chooses, RESUME=1 goes on where it was interrupted'
	@echo 'make test-fresh  the two commands of the README in a minimal Debian 12 (needs root)'
	@echo 'make install PREFIX=$(PREFIX)'
	@echo 'make clean       remove build/, install/ and log/'

packages:
	@scripts/install-packages.sh

build: packages
	@scripts/build.sh

demo: build
	@scripts/demo.sh

lab: build
	@scripts/lab.sh seeds

lab-full: build
	@scripts/lab.sh full

# Without the Python packages the tests that compare with them are skipped, and say so; the others run.
test: packages
	-@scripts/install-python.sh
	@scripts/test.sh

rust: packages
	@scripts/build-rust.sh

test-all: rust
	@$(MAKE) --no-print-directory test

lint: packages
	@scripts/lint.sh

format: packages
	@scripts/format.sh

bench: build
	@scripts/bench.sh

torture: build
	@scripts/torture.sh $(if $(RESUME),--resume) $(PARTS)

test-fresh: packages
	@scripts/test-fresh.sh

install: build
	@scripts/install.sh "$(PREFIX)"

clean:
	rm -rf build install log
