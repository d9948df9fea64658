# Orders a link on one site. Send the same Idempotency-Key when you repeat the request.
import json
import os
import uuid
from urllib.request import Request, urlopen

order = {
    "kind": "custom",
    "projectId": os.environ["PROJECT_ID"],
    "siteIds": [int(os.environ["SITE_ID"])],
}
request = Request(
    os.environ["LINKMARKET_URL"] + "/api/orders",
    method="POST",
    data=json.dumps(order).encode(),
    headers={
        "Authorization": "Bearer " + os.environ["LINKMARKET_TOKEN"],
        "Content-Type": "application/json",
        "Idempotency-Key": os.environ.get("ORDER_KEY", str(uuid.uuid4())),
    },
)
with urlopen(request) as response:
    created = json.load(response)

for order in created["orders"]:
    print(order["id"], order["status"], order["price"])
