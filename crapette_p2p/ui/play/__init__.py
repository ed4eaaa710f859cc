"""The table in play: what is shown when, what is asked, what is written down."""
