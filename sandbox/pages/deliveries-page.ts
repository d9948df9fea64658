import type { DeliveryEntry } from '@/sandbox/deliveries/entry';
import { consolePage, postButton, timeTag } from './console';
import { type Markup, markup } from './markup';
import { sessionPath } from './session-table';

const stateStyles = {
  held: ['Held', 'warn'],
  waiting: ['Waiting', 'warn'],
  delivered: ['Delivered', 'good'],
  lost: ['Lost', 'bad'],
  given_up: ['Failed', 'bad'],
} as const;

/** Renders the complete delivery log. */
export function deliveriesPage(entries: readonly DeliveryEntry[]): string {
  const content = markup`<section>
<div class="head"><h1>Deliveries</h1><a class="button" href="/deliveries">Refresh</a></div>
<div class="panel">${deliveryTable(entries)}</div>
</section>`;
  return consolePage('Deliveries', '/deliveries', content);
}

/** Renders the table of deliveries, also on the overview. */
export function deliveryTable(entries: readonly DeliveryEntry[]): Markup {
  if (entries.length === 0) return markup`<p class="empty">No webhook has been sent yet.</p>`;
  return markup`<table><thead><tr><th scope="col">Event</th><th scope="col">State</th><th scope="col">Responses</th><th scope="col">Created (UTC)</th><th scope="col" class="right">Actions</th></tr></thead><tbody>${entries.map(row)}</tbody></table>`;
}

function row(entry: DeliveryEntry): Markup {
  const [label, tone] = stateStyles[entry.state];
  const notes = [
    ...(entry.reason === 'event' ? [] : [entry.reason]),
    ...(entry.signature === 'valid' ? [] : [`${entry.signature} signature`]),
  ];
  return markup`<tr>
<td><a class="subject" href="${sessionPath({ provider: entry.provider, id: entry.subject })}">${entry.type}</a><span class="soft mono">${entry.event}</span></td>
<td><span class="badge ${tone}">${label}</span>${notes.length > 0 && markup`<span class="soft">${notes.join(', ')}</span>`}</td>
<td>${answers(entry)}</td>
<td class="soft">${timeTag(entry.created)}</td>
<td class="right"><div class="acts">${postButton(`/controls/${entry.provider}/events/${entry.event}/redeliver`, 'Send again')}</div></td>
</tr>`;
}

/** Renders the last response, the number of attempts, and the time of the next one. */
function answers({ attempts, next_attempt }: DeliveryEntry): Markup {
  const last = attempts.at(-1);
  const next = next_attempt === null ? null : `next at ${next_attempt.slice(11, 19)}`;
  if (!last) return markup`<span class="soft">${next ?? 'Not sent'}</span>`;
  const count = attempts.length > 1 ? `${attempts.length} attempts` : null;
  const notes = [`${last.duration_ms} ms`, count, next].filter((note) => note !== null);
  const response = last.status === null ? `No response: ${last.error ?? 'unknown reason'}` : `HTTP ${last.status}`;
  return markup`${response}<span class="soft">${notes.join(' · ')}</span>`;
}
