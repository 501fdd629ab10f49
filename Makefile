# Every target first installs the Debian packages that it needs, by the lists in scripts/packages/.
PREFIX ?= /opt/tandem

.DEFAULT_GOAL := help
.PHONY: help demo lab lab-full test test-peers test-all rust web connext build build-lab lint format bench torture test-fresh install clean

help:
	@echo 'make demo        4 MiB messages between processes, with and without zero-copy, measured'
	@echo 'make lab         the laboratory: pub/sub systems side by side in 15 minutes; makes log/lab/RUN/report.html'
	@echo 'make lab-full    all experiments on all systems built; takes hours, can be interrupted and resumed'
	@echo 'make test        build, all tests, sanitizers, arm64; ends with the count'
	@echo 'make test-all    the same with the transports in Rust'
	@echo 'make rust        build what the transports over iceoryx2 and Zenoh need (minutes, once)'
	@echo 'make web         build the page of tandem view (seconds, once; installs npm)'
	@echo 'make connext     RTI Connext in the tests and in the laboratory, under terms of RTI that you are asked to accept'
	@echo 'make build       build all packages into install/'
	@echo 'make lint        formatting, static checks and house rules'
	@echo 'make format      apply the formatting, renew the pages made of sources'
	@echo 'make bench       benchmarks; writes log/bench/latest.json'
	@echo 'make torture     the long tests, two hours; PARTS="kill fuzz" chooses, RESUME=1 goes on where it was interrupted'
	@echo 'make test-fresh  make demo and make test in a minimal Debian 12, or 13 with RELEASE=trixie (needs root)'
	@echo 'make install PREFIX=$(PREFIX)'
	@echo 'make clean       remove build/, install/ and log/'

# What is needed to build, and to test.
BUILD := demo build
TEST := $(BUILD) lab test web

demo:
	@scripts/install-packages.sh demo
	@scripts/build.sh demo
	@scripts/demo.sh

build:
	@scripts/install-packages.sh $(BUILD)
	@scripts/build.sh

lab: build-lab
	@scripts/lab.sh studies

lab-full: build-lab
	@scripts/lab.sh full

bench: build-lab
	@scripts/bench.sh

build-lab:
	@scripts/install-packages.sh $(BUILD) lab
	@scripts/build.sh

# Without the Python packages the tests that compare with them are skipped, and say so; the others run.
test: test-peers
	@scripts/test.sh

test-peers:
	@scripts/install-packages.sh $(TEST)
	@scripts/install-python.sh || true
	@scripts/install-python.sh jazzy || true

rust:
	@scripts/install-packages.sh $(TEST)
	@scripts/build-rust.sh

web:
	@scripts/install-packages.sh $(BUILD) web
	@scripts/build-web.sh

# Changes nothing before RTI's terms are accepted.
connext: export ACCEPT_RTI_LICENSE := $(ACCEPT_RTI_LICENSE)
connext:
	@scripts/connext.sh terms
	@scripts/install-packages.sh $(TEST)
	@scripts/build.sh
	@scripts/connext.sh

test-all: rust
	@$(MAKE) --no-print-directory test

lint: test-peers
	@scripts/install-packages.sh lint
	@scripts/lint.sh

format:
	@scripts/install-packages.sh lint
	@scripts/format.sh

torture:
	@scripts/install-packages.sh $(TEST) torture
	@scripts/build.sh tests
	@scripts/torture.sh $(if $(RESUME),--resume) $(PARTS)

test-fresh:
	@scripts/test-fresh.sh # RELEASE is in its environment

install: build
	@scripts/install.sh "$(PREFIX)"

clean:
	rm -rf build install log
