// Prints every transaction of the wallet. X-Next-Cursor leads to the next page; the last one has none.
const { LINKMARKET_URL, LINKMARKET_TOKEN } = process.env;

let cursor: string | null = '';
while (cursor !== null) {
  const query = new URLSearchParams({ limit: '50', cursor });
  const response: Response = await fetch(`${LINKMARKET_URL}/api/wallet/transactions?${query}`, {
    headers: { Authorization: `Bearer ${LINKMARKET_TOKEN}` },
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  const page: { id: string; type: string; amount_cents: number }[] = await response.json();
  for (const { id, type, amount_cents } of page) console.log(id, type, amount_cents);
  cursor = response.headers.get('X-Next-Cursor');
}
