# Starts a top-up of 50 USD. Open the URL of the response in a browser to pay.
import json
import os
import uuid
from urllib.request import Request, urlopen

top_up = {"amount": 50, "returnUrl": "/user/wallet", "cancelUrl": "/user/wallet"}
request = Request(
    os.environ["LINKMARKET_URL"] + "/api/user/payments/stripe/checkout",
    method="POST",
    data=json.dumps(top_up).encode(),
    headers={
        "Authorization": "Bearer " + os.environ["LINKMARKET_TOKEN"],
        "Content-Type": "application/json",
        "Idempotency-Key": os.environ.get("TOP_UP_KEY", str(uuid.uuid4())),
    },
)
with urlopen(request) as response:
    print(json.load(response)["url"])
