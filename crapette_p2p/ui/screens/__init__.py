"""The screens apart from the table: menu, waiting rooms, help, the replay."""
