#!/bin/sh
# Prints every transaction of the wallet, one page on a line.
set -eu
headers=$(mktemp)
trap 'rm -f "$headers"' EXIT
cursor=
while true; do
  curl --silent --show-error --fail-with-body --dump-header "$headers" \
    --header "Authorization: Bearer $LINKMARKET_TOKEN" \
    "$LINKMARKET_URL/api/wallet/transactions?limit=50&cursor=$cursor"
  echo
  # The last page has no X-Next-Cursor.
  cursor=$(tr -d '\r' < "$headers" | grep -i '^x-next-cursor:' | cut -d ' ' -f 2)
  [ -n "$cursor" ] || break
done
