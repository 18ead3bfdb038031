"""Never says how it is called: looking at its method's signature does not end."""


class Method:
    @property
    def __signature__(self):
        while True:
            pass

    def __call__(self, view):
        return None


take_turn = Method()
