import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { eq } from 'drizzle-orm';
import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { db } from '@/db/client';
import { orders } from '@/db/schema/orders';
import { newId } from '@/lib/ids';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';
import { makeToken } from '@/tests/factories/make-token';
import { appUrl } from '@/tests/setup/http-client';

/** Runs the examples that /developers shows, each in every language, as a reader would. */
const folder = resolve(import.meta.dirname, '../../examples');
const commands = { sh: ['sh'], mts: [process.execPath, '--import', 'tsx'], py: ['python3'] } as const;
type Language = keyof typeof commands;
const languages: Language[] = ['sh', 'mts', 'py'];

const transactions = 110;

let userId = '';
let siteId = 0;
let projectId = '';
let environment: Record<string, string> = {};

beforeAll(async () => {
  const [buyer, seller] = [await makeAccount(), await makeAccount({ role: 'Seller' })];
  userId = buyer.userId;
  // Several pages of transactions.
  for (let count = 0; count < transactions; count += 1) await fundWallet(userId, 1_000);
  projectId = await makeProject(buyer);
  // Cheaper than the sites of other tests, so that the list begins with it.
  siteId = await makeSite(seller.userId, 1, { dr: 90 });
  const { secret } = await makeToken(userId, ['read', 'orders:write', 'wallet:topup']);
  environment = { LINKMARKET_URL: appUrl, LINKMARKET_TOKEN: secret };
});

type Outcome = { code: number | null; output: string; errors: string };

async function run(name: string, language: Language, more: Record<string, string> = {}, input = ''): Promise<Outcome> {
  const [command, ...flags] = commands[language];
  const child = spawn(command, [...flags, join(folder, `${name}.${language}`)], {
    env: { NODE_ENV: 'production', PATH: process.env.PATH, ...environment, ...more },
  });
  const ended = new Promise<number | null>((resolved, rejected) => {
    child.on('error', rejected);
    child.on('close', resolved);
  });
  // A program can end before it has read all of its input.
  child.stdin.on('error', (error: NodeJS.ErrnoException) => expect(error.code).toBe('EPIPE'));
  child.stdin.end(input);
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, output, errors };
}

async function runWell(name: string, language: Language, more?: Record<string, string>, input?: string) {
  const outcome = await run(name, language, more, input);
  expect(outcome).toMatchObject({ code: 0, errors: '' });
  return outcome.output;
}

const created = z.object({ orders: z.array(z.object({ id: z.number() })) });
/** The ids in the output of place-order: JSON, or an order on a line. */
const orderIds = (output: string) =>
  output.startsWith('{')
    ? created.parse(JSON.parse(output)).orders.map(({ id }) => id)
    : [...output.matchAll(/^\d+/gm)].map(([id]) => Number(id));
const ordersOf = () => db().select({ id: orders.id }).from(orders).where(eq(orders.accountId, userId));

it('every example exists in every language', () => {
  const names = [...new Set(readdirSync(folder).map((file) => file.replace(/\.\w+$/, '')))];
  expect(names.sort()).toEqual(['list-sites', 'paginate', 'place-order', 'top-up', 'verify-webhook']);
  expect(readdirSync(folder).sort()).toEqual(
    names.flatMap((name) => ['mts', 'py', 'sh'].map((end) => `${name}.${end}`)),
  );
});

describe.each(languages)('the example in .%s', (language) => {
  it('lists sites', async () => {
    expect(await runWell('list-sites', language)).toMatch(new RegExp(`\\b${siteId}\\b`));
  });

  it('reads a whole list page by page', async () => {
    const output = await runWell('paginate', language);
    // JSON with a page on a line, or an entry on a line.
    const ids = language === 'sh' ? output.match(/"id":"[^"]+"/g) : output.match(/^\S+(?= (credit|debit) )/gm);
    expect(ids?.length).toBeGreaterThanOrEqual(transactions);
    expect(new Set(ids).size).toBe(ids?.length);
  });

  it('places one order, also when it is repeated with its Idempotency-Key', async () => {
    const before = await ordersOf();
    const more = { ORDER_KEY: newId(), PROJECT_ID: projectId, SITE_ID: String(siteId) };
    const first = await runWell('place-order', language, more);
    expect(orderIds(await runWell('place-order', language, more))).toEqual(orderIds(first));
    const made = (await ordersOf()).filter(({ id }) => !before.some((one) => one.id === id));
    expect(made).toHaveLength(1);
    expect(orderIds(first)).toEqual([made[0]?.id]);
  });

  it("starts a top-up and returns the provider's page", async () => {
    expect(await runWell('top-up', language, { TOP_UP_KEY: newId() })).toMatch(/\/c\/pay\/cs_test_\w+/);
  });

  it('fails without a valid token', async () => {
    const { code } = await run('list-sites', language, { LINKMARKET_TOKEN: 'unknown' });
    expect(code).not.toBe(0);
  });

  it('verifies the signature of an event, and rejects any other', async () => {
    const secret = `whsec_${Buffer.from('a secret of thirty-two bytes....').toString('base64')}`;
    const other = `whsec_${Buffer.from('another secret of thirty-two....').toString('base64')}`;
    const body = '{"type":"order.created","data":{"website":"blöd.example"}}';
    const signed = (at: Date, key = secret) => ({
      WEBHOOK_ID: 'evt_1',
      WEBHOOK_TIMESTAMP: String(Math.floor(at.getTime() / 1000)),
      WEBHOOK_SIGNATURE: new Webhook(key).sign('evt_1', at, body),
      WEBHOOK_SECRET: secret,
    });
    const now = new Date();
    const good = signed(now);
    const rotated = `${signed(now, other).WEBHOOK_SIGNATURE} ${good.WEBHOOK_SIGNATURE}`;
    expect(await runWell('verify-webhook', language, good, body)).toBe('verified\n');
    expect(await runWell('verify-webhook', language, { ...good, WEBHOOK_SIGNATURE: rotated }, body)).toBe('verified\n');
    const wrong: [Record<string, string>, string][] = [
      [good, `${body} `],
      [signed(now, other), body],
      [{ ...good, WEBHOOK_ID: 'evt_2' }, body],
      [signed(new Date(now.getTime() - 600_000)), body],
      [signed(new Date(now.getTime() + 600_000)), body],
      [{ ...good, WEBHOOK_SIGNATURE: '' }, body],
    ];
    const codes = await Promise.all(
      wrong.map(async ([more, sent]) => (await run('verify-webhook', language, more, sent)).code),
    );
    expect(codes).toEqual(wrong.map(() => 1));
  });
});
