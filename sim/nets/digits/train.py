# SPDX-License-Identifier: Apache-2.0
"""Trains the detector and writes digits.tflite and training.json.

    PYTHONPATH=sim/python python sim/nets/digits/train.py

About 15 minutes on two cores. The steps are fixed and everything random has its seed, so the same
versions on the same kind of processor give the same file.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

import network
import numpy as np
import tensorflow as tf
from decode import POST, detections
from numpy.typing import NDArray
from presil.detection import mean_average_precision
from scenes import scenes

HERE = Path(__file__).parent
Array = NDArray[np.float32]
LOSSES = ("box", "object", "class", "range")
WIDEST = 8.0  # of a head's raw values, before they cost something


@dataclass(frozen=True)
class Plan:
    steps: int = 6500
    batch: int = 64
    train_scenes: int = 64000
    held_out_scenes: int = 1000
    calibration_scenes: int = 400
    scene_seed: int = 2024
    seed: int = 7
    peak_rate: float = 3e-3
    warm_up_steps: int = 100
    weight_decay: float = 1e-4
    average: float = 0.998  # of the weights, ramped up from 0.1


def targets(boxes: Array) -> list[Array]:
    """Per head [rows, columns, anchors, 6]: centre x, y, width, height, class, 1 where responsible.

    The anchor most like the box is responsible for it, and every other of like shape (IoU > 0.5).
    """
    heads = POST["decode"]["heads"]
    shapes = np.array([a for head in heads for a in head["anchors"]], np.float32)
    out = [np.zeros((96 // h["stride"], 96 // h["stride"], network.ANCHORS, 6)) for h in heads]
    for x0, y0, x1, y1, kind in boxes:
        size = np.array([x1 - x0, y1 - y0])
        shared = np.minimum(shapes, size).prod(1)
        likeness = shared / (shapes.prod(1) + size.prod() - shared)
        for anchor in np.flatnonzero((likeness > 0.5) | (likeness == likeness.max())):
            head, slot = divmod(int(anchor), network.ANCHORS)
            x, y, stride = (x0 + x1) / 2, (y0 + y1) / 2, heads[head]["stride"]
            out[head][int(y // stride), int(x // stride), slot] = (x, y, *size, kind, 1)
    return [o.astype(np.float32) for o in out]


def box_distance(centre: tf.Tensor, size: tf.Tensor, truth: tf.Tensor) -> tf.Tensor:
    """1 - IoU + squared distance of the centres over the squared diagonal around both (DIoU)."""
    low, high = centre - size / 2, centre + size / 2
    true_low, true_high = truth[..., :2] - truth[..., 2:4] / 2, truth[..., :2] + truth[..., 2:4] / 2
    shared = tf.reduce_prod(tf.nn.relu(tf.minimum(high, true_high) - tf.maximum(low, true_low)), -1)
    union = tf.reduce_prod(size, -1) + tf.reduce_prod(truth[..., 2:4], -1) - shared
    around = tf.maximum(high, true_high) - tf.minimum(low, true_low)
    apart = tf.reduce_sum(tf.square(centre - truth[..., :2]), -1)
    return 1 - shared / (union + 1e-6) + apart / (tf.reduce_sum(tf.square(around), -1) + 1e-6)


def head_loss(raw: tf.Tensor, truth: tf.Tensor, stride: int, anchors: list[list[int]]) -> tf.Tensor:
    """Sums over the batch: box, object, class and range loss of one head."""
    cells = raw.shape[1]
    raw = tf.reshape(raw, (-1, cells, cells, network.ANCHORS, network.CHANNELS))
    here = truth[..., 5]
    corner = tf.cast(tf.stack(tf.meshgrid(tf.range(cells), tf.range(cells)), -1), tf.float32)
    centre = (tf.sigmoid(raw[..., 0:2]) + corner[:, :, None]) * stride
    size = tf.exp(tf.clip_by_value(raw[..., 2:4], -4.0, 4.0)) * tf.constant(anchors, tf.float32)
    entropy = tf.nn.sigmoid_cross_entropy_with_logits
    kinds = tf.one_hot(tf.cast(truth[..., 4], tf.int32), network.CLASSES) * 0.98 + 0.002
    box = tf.reduce_sum(here * box_distance(centre, size, truth))
    thing = tf.reduce_sum(entropy(labels=here, logits=raw[..., 4]))
    kind = tf.reduce_sum(here * tf.reduce_sum(entropy(labels=kinds, logits=raw[..., 5:]), -1))
    # one int8 scale serves a whole head: values far outside would take the steps from box sizes
    wide = tf.reduce_sum(tf.square(tf.nn.relu(tf.abs(raw) - WIDEST)))
    return tf.stack([3.0 * box, thing, kind, 0.01 * wide])


def recolour(images: NDArray[np.uint8], rng: np.random.Generator) -> Array:
    """Colour channels in any order, every second image as its negative; 0..1."""
    mixed = np.stack([image[..., rng.permutation(3)] for image in images])
    negative = rng.random(len(mixed)) < 0.5
    mixed[negative] = 255 - mixed[negative]
    return mixed.astype(np.float32) / np.float32(255)


def train(plan: Plan, images: NDArray[np.uint8], boxes: list[Array]) -> tuple[tf.keras.Model, dict]:
    """Returns the model with the averaged weights, and the losses every 100 steps."""
    model = network.build()
    heads = POST["decode"]["heads"]
    rate = tf.keras.optimizers.schedules.CosineDecay(
        0.0, plan.steps - plan.warm_up_steps, 0.01, "cosine", plan.peak_rate, plan.warm_up_steps
    )
    optimizer = tf.keras.optimizers.AdamW(
        rate, weight_decay=plan.weight_decay, global_clipnorm=10.0
    )
    optimizer.exclude_from_weight_decay(var_names=["bias", "gamma", "beta"])
    averages = [tf.Variable(w) for w in model.weights]

    @tf.function
    def step(x: tf.Tensor, truth: list[tf.Tensor], keep: tf.Tensor) -> tf.Tensor:
        with tf.GradientTape() as tape:
            out = model(x, training=True)
            sums = tf.add_n(
                [head_loss(o, t, h["stride"], h["anchors"]) for o, t, h in zip(out, truth, heads)]
            )
            losses = sums / tf.add_n([tf.reduce_sum(t[..., 5]) for t in truth])
            loss = tf.reduce_sum(losses)
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        for average, weight in zip(averages, model.weights):
            average.assign(keep * average + (1 - keep) * weight)
        return losses

    every = [targets(b) for b in boxes]
    rng = np.random.default_rng(plan.seed)
    order = np.empty(0, np.int64)
    recent, log, start = [], {}, time.monotonic()
    for k in range(plan.steps):
        if len(order) < plan.batch:
            order = rng.permutation(len(images))
        chosen, order = order[: plan.batch], order[plan.batch :]
        truth = [tf.constant(np.stack([every[c][h] for c in chosen])) for h in range(len(heads))]
        keep = tf.constant(min(plan.average, (1 + k) / (10 + k)), tf.float32)
        recent.append(step(tf.constant(recolour(images[chosen], rng)), truth, keep).numpy())
        if (k + 1) % 100 == 0 or k + 1 == plan.steps:
            parts = (round(float(v), 4) for v in np.mean(recent, 0))
            log[str(k + 1)] = dict(zip(LOSSES, parts, strict=True))
            print(f"step {k + 1}  {time.monotonic() - start:.0f} s  {log[str(k + 1)]}", flush=True)
            recent = []
    for average, weight in zip(averages, model.weights):
        weight.assign(average)
    return model, log


def float_map(model: tf.keras.Model, images: NDArray[np.uint8], boxes: list[Array]) -> float:
    heads = model.predict(images.astype(np.float32) / np.float32(255), verbose=0)
    found = [detections([head[k] for head in heads]) for k in range(len(images))]
    return mean_average_precision(found, boxes)


def main() -> None:
    parser = argparse.ArgumentParser(description="train the digit detector")
    parser.add_argument("--steps", type=int, default=Plan.steps)
    parser.add_argument("--scenes", type=int, default=Plan.train_scenes)
    parser.add_argument("--out", type=Path, default=HERE, help="folder for the two files")
    parser.add_argument("--weights", type=Path, help="keep the float weights in this .npz too")
    arguments = parser.parse_args()
    plan = Plan(steps=arguments.steps, train_scenes=arguments.scenes)

    tf.keras.utils.set_random_seed(plan.seed)
    tf.config.experimental.enable_op_determinism()
    images, boxes = scenes(plan.train_scenes, plan.scene_seed, "train")
    print(f"{len(images)} scenes drawn", flush=True)
    model, losses = train(plan, images, boxes)
    if arguments.weights:
        np.savez(arguments.weights, *[np.asarray(w) for w in model.weights])
    file = network.to_int8(model, images[: plan.calibration_scenes])
    (arguments.out / "digits.tflite").write_bytes(file)
    held_out, truths = scenes(plan.held_out_scenes, plan.scene_seed, "held_out")
    measured = round(float_map(model, held_out, truths), 4)
    packages = ("tensorflow-cpu", "keras", "scikit-learn", "numpy", "pillow")
    versions = {name: version(name) for name in packages}
    record = {"plan": asdict(plan), "versions": versions, "losses": losses}
    record["map50"] = {"scenes": plan.held_out_scenes, "float": measured}
    (arguments.out / "training.json").write_text(json.dumps(record, indent=1) + "\n")
    print(f"float mAP50 {measured} on {plan.held_out_scenes} scenes; {len(file)} bytes")


if __name__ == "__main__":
    main()
