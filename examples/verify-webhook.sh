#!/bin/sh
# Verifies the event on standard input; WEBHOOK_ID, WEBHOOK_TIMESTAMP and WEBHOOK_SIGNATURE are its headers.
set -eu
now=$(date +%s)
age=$((now - WEBHOOK_TIMESTAMP))
if [ "$age" -gt 300 ] || [ "$age" -lt -300 ]; then
  echo "The timestamp is more than five minutes away." >&2
  exit 1
fi
body=$(mktemp)
trap 'rm -f "$body"' EXIT
{ printf '%s.%s.' "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP"; cat; } > "$body"
key=$(printf '%s' "${WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
expected=$(openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary "$body" | openssl base64 -A)
# During a rotation of the secret there are several signatures, separated by spaces.
case " $WEBHOOK_SIGNATURE " in
  *" v1,$expected "*) echo "verified" ;;
  *) echo "The signature does not match." >&2; exit 1 ;;
esac
