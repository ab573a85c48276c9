"""Pictures that belong to Jiaxing Red Ten."""

from kernels.pictures import GROUPS, Picture

PICTURES = (
    Picture("points", GROUPS, "solo,side", per="seat", of_deal=True, title="Points, by the side one is dealt to"),
    Picture("points", GROUPS, "dealt_bombs", per="seat", of_deal=True, title="Points, by the bombs dealt"),
    Picture("place = 1", GROUPS, "dealt_bombs", per="seat", of_deal=True, title="First out, by the bombs dealt"),
    Picture("place", given="solo AND side = 1", per="seat", title="The place of a lone player"),
    Picture("place", given="NOT solo AND side = 1", per="seat", title="The places of two red tens in two hands"),
    Picture("multiplier", title="What the points are multiplied by"),
    Picture("bombs", title="Bombs played"),
    Picture("shown", GROUPS, "solo", title="Both red tens are shown before the first lead"),
)
