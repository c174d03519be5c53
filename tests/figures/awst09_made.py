"""Made-up lines of awst09_runs.csv."""

from awst09_runs import RUNS

JITTER = (0.0, 3.0, -3.0)  # of three seeds


def made(
    name, perplexity, alpha=0.1, eta=0.1, *, schedule="corpus", start="dirichlet", setting="fixed", seeds=3, **more
):
    """Lines of an algorithm, one for each seed, in the form of the CSV file."""
    up = 1.0 if name == "map" else 0.0
    found = []
    for seed in range(seeds):
        x = dict.fromkeys(RUNS, "") | {
            "study": "kos-400", "K": "40", "algorithm": name, "schedule": schedule, "start": start, "seed": str(seed),
            "setting": setting, "alpha": f"{alpha + up:.8g}", "eta": f"{eta + up:.8g}", "at": "end 100",
            "settled": "True", "estimator": "mean" if name == "vb" else "own", "fold": schedule,
            "perplexity": str(perplexity + JITTER[seed]), "validation": str(perplexity + JITTER[seed]),
            "last_alpha": str(alpha), "last_eta": str(eta), "bound_2": "-7",
        }  # fmt: skip
        found.append(x | {y: str(z) for y, z in more.items()})
    return found


def gridded(name, least, at=(0.1, 0.1), *, rise=100, **more):
    """The nine points of the grid, of which one is the best."""
    points = [(a, e) for a in (0.1, 0.25, 0.5) for e in (0.1, 0.25, 0.5)]
    return [x for p in points for x in made(name, least + (0 if p == at else rise), *p, **more)]


def whole_grid(**least):
    """All algorithms with a grid; the keywords change the best perplexity of some."""
    found = {"map": 2000, "vb": 2000, "nested": 2000, "cvb": 2000, "cvb0": 1950} | least
    lines = []
    for name, value in found.items():
        if value is not None:
            schedule = "nested" if name == "nested" else "corpus"
            lines += gridded("vb" if name == "nested" else name, value, schedule=schedule)
    return lines
