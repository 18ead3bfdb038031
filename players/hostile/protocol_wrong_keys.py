"""Answer with a record whose fields are missing, or too many, or of other types."""

ANSWERS = [{}, {"row": 1}, {"row": 1, "column": 2, "extra": 3}, {"row": "1", "column": 2}, {"row": 1, "column": None}]
ANSWERS += [[1, 2], None, {"row": 1.5, "column": 2}, {"row": True, "column": 2}, {"row": -1, "column": 1}, {"row": 2**63, "column": 1}, "row"]
target = 0


def attack():
    return ANSWERS[target]
