"""Answer with 100,000 lists, one in the other, for whoever writes them down."""


def attack():
    answer = []
    for _ in range(100_000):
        answer = [answer]
    return answer
