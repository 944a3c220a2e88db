"""What workers and kernels need, imported once by the process that all of them are forked from.

Imports alone: no connection, no thread of ours, no figure. pandas stays out: imported outside IPython it shows
frames in another way.
"""

import duckdb
import ipykernel.ipkernel
import ipykernel.kernelapp
import ipykernel.zmqshell
import matplotlib.backends.backend_svg
import nbclient
import papermill.execute

import novelty_kit.plot.around
import novelty_kit.plot.bars
import novelty_kit.plot.over_time
import novelty_kit.report.audit
import novelty_kit.report.kernel
import novelty_kit.report.page
import novelty_kit.report.render
from novelty_kit.report.parts import environment

# Compiled once here, not once in every kernel.
for name in environment().list_templates(extensions=["j2"]):
    environment().get_template(name)

__all__ = ["duckdb", "ipykernel", "matplotlib", "nbclient", "novelty_kit", "papermill"]
