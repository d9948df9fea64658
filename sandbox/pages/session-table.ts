import type { PaymentSummary } from '@/sandbox/provider/console';
import { providerLabels } from '@/sandbox/provider-names';
import { postButton, timeTag } from './console';
import { formatAmount } from './format-amount';
import { type Markup, markup } from './markup';

/** Payments with their most common actions; the payment's page has all of them. */
export function sessionTable(sessions: readonly PaymentSummary[]): Markup {
  if (sessions.length === 0) return markup`<p class="empty">No payments have been started yet.</p>`;
  return markup`<table><thead><tr><th scope="col">Payment</th><th scope="col">State</th><th scope="col">Amount</th><th scope="col">Started (UTC)</th><th scope="col" class="right">Actions</th></tr></thead><tbody>${sessions.map(row)}</tbody></table>`;
}

/** Returns the path of a payment's page. */
export function sessionPath({ provider, id }: Pick<PaymentSummary, 'provider' | 'id'>): string {
  return `/sessions/${provider}/${encodeURIComponent(id)}`;
}

function row(session: PaymentSummary): Markup {
  const undecided = session.actions.filter(({ name }) => name.endsWith('-async'));
  return markup`<tr>
<td><a class="subject" href="${sessionPath(session)}">${providerLabels[session.provider]}${session.customer_email && markup` · ${session.customer_email}`}</a><span class="soft mono cut" title="${session.id}">${session.id}</span></td>
<td>${stateBadge(session)}</td>
<td>${formatAmount(session.amount_total, session.currency)}</td>
<td class="soft">${timeTag(new Date(session.created * 1_000).toISOString())}</td>
<td class="right"><div class="acts">
${session.url && markup`<a class="button" href="${session.url}">Open page</a>`}
${undecided.map(({ name, label }) => actionButton(session, name, label))}
${session.undelivered > 0 && actionButton(session, 'deliver', 'Deliver now')}
</div></td>
</tr>`;
}

/** Renders a button that runs an action on a payment. */
export function actionButton({ provider, id }: PaymentSummary, name: string, label: string): Markup {
  return postButton(`/controls/${provider}/sessions/${encodeURIComponent(id)}/${name}`, label);
}

export function stateBadge({ state }: PaymentSummary): Markup {
  return markup`<span class="badge ${state.tone}">${state.label}</span>`;
}
