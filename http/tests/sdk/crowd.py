"""Many clients at once, each the official Python SDK of Comfy API v2, unchanged. A client submits a job, polls it until its
end, and goes on with the next one. First one client alone, then all. CROWD_RESULT gets what came of the jobs, and how many
requests the server at COMFY_BASE_URL counted. CROWD_KEYS is a file of API keys, which the clients share in turn."""

import asyncio
import collections
import json
import os
import re
import sys
import time
import urllib.request
import uuid
from pathlib import Path

from comfy_sdk import AsyncComfy

from pictures import empty_image

BASE = os.environ["COMFY_BASE_URL"]
# A label that only this run has.
RUN = uuid.uuid4().hex
ENDED = {"succeeded", "canceled", "failed", "expired"}
# Seconds until the last job has ended after its client gave up.
PATIENCE = 60
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))
SAMPLE = re.compile(r"^verdigraph_http_requests_total\{(.*)\} ([0-9.e+]+)$", re.MULTILINE)
LABEL = re.compile(r'(\w+)="([^"]*)"')


def counted() -> tuple[collections.Counter, collections.Counter]:
    """What the server has answered, by method and route, and by status. It counts requests that took too long apart."""
    with OPENER.open(f"{BASE}/metrics") as answer:
        text = answer.read().decode()
    routes, statuses = collections.Counter(), collections.Counter()
    for labels, value in SAMPLE.findall(text):
        labels = dict(LABEL.findall(labels))
        if labels["route"].startswith("/api/v2/") or labels["route"] == "given up":
            routes[f"{labels['method']} {labels['route']}"] += round(float(value))
            statuses[labels["status"]] += round(float(value))
    return routes, statuses


class Crowd:
    """Clients that run jobs at the same time, and what they met."""

    def __init__(self, name: str, keys: list[str], clients: int, jobs: int) -> None:
        self.name, self.keys, self.jobs = name, keys, jobs
        self.labels = {"run": RUN, "crowd": name}
        self.clients = [AsyncComfy(api_key=keys[number % len(keys)]) for number in range(clients)]
        self.accepted: set[str] = set()
        self.errors = collections.Counter()

    async def run(self) -> dict:
        routes, statuses = counted()
        begun = time.monotonic()
        await asyncio.gather(*(self.work(number, client) for number, client in enumerate(self.clients)))
        seconds = time.monotonic() - begun
        routes_after, statuses_after = counted()
        found = await self.found()
        for client in self.clients:
            await client.aclose()
        wanted = len(self.clients) * self.jobs
        succeeded = sum(found.get(job) == "succeeded" for job in self.accepted)
        return {
            "name": self.name,
            "clients": len(self.clients),
            "wanted": wanted,
            "listed": len(found),
            "lost": wanted - succeeded,
            "seconds": seconds,
            "requests": routes_after - routes,
            "answers": statuses_after - statuses,
            "ended": collections.Counter(found.values()),
            "errors": self.errors,
        }

    async def work(self, number: int, client: AsyncComfy) -> None:
        for turn in range(self.jobs):
            try:
                workflow = client.workflows.from_json(empty_image(number * self.jobs + turn))
                job = await client.submit(workflow, metadata=self.labels)
                self.accepted.add(job.id)
                await job.result()
            except Exception as error:  # Whatever the SDK raises is a result of this run.
                self.errors[f"{type(error).__name__} {getattr(error, 'code', None) or ''}".strip()] += 1

    async def found(self) -> dict[str, str]:
        """All jobs of this crowd with their statuses, as the accounts' lists tell them."""
        found = {}
        for _ in range(PATIENCE):
            for client in self.clients[: len(self.keys)]:
                async for job in client.list_jobs(metadata=self.labels, limit=100):
                    found[job.id] = job.status
            if all(status in ENDED for status in found.values()):
                break
            await asyncio.sleep(1)
        return found


async def drive() -> list[dict]:
    keys = Path(os.environ["CROWD_KEYS"]).read_text().split()
    clients, jobs = int(os.environ["CROWD_CLIENTS"]), int(os.environ["CROWD_JOBS"])
    told = []
    for name, these, count in (("alone", keys[-1:], 1), ("all at once", keys, clients)):
        told.append(await Crowd(name, these, count, jobs).run())
        print(f"{name}: {told[-1]['wanted']} jobs in {told[-1]['seconds']:.1f} s", flush=True)
    return told


def main() -> int:
    told = asyncio.run(drive())
    Path(os.environ["CROWD_RESULT"]).write_text(json.dumps(told))
    return 0


if __name__ == "__main__":
    sys.exit(main())
