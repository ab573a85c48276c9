"""Cards as text. A card is a small integer everywhere else: suit * 13 + rank, jokers 52 (small) and 53 (big)."""

RANKS = "A23456789TJQK"
SUITS = "shdc"
SYMBOLS = "♠♥♦♣"
SUIT_SIZE = 13
SMALL_JOKER = 52
BIG_JOKER = 53
FACES = 54

_JOKERS = {"XB": BIG_JOKER, "XS": SMALL_JOKER, "JOKER": BIG_JOKER, "X": BIG_JOKER}
_SUIT_OF = {letter: suit for suit, letter in enumerate(SUITS.upper())} | {
    symbol: suit for suit, symbol in enumerate(SYMBOLS)
}
_HOLLOW = str.maketrans("♤♡♢♧", SYMBOLS)


def card_text(card: int) -> str:
    """A card in the notation of transcripts: `As`, `Td`, `Xb`."""
    if card >= SMALL_JOKER:
        return "Xs" if card == SMALL_JOKER else "Xb"
    suit, rank = divmod(int(card), SUIT_SIZE)
    return RANKS[rank] + SUITS[suit]


def card_symbol(card: int) -> str:
    """A card for people: `♠A`, `♦10`, `Joker` and `joker`."""
    if card >= SMALL_JOKER:
        return "joker" if card == SMALL_JOKER else "JOKER"
    suit, rank = divmod(int(card), SUIT_SIZE)
    return SYMBOLS[suit] + RANKS[rank].replace("T", "10")


def parse_card(text: str) -> int:
    """Read one card: `As`, `10s`, `S10`, `♠A`, `A♠`, `Xb`, `Joker`. Raises ValueError with the reason."""
    folded = text.strip().translate(_HOLLOW).replace("\ufe0f", "").upper()
    if folded in _JOKERS:
        return _JOKERS[folded]
    for suit_text, rank_text in ((folded[-1:], folded[:-1]), (folded[:1], folded[1:])):
        rank_text = rank_text.replace("10", "T")
        if suit_text in _SUIT_OF and len(rank_text) == 1 and rank_text in RANKS:
            return _SUIT_OF[suit_text] * SUIT_SIZE + RANKS.index(rank_text)
    raise ValueError(f"{text[:20]!r} is no card; cards are written like As, Td, 7c, Xb")


def parse_cards(text: str) -> list[int]:
    """Read cards separated by blanks, commas, slashes or dashes."""
    for separator in ",;/-":
        text = text.replace(separator, " ")
    return [parse_card(part) for part in text.split()]
