import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { fundWallet } from '@/tests/factories/fund-wallet';
import { makeAccount } from '@/tests/factories/make-account';
import { makeProject } from '@/tests/factories/make-project';
import { bearerOf } from '@/tests/setup/bearer-of';

const answerTimeoutMs = 30_000;
const pauseMs = 200;
const fundsCents = 1_000_000_00;

type Phase = { name: string; reads: number; waits: number; stale: string[]; abandoned: number };
type Who = Record<string, string>;

const site = z.object({ id: z.number(), version: z.number() });
const listed = z.array(z.object({ id: z.number(), price: z.number().nullable() }));
const ordered = z.object({ orders: z.array(z.object({ id: z.number() })) });

/**
 * Makes the changes of a marketplace, one after the other, and reads after each what it must have changed, from another
 * instance than the one that made it: sites by staff, the block list and orders by a buyer, with a session and with an API
 * token. A change without an answer ends the round. A read that fails is repeated; one that succeeds without the change
 * is stale.
 * @param origins the instances
 */
export async function startJourneys(appUrl: string, origins: string[], clients = 3) {
  const seller = await makeAccount({ role: 'Seller' });
  const phases: Phase[] = [];
  let [isOn, turn] = [true, 0];
  const phase = () => phases.at(-1) ?? enter('start');
  const enter = (name: string) => {
    const entered = { name, reads: 0, waits: 0, stale: [], abandoned: 0 };
    phases.push(entered);
    return entered;
  };

  const send = async (who: Who, method: string, path: string, body?: unknown, headers: Who = {}) => {
    turn += 1;
    const init = {
      method,
      headers: {
        origin: appUrl,
        accept: '*/*',
        ...who,
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(answerTimeoutMs),
    };
    try {
      const answer = await fetch(`${origins[turn % origins.length]}${path}`, init);
      return { status: answer.status, text: await answer.text() };
    } catch {
      return { status: 0, text: '' };
    }
  };
  /** @returns the body; null without an answer, or when the change could not be made now */
  const change = async (...request: Parameters<typeof send>): Promise<unknown> => {
    const { status, text } = await send(...request);
    if (status >= 200 && status < 300) return JSON.parse(text);
    if (status > 0 && status < 500 && status !== 409 && status !== 429)
      throw new Error(`${request[1]} ${request[2]} was answered with ${status}: ${text.slice(0, 300)}`);
    phase().abandoned += 1;
    await sleep(pauseMs);
    return null;
  };
  const read = async (who: Who, path: string, isCurrent: (text: string) => boolean) => {
    for (const deadline = Date.now() + 90_000; isOn || Date.now() < deadline; await sleep(pauseMs)) {
      const { status, text } = await send(who, 'GET', path);
      if (status !== 200) {
        if (status > 0 && status < 500 && status !== 429)
          throw new Error(`GET ${path} was answered with ${status}: ${text.slice(0, 300)}`);
        phase().waits += 1;
        if (Date.now() > deadline) throw new Error(`GET ${path} was not answered for 90 seconds.`);
        continue;
      }
      phase().reads += 1;
      if (!isCurrent(text)) phase().stale.push(`${path} at ${new Date().toISOString()}`);
      return;
    }
  };

  const openClient = async () => {
    const buyer = await makeAccount();
    await fundWallet(buyer.userId, fundsCents);
    const projectId = await makeProject(buyer);
    const session = await bearerOf(buyer.userId);
    const staff = await bearerOf((await makeAccount({ role: 'Admin' })).userId);
    const made = await change(session, 'POST', '/api/tokens', { name: 'Journey', scopes: ['read', 'orders:write'] });
    const token = { authorization: `Bearer ${z.object({ token: z.string() }).parse(made).token}` };

    return async () => {
      const mark = randomUUID().slice(0, 13);
      const domain = `j${mark}.com`;
      const values = {
        url: `https://${domain}`,
        name: `Journey ${mark}`,
        publicPrice: 30,
        price: 20,
        status: 'Approved',
      };
      const created = await change(staff, 'POST', '/api/guest-posts', { ...values, userId: seller.userId });
      if (!created) return;
      const { id, version } = site.parse(created);
      const search = `/api/guest-posts?limit=5&q=${mark}`;
      const costs = (price: number | null) => (text: string) => {
        const [found] = listed.parse(JSON.parse(text)).filter((one) => one.id === id);
        return (found?.price ?? null) === price;
      };
      await read(session, search, costs(30));
      await read(staff, `/dashboard/features/guest-posts/export?q=${mark}`, (text) => text.includes(domain));
      if (!(await change(staff, 'PUT', `/api/guest-posts/${id}`, { publicPrice: 40, version }))) return;
      await read(token, search, costs(40));
      await read(staff, `/dashboard/features/guest-posts/export?q=${mark}`, (text) => /,40(\.00)?,USD/.test(text));

      if (!(await change(token, 'PUT', '/api/user/blocklist', { domains: [domain] }))) return;
      await read(session, search, costs(null));
      if (!(await change(session, 'PUT', '/api/user/blocklist', { domains: ['no-such-listing.com'] }))) return;
      await read(token, search, costs(40));

      const body = { kind: 'custom', projectId, siteIds: [id] };
      const who = id % 2 === 0 ? session : token;
      const placed = await change(who, 'POST', '/api/orders', body, { 'idempotency-key': randomUUID() });
      if (!placed) return;
      const [order] = ordered.parse(placed).orders;
      await read(session, '/user', (text) => text.includes(`/user/orders?order=${order?.id}`));
      await sleep(pauseMs);
    };
  };
  const running = Promise.all(
    Array.from({ length: clients }, async () => {
      const round = await openClient();
      while (isOn) await round();
    }),
  );
  // Reported by `stop`.
  running.catch(() => undefined);
  return {
    phases,
    /** Names what follows. */
    enter: (name: string) => void enter(name),
    stop: async () => {
      isOn = false;
      await running;
    },
    /** Waits, or rejects when a client failed. */
    wait: (seconds: number) => Promise.race([sleep(seconds * 1_000), running]),
  };
}
