"""A deal that neither player can bend: commitments, openings, and who is to blame.

``dealer.py`` is where to begin reading. Nothing is re-exported here, so that a caller
of one small module does not load them all.
"""
