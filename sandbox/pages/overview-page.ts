import type { DeliveryEntry } from '../deliveries/entry';
import type { Mail } from '../inbox/records';
import { controlsSchema, type StripeControls } from '../stripe/controls';
import { formatAmount } from '../stripe/format-amount';
import type { summaryOf } from '../stripe/summary';
import { deliveryTable } from './deliveries-page';
import { deskPage, postButton, timeTag } from './desk';
import { mailTable } from './inbox-page';
import { type Markup, markup } from './markup';

type Summary = ReturnType<typeof summaryOf>;

export type Overview = {
  appUrl: string;
  controls: StripeControls;
  sessions: readonly Summary[];
  deliveries: readonly DeliveryEntry[];
  mails: readonly Mail[];
};

/** The gateway at a glance: what was bought, what was told to the app, what was mailed, and the faults one can set. */
export function overviewPage(overview: Overview): string {
  const content = markup`<section>
<div class="head"><h1>Payments</h1><span class="soft">for <a href="${overview.appUrl}">${overview.appUrl}</a></span></div>
<div class="panel">${sessionTable(overview.sessions)}</div>
</section>
<section>
<div class="head"><h2>Latest deliveries</h2><a href="/deliveries">All deliveries</a></div>
<div class="panel">${deliveryTable(overview.deliveries)}</div>
</section>
<section>
<div class="head"><h2>Latest mail</h2><a href="/inbox">Open the inbox</a></div>
<div class="panel">${mailTable(overview.mails, 'No mail has been sent yet.')}</div>
</section>
<section>
<div class="head"><h2>How Stripe behaves</h2></div>
<div class="panel pad">${controlForm(overview.controls)}</div>
</section>`;
  return deskPage('Overview', '/', content);
}

function sessionTable(sessions: readonly Summary[]): Markup {
  if (sessions.length === 0) return markup`<p class="empty">Nobody has started a payment yet.</p>`;
  return markup`<table><thead><tr><th scope="col">Payment</th><th scope="col">State</th><th scope="col">Amount</th><th scope="col">Started (UTC)</th><th scope="col" class="right">Actions</th></tr></thead><tbody>${sessions.map(sessionRow)}</tbody></table>`;
}

function sessionRow(session: Summary): Markup {
  const base = `/controls/stripe/sessions/${session.id}`;
  const [label, tone] = stateOf(session);
  return markup`<tr>
<td>${session.customer_email ?? 'Stripe checkout'}<span class="soft mono cut" title="${session.id}">${session.id}</span></td>
<td><span class="badge ${tone}">${label}</span></td>
<td>${formatAmount(session.amount_total, session.currency)}</td>
<td class="soft">${timeTag(new Date(session.created * 1_000).toISOString())}</td>
<td class="right"><div class="acts">
${session.status === 'open' && markup`<a class="button" href="${session.url}">Open page</a>${postButton(`${base}/expire`, 'Expire')}`}
${session.undecided && markup`${postButton(`${base}/complete-async`, 'Money arrives')}${postButton(`${base}/fail-async`, 'Money does not arrive')}`}
${session.undelivered > 0 && postButton(`${base}/deliver`, 'Deliver now')}
</div></td>
</tr>`;
}

function stateOf(session: Summary): readonly [string, string] {
  if (session.status === 'open') return ['Open', ''];
  if (session.status === 'expired') return ['Expired', 'bad'];
  if (session.payment_status === 'paid') return ['Paid', 'good'];
  return session.undecided ? ['Undecided', 'warn'] : ['Failed', 'bad'];
}

const modeLabels = {
  normal: 'At once',
  'before-return': 'Before the browser returns',
  'after-return': 'After the browser returned',
  hold: 'Held until sent by hand',
} satisfies Record<StripeControls['mode'], string>;

const apiLabels = {
  normal: 'Normal',
  down: 'Down',
  garbage: 'Garbage',
  error: 'Error 500',
  lost: 'Answer lost',
} satisfies Record<StripeControls['api'], string>;

const signatureLabels = {
  valid: 'Valid',
  forged: 'Forged',
  old: 'Ten minutes old',
} satisfies Record<StripeControls['signature'], string>;

function controlForm(controls: StripeControls): Markup {
  const { mode, api, signature } = controlsSchema.shape;
  return markup`<form method="post" action="/controls/stripe">
<div class="fields">
${select('mode', 'Webhook is sent', mode.options, modeLabels, controls.mode)}
${number('delayMs', 'Delay of the webhook (ms)', controls.delayMs)}
${number('duplicate', 'Duplicates of each event', controls.duplicate)}
${number('drop', 'Events to lose', controls.drop)}
${select('signature', 'Signature', signature.options, signatureLabels, controls.signature)}
${select('api', 'API answers', api.options, apiLabels, controls.api)}
${number('slowMs', 'Delay of the API (ms)', controls.slowMs)}
${number('alterAmount', 'False amount (minor units)', controls.alterAmount)}
<label>False currency<input name="alterCurrency" pattern="[a-z]{3}" maxlength="3" value="${controls.alterCurrency}"></label>
</div>
<div class="foot"><button class="button main" type="submit">Apply</button><button class="button" type="submit" formaction="/controls/reset" formnovalidate>Back to normal</button></div>
</form>`;
}

function select<T extends string>(
  name: string,
  label: string,
  options: readonly T[],
  labels: Record<T, string>,
  chosen: T,
): Markup {
  const list = options.map(
    (option) => markup`<option value="${option}"${option === chosen && markup` selected`}>${labels[option]}</option>`,
  );
  return markup`<label>${label}<select name="${name}">${list}</select></label>`;
}

function number(name: string, label: string, value: number | null): Markup {
  return markup`<label>${label}<input type="number" name="${name}" min="0" step="1" value="${value}"></label>`;
}
