"""An independent checker, written from the protocol folder alone."""
