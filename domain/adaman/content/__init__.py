"""The printed content of Adaman: the cards of the Decktet."""
