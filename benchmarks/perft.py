"""How fast the rules walk the counted move trees of tests/domain/adaman/perft.

python -m benchmarks.perft
"""

from time import perf_counter

from tests.domain.adaman.test_perft import FILES, load, perft, state_of


def main() -> None:
    for file in FILES:
        data = load(file)
        state, depth = state_of(data), len(data["counts"])
        began = perf_counter()
        counted = perft(state, depth)
        took = perf_counter() - began
        verdict = "ok" if counted == data["counts"][-1] else f"WRONG, expected {data['counts'][-1]:,}"
        print(f"{file.stem:<32} depth {depth}  {counted:>9,}  {took * 1000:8.1f} ms  {verdict}")


if __name__ == "__main__":
    main()
