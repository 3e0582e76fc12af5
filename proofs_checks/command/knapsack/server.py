"""An online knapsack policy behind lines of JSON: an item in, a decision out.

A request is an object with ``id`` (a string or an integer), ``value`` (of the whole item) and ``weight``; other entries
are ignored. An answer has ``id``, ``amount``, ``accepted``, ``reason``, ``threshold``, ``utilisation``,
``guarantee_now`` and ``guarantee_if_right``, null standing for "infinite" or "not known". A line that is no request is
answered with ``error``, ``line`` (its number in this process) and ``id`` where there is one, and changes nothing.

An id that was answered before gets the same answer again, and the policy does not see the item a second time: whoever
is in doubt whether an answer got lost may ask again. The same id with another value or weight is an error.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from learning_augmented.knapsack import IPA, ZCL, Decision, LivePolicy, Mix, PPAdvanced, PPBasic, ZCLIntegral
from learning_augmented.knapsack.live import OutOfRange
from learning_augmented.knapsack.policy import OnlinePolicy
from proofs_checks.command.knapsack.decision_store import DecisionStore, Recorded

__all__ = ["POLICIES", "ItemServer", "PolicyChoice"]

POLICIES: Final = ("zcl", "zcl-integral", "pp-basic", "pp-advanced", "ipa", "mix")


@dataclass(frozen=True, slots=True, kw_only=True)
class PolicyChoice:
    """Which policy to serve, from the options of a command.

    Parameters
    ----------
    kind : {"zcl", "zcl-integral", "pp-basic", "pp-advanced", "ipa", "mix"}
        The policy; "mix" is PPAdvanced or IPA, hedged with ZCL.
    lower, upper : float, optional
        Known range of unit values; "zcl", "zcl-integral" and "mix" need it.
    prediction : float, optional
        Predicted critical value; "pp-basic", "pp-advanced" and "mix" need it, the last one unless it has an interval.
    interval : tuple of float, optional
        Predicted interval for the critical value; "ipa" needs it.
    trust : float
        Of "mix".
    capacity : float
        Weight that the knapsack holds.
    out_of_range : {"raise", "widen", "reject"}
        What to do with a unit value outside the range.
    margin : float
        Factor beyond the item to which the range is widened.
    """

    kind: str
    lower: float | None = None
    upper: float | None = None
    prediction: float | None = None
    interval: tuple[float, float] | None = None
    trust: float = 0.5
    capacity: float = 1.0
    out_of_range: OutOfRange = "raise"
    margin: float = 1.0

    @property
    def configuration(self) -> dict[str, Any]:
        """The choice as plain data."""
        return dataclasses.asdict(self)

    def live_policy(self) -> LivePolicy:
        """Build the policy, with an empty knapsack.

        Returns
        -------
        LivePolicy
            The policy.

        Raises
        ------
        ValueError
            If something that the policy needs is missing, or out of range.
        """
        ranged = self.kind in ("zcl", "zcl-integral", "mix")
        live = LivePolicy(
            self._policy(),
            self.out_of_range,
            lower=None if ranged else self.lower,
            upper=None if ranged else self.upper,
            margin=self.margin,
        )
        live.reset(self.capacity)
        return live

    def _policy(self) -> OnlinePolicy:
        match self.kind:
            case "zcl":
                return ZCL(self._needed("lower"), self._needed("upper"))
            case "zcl-integral":
                return ZCLIntegral(self._needed("lower"), self._needed("upper"))
            case "pp-basic":
                return PPBasic(self._needed("prediction"))
            case "pp-advanced":
                return PPAdvanced(self._needed("prediction"))
            case "ipa":
                if self.interval is None:
                    raise ValueError("interval: policy 'ipa' needs it")
                return IPA(*self.interval)
            case "mix":
                if self.interval is not None and self.prediction is not None:
                    raise ValueError("prediction and interval: policy 'mix' takes one of them")
                robust = ZCL(self._needed("lower"), self._needed("upper"))
                trusted = PPAdvanced(self._needed("prediction")) if self.interval is None else IPA(*self.interval)
                return Mix(trusted, robust, self.trust)
        raise ValueError(f"policy = {self.kind!r}: must be one of {', '.join(POLICIES)}")

    def _needed(self, name: str) -> float:
        number: float | None = getattr(self, name)
        if number is None:
            raise ValueError(f"{name}: policy {self.kind!r} needs it")
        return number


@dataclass(frozen=True, slots=True)
class _Item:
    id: str | int
    value: float
    weight: float

    @property
    def key(self) -> str:
        """Distinguishes 1 from "1"."""
        return json.dumps(self.id)


class ItemServer:
    """Answers requests one after the other.

    Parameters
    ----------
    live : LivePolicy
        Who decides; it is brought to the store's state.
    store : DecisionStore, optional
        Where decisions go before they are told; without it they live as long as this object.

    Examples
    --------
    >>> server = ItemServer(LivePolicy(ZCL(1, 10)))
    >>> print(server.answer(b'{"id": "a", "value": 9, "weight": 0'))
    {"error": "not JSON: Expecting ',' delimiter: line 1 column 36 (char 35)", "line": 1, "id": null}
    >>> json.loads(server.answer(b'{"id": "a", "value": 1, "weight": 0.5}'))["amount"]
    0.5
    """

    def __init__(self, live: LivePolicy, store: DecisionStore | None = None) -> None:
        self._live = live
        self._store = store
        self._answers: dict[str, Recorded] = {}
        self._lines = 0
        if store is not None:
            live.restore(store.state)

    def answer(self, line: bytes) -> str | None:
        """Answer one line.

        Parameters
        ----------
        line : bytes
            A request, UTF-8.

        Returns
        -------
        str or None
            An answer without its newline; None for a blank line. When it is returned, it is in the store.

        Raises
        ------
        OSError
            If the store cannot be written; the decision was not told, and this server must not go on.
        """
        self._lines += 1
        if not line.strip():
            return None
        request: Any = None
        try:
            request = _parsed(line)
            item = _item(request)
            return json.dumps(self._answer(item), allow_nan=False)
        except (ValueError, TypeError) as error:
            known = request.get("id") if isinstance(request, dict) else None
            known = known if isinstance(known, (str, int)) and not isinstance(known, bool) else None
            return json.dumps({"error": str(error), "line": self._lines, "id": known})

    def _answer(self, item: _Item) -> Mapping[str, Any]:
        known = self._answers.get(item.key) if self._store is None else self._store.recorded(item.key)
        asked = {"value": item.value, "weight": item.weight}
        if known is not None:
            if dict(known.item) != asked:
                raise ValueError(f"id = {item.id!r}: was decided on before, as {json.dumps(known.item)}")
            return known.answer
        answer = _plain(self._live.decide(item.value, item.weight, item.id))
        recorded = Recorded(asked, answer)
        if self._store is None:
            self._answers[item.key] = recorded
        else:
            self._store.commit(item.key, recorded, self._live.state)
        return answer


def _parsed(line: bytes) -> dict[str, Any]:
    try:
        request = json.loads(line)
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8: {error.reason} at byte {error.start}") from None
    except RecursionError:
        raise ValueError("not JSON: nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"not JSON: {error}") from None
    if not isinstance(request, dict):
        raise ValueError(f"must be an object with id, value and weight, got {type(request).__name__}")
    return request


def _item(request: Mapping[str, Any]) -> _Item:
    missing = [name for name in ("id", "value", "weight") if name not in request]
    if missing:
        raise ValueError(f"{missing[0]}: missing")
    id = request["id"]
    if isinstance(id, bool) or not isinstance(id, (str, int)):
        raise TypeError(f"id = {id!r}: must be a string or an integer, got {type(id).__name__}")
    return _Item(id, request["value"], request["weight"])


def _plain(decision: Decision) -> dict[str, Any]:
    """The decision with null where JSON has no number."""
    return {
        name: None if isinstance(entry, float) and not math.isfinite(entry) else entry
        for name, entry in dataclasses.asdict(decision).items()
    }
