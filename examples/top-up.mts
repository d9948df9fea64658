// Starts a top-up of 50 USD. Open the URL of the response in a browser to pay.
const { LINKMARKET_URL, LINKMARKET_TOKEN, TOP_UP_KEY = crypto.randomUUID() } = process.env;

const response = await fetch(`${LINKMARKET_URL}/api/user/payments/stripe/checkout`, {
  method: 'POST',
  headers: {
    Authorization: `Bearer ${LINKMARKET_TOKEN}`,
    'Content-Type': 'application/json',
    'Idempotency-Key': TOP_UP_KEY,
  },
  body: JSON.stringify({ amount: 50, returnUrl: '/user/wallet', cancelUrl: '/user/wallet' }),
});
if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);

const { url }: { url: string } = await response.json();
console.log(url);
