import type { DeliveryEntry } from '../deliveries/entry';
import { deskPage, postButton, timeTag } from './desk';
import { type Markup, markup } from './markup';

const looks = {
  held: ['Held', 'warn'],
  waiting: ['Waiting', 'warn'],
  delivered: ['Delivered', 'good'],
  lost: ['Lost', 'bad'],
  given_up: ['Given up', 'bad'],
} as const;

/** The whole delivery log. */
export function deliveriesPage(entries: readonly DeliveryEntry[]): string {
  const content = markup`<section>
<div class="head"><h1>Deliveries</h1><a class="button" href="/deliveries">Refresh</a></div>
<div class="panel">${deliveryTable(entries)}</div>
</section>`;
  return deskPage('Deliveries', '/deliveries', content);
}

/** The table of deliveries, also on the overview. */
export function deliveryTable(entries: readonly DeliveryEntry[]): Markup {
  if (entries.length === 0) return markup`<p class="empty">No webhook has been sent yet.</p>`;
  return markup`<table><thead><tr><th scope="col">Event</th><th scope="col">State</th><th scope="col">Answers</th><th scope="col">Made (UTC)</th><th scope="col" class="right">Actions</th></tr></thead><tbody>${entries.map(row)}</tbody></table>`;
}

function row(entry: DeliveryEntry): Markup {
  const [label, tone] = looks[entry.state];
  const notes = [
    ...(entry.reason === 'event' ? [] : [entry.reason]),
    ...(entry.signature === 'valid' ? [] : [`${entry.signature} signature`]),
  ];
  return markup`<tr>
<td>${entry.type}<span class="soft mono">${entry.event}</span></td>
<td><span class="badge ${tone}">${label}</span>${notes.length > 0 && markup`<span class="soft">${notes.join(', ')}</span>`}</td>
<td>${answers(entry)}</td>
<td class="soft">${timeTag(entry.created)}</td>
<td class="right"><div class="acts">${postButton(`/controls/${entry.provider}/events/${entry.event}/redeliver`, 'Send again')}</div></td>
</tr>`;
}

function answers(entry: DeliveryEntry): Markup {
  if (entry.attempts.length === 0) return markup`<span class="soft">No attempt yet</span>`;
  const list = entry.attempts.map(({ status, error, duration_ms }) =>
    status === null ? `${error ?? 'no answer'}` : `${status} in ${duration_ms} ms`,
  );
  return markup`${list.map((text) => markup`<div>${text}</div>`)}`;
}
