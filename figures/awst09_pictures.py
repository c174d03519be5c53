def draw(out):
    pass
