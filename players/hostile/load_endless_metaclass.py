"""Never finishes being made: its class's call never returns."""


class Endless(type):
    def __call__(cls):
        while True:
            pass


class Strategy(metaclass=Endless):
    def take_turn(self, view):
        return None
