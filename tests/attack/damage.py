"""Bytes of a file, damaged at random: what a bad disk, a broken program or an attacker leaves of it."""

import random

LARGE = (b"999999999", b"-1", b"1e308", b"nan", b"4294967295", b"18446744073709551615", b"0")


def damaged(data: bytes, rng: random.Random) -> bytes:
    """One to four random changes: bits, bytes, cuts, repeats, digits made large, words exchanged."""
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        if not data:
            return data
        at, other = rng.randrange(len(data)), rng.randrange(len(data))
        low, high = min(at, other), max(at, other)
        kind = rng.randrange(8)
        if kind == 0:
            data = data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]
        elif kind == 1:
            data = data[:at] + rng.randbytes(rng.randint(1, 8)) + data[at + rng.randint(0, 8) :]
        elif kind == 2:
            data = data[:at]
        elif kind == 3:
            data = data[:low] + data[min(low + rng.randint(1, 60), high) :]
        elif kind == 4:
            data = data[:high] + data[low : min(high, low + 400)] + data[high:]
        elif kind == 5:
            digits = [i for i, byte in enumerate(data) if chr(byte).isdigit()]
            if digits:
                at = rng.choice(digits)
                data = data[:at] + rng.choice(LARGE) + data[at + 1 :]
        elif kind == 6:
            data = data[:at] + rng.choice((b"\xff", b"\x00", b"\x7f")) * rng.randint(1, 8) + data[at + 8 :]
        else:
            lines = data.split(b"\n")
            first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
            lines[first], lines[second] = lines[second], lines[first]
            data = b"\n".join(lines)
    return data
