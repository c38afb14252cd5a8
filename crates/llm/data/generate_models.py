#!/usr/bin/env python3
"""Writes a table of models in the form of models.txt from a checkout of models.dev (MIT licence).

    git clone https://github.com/anomalyco/models.dev
    python3 generate_models.py models.dev > my-models.txt

scene-llm reads such a file where SCENE_LLM_MODEL_TABLE or `model_table` of its configuration file names
it; what it says counts before the table that comes with the program. Nothing is fetched, neither here
nor in a build.
"""

import datetime
import pathlib
import sys
import tomllib

EFFORTS = {"none": "off", "low": "low", "medium": "medium", "high": "high", "xhigh": "max", "max": "max"}
ORDER = ["off", "low", "medium", "high", "max"]
# Makers, whose own prices are meant: a folder under providers/ each.
MAKERS = ["openai", "anthropic", "google", "xai", "deepseek", "mistral", "moonshotai", "zai", "minimax",
          "alibaba", "cohere"]


def read(path):
    return tomllib.loads(path.read_text(encoding="utf-8"))


def merged(base, over):
    result = dict(base)
    for key, value in over.items():
        both = isinstance(value, dict) and isinstance(result.get(key), dict)
        result[key] = merged(result[key], value) if both else value
    return result


def row(name, model):
    limit = model.get("limit", {})
    window, output = limit.get("context") or 0, limit.get("output") or 0
    modalities = model.get("modalities", {})
    if window < 1024 or "text" not in modalities.get("output", ["text"]):
        return None
    options = model.get("reasoning_options", [])
    kinds = {option.get("type") for option in options}
    adaptive = name.startswith(("claude", "gemini")) and model.get("reasoning")
    letters = "".join([
        "t" if model.get("tool_call") else "",
        "v" if "image" in modalities.get("input", []) else "",
        "r" if model.get("reasoning") else "",
        "b" if name.startswith("claude") and kinds == {"budget_tokens"} else "a" if adaptive else "",
        "s" if model.get("temperature", True) else "",
    ]) or "-"
    levels = {EFFORTS.get(value) for option in options for value in option.get("values", [])}
    efforts = ",".join(level for level in ORDER if level in levels) or "-"
    cost = model.get("cost", {})
    prices = "-"
    if "input" in cost and "output" in cost:
        more = [cost.get("cache_read"), cost.get("cache_write")]
        while more and more[-1] is None:
            more.pop()
        # A price for writing without one for reading would be misread.
        if None not in more:
            prices = "/".join(f"{value:g}" for value in [cost["input"], cost["output"], *more])
        else:
            prices = f"{cost['input']:g}/{cost['output']:g}"
    return f"{name} {window} {min(output or 8192, window)} {letters} {efforts} {prices}"


def main():
    checkout = pathlib.Path(sys.argv[1])
    rows = {}
    bases = {str(path.relative_to(checkout / "models").with_suffix("")): path
             for path in sorted((checkout / "models").rglob("*.toml"))}
    own = {}
    for maker in MAKERS:
        for path in sorted((checkout / "providers" / maker / "models").rglob("*.toml")):
            model = read(path)
            base = bases.get(model.get("base_model", f"{maker}/{path.stem}"))
            own[path.stem] = merged(read(base) if base else {}, model)
    for path in bases.values():
        own.setdefault(path.stem, read(path))
    for name, model in sorted(own.items()):
        key = name.lower().replace(".", "-").replace("_", "-").replace(":", "-")
        line = row(key, model)
        if line and " " not in name:
            rows.setdefault(key, line)
    print(f"# Made from models.dev (MIT licence, https://models.dev) on {datetime.date.today()}.")
    print("\n".join(rows.values()))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main()
