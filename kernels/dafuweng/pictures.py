"""Pictures that belong to Da Fu Weng."""

from kernels.pictures import CUMULATIVE, GROUPS, Picture

PICTURES = (
    Picture("first_dead_turn > 0", CUMULATIVE, "first_dead_turn", title="When the first one dies"),
    Picture("outcome = 'team0'", GROUPS, "leader", of_deal=True, title="Wins of the even seats, by who begins"),
    Picture("deaths", title="Deaths in a game"),
    Picture("revivals", title="Cards turned up that let somebody live again"),
    Picture("failed_revivals", title="Cards turned up in vain"),
    Picture("kills", title="Deaths by two jokers"),
    Picture("after_king", GROUPS, "n_99", given="first_dead >= 0", title="The first to die comes after a king"),
    Picture("brute_modes", title="How often brute mode is turned on"),
    Picture("exchanges", title="Hands exchanged by an ace"),
)
