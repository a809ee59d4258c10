"""Update rules: how a solver learns from one iteration to the next.

A rule is a small value: it says which coefficients an engine uses in iteration t = 1, 2, … and
knows nothing of trees, so the solvers of small trees and of post-flop spots run the same rules.

Regret rules (`Cfr`, `CfrPlus`, `LinearCfr`, `Dcfr`, `PcfrPlus`, `PdcfrPlus`) keep a regret R for
each action. In iteration t, with v the counterfactual values of the actions at an information set,
σ the strategy there and r = v − σ·v::

    R ← R · (positive if R > 0 else negative) + r
    σ ← max(0, R + prediction · r if R > 0 else (prediction + trial) · r), normalised;
        uniform where all are 0

Greedy rules (`Cgh`, `FictitiousPlay`) keep no regret. With k the action of the largest v (ties:
the last action, which is the largest bet) and m the number of actions::

    σ(a) ← max(0, (1 − greedy) · σ(a) − hedge / m)  for a ≠ k;   σ(k) ← 1 − the others

*Trials* are for actions that regret matching would not play at all: one whose regret is not
positive, but which gained in this iteration, is played a little in the next. (Regret alone brings
it back only when all that it lost before has been made up for.)

The average is weighted by the player's own reach π: ``S ← average · S + π · σ``.

References
----------
CFR: "Regret minimization in games with incomplete information" (2007). CFR+: "Solving large
imperfect information games using CFR+" (2014). Linear CFR and DCFR: "Solving imperfect-information
games via discounted regret minimization" (2019). PCFR+: "Faster game solving via predictive
Blackwell approachability" (2021). PDCFR+: "Minimizing weighted counterfactual regret with
optimistic online mirror descent" (2024). A prediction that counts less than the regrets do: "Faster
game solving via asymmetry of step sizes" (2025), for CFR+ and DCFR; trials are such a prediction,
of a tenth or less, for actions without a positive regret alone. Fictitious play with realisation
weights: "Fictitious self-play in extensive-form games" (2015). CGH, counterfactual greedy hedging,
and CFR that passes up the new value are from the thesis that `pokerlab.studies.cgh` puts to the
test.

Deviations: regrets are discounted before an iteration adds to them rather than after the one
before did, which gives the same strategies; CFR+ keeps a negative regret for one iteration and
then forgets it (``negative`` = 0), which gives the same strategies too. PDCFR+ discounts regrets
after it has predicted, the paper before.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import astuple, dataclass, fields
from enum import IntEnum
from math import nan
from numbers import Real
from typing import ClassVar, NamedTuple

import numpy as np

from pokerlab.runtime.arrays import Floats
from pokerlab.runtime.errors import shorten

_LARGEST = 10
"""Larger exponents overflow, and no rule is any good with them."""


class Step(NamedTuple):
    """The coefficients of one iteration of an update rule.

    With v the counterfactual values of the actions at an information set, σ the strategy there
    and r = v − σ·v, a regret rule updates the regrets R, then the strategy:

        R ← R · (positive if R > 0 else negative) + r
        σ ← max(0, R + prediction · r if R > 0 else (prediction + trial) · r), normalised;
            uniform where all are 0

    A rule with ``greedy = True`` has no regrets. With k the action of the largest v and m the
    number of actions:

        σ(a) ← max(0, (1 − greedy) · σ(a) − hedge / m)  for a ≠ k;   σ(k) ← 1 − the others

    The average strategy is weighted by the player's own reach π: ``S ← average · S + π · σ``.

    Attributes
    ----------
    positive, negative
        The factors of positive and of negative regrets, before the iteration adds to them. 1
        keeps them; ``negative = 0`` is CFR+.
    average
        The factor of the sum of strategies so far. 1 gives all iterations the same weight,
        (t − 1)/t gives iteration t the weight t.
    prediction
        How much the last regret counts a second time in the next strategy: 1 in PCFR+.
    greedy, hedge
        Greedy rules only: the step towards the best action, and the step away from the others.
    trial
        The weight of the last gain of an action whose regret is not positive. Regret matching
        alone would not play it.

    Examples
    --------
    >>> Step(negative=0.0, average=0.75)  # CFR+ in iteration 4
    Step(positive=1.0, negative=0.0, average=0.75, prediction=0.0, greedy=0.0, hedge=0.0, trial=0.0)
    """

    positive: float = 1.0
    negative: float = 1.0
    average: float = 1.0
    prediction: float = 0.0
    greedy: float = 0.0
    hedge: float = 0.0
    trial: float = 0.0


class PassedUpValue(IntEnum):
    """Which value an information set passes up after it has been updated."""

    OLD = 0
    """The mean under the strategy before the update."""
    NEW = 1
    """The mean under the strategy just updated."""
    BEST = 2
    """The value of the best action."""


@dataclass(frozen=True)
class Rule(ABC):
    """What every rule has: a name, its coefficients, and what its answer is.

    A rule of your own is a frozen dataclass with a `name` and `at`; its fields are its numbers.

    Examples
    --------
    >>> @dataclass(frozen=True)
    ... class Quadratic(Rule):
    ...     name: ClassVar[str] = "quadratic"
    ...
    ...     def at(self, iteration):
    ...         return Step(negative=0.0, average=((iteration - 1) / iteration) ** 2)
    >>> from pokerlab.solvers import solve
    >>> solve("kuhn", Quadratic(), iterations=200).exploitability < 0.01
    True
    """

    name: ClassVar[str]
    """How solutions call it."""
    greedy: ClassVar[bool] = False
    """Whether it steps towards the best action instead of matching regrets."""
    passes_up: ClassVar[PassedUpValue] = PassedUpValue.OLD
    """Which value an information set passes up to the one before it."""
    plays_against_average: ClassVar[bool] = False
    """Whether it answers the opponents' average instead of their current strategy."""
    local: ClassVar[bool] = False
    """Whether it has an update of its own: see `pokerlab.solvers.LocalRule`."""

    def __post_init__(self) -> None:
        kind = type(self).__name__
        if not isinstance(getattr(self, "name", None), str) or "name" in self.__dict__:
            raise ValueError(f'rule {kind}: write name: ClassVar[str] = "…" in the class')
        for field in fields(self):
            number = getattr(self, field.name)
            if not (number is None or isinstance(number, Real)):
                raise ValueError(
                    f"rule {kind}: {field.name} = {shorten(repr(number))} is not a number"
                )
            lowest, largest = self._bounds(field.name)
            if number is not None and not lowest <= float(number) <= largest:
                raise ValueError(
                    f"{self.name}: {field.name} = {number:g} is not in {lowest:g} … {largest:g}"
                )

    def _bounds(self, field: str) -> tuple[float, float]:
        """Between which numbers a field of the rule must be."""
        return -_LARGEST if field in ("alpha", "beta") else 0, _LARGEST

    @property
    def averages(self) -> bool:
        """Whether the answer is the average; the current strategy otherwise."""
        return True

    @abstractmethod
    def at(self, iteration: int) -> Step:
        """The coefficients of an iteration; the first is 1."""

    def steps(self, first: int, count: int) -> Floats:
        """Those of `count` iterations, the `first` and those after it: a row each."""
        rows = [self.at(iteration) for iteration in range(first, first + count)]
        for iteration, step in enumerate(rows, first):  # people write rules of their own
            if not isinstance(step, Step):
                raise ValueError(
                    f"rule {self.name}: at({iteration}) gave {shorten(repr(step))}; it must give"
                    f" a Step({', '.join(Step._fields)})"
                )
        try:
            steps = np.array(rows, np.float64).reshape(count, len(Step._fields))
        except (TypeError, ValueError):  # some are no numbers
            steps = np.array([[_finite(number) for number in step] for step in rows])
        wrong = ~np.isfinite(steps).all(axis=1)
        if wrong.any():
            number = int(np.argmax(wrong))
            raise ValueError(
                f"rule {self.name}: at({first + number}) gave {rows[number]}; its numbers must be"
                " finite"
            )
        return steps

    def __str__(self) -> str:
        numbers = [str(number).removesuffix(".0") for number in astuple(self) if number is not None]
        return self.name + (f"({','.join(numbers)})" if numbers else "")


@dataclass(frozen=True)
class Cfr(Rule):
    """Counterfactual regret minimisation as first published."""

    name: ClassVar[str] = "cfr"

    def at(self, iteration: int) -> Step:
        """Nothing is discounted; all iterations weigh the same."""
        return Step()


@dataclass(frozen=True)
class CfrReturn(Cfr):
    """CFR that passes up the value under the strategy it has just updated (from the thesis)."""

    name: ClassVar[str] = "cfr-return"
    passes_up: ClassVar[PassedUpValue] = PassedUpValue.NEW


@dataclass(frozen=True)
class CfrPlus(Rule):
    """Negative regret is forgotten at once; iteration t has the weight t^gamma."""

    name: ClassVar[str] = "cfr+"
    gamma: float = 1.0

    def at(self, iteration: int) -> Step:
        """Weight of the strategy t^gamma, by default linear."""
        return Step(negative=0.0, average=((iteration - 1) / iteration) ** self.gamma)


@dataclass(frozen=True)
class LinearCfr(Rule):
    """Regrets and strategies of iteration t weigh t."""

    name: ClassVar[str] = "linear"

    def at(self, iteration: int) -> Step:
        """One factor, (t − 1)/t, for all that was accumulated."""
        keep = (iteration - 1) / iteration
        return Step(keep, keep, keep)


@dataclass(frozen=True)
class Dcfr(Rule):
    """Discounted CFR; the defaults are those of the paper.

    With `trial`, an action whose regret is not positive is played with that part of its last gain
    as its weight, if it gained. That needs more memory than regrets and averages do on no engine.

    Examples
    --------
    >>> Dcfr().at(2)[:4]
    (0.5, 0.5, 0.25, 0.0)
    >>> parse_rule("dcfr(1.4,0.5,3,0.1)").at(2).trial
    0.1
    """

    name: ClassVar[str] = "dcfr"
    alpha: float = 1.5
    beta: float = 0.0
    gamma: float = 2.0
    trial: float | None = None

    def at(self, iteration: int) -> Step:
        """With s = t − 1: s^α/(s^α + 1), s^β/(s^β + 1) and (s/t)^γ."""
        before = iteration - 1
        if before == 0:
            return Step(0.0, 0.0, 0.0, trial=self.trial or 0.0)
        return Step(
            positive=_share(before, self.alpha),
            negative=_share(before, self.beta),
            average=float((before / iteration) ** self.gamma),
            trial=self.trial or 0.0,
        )

    def steps(self, first: int, count: int) -> Floats:
        """All at once: an iteration of a river takes no longer than `at` does."""
        iteration = np.arange(max(first, 2), first + count, dtype=np.float64)
        before = iteration - 1
        alpha, beta = before**self.alpha, before**self.beta
        rows = np.tile(self.at(1), (count, 1))
        later = rows[count - len(iteration) :]
        later[:, 0] = alpha / (alpha + 1)
        later[:, 1] = beta / (beta + 1)
        later[:, 2] = (before / iteration) ** self.gamma
        return rows


@dataclass(frozen=True)
class PcfrPlus(Rule):
    """Predictive CFR+: the last regret counts twice; iteration t has the weight t^gamma."""

    name: ClassVar[str] = "pcfr+"
    gamma: float = 2.0

    def at(self, iteration: int) -> Step:
        """Predicts that the values of the next iteration are those of this one."""
        keep = ((iteration - 1) / iteration) ** self.gamma
        return Step(negative=0.0, average=keep, prediction=1.0)


@dataclass(frozen=True)
class PdcfrPlus(Rule):
    """Predictive discounted CFR+: `PcfrPlus` that discounts regrets as `Dcfr` does.

    Slower than DCFR for some thousand iterations; later ahead in small games (Leduc after 10,000:
    3.2e-6, DCFR 4.5e-6, PCFR+ 2.5e-5), not in all (see the value of Rhode Island hold'em in
    ``docs/documents/trees.md``).

    Examples
    --------
    >>> PdcfrPlus().at(2)[:4]
    (0.5, 0.0, 0.03125, 1.0)
    """

    name: ClassVar[str] = "pdcfr+"
    alpha: float = 2.3
    gamma: float = 5.0

    def at(self, iteration: int) -> Step:
        """With s = t − 1: s^α/(s^α + 1) for regrets and (s/t)^γ for the average."""
        before = iteration - 1
        keep = float((before / iteration) ** self.gamma)
        positive = _share(before, self.alpha) if before else 0.0
        return Step(positive=positive, negative=0.0, average=keep, prediction=1.0)


@dataclass(frozen=True)
class Cgh(Rule):
    """Counterfactual greedy hedging: a step of 1/t towards the best action, c/t away from others.

    No regret and no average are kept: a third of the memory of CFR. With `gamma` the average
    of the strategies, iteration t weighing t^gamma, is kept after all and is the answer (an
    experiment: does averaging damp the rises?).
    """

    name: ClassVar[str] = "cgh"
    greedy: ClassVar[bool] = True
    c: float = 0.2
    gamma: float | None = None

    @property
    def averages(self) -> bool:
        """Only if `gamma` is given."""
        return self.gamma is not None

    def at(self, iteration: int) -> Step:
        """The 1/n and c/n of the thesis, n the number of visits."""
        keep = 1.0 if self.gamma is None else ((iteration - 1) / iteration) ** self.gamma
        return Step(average=keep, greedy=1 / iteration, hedge=self.c / iteration)


@dataclass(frozen=True)
class CghReturn(Cgh):
    """CGH that passes up the value under the strategy it has just updated.

    The thesis does not say which value CGH passes up; `Cgh` takes the one that plain CFR does.
    """

    name: ClassVar[str] = "cgh-return"
    passes_up: ClassVar[PassedUpValue] = PassedUpValue.NEW


@dataclass(frozen=True)
class FictitiousPlay(Rule):
    """Each player answers the others' average with a best response.

    Best responses are mixed into the average by their realisation weights, as if one of them
    were drawn before each game; the uniform strategy is the first of them.
    """

    name: ClassVar[str] = "fp"
    greedy: ClassVar[bool] = True
    passes_up: ClassVar[PassedUpValue] = PassedUpValue.BEST
    plays_against_average: ClassVar[bool] = True

    def at(self, iteration: int) -> Step:
        """All the way to the best action; the average keeps t/(t + 1)."""
        return Step(average=iteration / (iteration + 1), greedy=1.0)


@dataclass(frozen=True)
class NaiveFictitiousPlay(Rule):
    """Fictitious play that mixes best responses at each information set by itself.

    Without realisation weights the mixture is not the average of the strategies, and nothing
    says that it converges.
    """

    name: ClassVar[str] = "fp-naive"
    greedy: ClassVar[bool] = True
    passes_up: ClassVar[PassedUpValue] = PassedUpValue.BEST

    @property
    def averages(self) -> bool:
        """The current strategy is the mixture."""
        return False

    def at(self, iteration: int) -> Step:
        """A step of 1/(t + 1) towards the best action."""
        return Step(greedy=1 / (iteration + 1))


RULES: dict[str, type[Rule]] = {
    kind.name: kind
    for kind in (
        Cfr,
        CfrReturn,
        CfrPlus,
        LinearCfr,
        Dcfr,
        PcfrPlus,
        PdcfrPlus,
        Cgh,
        CghReturn,
        FictitiousPlay,
        NaiveFictitiousPlay,
    )
}
"""The rules by name."""

_RULE_TEXT = re.compile(r"\s*([a-z+-]+)\s*(?:\(([^()]*)\))?\s*", re.IGNORECASE)


def parse_rule(text: str | Rule, *, local: bool = False) -> Rule:
    """Read a rule: a name, or a name with numbers.

    A rule with an update of its own (`pokerlab.solvers.LocalRule`) is refused unless the engine
    that asks can run one and says so by `local`.

    Examples
    --------
    >>> parse_rule("dcfr(1.5, 0.25, 3)")
    Dcfr(alpha=1.5, beta=0.25, gamma=3.0, trial=None)
    >>> str(parse_rule("cgh"))
    'cgh(0.2)'
    >>> parse_rule("dcfr(fast)")
    Traceback (most recent call last):
    ValueError: rule 'dcfr(fast)': 'fast' is not a number; dcfr takes alpha, beta, gamma, trial
    """
    if isinstance(text, Rule):
        if text.local and not local:
            raise ValueError(
                f"rule {text}: a rule with an update of its own runs on whole trees and on single"
                f" spots only; here there are {', '.join(RULES)}"
            )
        text.steps(1, 1)  # checks it
        return text
    if not isinstance(text, str):
        raise ValueError(
            f"{shorten(repr(text))} is not a rule: give a name, for example 'cfr+', or an object"
            " of a class that derives from pokerlab.solvers.Rule"
        )
    found = _RULE_TEXT.fullmatch(text)
    kind = RULES.get(found[1].lower()) if found else None
    if found is None or kind is None:
        raise ValueError(f"unknown rule {text!r}; known rules are {', '.join(RULES)}")
    names = [field.name for field in fields(kind)]
    takes = f"{kind.name} takes {', '.join(names) or 'no numbers'}"
    words = [word.strip() for word in found[2].split(",")] if (found[2] or "").strip() else []
    if len(words) > len(names):
        raise ValueError(f"rule {text!r} has {len(words)} numbers; {takes}")
    return kind(*[_number(word, text, takes) for word in words])


def _number(word: str, text: str, takes: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise ValueError(f"rule {text!r}: {word!r} is not a number; {takes}") from None


def _finite(number: object) -> float:
    """A number of a step; NaN for what is none."""
    return float(number) if isinstance(number, Real) else nan


def _share(iteration: int, power: float) -> float:
    """t^p / (t^p + 1)."""
    grown = float(iteration**power)
    return grown / (grown + 1)
