# Verifies the event on standard input; WEBHOOK_ID, WEBHOOK_TIMESTAMP and WEBHOOK_SIGNATURE are its headers.
import base64
import hashlib
import hmac
import os
import sys
import time


def verify(body: bytes, message_id: str, timestamp: str, signatures: str, secret: str) -> bool:
    if abs(time.time() - int(timestamp)) > 300:
        return False
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = b"v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    # During a rotation of the secret there are several signatures, separated by spaces.
    return any(hmac.compare_digest(expected, one.encode()) for one in signatures.split(" "))


# Verify the body as you received it: parsing and printing it again can change its bytes.
if not verify(
    sys.stdin.buffer.read(),
    os.environ["WEBHOOK_ID"],
    os.environ["WEBHOOK_TIMESTAMP"],
    os.environ["WEBHOOK_SIGNATURE"],
    os.environ["WEBHOOK_SECRET"],
):
    sys.exit("The signature does not match, or the timestamp is more than five minutes away.")
print("verified")
