import { and, desc, eq, sql } from 'drizzle-orm';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { apiKeys } from '@/db/schema/api-keys';
import { auditLogs } from '@/db/schema/audit';
import { emailTokens } from '@/db/schema/email-tokens';
import { events } from '@/db/schema/events';
import { notices } from '@/db/schema/notices';
import { users } from '@/db/schema/users';
import { webhookAttempts, webhookDeliveries, webhookEndpoints } from '@/db/schema/webhook-endpoints';
import { type Actor, systemActor } from '@/lib/access/actor';
import { revokeProgramAccess } from '@/lib/auth/revoke-access';
import {
  connectSlack,
  connectSlackInput,
  createTelegramCode,
  disconnectChat,
  getChats,
  testChat,
} from '@/lib/developers/webhooks/chats/connect';
import { readTelegramCodes } from '@/lib/developers/webhooks/chats/read-codes';
import { deliverWebhooks } from '@/lib/developers/webhooks/deliver';
import { listEndpoints, listEvents } from '@/lib/developers/webhooks/queries';
import { env } from '@/lib/env';
import { createNotification, insertNotices } from '@/lib/notifications/notifications';
import { createApiKey } from '@/lib/settings/api-keys';
import { setFlag } from '@/lib/settings/feature-flags';
import { resealSecrets } from '@/lib/workflows/reseal-secrets';
import { makeStaff } from '@/tests/factories/make-staff';
import { makeTeam } from '@/tests/factories/make-team';
import { makeUser } from '@/tests/factories/make-user';
import { outboxOf } from '@/tests/setup/outbox';
import { startPublisher } from '@/tests/setup/start-publisher';

const { control, getGatewayUrl } = startPublisher();
beforeAll(async () => {
  env().TELEGRAM_BASE_URL = `${getGatewayUrl()}/telegram`;
  const admin = await makeUser('Admin');
  await createApiKey(admin, { name: 'Bot', provider: 'Telegram', key: botToken });
});
afterEach(async () => {
  await db().delete(webhookEndpoints);
  await db().delete(events);
  await post('/controls/reset', {});
});

const botToken = '123456:sandbox-secret-part';

async function post(path: string, body: object) {
  const response = await fetch(`${getGatewayUrl()}${path}`, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
}
const setTelegram = (changes: object) => post('/controls/telegram', changes);
const write = (text: string, chatId: number, type = 'private') =>
  post('/controls/telegram/receive', { chatId, text, type });
/** What the bot sent to a chat. */
async function telegramTexts(chatId: number): Promise<string[]> {
  const response = await fetch(`${getGatewayUrl()}/controls/telegram`);
  const { messages } = z
    .object({ messages: z.array(z.object({ chatId: z.number(), text: z.string() })) })
    .parse(await response.json());
  return messages.filter((message) => message.chatId === chatId).map(({ text }) => text);
}
/** What a Slack webhook received. */
async function slackTexts(url: string): Promise<string[]> {
  const requests = z
    .array(z.object({ url: z.string(), body: z.string() }))
    .parse(await control('GET', '/control/requests?host=hooks.slack.com'));
  return requests
    .filter((request) => request.url === url.replace('https:', 'http:'))
    .map(({ body }) => z.object({ text: z.string() }).parse(JSON.parse(body)).text);
}

let count = 0;
const newSlackUrl = () => `https://hooks.slack.com/services/T000/B${++count}/secretPart${count}`;

async function withSlack(person: Actor): Promise<string> {
  const url = newSlackUrl();
  await connectSlack(person, { url });
  return url;
}
async function withTelegram(person: Actor): Promise<number> {
  const chatId = 5_000 + ++count;
  const { code } = await createTelegramCode(person);
  await write(`/start ${code}`, chatId);
  expect(await readTelegramCodes()).toEqual({ connected: 1 });
  return chatId;
}

const system = systemActor('Test', 'job');
const notify = (userId: string, kind: 'order.live' | 'placement.approved' = 'order.live') =>
  createNotification(db(), system, { userId, kind, subject: 'Order #7, <!channel> & a.example', orderId: 7 });

const stateOf = async (person: Actor) => (await getChats(person.userId)).chats[0];
const endpointOf = async ({ userId }: Actor) => {
  const [row] = await db().select().from(webhookEndpoints).where(eq(webhookEndpoints.ownerId, userId));
  if (!row) throw new Error('No chat');
  return row;
};
const deliveriesOf = (endpointId: string) =>
  db().select().from(webhookDeliveries).where(eq(webhookDeliveries.endpointId, endpointId));

describe('a chat', () => {
  it('receives the notices of its owner as plain text with a link, and no other person’s', async () => {
    const [buyer, other] = [await makeUser(), await makeUser()];
    const [slack, telegram] = [await withSlack(buyer), await withTelegram(buyer)];
    await notify(buyer.userId);
    await notify(other.userId);
    expect(await deliverWebhooks()).toMatchObject({ distributed: 1, delivered: 2, failed: 0 });
    const text = `LinkMarket: Order #7, <!channel> & a.example: live\n${env().APP_URL}/user/orders/7`;
    expect((await telegramTexts(telegram)).at(-1)).toBe(text);
    // Slack reads no mention and no link in it.
    const escaped = text.replace('&', '&amp;').replace('<!channel>', '&lt;!channel&gt;');
    expect((await slackTexts(slack)).at(-1)).toBe(escaped);
    expect(await slackTexts(slack)).toHaveLength(2);
    // Chats and their events are no part of the API of webhooks.
    expect(await listEndpoints(buyer, 'own')).toEqual([]);
    expect(await listEvents(buyer, 'own', { limit: 100 })).toEqual([]);
    await deliverWebhooks();
    expect(await telegramTexts(telegram)).toHaveLength(2);
    // Equal notices are one message, as they are one entry of the bell; questions are not.
    const equal = [1, 2, 3, 4].map((orderId) => ({ userId: buyer.userId, subject: `Order #${orderId}`, orderId }));
    await insertNotices(db(), [
      ...equal.map((notice) => ({ ...notice, kind: 'order.live' as const })),
      ...equal.slice(2).map((notice) => ({ ...notice, kind: 'order.message' as const })),
    ]);
    expect(await deliverWebhooks()).toMatchObject({ distributed: 6, delivered: 6, failed: 0 });
    const messages = [3, 4].map((id) => `Order #${id}: new messages\n${env().APP_URL}/user/orders/${id}`);
    expect((await telegramTexts(telegram)).slice(2).sort()).toEqual(
      [`4 orders: live\n${env().APP_URL}/user/orders?status=Completed`, ...messages].map(
        (text) => `LinkMarket: ${text}`,
      ),
    );
    // News of a team lead to its page, whichever account is chosen in the browser.
    const [{ accountId }, mixed] = [await makeTeam(), { userId: buyer.userId, kind: 'order.late' as const }];
    const told = { userId: buyer.userId, subject: 'Order #9', orderId: 9, kind: 'order.comment' as const, accountId };
    await insertNotices(db(), [told, { ...mixed, subject: 'A', accountId }, { ...mixed, subject: 'B' }]);
    await deliverWebhooks();
    const links = (await telegramTexts(telegram))
      .slice(5)
      .map((text) => text.split('\n').at(-1))
      .sort();
    expect(links).toEqual([
      `${env().APP_URL}/user/orders/9?account=${accountId}`,
      expect.not.stringContaining('account='),
    ]);
    const { id } = await endpointOf(buyer);
    expect((await deliveriesOf(id)).map(({ state }) => state)).toEqual(Array.from({ length: 10 }, () => 'delivered'));
  });

  it('keeps the secrets encrypted, also in the logs, and after a rotation of keys', async () => {
    const buyer = await makeUser();
    const [slack, telegram] = [await withSlack(buyer), await withTelegram(buyer)];
    await notify(buyer.userId);
    await deliverWebhooks();
    expect(await testChat(buyer, { channel: 'slack' })).toEqual({ ok: true, message: 'Slack accepted the message.' });
    const dump = JSON.stringify([
      ...(await Promise.all(
        [webhookEndpoints, webhookDeliveries, webhookAttempts, events, apiKeys, emailTokens, auditLogs].map((table) =>
          db().select().from(table),
        ),
      )),
      await getChats(buyer.userId),
      (await outboxOf(buyer.email)).map(({ text }) => text),
    ]);
    for (const secret of [new URL(slack).pathname.split('/').at(-1) ?? '', botToken, String(telegram)])
      expect(dump).not.toContain(secret);
    const [key] = env().SECRET_KEYS.split(',');
    env().SECRET_KEYS = `next:${Buffer.alloc(32, 7).toString('base64')},${key}`;
    await resealSecrets();
    await notify(buyer.userId);
    expect(await deliverWebhooks()).toMatchObject({ delivered: 2 });
    expect(await outboxOf(buyer.email)).toMatchObject([
      { kind: 'security-notice', subject: 'Slack was connected to your account' },
      { kind: 'security-notice', subject: 'Telegram was connected to your account' },
    ]);
  });

  it('receives nothing that its owner may not see at the time of the delivery', async () => {
    const [suspended, deleted, former] = [await makeUser(), await makeUser(), await makeUser('Seller')];
    const staff = await makeStaff('AdminDashboard', 'ManagePayments');
    const unentitled = await makeStaff('AdminDashboard', 'ManageOrders');
    const people = [suspended, deleted, former, staff, unentitled];
    const urls: string[] = [];
    for (const person of people) urls.push(await withSlack(person));
    for (const { userId } of [suspended, deleted]) await notify(userId);
    await notify(former.userId, 'placement.approved');
    const disputed = { kind: 'payment.disputed' as const, subject: '$10.00 at Stripe' };
    await insertNotices(db(), [
      { userId: staff.userId, ...disputed },
      { userId: unentitled.userId, ...disputed },
    ]);
    await db().update(users).set({ status: 'Suspended' }).where(eq(users.id, suspended.userId));
    await db().update(users).set({ deletedAt: new Date() }).where(eq(users.id, deleted.userId));
    await db().update(users).set({ role: 'User' }).where(eq(users.id, former.userId));
    expect(await deliverWebhooks()).toMatchObject({ delivered: 1 });
    for (const [index, person] of people.entries())
      expect((await slackTexts(urls[index] ?? '')).length, String(index)).toBe(person === staff ? 2 : 1);
    // Rights that end between the distribution and the delivery count as well.
    await insertNotices(db(), [{ userId: staff.userId, ...disputed }]);
    await db().update(webhookEndpoints).set({ pausedUntil: sql`now() + interval '1 hour'` });
    await deliverWebhooks();
    await db().update(users).set({ role: 'User' }).where(eq(users.id, staff.userId));
    await db().update(webhookEndpoints).set({ pausedUntil: sql`now()` });
    expect(await deliverWebhooks()).toMatchObject({ delivered: 0, canceled: 1 });
  });

  it('receives nothing while webhooks are turned off', async () => {
    const [admin, buyer] = [await makeUser('Admin'), await makeUser()];
    const url = await withSlack(buyer);
    await setFlag(admin, { name: 'webhooks', isOn: false, version: 0 });
    await notify(buyer.userId);
    await expect(connectSlack(buyer, { url })).rejects.toMatchObject({ code: 'not_configured' });
    await expect(createTelegramCode(buyer)).rejects.toMatchObject({ code: 'not_configured' });
    await setFlag(admin, { name: 'webhooks', isOn: true, version: 1 });
    expect(await deliverWebhooks()).toMatchObject({ distributed: 0, delivered: 0 });
    await disconnectChat(buyer, { channel: 'slack' });
    await expect(disconnectChat(buyer, { channel: 'slack' })).rejects.toMatchObject({ code: 'not_found' });
    expect(await getChats(buyer.userId)).toMatchObject({ chats: [], isOn: true, hasTelegram: true });
  });

  const answers = [
    { channel: 'slack', page: { status: 500, html: 'rollup_error' }, error: 'Slack answered 500 (rollup_error).' },
    {
      channel: 'slack',
      page: { status: 400, html: 'invalid_payload' },
      error: 'Slack answered 400 (invalid_payload).',
    },
    { channel: 'slack', page: { status: 429, headers: { 'retry-after': '90' } }, pause: 90 },
    { channel: 'slack', page: { status: 410, html: 'channel_is_archived' }, isOff: true },
    { channel: 'telegram', answer: 'limited', pause: 45 },
    { channel: 'telegram', answer: 'blocked', isOff: true },
    { channel: 'telegram', answer: 'unknown_chat', isOff: true },
  ] as const;

  it('is paused, tried again or turned off as its service answers', async () => {
    const buyer = await makeUser();
    for (const { channel, ...row } of answers) {
      const label = JSON.stringify(row);
      const url = channel === 'slack' ? await withSlack(buyer) : '';
      if (channel === 'telegram') await withTelegram(buyer);
      await notify(buyer.userId);
      if ('page' in row) await control('PUT', '/control/pages', { url, ...row.page });
      else await setTelegram({ answer: row.answer, retryAfter: 45 });
      expect(await deliverWebhooks(), label).toMatchObject({ delivered: 0, failed: 1 });
      const endpoint = await endpointOf(buyer);
      const [delivery] = await deliveriesOf(endpoint.id);
      const [told] = await db()
        .select()
        .from(notices)
        .where(and(eq(notices.userId, buyer.userId), eq(notices.kind, 'chat.off')));
      if ('isOff' in row) {
        expect(endpoint, label).toMatchObject({ isEnabled: false, offReason: 'gone' });
        expect(told?.subject, label).toBe(channel === 'slack' ? 'Slack' : 'Telegram');
        expect(delivery, label).toMatchObject({ state: 'canceled' });
        const [line] = await db().select().from(auditLogs).orderBy(desc(auditLogs.id)).limit(1);
        expect(line, label).toMatchObject({ action: 'webhook.turned_off', entityId: endpoint.id });
      } else {
        expect(told, label).toBeUndefined();
        expect(delivery, label).toMatchObject({ state: 'pending', attempts: 1 });
        if ('error' in row) expect(endpoint.lastError, label).toBe(row.error);
        const pause = 'pause' in row ? row.pause : 0;
        const waits = (endpoint.pausedUntil.getTime() - Date.now()) / 1_000;
        expect(Math.abs(waits - pause), label).toBeLessThan(15);
        // A limit and a fault of the service do not count against the chat.
        const isItsFault = 'page' in row && row.page.status === 400;
        expect(endpoint.failures, label).toBe(isItsFault ? 1 : 0);
        // It arrives once the service accepts it.
        if ('page' in row) await control('PUT', '/control/pages', { url, status: 200, html: 'ok' });
        await setTelegram({ answer: 'normal' });
        await db().update(webhookEndpoints).set({ pausedUntil: sql`now()` });
        await db().update(webhookDeliveries).set({ nextAttemptAt: sql`now()` });
        expect(await deliverWebhooks(), label).toMatchObject({ delivered: 1 });
        expect(await stateOf(buyer), label).toMatchObject({ isEnabled: true, lastError: '' });
      }
      await db().delete(webhookEndpoints);
      await db().delete(notices);
    }
  });
});

describe('Slack', () => {
  it('is connected by its own addresses only, after a message arrived', async () => {
    const buyer = await makeUser();
    for (const url of [
      'http://hooks.slack.com/services/T0/B0/x',
      'https://hooks.slack.com.example.com/services/T0/B0/x',
      'https://hooks.slack.com@example.com/services/T0/B0/x',
      'https://hooks.slack.com:8443/services/T0/B0/x',
      'https://hooks.slack.com/services/../x',
      'https://hooks.slack.com/services/T0/B0/x?y=1',
      'https://hooks.slack.com/workflows/T0/B0/x',
      'https://discord.com/api/webhooks/1/x',
      '',
    ]) {
      expect(connectSlackInput.safeParse({ url }).success, url).toBe(false);
    }
    const url = newSlackUrl();
    await control('PUT', '/control/pages', { url, status: 404, html: 'no_service' });
    const refused = connectSlack(buyer, { url });
    await expect(refused).rejects.toMatchObject({
      code: 'unprocessable',
      message: 'The test message did not arrive. Slack answered 404 (no_service).',
    });
    expect((await getChats(buyer.userId)).chats).toEqual([]);
    await withSlack(buyer);
    // A new address replaces the one before.
    const second = await withSlack(buyer);
    await notify(buyer.userId);
    await deliverWebhooks();
    expect(await slackTexts(second)).toHaveLength(2);
    expect((await getChats(buyer.userId)).chats).toHaveLength(1);
  });
});

describe('a code for Telegram', () => {
  it('connects the private chat that sends it first, once, for the user who asked for it', async () => {
    const [buyer, other] = [await makeUser(), await makeUser()];
    const [replaced, late] = [await createTelegramCode(buyer), await createTelegramCode(other)];
    const { code, url, bot } = await createTelegramCode(buyer);
    expect({ url, bot }).toEqual({
      url: `https://t.me/linkmarket_sandbox_bot?start=${code}`,
      bot: 'linkmarket_sandbox_bot',
    });
    expect(JSON.stringify(await db().select().from(emailTokens))).not.toContain(code);
    await db().update(emailTokens).set({ expiresAt: sql`now()` }).where(eq(emailTokens.userId, other.userId));
    await write(`/start ${replaced.code}`, 1);
    await write(`/start ${late.code}`, 2);
    await write(`/start ${code}`, -3, 'group');
    await write('/start', 4);
    await write(`hello ${code}`, 5);
    await write(`/start ${code}`, 6);
    await write(`/start ${code}`, 7);
    expect(await readTelegramCodes()).toEqual({ connected: 1 });
    // No code is open, so Telegram is not asked again.
    expect(await readTelegramCodes()).toEqual({ connected: 0 });
    for (const chat of [1, 2, 7])
      expect(await telegramTexts(chat), String(chat)).toEqual([expect.stringContaining('not valid')]);
    for (const chat of [-3, 4, 5]) expect(await telegramTexts(chat), String(chat)).toEqual([]);
    expect(await telegramTexts(6)).toEqual(['LinkMarket: your notifications are sent to this chat.']);
    expect((await getChats(buyer.userId)).chats).toMatchObject([{ channel: 'telegram', name: 'Ada', isEnabled: true }]);
    expect((await getChats(other.userId)).chats).toEqual([]);
  });

  it('does not connect a user who was suspended or recovered meanwhile, and not twice at the same time', async () => {
    const [suspended, recovered, buyer] = [await makeUser(), await makeUser(), await makeUser()];
    const stolen = await createTelegramCode(recovered);
    await db().transaction((tx) => revokeProgramAccess(tx, recovered, recovered.userId));
    await write(`/start ${stolen.code}`, 20);
    const { code } = await createTelegramCode(suspended);
    await db().update(users).set({ status: 'Suspended' }).where(eq(users.id, suspended.userId));
    await write(`/start ${code}`, 21);
    expect(await readTelegramCodes()).toEqual({ connected: 0 });
    const second = await createTelegramCode(buyer);
    await write(`/start ${second.code}`, 22);
    const done = await Promise.all([readTelegramCodes(), readTelegramCodes()]);
    expect(done.reduce((sum, { connected }) => sum + connected, 0)).toBe(1);
    expect(await telegramTexts(22)).toEqual([expect.stringContaining('are sent to this chat')]);
  });
});
