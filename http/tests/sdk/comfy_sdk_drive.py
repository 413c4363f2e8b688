"""Drives the official Python SDK of Comfy API v2 against the server at COMFY_BASE_URL, as an integrator would."""

import sys
import tempfile
import uuid
from pathlib import Path

from comfy_sdk import Comfy, InvalidWorkflow, MissingAsset, NotFound, StatusChange, Unauthorized
from comfy_sdk.events import OutputReady

from limits import all_within
from pictures import empty_image, load_image, png

# Seconds that one answer, or the end of a job, may take. Only what hangs takes as long.
PATIENCE = 120
# A label that only this run has.
RUN = uuid.uuid4().hex


def refused(error, code, call):
    """Checks that a call fails with this exception and code."""
    try:
        call()
    except error as raised:
        assert raised.code == code, f"{raised.code} instead of {code}: {raised}"
        assert raised.request_id, f"an error without the request's id: {raised}"
        return raised
    raise AssertionError(f"{code} was accepted")


def load_picture(client: Comfy, picture: bytes):
    workflow = client.workflows.from_json(load_image(""))
    asset = client.assets.from_bytes(picture, filename="photo.png")
    workflow.set_input("1", "image", asset)
    return workflow, asset


def assets_and_jobs(client: Comfy, folder: Path) -> None:
    picture = png(RUN)
    workflow, asset = load_picture(client, picture)
    job = client.submit(workflow, metadata={"run": RUN, "step": "load"})
    assert asset.id and job.metadata == {"run": RUN, "step": "load"}, job.metadata
    told = all_within(PATIENCE, f"the events of {job.id}", job.events())
    assert isinstance(told[0], StatusChange) and isinstance(told[-1], StatusChange), told
    assert told[-1].status == "succeeded", told
    job.result()
    outputs = job.get_outputs("2")
    assert len(outputs) == 1 and outputs[0].type == "image", outputs
    saved = outputs[0].to_file(folder / "whole.png").read_bytes()
    whole, part = outputs[0].to_bytes(), outputs[0].to_bytes(range=(0, 3))
    assert saved == whole and len(saved) == outputs[0].size_bytes, (len(saved), len(whole), outputs[0].size_bytes)
    assert part == saved[:4], (part, saved[:4])
    address = outputs[0].get_download_url().url
    assert address.startswith("http"), address
    ready = [event for event in told if isinstance(event, OutputReady)]
    assert all(event.output.id == outputs[0].id for event in ready), (ready, outputs)
    workflow = job.get_workflow()
    assert workflow.format == "api", workflow
    status = client.jobs.get(job.id).status
    assert status == "succeeded", status
    # The same bytes are not sent again.
    _, same = load_picture(client, picture)
    same.commit()
    assert same.id == asset.id and same.created_new is False, (same.id, asset.id, same.created_new)
    found = client.assets.get(asset.id).hash
    assert found == asset.hash, (found, asset.hash)
    same.delete()
    refused(NotFound, "asset_not_found", lambda: client.assets.get(asset.id))


def lists_and_cancel(client: Comfy) -> None:
    jobs = [
        client.submit(client.workflows.from_json(empty_image(number)), metadata={"run": RUN, "step": "list"})
        for number in range(3)
    ]
    found = [summary.id for summary in client.list_jobs(metadata={"run": RUN, "step": "list"}, limit=2)]
    assert found == [job.id for job in reversed(jobs)], found
    others = list(client.list_jobs(metadata={"run": "none of these"}))
    assert not others, others
    for job in jobs:
        job.cancel()
        job.cancel()
        job.wait(timeout=PATIENCE)
        assert job.status in ("canceled", "succeeded"), job.status


def errors(client: Comfy) -> None:
    invalid = {"1": {"class_type": "SaveImage", "inputs": {"filename_prefix": "a"}}}
    raised = refused(InvalidWorkflow, "invalid_workflow", lambda: client.submit(client.workflows.from_json(invalid)))
    assert "1" in raised.details["node_errors"], raised.details
    unknown = {"__type": "core/ASSET", "info": {"id": str(uuid.uuid4())}}
    graph = {"1": {"class_type": "LoadImage", "inputs": {"image": unknown}}}
    refused(MissingAsset, "missing_asset", lambda: client.submit(client.workflows.from_json(graph)))
    refused(NotFound, "job_not_found", lambda: client.jobs.get(str(uuid.uuid4())))
    with Comfy(api_key="vg_wrong", timeout=PATIENCE) as stranger:
        refused(Unauthorized, "unauthorized", lambda: stranger.jobs.get(str(uuid.uuid4())))


def main() -> int:
    with Comfy(timeout=PATIENCE) as client, tempfile.TemporaryDirectory() as folder:
        assets_and_jobs(client, Path(folder))
        lists_and_cancel(client)
        errors(client)
    return 0


if __name__ == "__main__":
    sys.exit(main())
