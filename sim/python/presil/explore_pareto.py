"""Which points no other beats, and what each parameter changes."""

from __future__ import annotations

from typing import Any

Rows = list[dict[str, Any]]


def mark_pareto(points: Rows, objectives: dict[str, int]) -> None:
    """Sets `pareto` of points that no other of their network beats or equals in all objectives and
    beats in one. objectives: 1 where less is better, -1 where more is."""

    def costs(point: dict[str, Any]) -> tuple[float, ...]:
        return tuple(sign * point[name] for name, sign in objectives.items())

    for point in points:
        mine = costs(point)
        others = (costs(p) for p in points if p["network"] == point["network"])
        point["pareto"] = bool(mine) and not any(
            theirs != mine and all(a <= b for a, b in zip(theirs, mine)) for theirs in others
        )


def sensitivity(points: Rows, objectives: list[str]) -> Rows:
    """For each network, objective and parameter with several values: the mean at each value, and
    by how many percent the largest exceeds the smallest."""
    rows = []
    for network in dict.fromkeys(p["network"] for p in points):
        own = [p for p in points if p["network"] == network]
        for objective in objectives:
            of_one = []
            for name in dict.fromkeys(name for p in own for name in p["set"]):
                values: dict[Any, list[float]] = {}
                for p in own:
                    if name in p["set"]:
                        values.setdefault(p["set"][name], []).append(p[objective])
                means = {value: sum(found) / len(found) for value, found in values.items()}
                if len(means) > 1 and min(means.values()) > 0:
                    spread = 100 * (max(means.values()) / min(means.values()) - 1)
                    of_one.append(
                        {
                            "network": network,
                            "objective": objective,
                            "parameter": name,
                            "percent": round(spread, 3),
                            "means": [[value, round(mean, 3)] for value, mean in means.items()],
                        }
                    )
            rows += sorted(of_one, key=lambda row: -row["percent"])
    return rows
