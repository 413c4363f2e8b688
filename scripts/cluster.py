#!/usr/bin/env python3
"""Three nodes as they are shipped, without containers: PostgreSQL, packaging/pgbouncer.ini, Redis, an S3 store, and
packaging/haproxy.cfg before them, with other ports. Clients submit, read and follow jobs while one node is killed and all
are restarted in turn. It fails where a client gets a 5xx other than 503 with Retry-After, a connection breaks but at the
moment of the kill, a job that was accepted is not there once and done, or the books differ. `make cluster` builds what it
needs."""

import argparse
import collections
import glob
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import requests

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
NODES = 3
SUBMITTERS = 4
PATIENCE = 60
# Requests to a killed node fail until the balancer notices.
KILL_SECONDS = 2


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def program(name, *folders):
    found = shutil.which(name, path=os.pathsep.join([*folders, os.environ.get("PATH", ""), "/usr/sbin"]))
    return found or sys.exit(f"{name} is missing: make test installs it")


class Cluster:
    """The processes, each in a group of its own, and what they are started with."""

    def __init__(self, folder, binary, ready):
        self.folder, self.binary, self.ready, self.processes = folder, binary, ready, {}
        names = ["postgres", "pgbouncer", "redis", "store", "balancer", "stats", *range(NODES)]
        self.ports = {name: free_port() for name in names}
        self.url = f"http://127.0.0.1:{self.ports['balancer']}"
        # PostgreSQL and PgBouncer refuse to run as root.
        self.other = {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.geteuid() == 0 else {}
        os.chmod(folder, 0o755)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def start(self, name, command, **more):
        with open(self.path(f"{name}.log"), "ab") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, cwd="/", start_new_session=True, **more)
        self.processes[name] = process

    def sql(self, statement, database="verdigraph"):
        where = ["-h", "127.0.0.1", "-p", str(self.ports["postgres"]), "-U", "postgres"]
        asked = subprocess.run(["psql", "-qtA", *where, "-c", statement, database], capture_output=True, text=True)
        return asked.stdout.strip() if asked.returncode == 0 else None

    def start_postgres(self):
        programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
        server, init = program("postgres", *programs), program("initdb", *programs)
        os.mkdir(self.path("home"), 0o755)
        if self.other:
            shutil.chown(self.path("home"), "nobody", "nogroup")
        data = self.path("home/data")
        made = [init, "-D", data, "-A", "trust", "-U", "postgres"]
        subprocess.run(made, check=True, stdout=subprocess.DEVNULL, cwd="/", **self.other)
        port = str(self.ports["postgres"])
        self.start("postgres", [server, "-D", data, "-p", port, "-h", "127.0.0.1", "-k", "", "-F"], **self.other)
        until("PostgreSQL", lambda: self.sql("SELECT 1", "postgres"))
        self.sql("CREATE ROLE verdigraph LOGIN PASSWORD 'pw'", "postgres")
        self.sql("ALTER ROLE verdigraph SET statement_timeout = '30s'", "postgres")
        self.sql("CREATE DATABASE verdigraph OWNER verdigraph", "postgres")

    def start_pgbouncer(self):
        secret = self.sql("SELECT rolpassword FROM pg_authid WHERE rolname = 'verdigraph'")
        users = self.write("users.txt", f'"verdigraph" "{secret}"\n')
        settings = read("packaging/pgbouncer.ini")
        for shipped, here in [
            ("host=postgres port=5432", f"host=127.0.0.1 port={self.ports['postgres']}"),
            ("listen_addr = 0.0.0.0", "listen_addr = 127.0.0.1\nunix_socket_dir ="),
            ("listen_port = 6432", f"listen_port = {self.ports['pgbouncer']}"),
            ("/etc/pgbouncer/userlist.txt", users),
        ]:
            assert shipped in settings, f"packaging/pgbouncer.ini has no {shipped}"
            settings = settings.replace(shipped, here)
        pooler = program("pgbouncer", os.path.join(ROOT, ".tools/pgbouncer/bin"))
        self.start("pgbouncer", [pooler, "-q", self.write("pgbouncer.ini", settings)], **self.other)

    def start_beside(self):
        redis = ["--port", str(self.ports["redis"]), "--bind", "127.0.0.1", "--save", "", "--requirepass", "pw"]
        self.start("redis", [program("redis-server"), *redis, "--dir", self.folder])
        store = os.path.join(ROOT, ".tools/s3/bin/moto_server")
        self.start("store", [store, "-H", "127.0.0.1", "-p", str(self.ports["store"])])
        until("the store", lambda: answers(f"{self.store()}/verdigraph", requests.put))

    def store(self):
        return f"http://127.0.0.1:{self.ports['store']}"

    def start_balancer(self):
        settings = read("packaging/haproxy.cfg").replace("bind :8080", f"bind 127.0.0.1:{self.ports['balancer']}")
        settings = settings.replace("/api/ready", self.ready).replace("8405", str(self.ports["stats"]))
        settings = re.sub(r" node(\d):8080", lambda node: f" 127.0.0.1:{self.ports[int(node[1]) - 1]}", settings)
        # The machine may allow fewer open files than a balancer needs.
        settings = re.sub(r"maxconn \d+", "maxconn 500", settings)
        self.start("balancer", [program("haproxy"), "-db", "-f", self.write("haproxy.cfg", settings)])
        until("the balancer", lambda: answers(f"{self.url}{self.ready}", requests.get))

    def environment(self):
        ours = {name: value for name, value in os.environ.items() if not name.startswith("VERDIGRAPH_")}
        database = f"postgres://verdigraph:pw@127.0.0.1:{self.ports['pgbouncer']}/verdigraph"
        settings = {
            "SERVER_BASE_URL": self.url, "SERVER_TRUST_FORWARDED": "true", "DATABASE_URL": database,
            "REDIS_URL": f"redis://:pw@127.0.0.1:{self.ports['redis']}", "STORAGE_KIND": "s3",
            "STORAGE_BUCKET": "verdigraph", "STORAGE_ENDPOINT": self.store(), "STORAGE_ACCESS_KEY_ID": "test",
            "STORAGE_SECRET_ACCESS_KEY": "test", "WORKER_THREADS": "1", "WORKER_MEMORY_BYTES": "1073741824",
        }
        return {**ours, **{f"VERDIGRAPH_{name}": value for name, value in settings.items()}}

    def start_node(self, number):
        data = ["--data", self.path(f"data{number}"), "--port", str(self.ports[number])]
        self.start(number, [self.binary, "serve", *data], env=self.environment())

    def wait_for_node(self, number):
        address = f"http://127.0.0.1:{self.ports[number]}{self.ready}"
        return until(f"node {number}", lambda: answers(address, requests.get))

    def stop(self):
        for process in reversed(self.processes.values()):
            if process.poll() is None:
                process.terminate()
                try:
                    process.wait(PATIENCE)
                except subprocess.TimeoutExpired:
                    process.kill()


def answers(url, ask):
    try:
        return ask(url, timeout=2).status_code == 200
    except requests.RequestException:
        return False


def until(what, holds):
    began = time.monotonic()
    while not holds():
        assert time.monotonic() - began < PATIENCE, f"{what} does not come"
        time.sleep(0.1)
    return time.monotonic() - began


class Clients:
    """People and programs, and what they were answered."""

    def __init__(self, url):
        self.url, self.key = url, sign_up(url)
        self.answers, self.wrong, self.jobs = collections.Counter(), [], set()
        self.began, self.killed_at = time.monotonic(), None
        self.stopping, self.lock = threading.Event(), threading.Lock()
        who = [lambda n=n: self.submit(n) for n in range(SUBMITTERS)] + [self.look] * 2 + [self.follow] * 2
        self.threads = [threading.Thread(target=one) for one in who]
        for thread in self.threads:
            thread.start()

    def ask(self, session, what, method, path, **more):
        try:
            answer = session.request(method, self.url + path, timeout=30, **more)
        except requests.RequestException as error:
            self.broke(what, error)
            return None
        with self.lock:
            self.answers[what, answer.status_code] += 1
            if answer.status_code >= 500 and not (answer.status_code == 503 and "Retry-After" in answer.headers):
                self.wrong.append(f"{what}: {answer.status_code} {answer.text[:200]}")
        return answer

    def broke(self, what, error):
        now = time.monotonic()
        with self.lock:
            if self.killed_at is not None and now - self.killed_at < KILL_SECONDS:
                self.answers[what, "broken off by the kill"] += 1
            else:
                self.wrong.append(f"{what}, {now - self.began:.1f} s after the beginning: {error}")

    def submit(self, who):
        session, number = requests.Session(), 0
        while not self.stopping.is_set():
            number += 1
            self.submit_one(session, f"{who}-{number}", who * 100000 + number)
            time.sleep(0.25)

    def submit_one(self, session, name, color):
        image = {"width": 64, "height": 64, "batch_size": 1, "color": color}
        prompt = {"1": {"class_type": "EmptyImage", "inputs": image},
                  "2": {"class_type": "SaveImage", "inputs": {"images": ["1", 0], "filename_prefix": "cluster"}}}
        headers = {"api-key": self.key, "Idempotency-Key": name}
        for _ in range(30):
            answer = self.ask(session, "submit", "POST", "/api/general/job/prompt", headers=headers,
                              json={"prompt": prompt})
            if answer is not None and answer.status_code == 201:
                with self.lock:
                    self.jobs.add(answer.json()["_id"])
                return
            time.sleep(float(answer.headers.get("Retry-After", 1)) if answer is not None else 1)
        with self.lock:
            self.wrong.append(f"submit {name} was never accepted")

    def look(self):
        session = requests.Session()
        while not self.stopping.is_set():
            for path in ["/", "/api/public/workflow", "/api/general/job/"]:
                self.ask(session, "look", "GET", path, headers={"api-key": self.key})
            time.sleep(0.05)

    def follow(self):
        session = requests.Session()
        while not self.stopping.is_set():
            with self.lock:
                job = next(iter(self.jobs), None)
            if job:
                self.ask(session, "follow", "GET", f"/api/general/job/{job}/events", headers={"api-key": self.key})
            time.sleep(0.2)

    def stop(self):
        self.stopping.set()
        for thread in self.threads:
            thread.join()

    def statuses(self):
        headers = {"api-key": self.key}
        told = (requests.get(f"{self.url}/api/general/job/{job}/status", headers=headers).json() for job in self.jobs)
        return collections.Counter(job.get("status") for job in told)


def sign_up(url):
    session = requests.Session()
    session.get(f"{url}/api/auth")

    def post(path, body):
        token = {"x-xsrf-token": session.cookies.get("XSRF-TOKEN", "")}
        answer = session.post(f"{url}/api/{path}", json=body, headers=token)
        assert answer.status_code == 201, answer.text
        return answer.json()

    post("auth/signup/email-password", {"email": "program@example.com", "password": "a long enough one",
                                        "name": "Program", "termsAccepted": True, "privacyAccepted": True})
    return post("general/api-key", {"name": "cluster"})["key"]


def drill(cluster):
    for start in [cluster.start_postgres, cluster.start_pgbouncer, cluster.start_beside]:
        start()
    # Concurrently, with an empty database.
    for number in range(NODES):
        cluster.start_node(number)
    for number in range(NODES):
        cluster.wait_for_node(number)
    cluster.start_balancer()
    clients = Clients(cluster.url)
    try:
        time.sleep(8)
        clients.killed_at = time.monotonic()
        cluster.processes[1].send_signal(signal.SIGKILL)
        cluster.processes[1].wait()
        print("killed a node", flush=True)
        time.sleep(12)
        cluster.start_node(1)
        print(f"it was ready again after {cluster.wait_for_node(1):.1f} s", flush=True)
        for number in range(NODES):
            began = time.monotonic()
            cluster.processes[number].terminate()
            cluster.processes[number].wait(90)
            stopped = time.monotonic() - began
            cluster.start_node(number)
            ready = cluster.wait_for_node(number)
            at = began - clients.began
            print(f"{at:.1f} s after the beginning: restarted node {number}: stopped in {stopped:.1f} s, ready after {ready:.1f} s", flush=True)
            time.sleep(3)
    finally:
        clients.stop()
    until("the end of all jobs", lambda: set(clients.statuses()) == {"Done"})
    wrong = clients.wrong
    rows = int(cluster.sql("SELECT count(*) FROM all_jobs"))
    if rows != len(clients.jobs):
        wrong.append(f"{len(clients.jobs)} jobs were accepted, {rows} are there")
    if cluster.sql("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'") != "0":
        wrong.append("a lock was left in a session")
    audit = subprocess.run([cluster.binary, "audit", "--data", cluster.path("data0")], env=cluster.environment(),
                           capture_output=True, text=True)
    print(audit.stdout.strip())
    if audit.returncode != 0:
        wrong.append("verdigraph audit found a difference")
    print(f"{rows} jobs; answers: {dict(clients.answers)}")
    return wrong


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("binary")
    arguments.add_argument("--ready", default="/api/ready", help="where a node says whether it takes requests")
    given = arguments.parse_args()
    folder = tempfile.mkdtemp(prefix="verdigraph-cluster-")
    cluster = Cluster(folder, os.path.abspath(given.binary), given.ready)
    try:
        wrong = drill(cluster)
    finally:
        cluster.stop()
    for one in wrong[:40]:
        print(f"wrong: {one}")
    if wrong:
        sys.exit(f"{len(wrong)} things went wrong; logs are in {folder}")
    shutil.rmtree(folder, ignore_errors=True)
    print("three nodes: one killed, all restarted, nothing lost")


if __name__ == "__main__":
    main()
