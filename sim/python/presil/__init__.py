"""presil: compiled networks on a simulated SoC, from Python.

net = presil.load("net.tflite")
prog = presil.compile(net, soc="edge")
run = presil.run(prog, {"input": x}, check="layers")
run.outputs["output"], run.cycles, run.layers
presil.reference(net, {"input": x})
"""

from __future__ import annotations

__version__ = "0.1.0"

from . import interrupt  # noqa: E402

if interrupt.started_as_a_command():
    interrupt.early()  # before the imports that take their time

    def offer_all() -> None:
        """What a user's own file may ask for; a verb imports what it needs alone."""
        from . import api

        globals().update({name: getattr(api, name) for name in api.__all__})

else:

    def offer_all() -> None:
        """All is offered already."""

    from .api import *  # noqa: E402, F403
    from .api import __all__ as __all__  # noqa: E402
