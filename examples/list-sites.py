# Lists five approved sites with a domain rating of at least 40, cheapest first.
import json
import os
from urllib.request import Request, urlopen

request = Request(
    os.environ["LINKMARKET_URL"] + "/api/guest-posts?minDr=40&sort=price&limit=5",
    headers={"Authorization": "Bearer " + os.environ["LINKMARKET_TOKEN"]},
)
with urlopen(request) as response:
    sites = json.load(response)

for site in sites:
    print(site["id"], site["name"], site["price"], site["currency"])
