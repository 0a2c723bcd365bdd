#!/usr/bin/env bash
# Makes fedcheck.vsix in the current folder, or the file that is named; needs npm. With --install,
# puts it into the editor instead (`code`, or what CODE names, such as codium).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
made=${1-fedcheck.vsix}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# In a copy, so that no package lies in the clone.
cp "$here"/{package.json,extension.js,README.md,.vscodeignore} "$here/../../LICENSE" "$work"
cd "$work"
npm install --no-package-lock --no-audit --no-fund --silent
npm run --silent package
cd "$OLDPWD"
if [ "$made" = --install ]; then
    "${CODE:-code}" --install-extension "$work/fedcheck.vsix" --force
else
    cp "$work/fedcheck.vsix" "$made"
fi
