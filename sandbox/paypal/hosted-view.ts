import { formatAmount } from '@/sandbox/pages/format-amount';
import { markup } from '@/sandbox/pages/markup';
import { type NoticeLink, type Wallet, walletNotice, walletPage } from '@/sandbox/pages/wallet-page';
import type { OrderRecord } from './records';

const paypal: Wallet = {
  name: 'PayPal',
  initial: 'P',
  style: `
:root { --accent: #0a56b8; --accent-strong: #08469a; --on-accent: #ffffff; --ground: #eef3fa; --round: 999px; }
@media (prefers-color-scheme: dark) {
  :root { --accent: #8dbcff; --accent-strong: #acd0ff; --on-accent: #04203f; --ground: #0a1120; }
}
.card header .logo { border-radius: 999px; }
`,
};

/** Renders the approval page of an open order. @param consoleUrl URL of the gateway's controls */
export function approvalPage(order: OrderRecord, cancelUrl: string, consoleUrl: string): string {
  const total = formatAmount(order.amount, order.currency);
  const action = `/checkoutnow/${order.id}`;
  const content = markup`<div class="inside">
<div class="sum"><h1>Pay LinkMarket</h1><p class="total">${total}</p></div>
${order.declined && markup`<p class="alert" role="alert">Your payment method was declined. Nothing was charged. Choose Pay to use another one.</p>`}
<dl class="facts">
${order.description !== null && markup`<div><dt>For</dt><dd>${order.description}</dd></div>`}
<div><dt>Account</dt><dd>${order.payerEmail}</dd></div>
<div><dt>Pay with</dt><dd>Balance of the test account</dd></div>
</dl>
<form method="post" action="${action}/pay"><button class="button main" type="submit">Pay ${total}</button></form>
<div class="others">
<form method="post" action="${action}/pending"><button class="button" type="submit">Pending</button></form>
<form method="post" action="${action}/decline"><button class="button" type="submit">Decline</button></form>
</div>
<a class="cancel" href="${cancelUrl}">Cancel and return to LinkMarket</a>
</div>`;
  const hint = markup`<dl class="hint">
<div><dt>Sandbox:</dt> <dd>this page simulates PayPal. No real money moves and no sign-in is required.</dd></div>
<div><dt>Pending</dt> <dd>approves a payment that PayPal then reviews. It is settled on <a href="${consoleUrl}">the gateway’s page</a>.</dd></div>
<div><dt>Decline</dt> <dd>approves it with a card that is declined when the shop captures the payment.</dd></div>
</dl>`;
  return walletPage(paypal, `Pay ${total}`, content, hint);
}

/** Renders a notice for an order that can no longer be approved, or an unknown URL. */
export const noticePage = (title: string, text: string, link: NoticeLink | null): string =>
  walletNotice(paypal, title, text, link);
