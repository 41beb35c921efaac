"""Verbs of the command line that have files of their own, which are imported where they are asked
for."""

from __future__ import annotations

from importlib import import_module

import click

from .names import hint

VERBS = {
    "firmware": ("cli_firmware", "firmware_command"),
    "inspect": ("cli_inspect", "inspect_command"),
    "assemble": ("cli_inspect", "assemble_command"),
    "serve": ("cli_serve", "serve_command"),
    "whatif": ("cli_whatif", "whatif_command"),
    "retime": ("cli_whatif", "retime_command"),
    "validate": ("cli_validate", "validate_command"),
    "eval": ("cli_eval", "eval_command"),
    "quantize": ("cli_quantize", "quantize_command"),
    "coverage": ("cli_coverage", "coverage_command"),
    "energy": ("cli_energy", "energy_command"),
    "explore": ("cli_explore", "explore_command"),
    "mutate": ("cli_mutate", "mutate_command"),
    "nets": ("cli_nets", "nets_command"),
    "regress": ("cli_regress", "regress_command"),
    "remote": ("cli_remote", "remote_command"),
    "socs": ("cli_socs", "socs_command"),
    "chips": ("cli_chips", "chips_command"),
    "tune": ("cli_tune", "tune_command"),
    "tvm-rpc": ("cli_tvm", "tvm_rpc_command"),
}
"""By the verb its file and command."""


def command_of(verb: str) -> click.Command:
    module, name = VERBS[verb]
    found = getattr(import_module(f".{module}", __package__), name)
    assert isinstance(found, click.Command) and found.name == verb
    return found


class Verbs(click.Group):
    """The verbs; one that is mistyped is guessed."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*self.commands, *VERBS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        found = super().get_command(ctx, cmd_name)
        return command_of(cmd_name) if found is None and cmd_name in VERBS else found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        verbs = self.list_commands(ctx)
        if args and args[0] not in verbs and not args[0].startswith("-"):
            ctx.fail(
                f"No such command '{args[0]}'{hint(args[0], verbs)}; verbs are {', '.join(verbs)}."
            )
        return super().resolve_command(ctx, args)
