import { deliveryEntry } from '@/sandbox/deliveries/entry';
import type { WebhookQueue } from '@/sandbox/deliveries/webhook-queue';
import type { PaymentSummary } from '@/sandbox/provider/console';
import { providerLabels } from '@/sandbox/provider-names';
import { consolePage, timeTag } from './console';
import { deliveryTable } from './deliveries-page';
import { formatAmount } from './format-amount';
import { type Markup, markup } from './markup';
import { actionButton, stateBadge } from './session-table';

/** Renders a payment: its state, its webhook deliveries and the available actions. */
export function paymentPage(payment: PaymentSummary, webhookQueue: WebhookQueue): string {
  const entries = webhookQueue
    .logAbout(payment.provider, payment.id)
    .map((delivery) => deliveryEntry(webhookQueue, delivery))
    .reverse();
  const amount = formatAmount(payment.amount_total, payment.currency);
  const [what, reference, person] = payment.isPayout ? ['payout', 'Payout', 'Seller'] : ['payment', 'Top-up', 'Buyer'];
  const content = markup`<section>
<div class="head"><h1>${providerLabels[payment.provider]} ${what} of ${amount}</h1>${stateBadge(payment)}</div>
<div class="panel pad">
<dl class="facts">
<dt>Number</dt><dd class="mono">${payment.id}</dd>
${payment.reference !== null && markup`<dt>${reference}</dt><dd class="mono">${payment.reference}</dd>`}
${payment.customer_email !== null && markup`<dt>${person}</dt><dd>${payment.customer_email}</dd>`}
<dt>Status</dt><dd>${payment.status}</dd>
${!payment.isPayout && markup`<dt>Refunded</dt><dd>${formatAmount(payment.amount_refunded, payment.currency)} of ${amount}</dd>`}
<dt>Started</dt><dd>${timeTag(new Date(payment.created * 1_000).toISOString())} UTC</dd>
</dl>
<div class="foot">
${payment.url && markup`<a class="button main" href="${payment.url}">Open page</a>`}
${payment.actions.map((action) => (action.name === 'refund' ? refundForm(payment) : actionButton(payment, action.name, action.label)))}
${payment.undelivered > 0 && actionButton(payment, 'deliver', 'Deliver now')}
${entries.length > 0 && actionButton(payment, 'redeliver', 'Send all again')}
</div>
</div>
</section>
<section>
<div class="head"><h2>Deliveries</h2></div>
<div class="panel">${deliveryTable(entries)}</div>
</section>`;
  return consolePage(`${providerLabels[payment.provider]} ${what}`, '/sessions', content);
}

function refundForm(payment: PaymentSummary): Markup {
  const left = payment.amount_total - payment.amount_refunded;
  return markup`<form class="inline" method="post" action="/controls/${payment.provider}/sessions/${encodeURIComponent(payment.id)}/refund">
<label>Refund (minor units)<input type="number" name="amount" min="1" max="${left}" step="1" value="${left}" required></label><button class="button" type="submit">Refund</button>
</form>`;
}
