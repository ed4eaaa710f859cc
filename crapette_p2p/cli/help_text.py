"""The page that ``crapette --help`` prints: 24 lines of 80, examples first."""

from __future__ import annotations

from typing import Final

TOP: Final = """\
crapette: Crapette (Russian Bank, Garibaldka) for two, over the network

  crapette host                     open a table; it says what to tell a friend
  crapette join 192.168.1.20        sit down at a friend's table
  crapette bot --level novice       play against this computer

Commands (without one: the menu; "crapette COMMAND --help" tells more)
  together     host  join  lan  resume  peers  id
  alone        bot  arena
  afterwards   replay  verify  compare  games  stats
  the rules    rules  keys  legal  perft  play
  the program  config  doctor  completion

Options (before or after the command)
  --plain  --speak          line mode; line mode with cards in words
  --ascii  --suits symbols|letters  --faces local|international
  --color auto|always|never|16|256  --theme NAME  --four-color
  --no-mouse  --no-anim  --no-bell  --lang pl|ru|fr|de|en
  --name TEXT  --config FILE  --data-dir DIR  --log-file FILE
  --no-input  -y, --yes     ask nothing; answer harmless questions with yes
  -v, -vv, -q               say more, much more, less
  --version  -h, --help
"""
