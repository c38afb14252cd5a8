#!/usr/bin/env python3
"""One picture with 0 to N render workers, all on this machine with one thread each: wall time, processor time of
server and workers, tasks, and whether the bytes are the same.

    python3 benches/workers.py target/release/scene-llm scenes/game-of-chess.json --integrator path --samples 64

With `--share 0.5` each worker may use half a core at most, and the server `--server-share`, so that what several workers do
can be compared with what one does on a machine with too few cores for them; other work of the machine waits. This needs
the right to make control groups (root, and cgroups of either version). `--first` skips the runs with fewer workers.
"""

import argparse
import json
import os
import subprocess
import tempfile
import time
import urllib.request

TICKS = os.sysconf("SC_CLK_TCK")


# Microseconds in which a share is counted.
PERIOD = 100_000


class Groups:
    """Control groups, each of one process that may use a share of a core."""

    def __init__(self):
        second = os.path.exists("/sys/fs/cgroup/cgroup.controllers")
        root = "/sys/fs/cgroup" if second else "/sys/fs/cgroup/cpu"
        self.second, self.parent, self.made = second, f"{root}/scene-llm-{os.getpid()}", []
        os.mkdir(self.parent)
        if second:
            self.write(root, "cgroup.subtree_control", "+cpu")
            self.write(self.parent, "cgroup.subtree_control", "+cpu")
        # Other work of the machine waits, so that the shares are all used.
        self.write(self.parent, *(("cpu.weight", 10_000) if second else ("cpu.shares", 262_144)))

    @staticmethod
    def write(group, name, value):
        with open(f"{group}/{name}", "w", encoding="ascii") as file:
            file.write(str(value))

    def hold(self, process, share):
        group = f"{self.parent}/{len(self.made)}"
        os.mkdir(group)
        self.made.append(group)
        quota = int(PERIOD * share)
        if self.second:
            self.write(group, "cpu.max", f"{quota} {PERIOD}")
        else:
            self.write(group, "cpu.cfs_period_us", PERIOD)
            self.write(group, "cpu.cfs_quota_us", quota)
        self.write(group, "cgroup.procs", process.pid)

    def remove(self):
        for group in [*self.made, self.parent]:
            os.rmdir(group)


def processor_seconds(process):
    """Of all its threads."""
    with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def start(command, environment):
    """The process, and its first line."""
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment, text=True
    )
    return process, process.stdout.readline().strip()


def tasks(url):
    """How many tasks were given, given again and done."""
    text = urllib.request.urlopen(f"{url}/metrics").read().decode()
    numbers = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
    names = ["given", "given_again", "done"]
    return [int(numbers[f"scene_llm_render_tasks_{name}_total"]) for name in names]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("scene")
    parser.add_argument("--width", type=int, default=400)
    parser.add_argument("--height", type=int, default=300)
    parser.add_argument("--samples", type=int, default=64)
    parser.add_argument("--integrator", default="auto")
    parser.add_argument("--workers", type=int, default=3)
    parser.add_argument("--share", type=float)
    parser.add_argument("--server-share", type=float, default=0.2)
    parser.add_argument("--first", type=int, default=0)
    given = parser.parse_args()
    with open(given.scene, encoding="utf-8") as file:
        picture = {"scene": json.load(file)}
    picture |= {name: getattr(given, name) for name in ["width", "height", "samples", "integrator"]}
    body = json.dumps(picture).encode()
    groups = Groups() if given.share else None
    environment = dict(os.environ, SCENE_LLM_WORKER_TOKEN=os.urandom(16).hex(), SCENE_LLM_LOG="off")
    with tempfile.TemporaryDirectory() as directory:
        serve = ["serve", "--addr", "127.0.0.1:0", "--threads", "1", "--data-dir", directory]
        server, line = start([given.program, *serve], environment)
        url, processes, first = line.split()[-1], [server], None
        if groups:
            groups.hold(server, given.server_share)
        try:
            for count in range(given.workers + 1):
                if count > 0:
                    work = ["worker", "--server", url, "--threads", "1"]
                    processes.append(start([given.program, *work], environment)[0])
                    if groups:
                        groups.hold(processes[-1], given.share)
                if count < given.first:
                    continue
                before, tasks_before = [processor_seconds(it) for it in processes], tasks(url)
                begun = time.monotonic()
                request = urllib.request.Request(f"{url}/api/render", body, {"accept": "image/x-exr"})
                made = urllib.request.urlopen(request).read()
                wall = time.monotonic() - begun
                # What was cancelled at the end stops within a moment.
                time.sleep(0.3)
                used = [processor_seconds(it) - was for it, was in zip(processes, before)]
                counts = [now - was for now, was in zip(tasks(url), tasks_before)]
                first = first or made
                same = "the same bytes" if made == first else "OTHER BYTES"
                each = ", ".join(f"{seconds:.1f}" for seconds in used)
                print(
                    f"{count} workers: {wall:.1f} s, processor {sum(used):.2f} s ({each}), tasks given, given again, "
                    f"done: {counts}, {same}",
                    flush=True,
                )
        finally:
            for process in reversed(processes):
                process.terminate()
                process.wait()
            if groups:
                groups.remove()


if __name__ == "__main__":
    main()
