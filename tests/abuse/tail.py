"""What the harness appends to a hostile file, so that it can be asked anything and sit at any table."""

TAIL = '''

# ---- the shared tail ----
_tried = False


def probe(view):
    """For the box's own tests: the attack, told its target if there is one; what it says of itself."""
    if view is not None:
        globals()["target"] = view
    return attack()


def still(view):
    return "still here"


def _once():
    global _tried
    if not _tried:
        _tried = True
        try:
            attack()
        except Exception:
            pass  # stopped: on with the game


def placement(view):
    _once()
    return view.free_tiles()[0]


def _any_move(view):
    _once()
    return view.legal_moves()[0]


movement = initial_placement = move = take_turn = _any_move
'''
