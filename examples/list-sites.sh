#!/bin/sh
# Lists five approved sites with a domain rating of at least 40, cheapest first.
set -eu
curl --silent --show-error --fail-with-body \
  --header "Authorization: Bearer $LINKMARKET_TOKEN" \
  "$LINKMARKET_URL/api/guest-posts?minDr=40&sort=price&limit=5"
