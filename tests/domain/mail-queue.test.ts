import { eq } from 'drizzle-orm';
import { createElement } from 'react';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { mails } from '@/db/schema/mails';
import { newId } from '@/lib/ids';
import { openBody, queueMail } from '@/lib/mail/compose';

let rendered = 0;
/** Counts how often it is rendered. */
function Letter() {
  rendered += 1;
  return createElement('p', null, 'Good ', createElement('b', null, 'news'), ' & more');
}

async function queue(to: readonly string[]) {
  rendered = 0;
  const mail = { kind: newId(), to, subject: 'News\r\nBcc: a@b.example', body: () => createElement(Letter) };
  await db().transaction((tx) => queueMail(tx, mail));
  const rows = await db().select().from(mails).where(eq(mails.kind, mail.kind));
  return rows.map((row) => ({ ...row, ...openBody(row.id, row.sealedBody ?? '') }));
}

it('renders a mail once for any number of recipients, because the order waits for it', async () => {
  const to = ['one@example.com', 'two@example.com', 'three@example.com'];
  const rows = await queue(to);
  expect(rendered).toBe(1);
  expect(rows.map(({ recipient }) => recipient).sort()).toEqual([...to].sort());
  for (const { subject, html, text } of rows) {
    expect(subject).toBe('News Bcc: a@b.example');
    expect(html).toContain('<b>news</b> &amp; more');
    expect(text).toBe('Good news & more');
  }
});

it('renders no mail without recipients', async () => {
  expect(await queue([])).toEqual([]);
  expect(rendered).toBe(0);
});
