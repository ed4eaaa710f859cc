"""The protocol between two players, without any input or output of its own.

``session.py`` is where to begin reading; ``Session`` takes bytes, time and
commands and gives effects. Nothing is re-exported here, so that a caller of one
small module does not load them all.
"""
