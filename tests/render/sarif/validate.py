#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""usage: validate.py PROGRAM
What `warpdrf check --format sarif` prints for all samples and for fixtures with fixes, suppressions, several
files and mistakes is SARIF 2.1.0 by its schema, and tells every thread of an example in a thread flow of its own.
Run from the repository's root. Exit: 0 it is, 1 it is not, 77 there is no jsonschema."""
import glob
import json
import os
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("SKIPPED: no python3-jsonschema")
    sys.exit(77)

FIXTURES = [
    "tests/fixtures/fixes/insert_syncthreads.cu",
    "tests/fixtures/sharing/suppressed_race.cu",
    "tests/fixtures/divergence/early_return_exited.cu",
    "tests/fixtures/masks/activemask_warning.cu",
    "tests/fixtures/launches/same_argument_race.cu",
]

BROKEN = """// warpdrf: launch block=(lots)
__global__ void k(int *x) { x[0] = threadIdx.x; undeclared(); } // größer als ASCII
"""


def check(program, arguments, folder=None):
    """The parsed output. A finding is exit status 1, a file with mistakes 2."""
    environment = dict(os.environ, WARPDRF_NO_TOOLKIT="1")
    run = subprocess.run([program, "check", "--no-cache", "--format", "sarif", *arguments], cwd=folder,
                         env=environment, stdout=subprocess.PIPE, check=False)
    if run.returncode not in (0, 1, 2):
        sys.exit(f"FAILED: {arguments}: exit status {run.returncode}")
    return json.loads(run.stdout)


def problems_of(log, validator):
    for error in validator.iter_errors(log):
        yield "/".join(str(part) for part in error.absolute_path) + ": " + error.message[:200]
    for result in log["runs"][0]["results"]:
        where = f"{result['ruleId']} in {result['locations'][0]['physicalLocation']['artifactLocation']['uri']}"
        for flow in result.get("codeFlows", []):
            threads = [each["id"] for each in flow["threadFlows"]]
            if len(set(threads)) != len(threads):
                yield f"{where}: a thread has two flows: {threads}"
            steps = sum(len(each["locations"]) for each in flow["threadFlows"])
            if result["ruleId"] == "race" and steps != 2:
                yield f"{where}: a race of {steps} accesses"


def main():
    program = os.path.abspath(sys.argv[1])
    schema = os.path.join(os.path.dirname(__file__), "sarif-schema-2.1.0.json")
    with open(schema, encoding="utf-8") as stream:
        validator = jsonschema.Draft4Validator(json.load(stream), format_checker=jsonschema.FormatChecker())
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "broken file.cu"), "w", encoding="utf-8") as stream:
            stream.write(BROKEN)
        baseline = os.path.join(folder, "baseline.json")
        logs = {
            "samples": check(program, sorted(glob.glob("samples/*.cu"))),
            "fixtures": check(program, FIXTURES),
            "mistakes": check(program, ["broken file.cu"], folder),
        }
        check(program, ["--write-baseline", baseline, "samples/transpose-without-barrier.cu"])
        logs["baseline"] = check(program, ["--baseline", baseline, "samples/transpose-without-barrier.cu"])
    failed = False
    for name, log in logs.items():
        results = log["runs"][0]["results"]
        problems = list(problems_of(log, validator))
        if name != "mistakes" and not results:
            problems.append("no results")
        if name == "mistakes" and not log["runs"][0]["invocations"][0]["toolExecutionNotifications"]:
            problems.append("the mistakes are not told")
        for problem in problems:
            print(f"FAILED: {name}: {problem}")
        failed |= bool(problems)
    seen = {key for log in logs.values() for result in log["runs"][0]["results"] for key in result}
    # Not `fixes`: they are given up when they take too long by the clock.
    for key in ("codeFlows", "relatedLocations", "suppressions", "baselineState"):
        if key not in seen:
            print(f"FAILED: no result has {key}")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
