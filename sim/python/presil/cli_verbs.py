"""Verbs of the command line that have files of their own."""

from .cli_energy import energy_command
from .cli_eval import eval_command
from .cli_explore import explore_command
from .cli_firmware import firmware_command
from .cli_inspect import assemble_command, inspect_command
from .cli_nets import nets_command
from .cli_quantize import quantize_command
from .cli_regress import regress_command
from .cli_remote import remote_command
from .cli_serve import serve_command
from .cli_socs import socs_command
from .cli_tune import tune_command
from .cli_tvm import tvm_rpc_command
from .cli_validate import validate_command
from .cli_whatif import retime_command, whatif_command

VERBS = (
    firmware_command,
    inspect_command,
    assemble_command,
    serve_command,
    whatif_command,
    retime_command,
    validate_command,
    eval_command,
    quantize_command,
    energy_command,
    explore_command,
    nets_command,
    regress_command,
    remote_command,
    socs_command,
    tune_command,
    tvm_rpc_command,
)
