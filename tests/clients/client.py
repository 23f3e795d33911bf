"""What every client's program shares: jobs come as lines of JSON, answers go out so."""

import json
import os
import sys

out = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # what a library prints, while it is imported too, is no answer
sys.stdout = sys.stderr


def serve(version, answer):
    """Says the version, then answers each job by ``answer(job)``; what it raises is the error of that job."""
    print(json.dumps({"version": version}), file=out, flush=True)
    for line in sys.stdin:
        try:
            said = {"opened": True, **answer(json.loads(line))}
        except Exception as error:  # a program's own refusal, of any kind
            said = {"opened": False, "error": f"{type(error).__name__}: {error}"[:300]}
        print(json.dumps(said), file=out, flush=True)
