"""What the records of all games begin with."""


def round_fields(seats: int) -> list[tuple[str, str] | tuple[str, str, int]]:
    """Fields that the RECORD of every game begins with; `seats` is the largest number of players."""
    return [
        ("game", "i8"),
        ("round", "i4"),  # from 1
        ("outcome", "i1"),
        ("winner", "i1"),  # a seat; -1 none
        ("leader", "i1"),  # who had the first turn
        ("turns", "i4"),
        ("orbit", "i4"),  # turns that the one who ended the round has had; 0 if nobody ended it
        ("points", "i4", seats),  # the change of each seat's total by this round
    ]
