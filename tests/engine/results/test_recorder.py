"""The recorder: what goes in comes out, by row, by time and between rows, in memory or on disk."""

import gc
import threading

import numpy as np
import pytest

from engine.results.recorder import Budget, Recorder, slerp


def ramp(begin: int, end: int, width: int = 3) -> np.ndarray:
    """Rows (t, 2t, t²)."""
    t = np.arange(begin, end, dtype=float)
    return np.column_stack([t, 2.0 * t, t**2] + [t] * (width - 3))


def small(width: int = 3, **options: object) -> Recorder:
    return Recorder(width, chunk_bytes=1, **options)  # chunks of 16 rows


def test_rows_come_back_as_they_were_recorded():
    recorder = small()
    for begin, end in ((0, 1), (1, 40), (40, 41), (41, 100)):
        recorder.append(ramp(begin, end))
    assert recorder.count == len(recorder) == 100
    assert (recorder.t_first, recorder.t_last) == (0.0, 99.0)
    np.testing.assert_array_equal(recorder.samples(), ramp(0, 100))
    np.testing.assert_array_equal(recorder.rows(13, 51), ramp(13, 51))
    np.testing.assert_array_equal(recorder.samples(7.5, 60.0), ramp(8, 61))
    assert len(recorder.samples(200.0, 300.0)) == len(recorder.samples(-5.0, -1.0)) == 0
    assert len(recorder.samples(5.2, 5.8)) == 0


def test_what_is_read_cannot_be_written():
    recorder = small()
    recorder.append(ramp(0, 50))
    for found in (recorder.samples(), recorder.rows(2, 5)):
        with pytest.raises(ValueError, match="read-only"):
            found[0, 0] = 1.0
    recorder.append(ramp(50, 52))
    assert recorder.t_last == 51.0


def test_an_empty_recorder():
    recorder = small()
    assert recorder.count == 0
    assert np.isnan(recorder.t_first)
    assert recorder.row_before(1.0) == -1
    assert recorder.samples(0.0, 1.0).shape == (0, 3)
    with pytest.raises(ValueError, match="nothing is recorded"):
        recorder.at(0.0)


def test_the_row_before_an_instant():
    recorder = small()
    recorder.append(ramp(0, 64))
    assert [recorder.row_before(t) for t in (-1.0, 0.0, 15.99, 16.0, 63.0, 99.0)] == [0, 0, 15, 16, 63, 63]


def test_samples_of_the_same_instant_are_all_found():
    recorder = small()
    recorder.append(np.column_stack([[0.0, 1.0, 1.0, 1.0, 2.0], np.arange(5.0), np.zeros(5)]))
    np.testing.assert_array_equal(recorder.samples(1.0, 1.0)[:, 1], [1.0, 2.0, 3.0])


def test_between_two_rows_numbers_are_straight_lines():
    recorder = small()
    recorder.append(ramp(0, 40))
    np.testing.assert_allclose(recorder.at(15.25), [15.25, 30.5, 0.75 * 225.0 + 0.25 * 256.0])
    np.testing.assert_array_equal(recorder.at(7.0), ramp(7, 8)[0])
    np.testing.assert_array_equal(recorder.at(-3.0), ramp(0, 1)[0])
    np.testing.assert_array_equal(recorder.at(300.0), ramp(39, 40)[0])


def test_between_two_rows_quaternions_turn_evenly():
    # q(φ) = (cos φ/2, n sin φ/2): half way from φ = 0.2 to 1.6 lies 0.9, also when a sign is flipped
    n = np.array([2.0, -1.0, 2.0]) / 3.0

    def q(phi: float) -> np.ndarray:
        return np.array([np.cos(phi / 2.0), *(np.sin(phi / 2.0) * n)])

    for sign in (1.0, -1.0):
        recorder = Recorder(6, quaternions=(2,))
        recorder.append(np.array([[0.0, 5.0, *q(0.2)], [2.0, 7.0, *(sign * q(1.6))]]))
        np.testing.assert_allclose(recorder.at(1.0), [1.0, 6.0, *q(0.9)], atol=1e-14)
        np.testing.assert_allclose(recorder.at(0.5)[2:], q(0.55), atol=1e-14)
    np.testing.assert_allclose(slerp(q(0.3), q(0.3 + 1e-7), 0.5), q(0.3 + 0.5e-7), atol=1e-15)


def test_beyond_its_memory_it_goes_to_disk_and_says_so():
    rows = 16 * 10
    budget = Budget(3 * 16 * 3 * 8)  # three chunks
    recorder = small(budget=budget)
    for i in range(0, rows, 4):
        recorder.append(ramp(i, i + 4))
    assert budget.used <= budget.limit
    assert recorder.spilled == rows - 3 * 16
    np.testing.assert_array_equal(recorder.samples(), ramp(0, rows))
    np.testing.assert_allclose(recorder.at(3.5), [3.5, 7.0, 12.5])
    assert recorder.row_before(20.0) == 20


def test_recorders_share_a_budget_and_give_it_back():
    budget = Budget(4 * 16 * 3 * 8)
    first, second = small(budget=budget), small(budget=budget)
    first.append(ramp(0, 48))
    second.append(ramp(0, 48))
    assert budget.used <= budget.limit
    assert first.spilled + second.spilled > 0
    np.testing.assert_array_equal(second.samples(), ramp(0, 48))
    del first, second
    gc.collect()
    assert budget.used == 0


def test_readers_see_whole_rows_while_another_thread_writes():
    recorder, total = small(budget=Budget(50_000)), 20_000

    def write() -> None:
        for i in range(0, total, 7):
            recorder.append(ramp(i, min(i + 7, total)))

    writer = threading.Thread(target=write)
    writer.start()
    looks = 0
    while writer.is_alive() or not looks:
        seen = recorder.samples()
        np.testing.assert_array_equal(seen, ramp(0, len(seen)))
        if len(seen) > 1:
            t = seen[-1, 0] - 0.5
            assert recorder.at(t)[1] == pytest.approx(2.0 * t)
        looks += 1
    writer.join()
    assert recorder.count == total


@pytest.mark.parametrize("limit", [1 << 30, 3 * 16 * 24], ids=["in memory", "on disk"])
def test_the_whole_is_one_table_and_the_recorder_goes_on(limit: int):
    recorder = small(budget=Budget(limit))
    recorder.append(ramp(0, 100))
    whole = recorder.whole()
    np.testing.assert_array_equal(whole, ramp(0, 100))
    assert whole.flags.writeable  # as kernels want it
    assert whole.flags.c_contiguous
    recorder.append(ramp(100, 150))
    np.testing.assert_array_equal(whole, ramp(0, 100))
    np.testing.assert_array_equal(recorder.samples(), ramp(0, 150))
    np.testing.assert_array_equal(recorder.whole(), ramp(0, 150))


def test_the_whole_holds_no_sample_twice():
    recorder = small()
    recorder.append(ramp(0, 100))
    whole = recorder.whole()
    assert np.shares_memory(whole, recorder.rows(0, 16))


def test_samples_stay_in_memory_when_the_disk_is_full(monkeypatch: pytest.MonkeyPatch):
    def full(recorder: Recorder) -> None:
        raise OSError(28, "no space left on device")

    monkeypatch.setattr(Recorder, "_spill", full)
    recorder = small(budget=Budget(3 * 16 * 24))
    recorder.append(ramp(0, 200))
    np.testing.assert_array_equal(recorder.samples(), ramp(0, 200))
