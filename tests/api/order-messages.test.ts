import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Actor } from '@/lib/access/actor';
import { newId } from '@/lib/ids';
import { maxMessageFiles, maxMessageLength } from '@/lib/orders/messages/limits';
import { makeAccount } from '@/tests/factories/make-account';
import { makePlacement } from '@/tests/factories/make-placement';
import { openClient } from '@/tests/setup/http-client';
import { sendBody } from '@/tests/setup/send-body';

const [buyer, seller, admin] = [openClient(), openClient(), openClient()];
let [id, otherId] = [0, 0];
let people: { buyer: Actor; seller: Actor };

/** The three sides of a room, with the folder of their addresses. */
const sides = [
  { side: 'buyer', client: buyer, folder: '/api/orders' },
  { side: 'seller', client: seller, folder: '/api/seller/orders' },
  { side: 'staff', client: admin, folder: '/api/admin/orders' },
] as const;
type Side = (typeof sides)[number];

beforeAll(async () => {
  people = { buyer: await makeAccount(), seller: await makeAccount({ role: 'Seller' }) };
  await buyer.signIn('user', people.buyer.email);
  await seller.signIn('seller', people.seller.email);
  await admin.signIn('admin', (await makeAccount({ role: 'Admin' })).email);
  id = (await makePlacement('accepted', people)).id;
  otherId = (await makePlacement('accepted', people)).id;
});

const room = z.object({ entries: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })) });
const posted = z.looseObject({
  id: z.string(),
  files: z.array(z.looseObject({ id: z.string(), path: z.string() })),
});

const pathOf = ({ folder }: Side, orderId = id) => `${folder}/${orderId}/messages`;

function formOf(text: string, ...files: [name: string, content: string][]): FormData {
  const form = new FormData();
  if (text) form.append('text', text);
  for (const [name, content] of files) form.append('files', new File([content], name));
  return form;
}

describe.each(sides)('the room of an order, for the $side', (one) => {
  const { side, client } = one;

  it('lists a new message for every side, and answers 304 while nothing changes', async () => {
    const first = await client.get(pathOf(one));
    expect(first.status).toBe(200);
    const etag = first.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"/);
    const again = await client.get(pathOf(one), { 'if-none-match': etag });
    expect(again).toMatchObject({ status: 304, body: '' });
    expect(again.headers.get('etag')).toBe(etag);
    const text = `Hello from the ${side}`;
    expect((await client.post(pathOf(one), { text })).status).toBe(201);
    expect((await client.get(pathOf(one), { 'if-none-match': etag })).status).toBe(200);
    for (const other of sides) {
      const { entries } = room.parse((await other.client.get(pathOf(other))).body);
      expect(entries.at(-1)).toMatchObject({ type: 'message', text, by: side, isOwn: other === one });
    }
  });

  it('posts files, which every side downloads from its own address only', async () => {
    const sent = await sendBody(client, pathOf(one), formOf('Two files', ['a.txt', 'First'], ['b.md', '# Second']));
    expect(sent.status, JSON.stringify(sent.body)).toBe(201);
    const [first, second] = posted.parse(sent.body).files;
    for (const other of sides) {
      const file = await other.client.get(`${pathOf(other)}/files/${first?.id}`);
      expect(file).toMatchObject({ status: 200, body: 'First' });
      expect(file.headers.get('content-disposition')).toMatch(/^attachment/);
      expect(file.headers.get('x-content-type-options')).toBe('nosniff');
      expect((await other.client.get(`${pathOf(other, otherId)}/files/${first?.id}`)).status).toBe(404);
      expect((await other.client.get(`${pathOf(other)}/files/${newId()}`)).status).toBe(404);
      if (other !== one) expect((await client.get(`${pathOf(other)}/files/${second?.id}`)).status).toBeGreaterThan(400);
    }
    expect((await client.get(second?.path ?? '')).body).toBe('# Second');
  });

  it('refuses a file by its type with 415, and names it', async () => {
    const before = room.parse((await client.get(pathOf(one))).body).entries.length;
    const mixed = formOf('Look', ['fine.txt', 'Fine'], ['program.exe', 'MZ']);
    expect(await sendBody(client, pathOf(one), mixed)).toMatchObject({
      status: 415,
      body: { fields: { files: expect.stringContaining('program.exe: ') } },
    });
    expect(await sendBody(client, pathOf(one), formOf('', ['text.pdf', 'No PDF']))).toMatchObject({ status: 415 });
    expect(room.parse((await client.get(pathOf(one))).body).entries).toHaveLength(before);
  });

  it('refuses an empty message, a long one and too many files', async () => {
    for (const body of [{}, { text: ' \n' }, { text: 7 }, { text: 'x'.repeat(maxMessageLength + 1) }]) {
      expect(await client.post(pathOf(one), body)).toMatchObject({
        status: 400,
        body: { fields: { text: expect.any(String) } },
      });
    }
    const many = Array.from({ length: maxMessageFiles + 1 }, (_, n): [string, string] => [`${n}.txt`, 'Text']);
    expect((await sendBody(client, pathOf(one), formOf('Many', ...many))).status).toBe(400);
  });

  it('posts a message once for an Idempotency-Key, and answers 409 for another message', async () => {
    const key = { 'idempotency-key': newId() };
    const [text, path] = [`Once ${side}`, pathOf(one)];
    const answers = await Promise.all([1, 2, 3].map(() => client.post(path, { text }, key)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => posted.parse(body).id)).size).toBe(1);
    for (const [where, body] of [
      [path, { text: 'Another' }],
      [pathOf(one, otherId), { text }],
    ] as const) {
      expect(await client.post(where, body, key)).toMatchObject({
        status: 409,
        body: { fields: { idempotencyKey: expect.any(String) } },
      });
    }
    const { entries } = room.parse((await client.get(path)).body);
    expect(entries.filter((entry) => entry.text === text)).toHaveLength(1);
  });
});

it.each(['takeOver', 'decline', 'cancel'])(
  'an order that staff ended (%s) is closed for its seller, and open for the buyer and staff',
  async (action) => {
    const orderId = (await makePlacement('offered', people)).id;
    const [ofBuyer, ofSeller, ofStaff] = sides;
    const ended = await admin.post(`/api/admin/orders/${orderId}/placement`, { action });
    expect(ended.status).toBe(200);
    const closed = expect.stringMatching(/^Order #\d+ is (taken over|declined|cancelled), so you can no longer write/);
    expect(await seller.post(pathOf(ofSeller, orderId), { text: 'Why?' })).toMatchObject({
      status: 409,
      body: { error: closed },
    });
    expect(await seller.get(pathOf(ofSeller, orderId))).toMatchObject({ status: 200, body: { closed } });
    expect((await buyer.post(pathOf(ofBuyer, orderId), { text: 'Hello' })).status).toBe(201);
    expect((await admin.post(pathOf(ofStaff, orderId), { text: 'We do it.' })).status).toBe(201);
    expect(room.parse((await seller.get(pathOf(ofSeller, orderId))).body).entries).not.toContainEqual(
      expect.objectContaining({ type: 'message' }),
    );
  },
);
