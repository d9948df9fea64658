// Orders a link on one site. Send the same Idempotency-Key when you repeat the request.
const { LINKMARKET_URL, LINKMARKET_TOKEN, ORDER_KEY = crypto.randomUUID(), PROJECT_ID, SITE_ID } = process.env;

const response = await fetch(`${LINKMARKET_URL}/api/orders`, {
  method: 'POST',
  headers: {
    Authorization: `Bearer ${LINKMARKET_TOKEN}`,
    'Content-Type': 'application/json',
    'Idempotency-Key': ORDER_KEY,
  },
  body: JSON.stringify({ kind: 'custom', projectId: PROJECT_ID, siteIds: [Number(SITE_ID)] }),
});
if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);

const { orders }: { orders: { id: number; status: string; price: number }[] } = await response.json();
for (const { id, status, price } of orders) console.log(id, status, price);
