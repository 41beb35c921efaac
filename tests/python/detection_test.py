# SPDX-License-Identifier: Apache-2.0
"""mAP50 on cases small enough to work out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from presil.detection import average_precision, iou, mean_average_precision

Array = NDArray[np.float64]


def found(*rows: tuple[float, ...]) -> Array:
    return np.array(rows, np.float64).reshape(-1, 6)


def true(*rows: tuple[float, ...]) -> Array:
    return np.array(rows, np.float64).reshape(-1, 5)


def test_iou_of_two_squares_that_share_a_quarter_is_one_seventh() -> None:
    # 4x4 and 4x4 share 2x2: 4 / (16 + 16 - 4) = 1/7
    overlap = iou(np.array([[0.0, 0, 4, 4]]), np.array([[2.0, 2, 6, 6], [4, 0, 8, 4]]))
    np.testing.assert_allclose(overlap, [[1 / 7, 0]])


def test_boxes_without_area_overlap_nothing() -> None:
    flat = np.array([[1.0, 1, 1, 1], [3, 3, 2, 2]])
    assert (iou(flat, flat) == 0).all()


def test_every_box_found_and_nothing_else_is_one() -> None:
    truth = [true((0, 0, 10, 10, 3), (20, 20, 30, 30, 4)), true((5, 5, 9, 9, 3))]
    guess = [
        found((0, 0, 10, 10, 0.9, 3), (20, 20, 30, 30, 0.5, 4)),
        found((5, 5, 9, 9, 0.4, 3)),
    ]
    assert mean_average_precision(guess, truth) == 1.0


def test_nothing_found_is_zero() -> None:
    assert mean_average_precision([found()], [true((0, 0, 10, 10, 3))]) == 0.0


def test_one_of_two_boxes_found_fills_51_of_101_points() -> None:
    # recall reaches 0.5 with precision 1: the points 0, 0.01 .. 0.50 are 51 of 101
    truth = [true((0, 0, 10, 10, 0), (20, 20, 30, 30, 0))]
    guess = [found((0, 0, 10, 10, 0.9, 0))]
    assert mean_average_precision(guess, truth) == pytest.approx(51 / 101)


def test_a_false_box_ranked_first_halves_the_precision() -> None:
    # false (precision 0/1), then right (1/2): every recall point reads 1/2
    guess = [found((50, 50, 60, 60, 0.9, 0), (0, 0, 10, 10, 0.8, 0))]
    assert mean_average_precision(guess, [true((0, 0, 10, 10, 0))]) == pytest.approx(0.5)


def test_a_false_box_ranked_last_costs_nothing() -> None:
    guess = [found((50, 50, 60, 60, 0.1, 0), (0, 0, 10, 10, 0.8, 0))]
    assert mean_average_precision(guess, [true((0, 0, 10, 10, 0))]) == 1.0


def test_second_detection_of_the_same_box_is_false() -> None:
    # right (1/1, recall 1/2), double (1/2), right (2/3, recall 1): 51 points at 1, 50 at 2/3
    truth = [true((0, 0, 10, 10, 0), (20, 20, 30, 30, 0))]
    guess = [found((0, 0, 10, 10, 0.9, 0), (0, 0, 10, 9, 0.8, 0), (20, 20, 30, 30, 0.7, 0))]
    assert mean_average_precision(guess, truth) == pytest.approx((51 + 50 * 2 / 3) / 101)


def test_overlap_counts_at_a_half_and_not_below() -> None:
    # 10x10 against its own 10x5 half: IoU 50 / 100; against 10x4: 40 / 100
    truth = [true((0, 0, 10, 10, 0))]
    assert mean_average_precision([found((0, 0, 10, 5, 0.9, 0))], truth) == 1.0
    assert mean_average_precision([found((0, 0, 10, 4, 0.9, 0))], truth) == 0.0


def test_right_place_with_wrong_class_is_not_found() -> None:
    assert mean_average_precision([found((0, 0, 10, 10, 0.9, 1))], [true((0, 0, 10, 10, 0))]) == 0.0


def test_mean_is_over_classes_that_occur() -> None:
    # class 0 found, class 1 missed, class 2 occurs nowhere: its false box does not count
    truth = [true((0, 0, 10, 10, 0), (20, 20, 30, 30, 1))]
    guess = [found((0, 0, 10, 10, 0.9, 0), (50, 50, 60, 60, 0.9, 2))]
    assert mean_average_precision(guess, truth) == pytest.approx(0.5)


def test_ranking_crosses_images() -> None:
    # image 0 has only a false box, ranked above image 1's right one: precision 1/2 everywhere
    truth = [true(), true((0, 0, 10, 10, 0))]
    guess = [found((0, 0, 10, 10, 0.9, 0)), found((0, 0, 10, 10, 0.8, 0))]
    assert mean_average_precision(guess, truth) == pytest.approx(0.5)


def test_equal_scores_keep_their_order() -> None:
    hits = np.array([False, True])
    assert average_precision(np.array([0.5, 0.5]), hits, 1) == pytest.approx(0.5)
    assert average_precision(np.array([0.5, 0.5]), hits[::-1], 1) == 1.0


def test_images_that_do_not_pair_are_refused() -> None:
    with pytest.raises(ValueError, match="detections of 1 images, true boxes of 2"):
        mean_average_precision([found()], [true(), true()])


def test_no_true_box_at_all_is_refused() -> None:
    with pytest.raises(ValueError, match="no true box in any image"):
        mean_average_precision([found()], [true()])
