"""Er Bai Wu (250): meld, settle in time, and never pass 250. The rules as played are in RULES.md."""
