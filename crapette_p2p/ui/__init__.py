"""The screen and the line mode: views, pictures, keys, and the loop around them."""
