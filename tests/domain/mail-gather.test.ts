import { asc, eq, sql } from 'drizzle-orm';
import { createElement } from 'react';
import { beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { mailOptOuts } from '@/db/schema/mail-opt-outs';
import { mails } from '@/db/schema/mails';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { env } from '@/lib/env';
import { openBody, queueMail } from '@/lib/mail/compose';
import { gatherMails } from '@/lib/mail/gather';
import { type MailKind, setWeeklyMail, waitOf, weeklyKinds } from '@/lib/mail/preferences';
import { makeUser } from '@/tests/factories/make-user';

beforeEach(async () => {
  await db().delete(mails);
});

let count = 0;
/** Queues a mail to a user. @returns its subject */
async function queue({ userId, email }: Actor, kind: MailKind): Promise<string> {
  const text = `News ${++count}`;
  const news = { userId, text, path: `/user/orders/${count}` };
  const body = () => createElement('p', null, text);
  await db().transaction((tx) => queueMail(tx, { kind, to: email, subject: text, news, body }));
  return text;
}

/** All mails to an address: those that may be sent, and those that wait. */
async function outbox({ email }: Pick<Actor, 'email'>) {
  const rows = await db().select().from(mails).where(eq(mails.recipient, email)).orderBy(asc(mails.id));
  const read = rows.map((row) => ({ ...row, text: openBody(row.id, row.sealedBody ?? '').text }));
  return {
    sendable: read.filter(({ gathersFor }) => gathersFor === null),
    waiting: read.filter(({ gathersFor }) => gathersFor !== null).map(({ subject }) => subject),
  };
}
const subjectsOf = async (person: Pick<Actor, 'email'>) =>
  (await outbox(person)).sendable.map(({ subject }) => subject);

/** Lets time pass for the mails: everything in them happened earlier. */
const pass = (interval: string) =>
  db()
    .update(mails)
    .set({
      createdAt: sql`${mails.createdAt} - ${interval}::interval`,
      nextAttemptAt: sql`${mails.nextAttemptAt} - ${interval}::interval`,
      releasedAt: sql`${mails.releasedAt} - ${interval}::interval`,
    });

describe('mails of a kind', () => {
  it('are sent at once for the first, and together for those of the hour after it', async () => {
    const [person, other] = [await makeUser(), await makeUser()];
    const first = await queue(person, 'order-review');
    await gatherMails();
    expect(await subjectsOf(person)).toEqual([first]);
    const later = [await queue(person, 'order-review'), await queue(person, 'order-review')];
    const [link, others] = [await queue(person, 'order-link'), await queue(other, 'order-review')];
    await gatherMails();
    // Another kind, and the same kind to another user, are first ones.
    expect(await outbox(person)).toMatchObject({ sendable: [{ subject: first }, { subject: link }], waiting: later });
    expect(await subjectsOf(other)).toEqual([others]);
    await pass('59 minutes');
    later.push(await queue(person, 'order-review'));
    await gatherMails();
    expect(await outbox(person)).toMatchObject({ waiting: later });
    await pass('1 minute');
    // Of several instances, one takes the step.
    await Promise.all([gatherMails(), gatherMails(), gatherMails()]);
    const { sendable, waiting } = await outbox(person);
    expect(waiting).toEqual([]);
    expect(sendable.map(({ subject }) => subject)).toEqual([first, link, '3 more updates: Reviews and questions']);
    const [, , together] = sendable;
    for (const text of later) expect(together?.text.split(text)).toHaveLength(2);
    expect(together?.text).toMatch(/\/user\/orders\/\d+/);
    expect(together?.text).toContain('/user/security#mails');
    // There is one mail an hour, also after that one; a single one stays as it is.
    const last = await queue(person, 'order-review');
    await gatherMails();
    expect(await outbox(person)).toMatchObject({ waiting: [last] });
    await pass('1 hour');
    await gatherMails();
    expect((await subjectsOf(person)).at(-1)).toBe(last);
  });

  it('of one moment are one mail', async () => {
    const person = await makeUser();
    for (let time = 0; time < 52; time += 1) await queue(person, 'seller-earning');
    await gatherMails();
    const { sendable, waiting } = await outbox(person);
    expect(waiting).toEqual([]);
    expect(sendable).toMatchObject([{ subject: '52 updates: Earnings', text: expect.stringContaining('and 2 more') }]);
  });

  it('that must not wait do not', async () => {
    const person = await makeUser('Seller');
    const kinds = [
      ...(['seller-offer', 'seller-payout', 'order-dispute', 'order-message'] as const),
      ...(['wallet-refund', 'new-order', 'payment-dispute', 'refund-request'] as const),
    ];
    const subjects: string[] = [];
    for (const kind of [...kinds, ...kinds]) subjects.push(await queue(person, kind));
    expect(kinds.map(waitOf)).toEqual(kinds.map(() => null));
    expect(await subjectsOf(person)).toEqual(subjects);
    // Nor do mails without a line, such as security notices and links.
    const mail = { kind: 'order-link', to: person.email, subject: 'Link', body: () => createElement('p') };
    await db().transaction((tx) => queueMail(tx, mail));
    expect((await subjectsOf(person)).at(-1)).toBe('Link');
  });

  it('are neither lost nor sent twice when the step fails', async () => {
    const person = await makeUser();
    const first = await queue(person, 'order-link');
    await gatherMails();
    const later = [await queue(person, 'order-link'), await queue(person, 'order-link')];
    await pass('1 hour');
    // The mail about both cannot be rendered.
    const { APP_URL } = env();
    env().APP_URL = 'no address';
    await expect(gatherMails()).rejects.toThrow();
    env().APP_URL = APP_URL;
    expect(await outbox(person)).toMatchObject({ sendable: [{ subject: first }], waiting: later });
    await gatherMails();
    expect(await subjectsOf(person)).toEqual([first, '2 more updates: Live link']);
    // One whose key is gone is released on its own, and given up by the job that sends it.
    const broken = await queue(person, 'order-link');
    await queue(person, 'order-link');
    await db().update(mails).set({ sealedBody: 'v1.gone.AAAA.AAAA.AAAA' }).where(eq(mails.subject, broken));
    await pass('1 hour');
    await gatherMails();
    const rows = await db().select().from(mails).where(eq(mails.recipient, person.email)).orderBy(asc(mails.id));
    expect(rows.filter(({ gathersFor }) => gathersFor !== null)).toEqual([]);
    expect(rows.map(({ subject }) => subject).slice(2)).toEqual([broken, '1 more update: Live link']);
  });

  it('go to the current address, and not to deleted users or for kinds turned off meanwhile', async () => {
    const [moved, gone, off] = [await makeUser(), await makeUser(), await makeUser()];
    for (const person of [moved, gone, off]) await queue(person, 'order-link');
    await gatherMails();
    for (const person of [moved, gone, off]) await queue(person, 'order-link');
    await gatherMails();
    const email = `new-${moved.email}`;
    await db().update(users).set({ email }).where(eq(users.id, moved.userId));
    await db().update(users).set({ deletedAt: new Date() }).where(eq(users.id, gone.userId));
    await db().insert(mailOptOuts).values({ userId: off.userId, kind: 'order-link' });
    await pass('1 hour');
    await gatherMails();
    expect(await subjectsOf({ email })).toHaveLength(1);
    expect(await outbox(gone)).toMatchObject({ sendable: [{}], waiting: [] });
    expect(await outbox(off)).toMatchObject({ sendable: [{}], waiting: [] });
  });
});

describe('one mail a week', () => {
  it('is a choice, is sent once on Monday, and leaves what cannot wait as it is', async () => {
    const person = await makeUser();
    await setWeeklyMail(person, { on: true });
    const sent: string[] = [];
    for (const kind of weeklyKinds) sent.push(await queue(person, kind));
    const atOnce = await queue(person, 'order-review');
    await gatherMails();
    expect(await outbox(person)).toMatchObject({ sendable: [{ subject: atOnce }], waiting: sent });
    const [held] = await db()
      .select({ at: sql<string>`to_char(${mails.nextAttemptAt} at time zone 'UTC', 'Dy HH24:MI')` })
      .from(mails)
      .where(eq(mails.gathersFor, person.userId));
    expect(held?.at).toBe('Mon 07:00');
    await pass('7 days');
    await Promise.all([gatherMails(), gatherMails()]);
    const { sendable } = await outbox(person);
    const heading = `Your week: ${sent.length} updates`;
    expect(sendable.map(({ subject }) => subject)).toEqual([atOnce, heading]);
    for (const text of sent) expect(sendable[1]?.text).toContain(text);
    // What came late is part of the next week's mail.
    const late = await queue(person, 'order-link');
    await db().update(mails).set({ createdAt: sql`now() - interval '8 days'` }).where(eq(mails.subject, late));
    await gatherMails();
    expect(await outbox(person)).toMatchObject({ waiting: [late] });
    // Turned off, it is sent at once.
    await setWeeklyMail(person, { on: false });
    await gatherMails();
    expect((await subjectsOf(person)).at(-1)).toBe(late);
  });
});
