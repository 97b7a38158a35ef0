"""A process for jobs that dies of some; it stands alone, for each imports it anew."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING, Any

from cpfill.runs import batch
from cpfill.runs.batch import answer_job
from cpfill.runs.tasks import serve_tasks

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from cpfill.runs.batch import Job
    from cpfill.runs.tasks import Record


def serve(pipe: Connection) -> None:
    """Serve as the package does, but die of a job whose id says so."""

    def deadly(job: Job, **options: Any) -> Record:
        if str(job.id).startswith("kill"):
            os.kill(os.getpid(), signal.SIGKILL)
        if str(job.id).startswith("exit"):
            os._exit(3)
        return answer_job(job, **options)

    vars(batch)["answer_job"] = deadly
    serve_tasks(pipe)
