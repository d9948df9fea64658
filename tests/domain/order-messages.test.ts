import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { NextRequest } from 'next/server';
import { describe, expect, it } from 'vitest';
import { db } from '@/db/client';
import { auditLogs } from '@/db/schema/audit';
import { rateLimits } from '@/db/schema/limits';
import { messageReads, orderMessageFiles, orderMessages } from '@/db/schema/order-messages';
import { placementEvents, placements } from '@/db/schema/placements';
import { sessions, users } from '@/db/schema/users';
import type { Actor } from '@/lib/access/actor';
import { type RoomView, roomQuery } from '@/lib/orders/messages/contract';
import { postMessage } from '@/lib/orders/messages/post';
import { countUnreadMessages, findRoom, listUnreadRooms, markRead, type RoomSide } from '@/lib/orders/messages/room';
import { listMessagesRoute, openMessageFile, postMessageRoute } from '@/lib/orders/messages/routes';
import { getRoomPage } from '@/lib/orders/messages/stream';
import { deleteOrder } from '@/lib/orders/order/delete';
import { limits } from '@/lib/platform/rate-limits/limits';
import { propertyRuns } from '@/scripts/testing/tier';
import { makeOrder } from '@/tests/factories/make-order';
import { makePlacement } from '@/tests/factories/make-placement';
import { makeUser } from '@/tests/factories/make-user';
import { bearerOf } from '@/tests/setup/bearer-of';
import { withoutTimes } from '@/tests/setup/without-times';

const say = (actor: Actor, side: RoomSide, id: number, text: string, key: string | null = null) =>
  postMessage(actor, side, id, { text, files: [] }, key);
const read = async (actor: Actor, side: RoomSide, id: number, before?: string) =>
  getRoomPage(actor, await findRoom(actor, side, id), roomQuery.parse({ before }).before);
const messagesOf = ({ entries }: RoomView) => entries.flatMap((entry) => (entry.type === 'message' ? [entry] : []));
const textsOf = (room: RoomView) => messagesOf(room).map(({ text }) => text);
const storedFiles = (orderId: number) => {
  try {
    return readdirSync(join(process.env.DATA_DIR ?? '', 'content', 'orders', String(orderId)));
  } catch {
    return [];
  }
};

/** Calls a route as a signed-in user. */
async function call(
  actor: Actor,
  side: RoomSide,
  id: number,
  { query = '', ...init }: { query?: string; method?: string; headers?: Record<string, string>; body?: BodyInit } = {},
): Promise<Response> {
  const headers = { ...init.headers, ...(await bearerOf(actor.userId)) };
  const request = new NextRequest(`http://localhost:3000/api/orders/${id}/messages${query}`, { ...init, headers });
  const handler = init.method === 'POST' ? postMessageRoute(side) : listMessagesRoute(side);
  return handler(request, { params: Promise.resolve({ id: String(id) }) });
}
const json = (text: unknown) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ text }),
});
function formOf(text: string, files: File[]) {
  const form = new FormData();
  form.append('text', text);
  for (const file of files) form.append('files', file);
  return { method: 'POST', body: form };
}
const textFile = (name: string) => new File([`The content of ${name}`], name);

describe('the room of an order', () => {
  it('shows each side the roles, and no name, address, id or price of the others', async () => {
    const [buyer, seller, admin] = [
      await makeUser('User', { name: 'Bianca Berger' }),
      await makeUser('Seller', { name: 'Sandro Sommer' }),
      await makeUser('Admin', { name: 'Anna Alder' }),
    ];
    const { id } = await makePlacement('settled', { buyer, seller, sellerCents: 65_431, marginCents: 12_345 });
    await db()
      .insert(placementEvents)
      .values([
        { orderId: id, action: 'ordered', toState: 'offered', actorId: buyer.userId, role: 'buyer' },
        {
          orderId: id,
          action: 'settled',
          fromState: 'disputed',
          toState: 'settled',
          actorId: admin.userId,
          role: 'staff',
          note: 'Half each.',
          returnedCents: 38_888,
        },
      ]);
    await say(buyer, 'buyer', id, 'Hello');
    await say(seller, 'seller', id, 'Write to sandro@example.com');
    await say(admin, 'staff', id, 'Please stay here.');

    const [forBuyer, forSeller, forStaff] = [
      await read(buyer, 'buyer', id),
      await read(seller, 'seller', id),
      await read(admin, 'staff', id),
    ];
    expect(messagesOf(forBuyer).map(({ author, isOwn }) => [author, isOwn])).toEqual([
      ['You', true],
      ['Seller', false],
      ['Our team', false],
    ]);
    expect(messagesOf(forSeller).map(({ author }) => author)).toEqual(['Buyer', 'You', 'Our team']);
    expect(messagesOf(forStaff).map(({ author }) => author)).toEqual([
      'Bianca Berger (buyer)',
      'Sandro Sommer (seller)',
      'You',
    ]);
    expect(messagesOf(forStaff).map(({ hasContactData }) => hasContactData)).toEqual([false, true, false]);
    expect(forBuyer.entries.flatMap((entry) => (entry.type === 'event' ? entry.texts : []))).toEqual([
      'The order was offered to the seller.',
      'Our team decided the dispute.',
      '$388.88 was returned to your wallet.',
    ]);

    const whole = { buyer: withoutTimes(JSON.stringify(forBuyer)), seller: withoutTimes(JSON.stringify(forSeller)) };
    for (const [side, others] of [
      ['buyer', [seller, admin]],
      ['seller', [buyer, admin]],
    ] as const) {
      for (const { userId, name, email } of others) {
        for (const secret of [userId, email, ...name.split(' ')]) expect(whole[side]).not.toContain(secret);
      }
      expect(whole[side]).not.toContain('ContactData');
    }
    for (const price of ['654', '123.45', '777', '388']) expect(whole.seller).not.toContain(price);
    expect(whole.seller).not.toContain('project.example');
    expect(whole.buyer).not.toContain('654');
  });

  it('is not found by others, and seller and staff have their own addresses', async () => {
    const { id, buyer, seller } = await makePlacement('accepted');
    const plain = await makeOrder(1_000);
    const [stranger, otherSeller] = [await makeUser(), await makeUser('Seller')];
    const notFound = { code: 'not_found', message: `Order #${id} does not exist or was deleted.` };
    for (const [actor, side] of [
      [stranger, 'buyer'],
      [seller, 'buyer'],
      [otherSeller, 'seller'],
    ] as const) {
      await expect(read(actor, side, id)).rejects.toMatchObject(notFound);
      await expect(say(actor, side, id, 'Hello')).rejects.toMatchObject(notFound);
      await expect(markRead(actor, { side, orderId: id, messageId: 1 })).rejects.toMatchObject(notFound);
      const answer = await call(actor, side, id);
      expect([answer.status, await answer.json()]).toEqual([404, { error: notFound.message }]);
    }
    await expect(read(buyer, 'seller', id)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(read(seller, 'staff', id)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(read(otherSeller, 'seller', plain.id)).rejects.toMatchObject({ code: 'not_found' });
    await deleteOrder(await makeUser('Admin'), plain.id);
    await expect(read(plain.buyer, 'buyer', plain.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('of an order without a seller shows its history from the audit log', async () => {
    const { id, buyer } = await makeOrder(1_000);
    await say(buyer, 'buyer', id, 'When will it be ready?');
    const { entries } = await read(buyer, 'buyer', id);
    expect(entries.map((entry) => (entry.type === 'event' ? entry.texts : entry.text))).toEqual([
      ['Ordered, $10.00 paid from the wallet'],
      'When will it be ready?',
    ]);
    expect(entries[0]).toMatchObject({ author: 'You', by: 'buyer' });
  });

  it('merges messages and steps by time, in pages that omit and repeat nothing', async () => {
    const { id, buyer, seller } = await makePlacement('delivered');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 60, maxLength: 160 }), async (isMessage) => {
        await asOwner(id);
        const start = Date.now() - isMessage.length * 1000;
        const at = (index: number) => new Date(start + index * 1000);
        const list = isMessage.map((one, index) => ({ one, index }));
        const ofMessages = list.filter(({ one }) => one);
        const ofEvents = list.filter(({ one }) => !one);
        if (ofMessages.length > 0) {
          await db()
            .insert(orderMessages)
            .values(
              ofMessages.map(({ index }) => ({
                orderId: id,
                authorId: seller.userId,
                role: 'seller' as const,
                text: `entry ${index}`,
                at: at(index),
              })),
            );
        }
        if (ofEvents.length > 0) {
          await db()
            .insert(placementEvents)
            .values(
              ofEvents.map(({ index }) => ({
                orderId: id,
                action: 'became_late',
                toState: 'accepted' as const,
                role: 'system' as const,
                note: `entry ${index}`,
                at: at(index),
              })),
            );
        }
        const pages: string[][] = [];
        let before: string | undefined;
        do {
          const page = await read(buyer, 'buyer', id, before);
          pages.unshift(page.entries.map((entry) => (entry.type === 'event' ? entry.note : entry.text)));
          before = page.older ?? undefined;
        } while (before !== undefined);
        expect(pages.flat()).toEqual(isMessage.map((_, index) => `entry ${index}`));
        expect(pages.slice(1).every((page) => page.length === 50)).toBe(true);
      }),
      { numRuns: propertyRuns(8) },
    );
  });
});

/** Removes the entries of a room, which the app's own role cannot. */
async function asOwner(orderId: number): Promise<void> {
  const { default: postgres } = await import('postgres');
  const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? '', { max: 1, onnotice: () => undefined });
  await owner.unsafe('set session_replication_role = replica');
  await owner`delete from order_messages where order_id = ${orderId}`;
  await owner`delete from placement_events where order_id = ${orderId}`;
  await owner.end();
}

describe('posting a message', () => {
  it('trims the text, and requires 1 to 4,000 characters or a file', async () => {
    const { id, buyer } = await makePlacement('accepted');
    expect(await say(buyer, 'buyer', id, '  Hello\nthere \n')).toMatchObject({ text: 'Hello\nthere', isOwn: true });
    expect(await say(buyer, 'buyer', id, ` ${'a'.repeat(4_000)} `)).toMatchObject({ text: 'a'.repeat(4_000) });
    const refused = { code: 'invalid_input', details: { fields: { text: expect.any(String) } } };
    for (const text of ['a'.repeat(4_001), '', '  \n ']) {
      await expect(say(buyer, 'buyer', id, text)).rejects.toMatchObject(refused);
    }
    for (const text of [5, null, { a: 1 }]) expect((await call(buyer, 'buyer', id, json(text))).status).toBe(400);
    expect((await call(buyer, 'buyer', id, { method: 'POST' })).status).toBe(400);
    expect((await read(buyer, 'buyer', id)).entries).toHaveLength(2);
  });

  it('audits the order, the side and the length, without the text', async () => {
    const { id, seller } = await makePlacement('accepted');
    await say(seller, 'seller', id, 'A secret');
    const lines = await db().select().from(auditLogs).where(eq(auditLogs.userId, seller.userId));
    expect(lines).toMatchObject([
      {
        action: 'message.posted',
        entityType: 'order_message',
        after: { orderId: id, side: 'seller', characters: 8, files: [] },
      },
    ]);
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  it('stores up to five files, which each side can download', async () => {
    const { id, buyer, seller } = await makePlacement('accepted');
    const other = await makePlacement('accepted');
    const admin = await makeUser('Admin');
    const files = ['1.txt', '2.md', '3.csv', '4.html', '5.txt'].map(textFile);
    const answer = await call(buyer, 'buyer', id, formOf('', files));
    expect(answer.status).toBe(201);
    const [message] = messagesOf(await read(seller, 'seller', id));
    expect(message?.files.map(({ fileName }) => fileName).sort()).toEqual(files.map(({ name }) => name));
    const [file] = message?.files ?? [];
    if (!file) throw new Error('No file was stored.');
    expect(file.path).toBe(`/api/seller/orders/${id}/messages/files/${file.id}`);
    for (const [actor, side] of [
      [buyer, 'buyer'],
      [seller, 'seller'],
      [admin, 'staff'],
    ] as const) {
      const opened = await openMessageFile(await findRoom(actor, side, id), file.id);
      expect(await textOf(opened.stream)).toBe(`The content of ${file.fileName}`);
    }
    const elsewhere = await findRoom(other.seller, 'seller', other.id);
    await expect(openMessageFile(elsewhere, file.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([
    [
      'six files',
      400,
      formOf(
        'Hello',
        ['1', '2', '3', '4', '5', '6'].map((name) => textFile(`${name}.txt`)),
      ),
    ],
    ['a program', 415, formOf('Hello', [textFile('ok.txt'), new File(['MZ'], 'run.exe')])],
    ['an empty file', 400, formOf('Hello', [textFile('ok.txt'), new File([], 'empty.txt')])],
    ['too long a text', 400, formOf('a'.repeat(4_001), [textFile('ok.txt')])],
    ['an endless text', 413, formOf('a'.repeat(40_000), [textFile('ok.txt')])],
    [
      'a form that is cut off',
      400,
      {
        method: 'POST',
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
        body: '--b\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\nwords',
      },
    ],
  ])('refuses %s, and keeps no file of it', async (what, status, init) => {
    const { id, buyer } = await makePlacement('accepted');
    const answer = await call(buyer, 'buyer', id, init);
    const { error } = await answer.json();
    expect(error).toEqual(expect.stringContaining(what.endsWith('file') ? 'empty.txt: ' : ''));
    expect(answer.status).toBe(status);
    expect(storedFiles(id)).toEqual([]);
    expect((await read(buyer, 'buyer', id)).entries).toEqual([]);
  });

  it('with the same key once, also at the same time', async () => {
    const { id, buyer } = await makePlacement('accepted');
    const send = (text: string) => {
      const init = formOf(text, [textFile('a.txt')]);
      return call(buyer, 'buyer', id, { ...init, headers: { 'idempotency-key': 'once' } });
    };
    const answers = await Promise.all(Array.from({ length: 5 }, () => send('Hello')));
    const bodies = await Promise.all(answers.map((answer) => answer.json()));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect((await send('Another')).status).toBe(409);
    expect(messagesOf(await read(buyer, 'buyer', id))).toHaveLength(1);
    expect(storedFiles(id)).toHaveLength(1);
    expect(await db().$count(orderMessageFiles)).toBeGreaterThan(0);
  });

  it('is limited for each user', async () => {
    const { id, buyer, seller } = await makePlacement('accepted');
    const { max } = limits.orderMessage.account;
    const statuses: number[] = [];
    for (let sent = 0; sent <= max; sent += 1) statuses.push((await call(buyer, 'buyer', id, json('Hi'))).status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(max);
    expect(statuses.at(-1)).toBe(429);
    expect((await call(seller, 'seller', id, json('Hi'))).status).toBe(201);
  });

  it('has files up to a size in a day for each user', async () => {
    const { id, buyer, seller } = await makePlacement('accepted');
    const { max, seconds } = limits.messageFiles.account;
    const resetsAt = sql`now() + make_interval(secs => ${seconds})`;
    const key = `messageFiles:account:${buyer.userId.toLowerCase()}`;
    await db()
      .insert(rateLimits)
      .values({ key, count: max - 1, resetsAt });
    const send = (actor: Actor, side: RoomSide) => call(actor, side, id, formOf('', [textFile('a.txt')]));
    expect((await send(buyer, 'buyer')).status).toBe(201);
    const refused = await send(buyer, 'buyer');
    expect([refused.status, await refused.json()]).toEqual([
      429,
      { error: 'You have attached more than 500 MB to messages in one day. Please wait 24 hours and try again.' },
    ]);
    expect(storedFiles(id)).toHaveLength(1);
    expect((await call(buyer, 'buyer', id, json('Without a file'))).status).toBe(201);
    expect((await send(seller, 'seller')).status).toBe(201);
  });

  it.each(['taken_over', 'declined', 'expired', 'cancelled'] as const)(
    'is refused for the seller of an order that is %s, who keeps what was written before',
    async (state) => {
      const { id, buyer, seller } = await makePlacement('accepted');
      await say(buyer, 'buyer', id, 'To the seller');
      await db().update(placements).set({ state, endedAt: sql`clock_timestamp()` }).where(eq(placements.orderId, id));
      await db().execute(sql`select pg_sleep(0.005)`);
      const before = await read(seller, 'seller', id);
      const tag = (await call(seller, 'seller', id)).headers.get('etag') ?? '';
      await say(buyer, 'buyer', id, 'To the team');
      await expect(say(seller, 'seller', id, 'Hello?')).rejects.toMatchObject({ code: 'conflict' });
      const room = await read(seller, 'seller', id);
      expect(textsOf(room)).toEqual(['To the seller']);
      expect(room.closed).toContain('so you can no longer write messages');
      // Nothing that the seller can read tells that a message followed.
      expect(room).toEqual(before);
      expect((await call(seller, 'seller', id, { headers: { 'if-none-match': tag } })).status).toBe(304);
      expect(await countUnreadMessages(seller.userId, [id])).toEqual(new Map([[id, 1]]));
      expect(textsOf(await read(buyer, 'buyer', id))).toEqual(['To the seller', 'To the team']);
    },
  );

  it('is refused for staff as the team in the room of their own order or site', async () => {
    const admin = await makeUser('Admin');
    const { id } = await makePlacement('accepted', { buyer: admin });
    const sold = await makePlacement('accepted', { seller: admin });
    for (const order of [id, sold.id])
      await expect(say(admin, 'staff', order, 'Accept the proposal.')).rejects.toMatchObject({ code: 'forbidden' });
  });
});

describe('polling', () => {
  it('answers 304 until something changes that the caller sees', async () => {
    const { id, buyer, seller } = await makePlacement('accepted');
    await say(seller, 'seller', id, 'Hello');
    const first = await call(buyer, 'buyer', id);
    let tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^W\/"/);
    const poll = () => call(buyer, 'buyer', id, { headers: { 'if-none-match': tag } });
    const isChanged = async () => {
      const answer = await poll();
      tag = answer.headers.get('etag') ?? '';
      return answer.status === 200;
    };
    const unchanged = await poll();
    expect([unchanged.status, await unchanged.text()]).toEqual([304, '']);
    const changes: [string, () => Promise<unknown>][] = [
      ['a message', () => say(seller, 'seller', id, 'Are you there?')],
      ['an own message', () => say(buyer, 'buyer', id, 'Yes')],
      ['a mark', () => markRead(buyer, { side: 'buyer', orderId: id, messageId: Number.MAX_SAFE_INTEGER })],
      [
        'a step',
        () =>
          db()
            .insert(placementEvents)
            .values({ orderId: id, action: 'delivered', toState: 'delivered', actorId: seller.userId, role: 'seller' }),
      ],
      ['a version', () => db().update(placements).set({ version: 9 }).where(eq(placements.orderId, id))],
    ];
    for (const [what, change] of changes) {
      await change();
      expect([what, await isChanged(), await isChanged()]).toEqual([what, true, false]);
    }
    expect((await call(buyer, 'buyer', id, { query: '?before=0.0.0', headers: { 'if-none-match': tag } })).status).toBe(
      200,
    );
    expect((await call(buyer, 'buyer', id, { query: '?before=x' })).status).toBe(400);
  });

  it('does not count as activity of the session', async () => {
    const { id, buyer } = await makePlacement('accepted');
    const headers = await bearerOf(buyer.userId);
    const past = new Date(Date.now() - 3_600_000);
    await db().update(sessions).set({ lastSeenAt: past }).where(eq(sessions.userId, buyer.userId));
    const request = new NextRequest(`http://localhost:3000/api/orders/${id}/messages`, { headers });
    const answer = await listMessagesRoute('buyer')(request, { params: Promise.resolve({ id: String(id) }) });
    expect(answer.status).toBe(200);
    const [session] = await db().select().from(sessions).where(eq(sessions.userId, buyer.userId));
    expect(session?.lastSeenAt).toEqual(past);
  });
});

describe('unread messages', () => {
  const unreadOf = async (actor: Actor, side: RoomSide, id: number) => (await read(actor, side, id)).unread;
  const readAll = (actor: Actor, side: RoomSide, id: number) =>
    markRead(actor, { side, orderId: id, messageId: Number.MAX_SAFE_INTEGER });

  it('are counted for the other side until it reads them', async () => {
    const { id, buyer, seller } = await makePlacement('accepted');
    await say(buyer, 'buyer', id, 'One');
    await say(buyer, 'buyer', id, 'Two');
    expect([await unreadOf(buyer, 'buyer', id), await unreadOf(seller, 'seller', id)]).toEqual([0, 2]);
    expect(await listUnreadRooms(seller)).toEqual({ orderIds: [id], total: 1, isCapped: false });
    const room = await read(seller, 'seller', id);
    expect(messagesOf(room).map(({ isUnread }) => isUnread)).toEqual([true, true]);
    const [one] = await db()
      .select()
      .from(orderMessages)
      .where(eq(orderMessages.orderId, id))
      .orderBy(orderMessages.id);
    await markRead(seller, { side: 'seller', orderId: id, messageId: one?.id ?? 0 });
    expect(messagesOf(await read(seller, 'seller', id)).map(({ isUnread }) => isUnread)).toEqual([false, true]);
    await readAll(seller, 'seller', id);
    await markRead(seller, { side: 'seller', orderId: id, messageId: 0 });
    expect(await unreadOf(seller, 'seller', id)).toBe(0);
    expect(await listUnreadRooms(seller)).toMatchObject({ orderIds: [], total: 0 });
  });

  it('reach all staff without a seller, and are read for all of them by the first', async () => {
    const { id, buyer } = await makeOrder(1_000);
    const [ann, ben] = [await makeUser('Admin'), await makeUser('Admin')];
    await say(buyer, 'buyer', id, 'Hello');
    expect([await unreadOf(ann, 'staff', id), await unreadOf(ben, 'staff', id)]).toEqual([1, 1]);
    await readAll(ann, 'staff', id);
    expect([await unreadOf(ann, 'staff', id), await unreadOf(ben, 'staff', id)]).toEqual([0, 0]);
    await say(ben, 'staff', id, 'Hi');
    expect(await unreadOf(buyer, 'buyer', id)).toBe(1);
  });

  it('reach only staff who have written while a seller carries out the order', async () => {
    const { id, buyer, seller } = await makePlacement('accepted');
    const [ann, ben] = [await makeUser('Admin'), await makeUser('Admin')];
    await say(ann, 'staff', id, 'We are here to help.');
    await say(seller, 'seller', id, 'Thanks');
    expect([await unreadOf(ann, 'staff', id), await unreadOf(ben, 'staff', id)]).toEqual([1, 0]);
    expect(await unreadOf(buyer, 'buyer', id)).toBe(2);
  });

  it('stay marked when a message is posted while the room is read', async () => {
    const { id, buyer, seller } = await makePlacement('accepted');
    for (let round = 0; round < 15; round += 1) {
      await Promise.all([
        say(buyer, 'buyer', id, `Message ${round}`),
        say(buyer, 'buyer', id, `Second ${round}`),
        readAll(seller, 'seller', id),
        readAll(seller, 'seller', id),
      ]);
      const [marked] = await db().select().from(messageReads).where(eq(messageReads.accountId, seller.userId));
      const later = await db().$count(
        orderMessages,
        sql`order_id = ${id} and id > ${marked?.lastMessageId ?? 0} and author_id <> ${seller.userId}`,
      );
      expect(marked?.unreadCount).toBe(later);
      expect(marked?.mailDueAt === null).toBe(later === 0);
    }
  });
});

it('a deleted user stays an author', async () => {
  const { id, buyer, seller } = await makePlacement('accepted');
  await say(buyer, 'buyer', id, 'Hello');
  await db().update(users).set({ deletedAt: new Date() }).where(eq(users.id, buyer.userId));
  expect(messagesOf(await read(seller, 'seller', id))).toMatchObject([{ author: 'Buyer' }]);
});
