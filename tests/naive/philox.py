"""Philox4x32-10 as in Salmon et al., SC 2011, table 2 and section 3.3, with Python's unbounded integers."""

WORD = 2**32


def block(counter: tuple[int, int, int, int], key: tuple[int, int]) -> tuple[int, int, int, int]:
    """Ten rounds of S-box multiplications and swaps; the key is bumped by the Weyl constants between rounds."""
    left_0, right_0, left_1, right_1 = counter
    key_0, key_1 = key
    for _ in range(10):
        high_0, low_0 = divmod(0xD2511F53 * left_0, WORD)
        high_1, low_1 = divmod(0xCD9E8D57 * left_1, WORD)
        left_0, right_0, left_1, right_1 = high_1 ^ right_0 ^ key_0, low_1, high_0 ^ right_1 ^ key_1, low_0
        key_0 = (key_0 + 0x9E3779B9) % WORD
        key_1 = (key_1 + 0xBB67AE85) % WORD
    return left_0, right_0, left_1, right_1


def words(seed: int, game: int, round_number: int, purpose: int, count: int) -> list[int]:
    """The first `count` words of one stream of the simulator, by the documented layout of key and counter."""
    found: list[int] = []
    number = 0
    while len(found) < count:
        counter = (number, purpose + 256 * round_number, game % WORD, game // WORD)
        found += block(counter, (seed % WORD, seed // WORD))
        number += 1
    return found[:count]
