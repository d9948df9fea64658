import { randomUUID } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { db } from '@/db/client';
import { getWalletBalance } from '@/lib/ledger/balance';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount, testPassword } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { makeSite } from '@/tests/factories/make-site';

const kinds = ['order', 'top-up', 'refund', 'import'] as const;
type Kind = (typeof kinds)[number];

/** An operation that was sent. `answeredAt` is set when it was acknowledged. */
type Operation = { kind: Kind; key: string; phase: string; sentAt: number; answeredAt?: number };

const [priceCents, fundsCents, topupCents, refundCents] = [1_000, 1_000_000_00, 2_000, 100];
/** A client gives up on an answer after this time, as browsers and proxies do. */
const answerTimeoutMs = 30_000;

/** The clients that order, the pause after each operation of a kind, and the rows of an import. */
type Pace = { orderingClients: number; pauseMs: Record<Kind, number>; rowsOfImport: number };
const drillPace: Pace = {
  orderingClients: 4,
  pauseMs: { order: 50, 'top-up': 1_000, refund: 1_500, import: 6_000 },
  rowsOfImport: 20,
};

export type Traffic = Awaited<ReturnType<typeof startTraffic>>;

/**
 * Sends orders, top-ups, refunds and imports to the instances of the app, each with its own Idempotency-Key. Every
 * operation is written to the journal, a file outside of the database, before it is sent and when it is acknowledged. Of
 * the operations without an acknowledgment every other one is repeated until it has one, as the app's pages do.
 * @param origins the instances, which are used in turn
 * @param gatewayUrl the controls of the sandbox, where the payments are made
 */
export async function startTraffic(
  appUrl: string,
  origins: string[],
  gatewayUrl: string,
  journal: string,
  { orderingClients, pauseMs, rowsOfImport }: Pace = drillPace,
) {
  const operations = new Map<string, Operation>();
  const buyer = await makeAccount();
  await fundWallet(buyer.userId, fundsCents);
  const projectId = await makeProject(buyer);
  const siteId = await makeSite((await makeAccount({ role: 'Seller' })).userId, priceCents);
  const payer = await makeAccount();
  const admin = await makeAccount({ role: 'Admin' });
  /** Sessions that were paid at the provider. */
  const paid = new Set<string>();
  let [phase, isOn, turn, lastAnswer] = ['start', true, 0, 'none'];

  const send = async (path: string, init: RequestInit): Promise<{ status: number; body: string; headers: Headers }> => {
    turn += 1;
    const headers = { origin: new URL(appUrl).origin, ...init.headers };
    const signal = AbortSignal.timeout(answerTimeoutMs);
    try {
      const answer = await fetch(`${origins[turn % origins.length]}${path}`, { ...init, headers, signal });
      return { status: answer.status, body: await answer.text(), headers: answer.headers };
    } catch {
      return { status: 0, body: '', headers: new Headers() };
    }
  };
  const json = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const signIn = async (portal: 'user' | 'admin', email: string): Promise<string> => {
    for (const deadline = Date.now() + 300_000; Date.now() < deadline; await sleep(500)) {
      const { status, headers } = await send(`/api/${portal}/auth/login`, json({ email, password: testPassword }));
      if (status !== 200) continue;
      return headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; ');
    }
    throw new Error(`${email} could not sign in for five minutes.`);
  };
  const record = (operation: Operation, state: 'sent' | 'acknowledged') => {
    operations.set(operation.key, operation);
    appendFileSync(journal, `${JSON.stringify({ at: Date.now(), state, ...operation })}\n`);
  };
  /** Sends an operation, and repeats every other one without an answer. @returns the body of its acknowledgment */
  const operate = async (kind: Kind, key: string, accepted: number, call: () => ReturnType<typeof send>) => {
    const operation: Operation = { kind, key, phase, sentAt: Date.now() };
    record(operation, 'sent');
    const isRepeated = operations.size % 2 === 0;
    for (;;) {
      const { status, body } = await call();
      if (kind === 'order') lastAnswer = `${status} ${body.slice(0, 300)}`;
      if (status === accepted) {
        record({ ...operation, answeredAt: Date.now() }, 'acknowledged');
        return body;
      }
      // A person may import 100 times a day, and repeats during an outage count.
      if (kind === 'import' && status === 429) return null;
      if (status > 0 && status < 500) throw new Error(`${kind} was answered with ${status}: ${body.slice(0, 300)}`);
      await sleep(100);
      if (!isRepeated || !isOn) return null;
    }
  };
  const control = async (path: string) => {
    const answer = await fetch(`${gatewayUrl}/controls/stripe${path}`, json({}));
    return delivered.safeParse(await answer.json()).data?.deliveries ?? [];
  };

  const [buyerCookie, payerCookie] = [await signIn('user', buyer.email), await signIn('user', payer.email)];
  const order = async () => {
    const key = randomUUID();
    const body = { kind: 'custom', projectId, siteIds: [siteId] };
    await operate('order', key, 201, () =>
      send('/api/orders', json(body, { cookie: buyerCookie, 'idempotency-key': key })),
    );
    await sleep(pauseMs.order);
  };
  /** The checkout is not counted: the top-up is the payment, which the provider made. */
  const topUp = async () => {
    const input = { amount: topupCents / 100, currency: 'USD', returnUrl: '/user/wallet', cancelUrl: '/user/wallet' };
    const headers = { cookie: payerCookie, 'idempotency-key': randomUUID() };
    const { status, body } = await send('/api/user/payments/stripe/checkout', json(input, headers));
    if (status !== 200) return sleep(500);
    const session = /cs_test_\w+/.exec(body)?.[0] ?? '';
    const operation: Operation = { kind: 'top-up', key: session, phase, sentAt: Date.now() };
    record(operation, 'sent');
    await control(`/sessions/${session}/pay`);
    paid.add(session);
    const deliveries = await control(`/sessions/${session}/deliver`);
    if (deliveries.some(({ state }) => state === 'delivered'))
      record({ ...operation, answeredAt: Date.now() }, 'acknowledged');
    await sleep(pauseMs['top-up']);
  };
  let [adminCookie, signedInAt] = ['', 0];
  const adminHeaders = async (key: string) => {
    // A refund needs a password that was entered within five minutes.
    if (Date.now() - signedInAt > 180_000) [adminCookie, signedInAt] = [await signIn('admin', admin.email), Date.now()];
    return { cookie: adminCookie, 'idempotency-key': key };
  };
  const refund = async () => {
    await sleep(pauseMs.refund);
    const found = await rowsOf(
      z.object({ id: z.string() }),
      sql`select id from topups where account_id = ${payer.userId} and status = 'paid' order by random() limit 1`,
    ).catch(() => []);
    if (!found[0]) return;
    const key = randomUUID();
    const body = { topupId: found[0].id, amountCents: refundCents, reason: 'Drill' };
    await operate('refund', key, 201, async () =>
      send('/api/admin/wallet/refunds', json(body, await adminHeaders(key))),
    );
  };
  const upload = async () => {
    const key = randomUUID();
    const rows = Array.from(
      { length: rowsOfImport },
      (_, row) => `https://r${row}.${key}.example.com,${(row % 90) + 10},35`,
    );
    await operate('import', key, 200, async () => {
      const form = new FormData();
      form.append('file', new Blob([`url,dr,price\n${rows.join('\n')}\n`]), 'sites.csv');
      return send('/api/guest-posts/upload', { method: 'POST', headers: await adminHeaders(key), body: form });
    });
    await sleep(pauseMs.import);
  };
  const during = async (work: () => Promise<unknown>) => {
    while (isOn) await work();
  };
  await fetch(`${gatewayUrl}/controls/stripe`, json({ mode: 'hold' }));
  const works = [...Array.from({ length: orderingClients }, () => order), topUp, refund, upload].map(during);
  const running = Promise.all(works);
  // Reported by `stop`.
  running.catch(() => undefined);

  const answered = (name: string, kind?: Kind) =>
    [...operations.values()].filter(
      (one) => one.answeredAt !== undefined && one.phase === name && (kind === undefined || one.kind === kind),
    );
  return {
    /** Names the operations from now on. */
    enter: (name: string) => {
      phase = name;
    },
    /** Waits until orders are acknowledged that were sent from now on. */
    waitForOrders: async (count: number, seconds: number) => {
      const from = Date.now();
      const fresh = () =>
        [...operations.values()].filter(
          ({ kind, sentAt, answeredAt }) => kind === 'order' && sentAt > from && answeredAt,
        );
      for (const deadline = from + seconds * 1_000; fresh().length < count; await sleep(100)) {
        await Promise.race([running, sleep(0)]);
        if (Date.now() > deadline)
          throw new Error(
            `${fresh().length} of ${count} orders were acknowledged in ${seconds} seconds. The last answer was: ${lastAnswer}`,
          );
      }
    },
    /** The longest time without an acknowledged order since a moment, in seconds. */
    secondsWithoutService: (from: number): number => {
      const times = [...operations.values()].flatMap(({ kind, answeredAt }) =>
        kind === 'order' && answeredAt !== undefined && answeredAt > from - 1_000 ? answeredAt : [],
      );
      const sorted = [...times, Date.now()].sort((one, other) => one - other);
      return Math.max(...sorted.map((time, index) => time - (sorted[index - 1] ?? time))) / 1_000;
    },
    acknowledged: (name: string) => answered(name).length,
    stop: async () => {
      isOn = false;
      await running;
    },
    /**
     * Delivers every payment once more, after the acknowledged top-ups were looked up, and compares the database and the provider with the journal.
     * @param until the time that the database was restored to: later operations may be missing, and balances differ
     */
    compare: async (until = Number.POSITIVE_INFINITY): Promise<Comparison> => {
      // Before the repeated delivery, which would credit a payment that was lost.
      const credited = z.object({ key: z.string() });
      const creditedKeys = new Set(
        (
          await rowsOf(
            credited,
            sql`select provider_reference as key from topups
            where account_id = ${payer.userId} and status in ('paid', 'refunded')`,
          )
        ).map(({ key }) => key),
      );
      for (const session of paid) await control(`/sessions/${session}/redeliver`);
      const counts = new Map<string, number>();
      const count = async (statement: ReturnType<typeof sql>, expected = 1) => {
        for (const { key, found } of await rowsOf(z.object({ key: z.string(), found: z.coerce.number() }), statement))
          counts.set(key, found / expected);
      };
      await count(sql`select idempotency_key as key, count(orders.id) as found from checkouts
        left join orders on orders.checkout_id = checkouts.id where checkouts.account_id = ${buyer.userId} group by 1`);
      await count(sql`select provider_reference as key, count(*) as found from topups
        where account_id = ${payer.userId} and status in ('paid', 'refunded') group by 1`);
      await count(sql`select idempotency_key as key, count(*) as found from source_refunds
        where requested_by = ${admin.userId} group by 1`);
      await count(
        sql`select split_part(url_key, '.', 2) as key, count(*) as found from sites
        where owner_id = ${admin.userId} and url_key like 'r%' group by 1`,
        rowsOfImport,
      );
      const all = [...operations.values()];
      const present = (kind: Kind) => all.filter(({ kind: own, key }) => own === kind && counts.has(key)).length;
      const balances = {
        buyer: [await getWalletBalance(buyer.userId), fundsCents - present('order') * priceCents],
        payer: [await getWalletBalance(payer.userId), paid.size * topupCents - present('refund') * refundCents],
        'refunded at the provider': [await refundedAtProvider(gatewayUrl, paid), present('refund') * refundCents],
      };
      const missing = all.filter(
        ({ kind, key, answeredAt }) =>
          answeredAt !== undefined && !(kind === 'top-up' ? creditedKeys.has(key) : counts.has(key)),
      );
      const later = missing.filter(({ answeredAt = 0 }) => answeredAt >= until);
      return {
        lost: missing.filter((one) => !later.includes(one)),
        afterwards: Object.fromEntries(kinds.map((kind) => [kind, later.filter((one) => one.kind === kind).length])),
        // A part of an import counts too.
        doubled: all.filter(({ key }) => counts.has(key) && counts.get(key) !== 1),
        unacknowledged: all.filter(({ answeredAt }) => answeredAt === undefined).length,
        present: Object.fromEntries(kinds.map((kind) => [kind, present(kind)])),
        acknowledged: Object.fromEntries(
          kinds.map((kind) => [kind, all.filter((one) => one.kind === kind && one.answeredAt !== undefined).length]),
        ),
        wrongBalances: Object.entries(balances).flatMap(([name, [is, expected]]) =>
          is === expected ? [] : [`${name}: ${is} cents instead of ${expected}`],
        ),
      };
    },
  };
}

export type Comparison = {
  lost: Operation[];
  /** Missing operations that were acknowledged after the time of a restore, by kind. */
  afterwards: Record<string, number>;
  doubled: Operation[];
  unacknowledged: number;
  present: Record<string, number>;
  acknowledged: Record<string, number>;
  wrongBalances: string[];
};

const delivered = z.object({ deliveries: z.array(z.object({ state: z.string() })) });

async function refundedAtProvider(gatewayUrl: string, sessions: Set<string>): Promise<number> {
  let sum = 0;
  for (const session of sessions) {
    const answer = await fetch(`${gatewayUrl}/sessions/stripe/${session}`, { headers: { accept: 'application/json' } });
    sum += z.object({ amount_refunded: z.number() }).parse(await answer.json()).amount_refunded;
  }
  return sum;
}

async function rowsOf<Row>(row: z.ZodType<Row>, statement: ReturnType<typeof sql>): Promise<Row[]> {
  return z.array(row).parse([...(await db().execute(statement))]);
}
