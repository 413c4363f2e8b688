#!/usr/bin/env python3
"""How long graphs take on a server that speaks ComfyUI's HTTP API: the CPU worker, or a real one beside it.

    graph-times.py URL [ROUNDS] [SIDE]

Standard library only. Each graph runs so often, each time with another colour, so that nothing comes from the cache;
no picture is written. What is told is the least and the middle time between execution_start and execution_success, in
milliseconds, as the server's history has it.
"""
import json, sys, time, urllib.request

url = sys.argv[1]
rounds, side = [int(given) for given in sys.argv[2:4]] + [9, 2048][len(sys.argv) - 2:]


def ask(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(url + path, data=data), timeout=120) as answer:
        text = answer.read()
    return json.loads(text) if text else None


def node(kind, **inputs):
    return {"class_type": kind, "inputs": inputs}


def feather(mask):
    return node("FeatherMask", mask=[mask, 0], left=256, top=256, right=256, bottom=256)


def ended(image):
    """Only the size is asked for."""
    return {"s": node("GetImageSize", image=[image, 0]), "t": node("PreviewAny", source=["s", 0])}


def solid(value):
    return node("SolidMask", value=value, width=side, height=side)


def empty(color):
    return node("EmptyImage", width=side, height=side, batch_size=1, color=color)


def feathered(round):
    return {"1": solid(0.5 + round / 1000), "2": feather("1"), "3": node("MaskToImage", mask=["2", 0]), **ended("3")}


def combined(round):
    masks = {"1": solid(0.5 + round / 1000), "2": feather("1"), "3": solid(0.25)}
    masks["4"] = node("MaskComposite", destination=["3", 0], source=["2", 0], x=100, y=50, operation="add")
    return {**masks, "5": node("MaskToImage", mask=["4", 0]), **ended("5")}


def composed(round):
    graph = {"1": empty(1000 + round), "2": empty(90000 + round), "3": solid(0.9), "4": feather("3")}
    graph["5"] = node("ImageCompositeMasked", destination=["1", 0], source=["2", 0], mask=["4", 0], x=0, y=0, resize_source=False)
    return {**graph, **ended("5")}


def took(prompt):
    ask("/free", {"free_memory": True})
    id = ask("/prompt", {"prompt": prompt})["prompt_id"]
    while True:
        entry = ask("/history/" + id).get(id)
        if entry:
            break
        time.sleep(0.005)
    if entry["status"]["status_str"] != "success":
        sys.exit(json.dumps(entry["status"]))
    told = [message[1]["timestamp"] for message in entry["status"]["messages"]]
    return told[-1] - told[0]


for name, graph in [("feather a mask", feathered), ("combine masks, one feathered", combined), ("composite with feather", composed)]:
    times = sorted(took(graph(round)) for round in range(rounds))
    print(f"{name:<30} least {times[0]:>5} ms, middle {times[len(times) // 2]:>5} ms")
