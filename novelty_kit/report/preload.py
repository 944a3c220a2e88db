"""What every worker needs, imported once by the process that all workers are forked from."""

import nbclient
import papermill.execute

import novelty_kit.report.kernel
import novelty_kit.report.page
import novelty_kit.report.render

__all__ = ["nbclient", "novelty_kit", "papermill"]
