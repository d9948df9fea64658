#!/bin/sh
# Starts a top-up of 50 USD. Open the URL of the response in a browser to pay.
set -eu
curl --silent --show-error --fail-with-body \
  --header "Authorization: Bearer $LINKMARKET_TOKEN" \
  --header "Content-Type: application/json" \
  --header "Idempotency-Key: $TOP_UP_KEY" \
  --data '{"amount": 50, "returnUrl": "/user/wallet", "cancelUrl": "/user/wallet"}' \
  "$LINKMARKET_URL/api/user/payments/stripe/checkout"
