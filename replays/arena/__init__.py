"""Games that were played on the arena: read in every dress they come in, played again, compared with the record."""
