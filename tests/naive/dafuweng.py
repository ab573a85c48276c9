"""Da Fu Weng as plain Python, written from the rules alone: cards are texts, players are numbers, nothing is fast."""

NUMBERS = {"2": 2, "3": 3, "6": 6, "8": 8, "9": 9}
JOKERS = ("Xb", "Xs")


def new_pack(decks):
    """Every card of so many decks of 54."""
    return [rank + suit for suit in "shdc" for rank in "A23456789TJQK"] * decks + list(JOKERS) * decks


def rank_of(card):
    """`X` for jokers, `S` for the ace of spades, else the rank."""
    return "S" if card == "As" else card[0]


class Game:
    """One game. `shuffle(cards)` and `pick(cards)` are chance; `lines` are the events so far, without `deal`."""

    def __init__(self, rules, first, hands, pile, shuffle, pick):
        self.rules = rules
        self.players = len(hands)
        self.hands = [list(hand) for hand in hands]
        self.pile = list(pile)
        self.played = []
        self.shuffle = shuffle
        self.pick = pick
        self.n = 0
        self.direction = 1
        self.brute = False
        self.opener = None
        self.status = ["living"] * self.players
        self.turn = first
        self.was_pointed_at = False
        self.pointed_to = None
        self.extra_turn = False
        self.turned_up = None
        self.turns = 0
        self.turns_of = [0] * self.players
        self.first_dead = None
        self.outcome = None
        self.lines = []

    # Who and what

    def others(self, *statuses):
        return [p for p in range(self.players) if p != self.turn and self.status[p] in statuses]

    def signs(self, card):
        """Signs that a ten or queen may have now."""
        value, low = (10, 10) if card[0] == "T" else (20, self.rules["queen_low"])
        if self.n >= 100 - value:
            return [-1]
        return [1] if self.n <= low else [1, -1]

    def targets(self, card):
        """Players that a card may be used on."""
        rank = rank_of(card)
        if rank == "A":
            return self.others("living")
        if rank == "5":
            return self.others("living", "awaiting")
        if rank == "7":
            return [p for p in self.others("living") if self.hands[p]]
        return self.others("dead")

    def ways(self, card):
        """The different ways to use one card: (cards, sign, target)."""
        rank = rank_of(card)
        if rank in ("T", "Q"):
            return [((card,), sign, None) for sign in self.signs(card)]
        if rank in ("A", "5", "7", "X"):
            return [((card,), None, target) for target in self.targets(card)]
        if rank in NUMBERS and self.n + NUMBERS[rank] > 99:
            return []
        return [((card,), None, None)]

    def choices(self):
        """The different legal actions of the player whose turn it is; "decline" may be one."""
        if self.turned_up:
            return self.ways(self.turned_up)
        hand = self.hands[self.turn]
        found = []
        for card in sorted(set(hand)):
            found += self.ways(card)
        jokers = sorted(card for card in hand if card in JOKERS)
        pairs = {(jokers[i], jokers[j]) for i in range(len(jokers)) for j in range(i + 1, len(jokers))}
        found += [(pair, None, target) for pair in sorted(pairs) for target in self.others("living", "awaiting")]
        if found and self.rules["suicide"] == "last_joker" and all(cards[0] in JOKERS for cards, _, _ in found):
            mates = [p for p in range(self.players) if p != self.turn and p % 2 == self.turn % 2]
            if all(self.status[mate] == "living" for mate in mates):
                found.append("decline")
        return found

    # What happens

    def act(self, choice):
        """Carry out one choice and everything up to the next one."""
        if choice == "decline":
            self.extra_turn = False
            self.die(self.turn, "suicide")
        elif self.turned_up:
            self.flip(choice)
        else:
            self.play(choice)
        self.go_on()

    def need_card(self):
        """A card from the pile, made anew if it is empty."""
        if not self.pile:
            self.pile = self.shuffle(self.played)
            self.played = []
            self.lines.append({"e": "remake", "pile": list(self.pile)})
        return self.pile.pop(0)

    def draw(self):
        card = self.need_card()
        self.hands[self.turn].append(card)
        return card

    def effect(self, card, sign, target):
        """What a card does; returns what a seven took."""
        rank = rank_of(card)
        me = self.turn
        if rank in NUMBERS:
            self.n += NUMBERS[rank]
        elif rank == "T":
            self.n += 10 * sign
        elif rank == "Q":
            self.n += 20 * sign
        elif rank == "K":
            self.n = 99
        elif rank == "4":
            self.direction = -self.direction
        elif rank == "5":
            self.pointed_to = target
        elif rank == "A":
            self.hands[me], self.hands[target] = self.hands[target], self.hands[me]
        elif rank == "7":
            took = self.pick(self.hands[target])
            self.hands[target].remove(took)
            self.hands[me].append(took)
            return took
        elif rank == "X":
            self.status[target] = "awaiting"
        elif rank == "S":
            self.brute = not self.brute
            self.opener = me if self.brute else None
        return None

    def count_turn(self):
        self.turns += 1
        self.turns_of[self.turn] += 1

    def play(self, choice):
        cards, sign, target = choice
        me = self.turn
        if self.opener == me:
            self.brute, self.opener = False, None
        may_draw = not self.brute
        if cards == ("As",):
            may_draw = True
        if self.extra_turn and self.was_pointed_at:
            may_draw = False
        self.count_turn()
        for card in cards:
            self.hands[me].remove(card)
            self.played.append(card)
        took = None
        if len(cards) == 2:
            self.played += self.hands[target]
            self.hands[target] = []
        else:
            took = self.effect(cards[0], sign, target)
            if rank_of(cards[0]) in ("A", "7"):
                may_draw = False
        drew = self.draw() if may_draw else None
        self.lines.append(
            {"e": "play", "p": me, "cards": list(cards), "n": self.n, "sign": sign, "target": target}
            | {"took": took, "drew": drew}
        )
        if self.rules["death"] == "empty_hand":
            if len(cards) == 2:
                self.die(target, "killed")
            elif rank_of(cards[0]) in ("A", "7") and not self.hands[target]:
                self.die(target, "emptied")
            if not self.hands[me]:
                self.die(me, "brute")
        elif len(cards) == 2 and self.status[target] == "awaiting":
            self.die(target, "killed")
        self.extra_turn = False

    def flip(self, choice):
        """The turn of one who awaits revival, his card turned up."""
        me, card = self.turn, self.turned_up
        brute_at_start = self.brute
        self.turned_up = None
        self.count_turn()
        self.played.append(card)
        sign, target = (choice[1], choice[2]) if choice else (None, None)
        took = drew = None
        bursts = rank_of(card) in NUMBERS and self.n + NUMBERS[rank_of(card)] > 99
        alive = not bursts
        if alive:
            self.status[me] = "living"
            if choice:
                took = self.effect(card, sign, target)
            if self.hands[me]:
                self.extra_turn = self.rules["revive_gain"] == "play"
            elif not self.was_pointed_at and (not brute_at_start or card == "As"):
                drew = self.draw()
            if not self.hands[me] and self.rules["death"] == "empty_hand":
                alive = False
        self.lines.append(
            {"e": "flip", "p": me, "card": card, "n": self.n, "sign": sign, "alive": alive, "target": target}
            | {"took": took, "drew": drew}
        )
        if rank_of(card) in ("A", "7") and choice and self.rules["death"] == "empty_hand" and not self.hands[target]:
            self.die(target, "emptied")
        if not alive:
            self.die(me, "flip")

    def die(self, p, why):
        self.played += self.hands[p]
        self.hands[p] = []
        self.status[p] = "dead"
        if self.first_dead is None:
            self.first_dead = p
        if self.opener == p:
            self.opener = None
            if self.rules["death"] == "cannot_play":
                self.brute = False
        self.lines.append({"e": "die", "p": p, "why": why})

    # Turns

    def settle(self):
        alive = {p % 2 for p in range(self.players) if self.status[p] == "living"}
        if not alive:
            self.outcome = "draw"
        elif len(alive) == 1:
            self.outcome = f"team{alive.pop()}"
        elif self.turns >= self.rules["max_turns"]:
            self.outcome = "limit"
        if self.outcome:
            self.lines.append({"e": "end", "outcome": self.outcome, "turns": self.turns, "first_dead": self.first_dead})

    def go_on(self):
        while True:
            self.settle()
            if self.outcome:
                return
            if not self.extra_turn:
                self.pass_turn()
            if self.status[self.turn] == "awaiting":
                self.turned_up = self.need_card()
                rank = rank_of(self.turned_up)
                if rank in ("A", "5", "7", "T", "Q", "X") and self.ways(self.turned_up):
                    return
                ways = self.ways(self.turned_up)
                self.flip(ways[0] if ways else None)
            elif self.choices():
                return
            else:
                self.extra_turn = False
                self.die(self.turn, "stuck")

    def pass_turn(self):
        self.was_pointed_at = self.pointed_to is not None
        if self.was_pointed_at:
            self.turn, self.pointed_to = self.pointed_to, None
            return
        self.turn = (self.turn + self.direction) % self.players
        while self.status[self.turn] == "dead":
            self.turn = (self.turn + self.direction) % self.players


def random_game(rules, players, source):
    """A game of random players, dealt and played by `source` (random.Random)."""

    def shuffle(cards):
        return source.sample(cards, len(cards))

    pile = shuffle(new_pack(rules["decks"]))
    first = source.randrange(players)
    hands = [[] for _ in range(players)]
    for i in range(3 * players):
        hands[(first + i) % players].append(pile.pop(0))
    game = Game(rules, first, hands, pile, shuffle, source.choice)
    while not game.outcome:
        game.act(source.choice(game.choices()))
    return game
