"""Kernels are compiled once for all constants that they are called with."""

from engine.compiled.kernel import kernel


@kernel
def scaled(x: float, times: int, negative: bool) -> float:
    return -x * times if negative else x * times


@kernel
def three_ways(x: float, times: int) -> float:
    return scaled(x, 2, False) + scaled(x, 3, True) + scaled(x, times, negative=False)


def test_constants_share_one_specialisation() -> None:
    assert three_ways(1.5, 5) == 1.5 * (2 - 3 + 5)
    assert len(scaled.signatures) == 1  # type: ignore[attr-defined]
