"""Keys and the mouse to actions: pure state machines, time injected."""
