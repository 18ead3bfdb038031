"""Answer with a list that holds itself."""


def attack():
    answer = []
    answer.append(answer)
    return answer
