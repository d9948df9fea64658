#!/bin/sh
# Orders a link on one site. Send the same Idempotency-Key when you repeat the request.
set -eu
curl --silent --show-error --fail-with-body \
  --header "Authorization: Bearer $LINKMARKET_TOKEN" \
  --header "Content-Type: application/json" \
  --header "Idempotency-Key: $ORDER_KEY" \
  --data "{\"kind\": \"custom\", \"projectId\": \"$PROJECT_ID\", \"siteIds\": [$SITE_ID]}" \
  "$LINKMARKET_URL/api/orders"
