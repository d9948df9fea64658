import { type AhrefsControls, ahrefsAnswers } from '@/sandbox/ahrefs/routes';
import type { DeliveryEntry } from '@/sandbox/deliveries/entry';
import type { Mail } from '@/sandbox/inbox/records';
import type { PaymentSummary } from '@/sandbox/provider/console';
import { type Controls, controlsSchema } from '@/sandbox/provider/controls';
import { type ProviderName, providerLabels } from '@/sandbox/provider-names';
import { consolePage } from './console';
import { deliveryTable } from './deliveries-page';
import { mailTable } from './inbox-page';
import { type Markup, markup } from './markup';
import { sessionTable } from './session-table';

export type Overview = {
  appUrl: string;
  controls: readonly { provider: ProviderName; controls: Controls }[];
  ahrefs: AhrefsControls;
  sessions: readonly PaymentSummary[];
  deliveries: readonly DeliveryEntry[];
  mails: readonly Mail[];
};

/** Renders the overview: latest payments, webhook deliveries and mails, and the controls. */
export function overviewPage(overview: Overview): string {
  const content = markup`<section>
<div class="head"><h1>Latest payments</h1><span class="soft">for <a href="${overview.appUrl}">${overview.appUrl}</a></span></div>
<div class="panel">${sessionTable(overview.sessions)}</div>
</section>
<section>
<div class="head"><h2>Latest deliveries</h2><a href="/deliveries">All deliveries</a></div>
<div class="panel">${deliveryTable(overview.deliveries)}</div>
</section>
<section>
<div class="head"><h2>Latest emails</h2><a href="/inbox">Open the inbox</a></div>
<div class="panel">${mailTable(overview.mails, 'No emails have been sent yet.')}</div>
</section>
${overview.controls.map(
  ({ provider, controls }) => markup`<section id="${provider}">
<div class="head"><h2>${providerLabels[provider]} behavior</h2></div>
<div class="panel pad">${controlForm(provider, controls)}</div>
</section>`,
)}
<section id="ahrefs">
<div class="head"><h2>Ahrefs behavior</h2></div>
<div class="panel pad">${ahrefsForm(overview.ahrefs)}</div>
</section>`;
  return consolePage('Overview', '/', content);
}

const modeLabels = {
  normal: 'Immediately',
  'before-return': 'Before the browser returns',
  'after-return': 'After the browser returns',
  hold: 'Held until sent manually',
} satisfies Record<Controls['mode'], string>;

const apiLabels = {
  normal: 'Normal',
  down: 'Down',
  garbage: 'Garbage',
  error: 'Error 500',
  lost: 'Response lost',
} satisfies Record<Controls['api'], string>;

const signatureLabels = {
  valid: 'Valid',
  forged: 'Forged',
  old: 'Ten minutes old',
} satisfies Record<Controls['signature'], string>;

const signedByLabels = {
  public_key: 'Public key',
  certificate: 'Platform certificate',
} satisfies Record<Controls['signedBy'], string>;

const refundNoticeLabels = {
  none: 'Not notified',
  sent: 'Notified',
} satisfies Record<Controls['refundNotices'], string>;

const payoutFateLabels = {
  succeed: 'Paid',
  fail: 'Failed',
  unclaimed: 'Unclaimed',
  hold: 'On hold',
  block: 'Blocked',
  deny: 'Batch denied',
  wait: 'Wait for the controls',
} satisfies Record<Controls['payoutFate'], string>;

const payoutFundsLabels = {
  unlimited: 'Enough for all payouts',
  balance: 'The balance of the account',
} satisfies Record<Controls['payoutFunds'], string>;

function controlForm(provider: ProviderName, controls: Controls): Markup {
  const { mode, api, signature, signedBy, refundNotices, payoutFate, payoutFunds } = controlsSchema.shape;
  return markup`<form method="post" action="/controls/${provider}">
<div class="fields">
${select('mode', 'Webhook is sent', mode.options, modeLabels, controls.mode)}
${number('delayMs', 'Delay of the webhook (ms)', controls.delayMs)}
${number('duplicate', 'Duplicates of each event', controls.duplicate)}
${number('drop', 'Events to drop', controls.drop)}
${select('signature', 'Signature', signature.options, signatureLabels, controls.signature)}
${select('api', 'API responses', api.options, apiLabels, controls.api)}
${number('slowMs', 'Delay of the API (ms)', controls.slowMs)}
${number('alterAmount', 'False amount (minor units)', controls.alterAmount)}
<label>False currency<input name="alterCurrency" pattern="[a-z]{3}" maxlength="3" value="${controls.alterCurrency}"></label>
${provider === 'paypal' && select('payoutFate', 'Payouts to sellers', payoutFate.options, payoutFateLabels, controls.payoutFate)}
${provider === 'paypal' && select('payoutFunds', 'Funds for payouts', payoutFunds.options, payoutFundsLabels, controls.payoutFunds)}
${provider === 'wechat' && select('signedBy', 'Signed with', signedBy.options, signedByLabels, controls.signedBy)}
${provider === 'wechat' && select('refundNotices', 'Refunds of the merchant platform', refundNotices.options, refundNoticeLabels, controls.refundNotices)}
</div>
<div class="foot"><button class="button main" type="submit">Apply</button><button class="button" type="submit" formaction="/controls/reset" formnovalidate>Reset to normal</button></div>
</form>`;
}

const ahrefsLabels = {
  normal: 'Normal',
  limited: 'Too many requests (429)',
  unauthorized: 'Unauthorized (401)',
  forbidden: 'Forbidden (403)',
  error: 'Error 500',
  denied: 'Every target denied (400)',
  malformed: 'Unexpected form',
  down: 'Down',
} satisfies Record<AhrefsControls['answer'], string>;

function ahrefsForm({ answer, retryAfter, slowMs }: AhrefsControls): Markup {
  return markup`<form method="post" action="/controls/ahrefs">
<div class="fields">
${select('answer', 'API responses', ahrefsAnswers, ahrefsLabels, answer)}
<label>Retry-After of 429<input name="retryAfter" maxlength="100" value="${retryAfter}"></label>
${number('slowMs', 'Delay of the API (ms)', slowMs)}
</div>
<div class="foot"><button class="button main" type="submit">Apply</button></div>
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
