# Prints every transaction of the wallet. X-Next-Cursor leads to the next page; the last one has none.
import json
import os
from urllib.parse import urlencode
from urllib.request import Request, urlopen

cursor = ""
while cursor is not None:
    request = Request(
        os.environ["LINKMARKET_URL"] + "/api/wallet/transactions?" + urlencode({"limit": 50, "cursor": cursor}),
        headers={"Authorization": "Bearer " + os.environ["LINKMARKET_TOKEN"]},
    )
    with urlopen(request) as response:
        for entry in json.load(response):
            print(entry["id"], entry["type"], entry["amount_cents"])
        cursor = response.headers.get("X-Next-Cursor")
