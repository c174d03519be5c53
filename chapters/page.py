"""A page of text whose words have the colours of their topics: the first picture of chapter 00."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import to_rgb
from matplotlib.patches import Rectangle
from matplotlib.textpath import TextPath
from show import INK

WIDTH, HEIGHT, SIZE, LINE = 590, 400, 8.5, 15.5  # in points


def faded(k: int, strength: float) -> Any:
    """The colour of a topic mixed with white. Strength 1 leaves two thirds of it: dark text can be read on it."""
    return 1 - 0.65 * strength * (1 - np.array(to_rgb(INK[k] if k < 3 else "#777777")))


def page(
    title: str, text: str, names: Sequence[str], theta_k: Any, words: Sequence[str], gamma_of: Mapping[str, Any]
) -> None:
    """Draw the title, a bar of the shares of topics, their names with their first words, and the text.

    The first three topics have colours, and all others are the last of the names. `gamma_of` has the probabilities of
    the topics of each word; words that it lacks are grey.
    """
    figure = plt.figure(figsize=(WIDTH / 72, HEIGHT / 72), layout="none")
    axis = figure.add_axes((0, 0, 1, 1))
    axis.set(xlim=(0, WIDTH), ylim=(HEIGHT, 0))
    axis.axis("off")
    axis.text(4, 16, title, size=12, weight="bold")
    x_left = 4.0
    for k, share in enumerate([*theta_k[:3], 1 - sum(theta_k[:3])]):
        axis.add_patch(Rectangle((x_left, 26), (WIDTH - 8) * share, 14, fc=faded(k, 1), ec="white"))
        axis.text(x_left + 4, 36.5, f"{share:.0%}", size=8)
        x_left += (WIDTH - 8) * share
    for k, (topic_name, first_words) in enumerate(zip(names, [*words, ""], strict=True)):
        axis.add_patch(Rectangle((4, 47 + 14 * k), 11, 10, fc=faded(k, 1)))
        axis.text(20, 56 + 14 * k, topic_name, size=9, weight="bold")
        axis.text(116, 56 + 14 * k, first_words, size=9, color="#444444")
    x, y = 4.0, 122.0
    for piece in re.findall(r"\S+", text):
        piece_width = TextPath((0, 0), piece.replace(" ", "i"), size=SIZE).get_extents().x1
        gamma_k = gamma_of.get(re.match(r"\W*(\w*)", piece)[1].lower())
        if x + piece_width > WIDTH - 4:
            x_end, x, y = x, 4, y + LINE
        if y > HEIGHT - 8:
            axis.text(x_end, y - LINE, "…", size=SIZE, color="#222222")
            break
        if gamma_k is not None:
            k = int(np.argmax(gamma_k))
            axis.add_patch(Rectangle((x - 1, y - 8.5), piece_width + 2, 11.5, fc=faded(min(k, 3), gamma_k[k] ** 2)))
        axis.text(x, y, piece, size=SIZE, color="#999999" if gamma_k is None else "#222222")
        x += piece_width + 4
    plt.show()
