"""Stories before the flop against PokerKit: random hands, told, and played by both."""

import random

import pytest
from tests.effort import some_of

from pokerlab.holdem.spots.question.preflop_story import (
    POSITIONS,
    StoryTable,
    parse_story,
    play_story,
)

pokerkit = pytest.importorskip("pokerkit")

AUTOMATIONS = (
    pokerkit.Automation.ANTE_POSTING,
    pokerkit.Automation.BET_COLLECTION,
    pokerkit.Automation.BLIND_OR_STRADDLE_POSTING,
)


def play(rng: random.Random, players: int, stacks: list[int], ante: int):
    """Play to the flop in chips of a tenth of a big blind; the state, and the story."""
    state = pokerkit.NoLimitTexasHoldem.create_state(
        AUTOMATIONS, True, ante, (5, 10), 10, tuple(stacks), players
    )
    while state.can_deal_hole():
        state.deal_hole()
    # Seats begin with the small blind; heads-up PokerKit gives the button to the second seat.
    seats = ["BB", "SB"] if players == 2 else ["SB", "BB", *POSITIONS[-players:-2]]
    story = []
    while state.actor_index is not None and state.street_index == 0:
        name = seats[state.actor_index]
        raises = state.can_complete_bet_or_raise_to()
        choice = rng.random()
        if raises and choice < 0.3:
            least = state.min_completion_betting_or_raising_to_amount
            most = state.max_completion_betting_or_raising_to_amount
            amount = rng.choice([least, min(3 * max(state.bets), most), most])
            amount = max(least, amount)
            state.complete_bet_or_raise_to(amount)
            story.append(f"{name} raise {amount / 10}" if amount < most else f"{name} all-in")
        elif choice < 0.65 or not state.can_fold():
            checks = not state.checking_or_calling_amount
            state.check_or_call()
            story.append(f"{name} {'check' if checks else 'call'}")
        else:
            state.fold()
            if rng.random() < 0.5:  # who is not named folds
                story.append(f"{name} fold")
    return state, seats, ", ".join(story)


@pytest.mark.parametrize("players", [2, 3, 6, 9])
def test_the_same_pots_stacks_and_players(players):
    rng = random.Random(players)
    told = 0
    for _ in range(some_of(50) * players):
        stacks = [rng.choice([1000, 1000, 300, 80]) for _ in range(players)]
        ante = rng.choice([0, 0, 1])
        state, seats, story = play(rng, players, stacks, ante)
        there = [seat for seat in range(players) if state.statuses[seat]]
        if len(there) != 2 or not story:
            continue
        told += 1
        chips = {seats[seat]: stack / 10 for seat, stack in enumerate(stacks)}
        table = StoryTable(players, chips, 0.5, ante / 10)
        end = play_story(parse_story(story, table), table)
        assert sorted(end.players) == sorted(seats[seat] for seat in there), story
        # A side pot that only one of them can win is as good as his.
        pots = list(state.pots)
        won = {
            seat: sum(pot.amount for pot in pots if {*there} & {*pot.player_indices} == {seat})
            for seat in there
        }
        found = dict(zip(end.players, end.behind, strict=True))
        known = {seats[seat]: (state.stacks[seat] + won[seat]) / 10 for seat in there}
        assert found == known, story
        assert end.pot == (sum(pot.amount for pot in pots) - sum(won.values())) / 10, story
    assert told >= some_of(20)
