// Lists five approved sites with a domain rating of at least 40, cheapest first.
const { LINKMARKET_URL, LINKMARKET_TOKEN } = process.env;

const response = await fetch(`${LINKMARKET_URL}/api/guest-posts?minDr=40&sort=price&limit=5`, {
  headers: { Authorization: `Bearer ${LINKMARKET_TOKEN}` },
});
if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);

const sites: { id: number; name: string; price: number; currency: string }[] = await response.json();
for (const { id, name, price, currency } of sites) console.log(id, name, price, currency);
