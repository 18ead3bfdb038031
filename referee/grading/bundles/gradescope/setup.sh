#!/usr/bin/env bash
# Run once by the platform, as root, when it builds its image: makes the Python environment that grades.
set -euo pipefail

base=${AUTOGRADER:-/autograder}  # anywhere else only to try it out
source=$base/source
wanted=$(<"$source/python-version")  # what the wheels beside this were made for; any from 3.11 on will do

fit() {  # ensurepip is asked for since Debian and Ubuntu leave it out, and then there are no environments
    "$1" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
}

found() {
    local name
    for name in "python$wanted" python3.13 python3.12 python3.11 python3; do
        if fit "$name"; then
            command -v "$name"
            return
        fi
    done
    return 1
}

ubuntus() {  # from 24.04 on
    apt-get update && apt-get install -y --no-install-recommends python3 python3-venv
}

deadsnakes() {  # 22.04 has Python 3.10, and of 3.11 only a release candidate
    apt-get install -y --no-install-recommends software-properties-common &&
        add-apt-repository -y ppa:deadsnakes/ppa && apt-get update &&
        apt-get install -y --no-install-recommends "python$wanted" "python$wanted-venv"
}

export DEBIAN_FRONTEND=noninteractive
python=$(found) || { ubuntus && python=$(found); } || { deadsnakes && python=$(found); } || {
    echo "There is no Python 3.11 or later here, and none can be installed; choose a newer Ubuntu as base image." >&2
    exit 1
}

"$python" -m venv --clear "$base/venv"
install=("$base/venv/bin/python" -m pip --disable-pip-version-check install
    --find-links "$source/wheels" -r "$source/requirements.txt")
# With the Python they were made for, the wheels are all it takes. For another, the same versions are fetched.
"${install[@]}" --no-index || "${install[@]}"

"$base/venv/bin/referee" doctor || true  # for staff, in the log: what the box is made of here
