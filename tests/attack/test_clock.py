"""What the attack counts as the time of a case."""

import time

import numba

from tests.attack.case import judged
from tests.attack.clock import computed, on_compiled


def test_compiling_is_not_the_time_of_a_case() -> None:
    told = []
    on_compiled(lambda: told.append(1))
    begin, all_begin = computed(), time.process_time()

    def compile_something() -> str:
        numba.njit(lambda x: sum([i * x for i in range(10)]))(1.0)
        return "clean"

    case = judged("x", compile_something, ())
    on_compiled(lambda: None)
    spent = time.process_time() - all_begin
    assert case.verdict == "clean"
    assert told
    assert spent > 0.1
    assert case.seconds <= computed() - begin < 0.5 * spent


def test_what_computes_is_counted() -> None:
    end = time.process_time() + 0.2

    def compute() -> str:
        while time.process_time() < end:
            pass
        return "clean"

    assert 0.15 < judged("x", compute, ()).seconds < 0.5
