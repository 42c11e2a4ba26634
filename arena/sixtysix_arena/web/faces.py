"""Card faces: their addresses, and the Russian ones, whose indices are Т, Д and В.

The faces are Adrian Kennard's, in the public domain (CC0). Each index is one
path of its drawing, so a Russian face is the English one with another path.
"""

from __future__ import annotations

from functools import cache

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from sixtysix.rules import CARDS, Card
from sixtysix_arena.web.files import STATIC, kept, static_url

__all__ = ["RANKS", "SUITS", "face_url", "russian_face"]

SUITS = ("♣", "♦", "♥", "♠")
RANKS = {"en": ("9", "J", "Q", "K", "10", "A"), "ru": ("9", "В", "Д", "К", "10", "Т")}

_JACK = "M50-460h200m-100 0v710a100 100 0 0 1-400 0v-30"
_QUEEN = "M-260 100c300 0 220 360 520 360M-175 0v-285a175 175 0 0 1 350 0v570a175 175 0 0 1-350 0Z"
_ACE = "M-270 460h160m-90-10L0-460l200 910m-90 10h160m-390-330h240"
_RUSSIAN = {
    _JACK: "M-175-460v920m-80-920h265a205 205 0 0 1 0 430h-185m185 0a245 245 0 0 1 0 490h-265",
    _QUEEN: "M-290 460v-150h580v150M-190 310c90-180 120-430 125-770h245v770m-325-770h405",
    _ACE: "M-250-340v-120h500v120M0-460v920m-110 0h220",
}
_BY_NAME = {str(card): card for card in CARDS}


def face_url(card: Card, language: str) -> str:
    """Where the face of a card is."""
    url = static_url(f"cards/{card}.svg")
    if language != "ru" or RANKS["ru"][card.rank] == RANKS["en"][card.rank]:
        return url
    return url.replace("/static/cards/", "/faces/ru/")


async def russian_face(request: Request) -> Response:
    """A face with its Russian index."""
    card = _BY_NAME.get(request.path_params["card"])
    if card is None:
        raise HTTPException(404)
    keeping = {"Cache-Control": kept(request, static_url(f"cards/{card}.svg"))}
    return Response(_redrawn(str(card)), media_type="image/svg+xml", headers=keeping)


@cache
def _redrawn(name: str) -> str:
    svg = (STATIC / "cards" / f"{name}.svg").read_text(encoding="utf-8")
    for english, russian in _RUSSIAN.items():
        svg = svg.replace(f'"{english}"', f'"{russian}"')
    return svg
