# Two commands for a fresh machine: `make run` and `make test`. The others are pieces of them.

# Cargo is called for the whole workspace wherever it can be: for one package it would choose other features of
# third-party crates and compile them anew.
CARGO ?= cargo
NPM ?= npm
WEB_SOURCES := $(shell find web/src web/public -type f 2>/dev/null) web/index.html \
	web/vite.config.ts web/vite.viewer.config.ts web/tsconfig.json web/package-lock.json \
	crates/scene/src/document/material/presets.json

.PHONY: program cluster material-balls starter-pictures run test check-requests soak generate check-generated lint test-rust test-sdk test-mcp test-openapi test-a2a test-clients test-deploy mcpb test-local local-server test-web test-browser bench bench-page bench-peers bench-embree build needs-browser needs-postgres

## Build client and server and start it on the embedded defaults.
run: web/dist/index.html
	$(CARGO) build --release --locked --package scene-llm
	./target/release/scene-llm serve

## Everything: formatting, lints, generated files, unit, end-to-end, page, browser.
test: lint check-generated test-web test-rust check-requests test-mcp test-openapi test-a2a test-clients test-deploy test-browser

## Build the release binary with the client in it.
build: web/dist/index.html
	$(CARGO) build --release --locked --package scene-llm

web/node_modules/.installed: web/package-lock.json
	cd web && $(NPM) ci --no-audit --no-fund
	touch $@

web/dist/index.html: web/node_modules/.installed $(WEB_SOURCES)
	cd web && $(NPM) run build

lint: web/dist/index.html
	$(CARGO) fmt --all --check
	$(CARGO) clippy --locked --workspace --all-targets -- --deny warnings
	RUSTDOCFLAGS="--deny warnings" $(CARGO) doc --locked --workspace --no-deps --quiet
	python3 tests/dependencies/check.py

## The program as the tests of the workspace have it. `cargo build` would choose other features of third-party crates (some
## tests need more of them), compile most of them anew, and everything above them.
program: web/dist/index.html
	$(CARGO) test --locked --workspace --quiet --no-run

## Write the TypeScript types and the JSON Schema of the protocol.
generate:
	$(CARGO) run --quiet --locked --bin generate-protocol
	python3 clients/generate.py

check-generated:
	$(CARGO) run --quiet --locked --bin generate-protocol -- --check
	python3 clients/generate.py --check

tests/mcp/node_modules/.installed: tests/mcp/package-lock.json
	cd tests/mcp && $(NPM) ci --no-audit --no-fund
	touch $@

target/local/.installed: tests/local/requirements.txt
	python3 -m venv target/local
	target/local/bin/pip install --quiet --disable-pip-version-check --requirement $<
	touch $@

target/local/talks.gguf: tests/local/make_model.py target/local/.installed
	target/local/bin/python $< $@

target/local/calls.gguf: tests/local/make_model.py target/local/.installed
	target/local/bin/python $< $@ --calls

## llama.cpp's server and models of random weights for it, which the end-to-end tests talk to.
local-server: target/local/talks.gguf target/local/calls.gguf

# Random cases begin at the same seed each time, so that a change is judged by what it changes; `make
# soak` draws new ones.
test-rust test-sdk test-local: export PROPTEST_RNG_SEED = 20251123
test-rust: web/dist/index.html tests/mcp/node_modules/.installed local-server needs-postgres
	rm -rf target/requests
	$(CARGO) test --locked --workspace --quiet --no-fail-fast

target/mcp/.installed: tests/mcp/requirements.txt
	python3 -m venv target/mcp
	target/mcp/bin/pip install --quiet --disable-pip-version-check --requirement $<
	touch $@

## Our MCP server, by the official Python client and the official conformance suite.
test-mcp: program target/mcp/.installed tests/mcp/node_modules/.installed
	target/mcp/bin/python tests/mcp/test_server.py
	target/mcp/bin/python tests/mcp/test_installed.py
	target/mcp/bin/python tests/mcp/conformance.py

target/a2a/.installed: tests/a2a/requirements.txt
	python3 -m venv target/a2a
	target/a2a/bin/pip install --quiet --disable-pip-version-check --requirement $<
	touch $@

## Our A2A server by the official Python client, and our client with agents made with the official server.
test-a2a: program target/a2a/.installed
	target/a2a/bin/python tests/a2a/test_a2a.py
	target/a2a/bin/python tests/a2a/test_delegation.py

target/deploy/.installed: deploy/requirements.txt
	python3 -m venv target/deploy
	target/deploy/bin/pip install --quiet --disable-pip-version-check --requirement $<
	touch $@

## The Dockerfile by its linter, units and compose files by what they call, and by systemd and HAProxy where those are
## installed.
test-deploy: target/deploy/.installed program
	target/deploy/bin/hadolint deploy/Dockerfile
	target/deploy/bin/python deploy/check.py
	# On a machine without the program, another stands in for it.
	rm -rf target/deploy/units && mkdir -p target/deploy/units/scene-llm.service.d
	for unit in scene-llm.service scene-llm-worker.service scene-llm.service.d/cluster.conf; do \
	  sed 's#/usr/local/bin/scene-llm#/bin/true#' deploy/$$unit > target/deploy/units/$$unit; \
	  ! command -v systemd-analyze || systemd-analyze verify target/deploy/units/scene-llm.service || exit 1; \
	done
	! command -v systemd-analyze || systemd-analyze verify target/deploy/units/scene-llm-worker.service
	# The names of the servers lead nowhere here, which is no mistake.
	! command -v haproxy || haproxy -c -f deploy/haproxy.cfg

## The MCP bundle in target/mcpb, and with NAME and URL the entry for an MCP registry.
mcpb: build
	python3 deploy/mcpb.py target/release/scene-llm target/mcpb $(if $(URL),--name "$(NAME)" --url "$(URL)")

target/clients/.installed: clients/python/pyproject.toml
	python3 -m venv target/clients
	target/clients/bin/pip install --quiet --disable-pip-version-check --editable clients/python
	touch $@

clients/typescript/node_modules/.installed: clients/typescript/package-lock.json
	cd clients/typescript && $(NPM) ci --no-audit --no-fund
	touch $@

## The TypeScript and Python clients and their examples, against a real server, also over lines that break.
test-clients: program target/clients/.installed clients/typescript/node_modules/.installed
	target/clients/bin/python clients/python/tests/test_client.py
	cd clients/typescript && $(NPM) test

target/openapi/.installed: tests/openapi/requirements.txt
	python3 -m venv target/openapi
	target/openapi/bin/pip install --quiet --disable-pip-version-check --requirement $<
	touch $@

tests/openapi/node_modules/.installed: tests/openapi/package-lock.json
	cd tests/openapi && $(NPM) ci --no-audit --no-fund
	touch $@

## The description of the HTTP API: linted, and held against a running server by generated requests.
test-openapi: program target/openapi/.installed tests/openapi/node_modules/.installed
	target/openapi/bin/python tests/openapi/check.py

target/sdk/.installed: tests/sdk/requirements.txt
	python3 -m venv target/sdk
	target/sdk/bin/pip install --quiet --disable-pip-version-check --requirement $<
	touch $@

## Hold our requests, and how we read answers, against the providers' own Python SDKs.
test-sdk: web/dist/index.html
	rm -rf target/requests
	$(CARGO) test --locked --workspace --test whole_way --quiet provider_clients::
	$(MAKE) check-requests

# Over the requests that the end-to-end tests have written.
check-requests: target/sdk/.installed
	target/sdk/bin/python tests/sdk/validate.py --self-test target/requests
	target/sdk/bin/python tests/sdk/read.py

## Only the tests over llama.cpp's server, which `test-rust` runs as well.
test-local: web/dist/index.html local-server
	$(CARGO) test --locked --package end-to-end --test whole_way local_server::

test-web: web/node_modules/.installed
	cd web && $(NPM) run check && $(NPM) test

tests/browser/node_modules/.installed: tests/browser/package-lock.json
	cd tests/browser && $(NPM) ci --no-audit --no-fund
	touch $@

needs-postgres:
	@./tests/postgres/install-postgres

## PostgreSQL, three servers and two render workers on this machine: docs/scaling.md.
cluster: build needs-postgres
	./deploy/cluster

needs-browser:
	@./tests/browser/install-chromium

test-browser: needs-browser tests/browser/node_modules/.installed program
	cd tests/browser && $(NPM) test

# How long everything at once goes on.
SOAK_MINUTES ?= 60

## What takes long: a server that is killed 200 times, three servers with 200 faults, every example scene with render
## workers and without, many more random cases, forged uploads and imports, a page that streams for ten minutes,
## the looks of all its states at four widths, and an hour of everything at once (`SOAK_MINUTES`).
soak: web/dist/index.html needs-browser needs-postgres tests/browser/node_modules/.installed target/openapi/.installed \
		tests/openapi/node_modules/.installed
	SCENE_LLM_CRASHES=200 SCENE_LLM_GOAL_CRASHES=500 $(CARGO) test --locked --package scene-llm --test program crash:: -- --nocapture
	SCENE_LLM_CLUSTER_FAULTS=200 $(CARGO) test --locked --package scene-llm --test program cluster_faults:: -- --nocapture
	SCENE_LLM_ALL_SCENES=1 $(CARGO) test --locked --package scene-llm --test program workers::example_scenes -- --nocapture
	PROPTEST_CASES=2000 $(CARGO) test --locked --package scene --package llm --no-fail-fast
	PROPTEST_CASES=5000 $(CARGO) test --locked --package end-to-end --test whole_way recorded_streams::
	PROPTEST_CASES=20000 $(CARGO) test --locked --package assets --test uploads damaged
	PROPTEST_CASES=20000 $(CARGO) test --locked --package mesh-files damaged
	PROPTEST_CASES=20000 $(CARGO) test --locked --package scene-files damaged
	PROPTEST_CASES=20000 $(CARGO) test --locked --package image-files damaged
	PROPTEST_CASES=20000 $(CARGO) test --locked --package scene --test scene damaged::
	PROPTEST_CASES=20000 $(CARGO) test --locked --package session --lib forged
	$(CARGO) build --locked --package scene-llm
	target/openapi/bin/python tests/openapi/check.py --minutes 10
	cd tests/browser && SCENE_LLM_SOAK_MINUTES=10 node --test page/memory.test.js
	cd tests/browser && SCENE_LLM_ALL_LOOKS=1 node run.js page/looks.test.js page/looks-tools.test.js
	PROPTEST_CASES=20000 $(CARGO) test --locked --package a2a-client --package mcp-client --package server --lib damaged
	PROPTEST_CASES=20000 $(CARGO) test --locked --package goals any_plan
	PROPTEST_CASES=5000 $(CARGO) test --locked --package scene-llm --test program mcp_lines::
	PROPTEST_CASES=20000 $(CARGO) test --locked --package end-to-end --test whole_way -- attacks::fuzz attacks::readers
	$(CARGO) build --release --locked --package scene-llm
	python3 benches/bombs.py target/release/scene-llm
	python3 benches/soak.py target/release/scene-llm --minutes $(SOAK_MINUTES)

## Measure: first frame after an edit, the server's own cost of a turn and of saving, a crowd, the tracer.
bench: web/dist/index.html
	$(CARGO) run --release --locked --package benches --bin preview_latency
	$(CARGO) run --release --locked --package benches --bin turn_cost
	$(CARGO) run --release --locked --package benches --bin saving
	$(CARGO) build --release --locked --package scene-llm
	$(CARGO) run --release --locked --package benches --bin crowd -- target/release/scene-llm
	$(CARGO) run --release --locked --package tracer --example throughput
	$(CARGO) run --release --locked --package tracer --example scaling

## Measure the page: first paint, tasks that keep a key waiting while pictures arrive, frames while looking around.
bench-page: needs-browser tests/browser/node_modules/.installed build
	cd tests/browser && SCENE_LLM_BIN=../../target/release/scene-llm node measure/page.js

## Compare the walk through a mesh with Embree's, ray by ray on one thread (needs libembree-dev).
bench-embree: target/embree_peer
	$(CARGO) run --release --locked --package tracer --example traversal -- $<

target/embree_peer: benches/peers/embree/embree_peer.cpp
	mkdir -p $(@D)
	$(CXX) -O3 -march=native -o $@ $< -lembree3

## Compare with Mitsuba 3 and Blender Cycles: bias, noise at equal time, speed (about ten minutes).
bench-peers: web/dist/index.html benches/peers/.venv/.installed
	$(CARGO) build --release --locked --package scene-llm
	benches/peers/.venv/bin/python benches/peers/run.py

# A peer that has no build for this Python is left out; the run says so.
benches/peers/.venv/.installed: benches/peers/requirements.txt
	python3 -m venv benches/peers/.venv
	while read -r peer; do benches/peers/.venv/bin/pip install --quiet "$$peer" \
		|| echo "skipped: $$peer cannot be installed for this Python"; done < $<
	touch $@

## Build the example scenes anew by saying their prompts to the built-in model, and render their pictures.
starter-pictures: build
	node web/scripts/starters.mjs target/release/scene-llm

## Render a ball of each ready-made material anew, after they have changed.
material-balls: build
	node web/scripts/material-balls.mjs target/release/scene-llm
