import type { Mail } from '@/sandbox/inbox/records';
import { consolePage, timeTag } from './console';
import { type Markup, markup } from './markup';

/** Links in a mail open in a new tab; everything else in it is sandboxed. */
const frameRights = 'allow-popups allow-popups-to-escape-sandbox';

/** Renders the list of mails. @param to the recipient filter, or an empty string */
export function inboxPage(mails: readonly Mail[], to: string): string {
  const content = markup`<section>
<div class="head"><h1>Inbox</h1>
<form class="filter" method="get" action="/inbox" role="search"><input type="search" name="to" value="${to}" placeholder="Recipient" aria-label="Recipient"><button class="button" type="submit">Filter</button></form></div>
<div class="panel">${mailTable(mails, to === '' ? 'No emails have been sent yet.' : `No emails to ${to}.`)}</div>
</section>`;
  return consolePage('Inbox', '/inbox', content);
}

/** Renders the table of mails, also on the overview. */
export function mailTable(mails: readonly Mail[], emptyText: string): Markup {
  if (mails.length === 0) return markup`<p class="empty">${emptyText}</p>`;
  const rows = mails.map(
    (mail) => markup`<tr>
<td><a class="subject" href="/inbox/${mail.id}">${mail.subject || '(no subject)'}</a><span class="soft">${mail.from}</span></td>
<td>${mail.to.join(', ')}</td>
<td class="right soft">${timeTag(mail.date)}</td>
</tr>`,
  );
  return markup`<table><thead><tr><th scope="col">Subject</th><th scope="col">To</th><th scope="col" class="right">Sent (UTC)</th></tr></thead><tbody>${rows}</tbody></table>`;
}

/** Renders a mail: its HTML in a sandboxed frame, and its plain text. */
export function mailPage(mail: Mail): string {
  const title = mail.subject || '(no subject)';
  const content = markup`<article class="panel letter">
<div class="pad"><h1>${title}</h1>
<dl>
<dt>From</dt><dd>${mail.from}</dd>
<dt>To</dt><dd>${mail.to.join(', ')}</dd>
${line('Cc', mail.cc)}${line('Bcc', mail.bcc)}${line('Reply to', mail.replyTo)}
<dt>Sent</dt><dd>${timeTag(mail.date)} UTC</dd>
${line('Files', mail.attachments)}
</dl></div>
${mail.html !== '' && markup`<iframe title="Email: ${title}" sandbox="${frameRights}" srcdoc="${`<base target="_blank">${mail.html}`}"></iframe>`}
${mail.text !== '' && markup`<details${mail.html === '' && markup` open`}><summary>Plain text</summary><pre>${mail.text}</pre></details>`}
</article>`;
  return consolePage(title, '/inbox', content);
}

function line(label: string, values: readonly string[]): Markup | null {
  return values.length === 0 ? null : markup`<dt>${label}</dt><dd>${values.join(', ')}</dd>`;
}
