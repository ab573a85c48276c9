"""Cards as text. A card is a small integer everywhere else: suit * 13 + rank, jokers 52 (small) and 53 (big)."""

import unicodedata
from collections.abc import Iterable, Sequence

RANKS = "A23456789TJQK"
SUITS = "shdc"
SYMBOLS = "♠♥♦♣"
SUIT_SIZE = 13
SMALL_JOKER = 52
BIG_JOKER = 53
FACES = 54

_ANY_JOKER = FACES
"""What a joker without a size is read as, until it is known which jokers there are."""
_JOKERS = {"XB": BIG_JOKER, "大王": BIG_JOKER, "大鬼": BIG_JOKER, "XS": SMALL_JOKER, "小王": SMALL_JOKER,
           "小鬼": SMALL_JOKER} | dict.fromkeys(("X", "JOKER", "鬼", "王", "🃏"), _ANY_JOKER)  # fmt: skip
_BIG_AS_PRINTED = "JOKER"
_SUIT_OF = {letter: suit for suit, letter in enumerate(SUITS.upper())} | {
    symbol: suit for suit, symbol in enumerate(SYMBOLS)
}
_HOLLOW = str.maketrans("♤♡♢♧", SYMBOLS)
_SUIT_NAMES = {"黑桃": "♠", "红桃": "♥", "红心": "♥", "方块": "♦", "方片": "♦", "梅花": "♣", "草花": "♣"}
_EMOJI_STYLE = "\ufe0f"
_SEPARATORS = ",;/-、"
_ALTERNATING = (SMALL_JOKER, BIG_JOKER) * 8


def new_deck(jokers: int) -> list[int]:
    """One deck in order, with so many jokers, big and small in turn."""
    return [*range(SMALL_JOKER), *([BIG_JOKER, SMALL_JOKER] * jokers)[:jokers]]


def card_text(card: int) -> str:
    """A card in the notation of transcripts: `As`, `Td`, `Xb`."""
    if card >= SMALL_JOKER:
        return "Xs" if card == SMALL_JOKER else "Xb"
    suit, rank = divmod(int(card), SUIT_SIZE)
    return RANKS[rank] + SUITS[suit]


def card_symbol(card: int) -> str:
    """A card for people: `♠A`, `♦10`, `JOKER` (the big one) and `joker`."""
    if card >= SMALL_JOKER:
        return "joker" if card == SMALL_JOKER else "JOKER"
    suit, rank = divmod(int(card), SUIT_SIZE)
    return SYMBOLS[suit] + RANKS[rank].replace("T", "10")


def parse_card(text: str) -> int:
    """Read one card: `As`, `10s`, `S10`, `♠A`, `A♠`, `黑桃A`, `Xb`, `小王`, full-width letters too.

    A joker without a size (`Joker`, `鬼`) is the small one; `JOKER` is the big one, as `card_symbol` writes it. Raises
    ValueError with the reason.
    """
    card = _read(text)
    return SMALL_JOKER if card == _ANY_JOKER else card


def parse_cards(text: str, jokers: Sequence[int] = _ALTERNATING) -> list[int]:
    """Read cards separated by blanks, commas, slashes or dashes; see `with_sizes` for the jokers. Raises ValueError."""
    return with_sizes(read_cards(text), jokers)


def read_cards(text: str) -> list[int]:
    """Read cards as `parse_cards` does, jokers without a size left to `with_sizes`. Raises ValueError."""
    text = unicodedata.normalize("NFKC", text)
    for separator in _SEPARATORS:
        text = text.replace(separator, " ")
    return [_read(part) for part in text.split()]


def with_sizes(cards: Iterable[int], jokers: Sequence[int] = _ALTERNATING) -> list[int]:
    """The cards, jokers without a size being those of the pack that are not named, in the order given: small ones
    first as long as there are some, by the usual packs in turn."""
    cards = list(cards)
    left = list(jokers)
    for card in cards:
        if card in left:
            left.remove(card)
    return [card if card != _ANY_JOKER else left.pop(0) if left else SMALL_JOKER for card in cards]


def _read(text: str) -> int:
    plain = unicodedata.normalize("NFKC", text).strip().translate(_HOLLOW).replace(_EMOJI_STYLE, "")
    for name, symbol in _SUIT_NAMES.items():
        plain = plain.replace(name, symbol)
    folded = plain.upper()
    if plain == _BIG_AS_PRINTED:
        return BIG_JOKER
    if folded in _JOKERS:
        return _JOKERS[folded]
    for suit_text, rank_text in ((folded[-1:], folded[:-1]), (folded[:1], folded[1:])):
        rank_text = rank_text.replace("10", "T")
        if suit_text in _SUIT_OF and len(rank_text) == 1 and rank_text in RANKS:
            return _SUIT_OF[suit_text] * SUIT_SIZE + RANKS.index(rank_text)
    raise ValueError(f"{text[:20]!r} is no card; cards are written like As, Td, 7c, Xb")
