"""Where networks learn, and with what numbers: on a processor or a GPU, in 32 bits or in 16.

Weights, gradients, the optimiser and all losses are float32 whatever the precision. In bfloat16 the
matrices are multiplied in that (`torch.autocast`): it has the range of float32 and 8 bits of the
mantissa, which is enough for every column of a view, and needs no scaling of the loss. Whether it
is quicker is the machine's matter: GPUs, and processors with AMX or AVX512-BF16, have it built in;
others are slower by it: 2.3 times where `rung bench` was run.
"""

import os

import torch

from train.settings import Device, Precision

CPU = torch.device("cpu")


def device_of(name: Device) -> torch.device:
    """The device of a name; auto: a GPU if there is one. Ranks of a machine share its GPUs out.

    ValueError for cuda where there is none; a run that began with one goes on by --device cpu.
    """
    has_gpu = torch.cuda.is_available()
    if name == "cuda" and not has_gpu:
        raise ValueError("device must be cpu or auto, not cuda: torch finds no GPU on this machine")
    if name == "cpu" or not has_gpu:
        return CPU
    return torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")) % torch.cuda.device_count())


def make_repeatable(device: torch.device) -> None:
    """Have a GPU give the same numbers each time, as a processor does by itself."""
    if device.type == "cuda":
        torch.cuda.set_device(device)
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # read when cuBLAS begins
        torch.use_deterministic_algorithms(True)


def arithmetic(device: torch.device, precision: Precision) -> torch.autocast:
    """A context in which networks multiply at a precision. It holds for one thread."""
    return torch.autocast(device.type, torch.bfloat16, enabled=precision == "bfloat16")
