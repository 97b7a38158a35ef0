"""The sentences of an explanation, in each language, and their parts. `{name}` stands for a value."""

from __future__ import annotations

LANGUAGES = {"en": 0, "fr": 1}
"""The place of each language in a pair."""

PHRASES = {
    "and": ("and", "et"),
    "or": ("or", "ou"),
    "slot_across": ("{number}-Across", "{number} H"),
    "slot_down": ("{number}-Down", "{number} V"),
    "slots": ("{count} slots", "{count} emplacements"),
    "of_them": ("{count} of them", "{count} d'entre eux"),
    "cells": ("{count} cells", "{count} cases"),
    "letters": ("{count} letters", "{count} lettres"),
    "any_letter": ("any letter", "toute lettre"),
    "any_letter_but": ("any letter but {letters}", "toute lettre sauf {letters}"),
    "only_letter": ("only {letters}", "seulement {letters}"),
    # Why there is no fill.
    "satisfied": ("There is a fill: nothing to explain.", "Il y a un remplissage : rien à expliquer."),
    "not_one": (
        "{patterns} cannot be a word{scored}{because}.",
        "{patterns} ne peut pas être un mot{scored}{because}.",
    ),
    "not_both": (
        "{patterns} cannot both be words{scored}{because}.",
        "{patterns} ne peuvent pas être deux mots{scored}{because}.",
    ),
    "not_all": (
        "{patterns} cannot all be words{scored}{because}.",
        "{patterns} ne peuvent pas tous être des mots{scored}{because}.",
    ),
    "crossing": (
        "{patterns} cannot both be words{scored}: at {cell} {one} can have {letters}, {other} {others}.",
        "{patterns} ne peuvent pas être deux mots{scored} : en {cell} {one} peut avoir {letters}, {other} {others}.",
    ),
    "same_word": (
        "{patterns} can both only be {word}{because}.",
        "{patterns} ne peuvent être tous deux que {word}{because}.",
    ),
    "scored": (" that score {score} or more", " valant au moins {score}"),
    "because": (", because {causes}", ", car {causes}"),
    "too_long": (
        "{slot} has {size}, longer than any word ({longest}).",
        "{slot} a {size}, plus que tout mot ({longest}).",
    ),
    "no_such_length": ("{slot} has {size}, a length no word has.", "{slot} a {size}, et aucun mot n'a cette longueur."),
    "none_of_length": (
        "No word of {length} letters fits {slot} `{pattern}`.",
        "Aucun mot de {length} lettres ne convient à {slot} `{pattern}`.",
    ),
    "none_allowed": (
        "No allowed word fits {slot} `{pattern}`.",
        "Aucun des mots permis ne convient à {slot} `{pattern}`.",
    ),
    "low_scores": (
        "No word that fits {slot} `{pattern}` scores {asked} or more: the best is {word} with {score}.",
        "Aucun mot qui convient à {slot} `{pattern}` ne vaut {asked} ou plus : le meilleur est {word} avec {score}.",
    ),
    "required_no_slot": ("The required word {words} fits no slot.", "Le mot imposé {words} n'entre nulle part."),
    "required_givens": (
        "The required word {words} fits no slot, because the givens {givens} are in the way.",
        "Le mot imposé {words} n'entre nulle part, car les lettres données {givens} l'empêchent.",
    ),
    "required_no_room": (
        "The required words {words} do not all fit in the grid.",
        "Les mots imposés {words} ne trouvent pas place ensemble.",
    ),
    "required_no_room_givens": (
        "The required words {words} do not all fit in the grid with the givens {givens}.",
        "Les mots imposés {words} ne trouvent pas place ensemble avec les lettres données {givens}.",
    ),
    "required_one": ("The required word {words} cannot", "Le mot imposé {words} ne peut"),
    "required_several": ("The required words {words} cannot", "Les mots imposés {words} ne peuvent"),
    "required_if_word": (
        "{required} stand in the grid if {patterns} is a word{because}.",
        "{required} pas être dans la grille si {patterns} est un mot{because}.",
    ),
    "required_if_words": (
        "{required} stand in the grid if {patterns} are words{because}.",
        "{required} pas être dans la grille si {patterns} sont des mots{because}.",
    ),
    "doubts": (
        "Not proved minimal: this reason may not need {listed}.",
        "Pas prouvé minimal : on ne sait pas si cette raison peut se passer de {listed}.",
    ),
    # What would help.
    "letting_slots": (
        "Letting one slot hold any letters helps: {words}.",
        "Laisser un emplacement libre aide : {words}.",
    ),
    "word_in_slot": ("{word} in {slot}", "{word} en {slot}"),
    "letting_slot": ("Letting {slot} hold any letters helps: {word}.", "Laisser {slot} libre aide : {word}."),
    "leaving_out": ("Leaving out the required word {word} helps.", "Renoncer au mot imposé {word} aide."),
    "freeing_one": (
        "Freeing {cell} helps: {letters} works there{doubtful}.",
        "Libérer {cell} aide : {letters} y convient{doubtful}.",
    ),
    "freeing_several": (
        "Freeing {cell} helps: {letters} work there{doubtful}.",
        "Libérer {cell} aide : {letters} y conviennent{doubtful}.",
    ),
    "doubtful": (" (undecided: {letters})", " (pas décidé : {letters})"),
    "untried": (
        "Undecided: it may be enough to change {listed}.",
        "Pas décidé : s'il suffirait de changer {listed}.",
    ),
    "none_helps": (
        "No single one of these changes is enough: there are other reasons as well.",
        "Aucun de ces changements ne suffit seul : il y a aussi d'autres raisons.",
    ),
    # How good a fill can be.
    "best": (
        "The best minimum score of a fill is {best}.",
        "Le meilleur score minimum d'un remplissage est {best}.",
    ),
    "best_bounded": (
        "A fill with a minimum score of {best} was found; no fill has more than {bound}.",
        "Un remplissage de score minimum {best} a été trouvé ; aucun n'a plus de {bound}.",
    ),
    "above": ("At {level}: {reason}", "À {level} : {reason}"),
    "above_unproved": (
        "At {level} (not proved minimal): {reason}",
        "À {level} (pas prouvé minimal) : {reason}",
    ),
}
