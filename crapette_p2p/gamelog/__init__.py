"""The signed log of a game: its events, its file, its verdict, and how it is replayed.

``log.py`` is where to begin reading. Nothing is re-exported here, so that a caller
of one small module does not load them all.
"""
