import { and, eq, isNotNull, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { db } from '@/db/client';
import { messageReads } from '@/db/schema/order-messages';
import { placements } from '@/db/schema/placements';
import { users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { setMailPreference } from '@/lib/mail/preferences';
import { mailUnreadMessages } from '@/lib/orders/messages/mail-unread';
import { postMessage } from '@/lib/orders/messages/post';
import { markRead, type RoomSide } from '@/lib/orders/messages/room';
import { propertyRuns } from '@/scripts/testing/tier';
import { makeOrder } from '@/tests/factories/make-order';
import { makePlacement } from '@/tests/factories/make-placement';
import { makeUser } from '@/tests/factories/make-user';
import { outboxOf } from '@/tests/setup/outbox';

const say = (actor: Actor, side: RoomSide, id: number, text: string) =>
  postMessage(actor, side, id, { text, files: [] });
const readAll = (actor: Actor, side: RoomSide, id: number) =>
  markRead(actor, { side, orderId: id, messageId: Number.MAX_SAFE_INTEGER });
/** Lets the time until every mail pass. */
const passTime = () =>
  db()
    .update(messageReads)
    .set({ mailDueAt: sql`now() - interval '1 second'` })
    .where(isNotNull(messageReads.mailDueAt));
const mailsTo = async ({ email }: Actor) => (await outboxOf(email)).filter(({ kind }) => kind === 'order-message');

it('one mail announces all unread messages, after ten minutes', async () => {
  const { id, buyer, seller } = await makePlacement('accepted');
  await say(seller, 'seller', id, 'The draft is ready.');
  await say(seller, 'seller', id, `Second: ${'long '.repeat(200)}`);
  const [waiting] = await db().select().from(messageReads).where(eq(messageReads.accountId, buyer.userId));
  const minutes = ((waiting?.mailDueAt?.getTime() ?? 0) - Date.now()) / 60_000;
  expect(minutes).toBeGreaterThan(9.5);
  expect(minutes).toBeLessThan(10.1);
  expect(await mailUnreadMessages()).toEqual({ mailed: 0, skipped: 0, failed: 0 });
  await passTime();
  expect(await mailUnreadMessages()).toEqual({ mailed: 1, skipped: 0, failed: 0 });
  const mails = await mailsTo(buyer);
  expect(mails).toHaveLength(1);
  expect(mails[0]).toMatchObject({ subject: `2 new messages about order #${id}` });
  expect(mails[0]?.text).toContain('Seller:');
  expect(mails[0]?.text).toContain('The draft is ready.');
  expect(mails[0]?.text).toContain(`/user/orders/${id}`);
  for (const secret of [seller.email, seller.name, seller.userId]) expect(mails[0]?.html).not.toContain(secret);
  // Still unread: no further mail.
  await say(seller, 'seller', id, 'Third');
  await passTime();
  await mailUnreadMessages();
  expect(await mailsTo(buyer)).toHaveLength(1);
  await readAll(buyer, 'buyer', id);
  await say(seller, 'seller', id, 'Fourth');
  await passTime();
  await mailUnreadMessages();
  expect((await mailsTo(buyer)).map(({ subject }) => subject)[1]).toBe(`New message about order #${id}`);
});

it('a mail to the seller names neither the buyer nor the project', async () => {
  const { id, buyer, seller } = await makePlacement('accepted');
  await say(buyer, 'buyer', id, 'Hello');
  await passTime();
  await mailUnreadMessages();
  const [mail] = await mailsTo(seller);
  expect(mail?.text).toContain(`/seller/orders/${id}`);
  expect(mail?.text).toContain('/seller/security#mails');
  for (const secret of [buyer.email, buyer.name, 'project.example']) expect(mail?.html).not.toContain(secret);
});

it('a former seller gets no mail that would quote what was written since', async () => {
  const { id, buyer, seller } = await makePlacement('offered');
  await say(buyer, 'buyer', id, 'Will you take it?');
  await db().update(placements).set({ state: 'declined', endedAt: new Date() }).where(eq(placements.orderId, id));
  await say(buyer, 'buyer', id, 'To the team: why was it declined?');
  await passTime();
  await mailUnreadMessages();
  expect(await mailsTo(seller)).toEqual([]);
});

it('messages that were read are not mailed', async () => {
  const { id, buyer, seller } = await makePlacement('accepted');
  await say(seller, 'seller', id, 'Hello');
  await readAll(buyer, 'buyer', id);
  await passTime();
  expect(await mailUnreadMessages()).toEqual({ mailed: 0, skipped: 0, failed: 0 });
  expect(await mailsTo(buyer)).toEqual([]);
});

it('a user who turned these mails off, was deleted, or left the room gets none', async () => {
  const off = await makePlacement('accepted');
  await setMailPreference(off.buyer, { kind: 'order-message', on: false });
  await say(off.seller, 'seller', off.id, 'Hello');
  const gone = await makePlacement('accepted');
  await say(gone.seller, 'seller', gone.id, 'Hello');
  await db().update(users).set({ deletedAt: new Date() }).where(eq(users.id, gone.buyer.userId));
  const left = await makePlacement('accepted');
  await say(left.buyer, 'buyer', left.id, 'Hello');
  await db().update(placements).set({ state: 'taken_over' }).where(eq(placements.orderId, left.id));
  await passTime();
  expect(await mailUnreadMessages()).toEqual({ mailed: 0, skipped: 3, failed: 0 });
  expect(await mailUnreadMessages()).toEqual({ mailed: 0, skipped: 0, failed: 0 });
});

it('staff are mailed about an order without a seller, unless a colleague has read the message', async () => {
  const [ann, ben] = [await makeUser('Admin'), await makeUser('Admin')];
  const { id, buyer } = await makeOrder(1_000);
  await say(buyer, 'buyer', id, 'Hello');
  await passTime();
  await mailUnreadMessages();
  const [mail] = await mailsTo(ann);
  expect(mail?.text).toContain(`/dashboard/features/orders/${id}`);
  expect(mail?.text).toContain('/dashboard/security#mails');
  expect(await mailsTo(ben)).toHaveLength(1);
  await readAll(ann, 'staff', id);
  await say(buyer, 'buyer', id, 'Again');
  await readAll(ben, 'staff', id);
  await passTime();
  await mailUnreadMessages();
  expect([await mailsTo(ann), await mailsTo(ben)].map(({ length }) => length)).toEqual([1, 1]);
});

type Operation = ['say' | 'read', 'buyer' | 'seller'] | ['run'];
const side = fc.constantFrom('buyer' as const, 'seller' as const);
const operation = fc.oneof<fc.Arbitrary<Operation>[]>(
  fc.tuple(fc.constant('say' as const), side),
  fc.tuple(fc.constant('say' as const), side),
  fc.tuple(fc.constant('read' as const), side),
  fc.constant<Operation>(['run']),
);

it('each unread burst is mailed once by two concurrent runs', { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(operation, { minLength: 4, maxLength: 14 }), async (operations) => {
      const { id, ...people } = await makePlacement('accepted');
      const other = { buyer: 'seller', seller: 'buyer' } as const;
      const state = { buyer: 'read', seller: 'read' };
      const expected = { buyer: 0, seller: 0 };
      for (const [what, who] of operations) {
        if (what === 'say') {
          await say(people[who], who, id, 'Hello');
          if (state[other[who]] === 'read') state[other[who]] = 'unread';
        } else if (what === 'read') {
          await readAll(people[who], who, id);
          state[who] = 'read';
        } else {
          await passTime();
          await Promise.all([mailUnreadMessages(), mailUnreadMessages()]);
          for (const reader of ['buyer', 'seller'] as const) {
            if (state[reader] !== 'unread') continue;
            state[reader] = 'mailed';
            expected[reader] += 1;
          }
        }
      }
      const sent = { buyer: (await mailsTo(people.buyer)).length, seller: (await mailsTo(people.seller)).length };
      expect(sent).toEqual(expected);
      const due = await db()
        .select()
        .from(messageReads)
        .where(and(eq(messageReads.orderId, id), isNotNull(messageReads.mailDueAt)));
      expect(due.map(({ accountId: userId }) => userId).sort()).toEqual(
        (['buyer', 'seller'] as const)
          .filter((reader) => state[reader] === 'unread')
          .map((reader) => people[reader].userId)
          .sort(),
      );
    }),
    { numRuns: propertyRuns(30) },
  );
});

it('messages posted and read while the mails are queued are announced at most once', { timeout: 60_000 }, async () => {
  for (let round = 0; round < 10; round += 1) {
    const { id, buyer, seller } = await makePlacement('accepted');
    await say(seller, 'seller', id, 'First');
    await passTime();
    await Promise.all([
      mailUnreadMessages(),
      mailUnreadMessages(),
      say(seller, 'seller', id, 'Second'),
      ...(round % 2 ? [readAll(buyer, 'buyer', id)] : []),
    ]);
    await passTime();
    await mailUnreadMessages();
    const [read] = await db().select().from(messageReads).where(eq(messageReads.accountId, buyer.userId));
    const sent = (await mailsTo(buyer)).length;
    // With the reading in between, the first message may have been mailed before it was read, and the second after it.
    expect(sent).toBeGreaterThanOrEqual(read?.unreadCount === 0 ? 0 : 1);
    expect(sent).toBeLessThanOrEqual(round % 2 ? 2 : 1);
  }
});
