import { checkoutStyle } from '@/sandbox/pages/checkout-style';
import { renderDocument } from '@/sandbox/pages/document';
import { formatAmount } from '@/sandbox/pages/format-amount';
import { type Markup, markup } from '@/sandbox/pages/markup';
import type { SessionRecord } from './records';

const brand = markup`<div class="brand"><span class="logo" aria-hidden="true">L</span>LinkMarket<span class="badge warn">Sandbox</span></div>`;

/**
 * Renders the checkout page of an open session.
 * @param declined whether the last attempt was declined
 * @param consoleUrl URL of the gateway's controls
 */
export function checkoutPage(session: SessionRecord, declined: boolean, consoleUrl: string): string {
  const total = formatAmount(session.amountTotal, session.currency);
  const action = `/c/pay/${session.id}`;
  const main = markup`<main class="checkout">
<section class="side summary" aria-label="Order">
<div>
${brand}
<h1>Pay LinkMarket</h1>
<p class="total">${total}</p>
<ul class="items">${session.items.map((item) => itemLine(item, session.currency))}</ul>
<p class="sum"><span>Total</span><span>${total} ${session.currency.toUpperCase()}</span></p>
</div>
</section>
<section class="side payment" aria-label="Payment">
<div>
<h2>Payment</h2>
${declined && markup`<p class="alert" role="alert">The card was declined. Nothing was charged; you can try again.</p>`}
<dl class="facts">
${session.customerEmail && markup`<div><dt>Email</dt><dd>${session.customerEmail}</dd></div>`}
<div><dt>Method</dt><dd>Test card ending in 4242</dd></div>
</dl>
<form method="post" action="${action}/pay"><button class="button main" type="submit">Pay ${total}</button></form>
<div class="others">
<form method="post" action="${action}/later"><button class="button" type="submit">Pay later</button></form>
<form method="post" action="${action}/fail"><button class="button" type="submit">Fail</button></form>
</div>
${session.cancelUrl && markup`<a class="cancel" href="${session.cancelUrl}">Cancel</a>`}
<dl class="hint">
<div><dt>Sandbox:</dt> <dd>this page simulates Stripe. No real money moves and no card is required.</dd></div>
<div><dt>Pay later</dt> <dd>leaves the payment undecided, like a bank transfer. It is settled on <a href="${consoleUrl}">the gateway’s page</a>.</dd></div>
<div><dt>Fail</dt> <dd>declines the card.</dd></div>
</dl>
</div>
</section>
</main>`;
  return renderDocument(`Pay ${total} · Sandbox`, checkoutStyle, main);
}

function itemLine(item: SessionRecord['items'][number], currency: string): Markup {
  const quantity = item.quantity > 1 ? `${item.quantity} × ${formatAmount(item.unitAmount, currency)}` : null;
  return markup`<li><span><strong>${item.name}</strong>${item.description && markup`<span class="soft">${item.description}</span>`}
${quantity && markup`<span class="soft">${quantity}</span>`}</span>
<span>${formatAmount(item.unitAmount * item.quantity, currency)}</span></li>`;
}

/** Renders a notice for a session that can no longer be paid, or an unknown URL. */
export function noticePage(title: string, text: string, link: { href: string; label: string } | null): string {
  const body = markup`<div class="notice"><main>
${brand}
<h1>${title}</h1>
<p>${text}</p>
${link && markup`<a class="button main" href="${link.href}">${link.label}</a>`}
</main></div>`;
  return renderDocument(`${title} · Sandbox`, checkoutStyle, body);
}
