import { afterEach, describe, expect, it, vi } from 'vitest';
import { type OrderMessages, orderFailure } from '@/components/orders/order-failure';
import { type OrderRequest, orderAttemptsOf, sendOrder } from '@/components/orders/send-order';
import { withReturnUrl } from '@/components/wallet/return-url';
import { ApiError, apiFetch, newIdempotencyKey } from '@/lib/browser/api-client';

afterEach(() => vi.unstubAllGlobals());

const words: OrderMessages = {
  failed: 'Failed to add to orders',
  notFound: 'Orders endpoint not found on the backend.',
  done: 'Added to orders successfully.',
};
const failureOf = (...failure: ConstructorParameters<typeof ApiError>) => orderFailure(new ApiError(...failure), words);

describe('the message for a failed order', () => {
  it.each([0, 500, 502, 504])('says for status %i that the order may exist and a retry is safe', (status) => {
    const { kind, text } = failureOf(status, '');
    expect(kind).toBe('unanswered');
    expect(text).toMatch(/^Failed to add to orders: .*respon.*may still have been placed.*won’t be charged twice/);
  });

  it('names the sites that the project has ordered already', () => {
    const fields = { 12: 'Ordered on Nov 1.' };
    const failed = failureOf(409, 'One site is ordered already.', fields, null, 'duplicate_site');
    expect(failed).toEqual({ kind: 'duplicate', text: 'One site is ordered already.', fields });
  });

  it('keeps the request id of a failed server', () => {
    const failed = failureOf(500, 'Something went wrong on our side. Please try again. (Reference ab12)');
    expect(failed).toMatchObject({ kind: 'unanswered', text: expect.stringContaining('ab12') });
  });

  it("treats a disabled feature as a refusal, and a proxy's 503 as no response", () => {
    const off = 'Prices in INR cannot be charged right now.';
    expect(failureOf(503, off)).toEqual({ kind: 'refused', text: off });
    expect(failureOf(503, '').kind).toBe('unanswered');
  });

  it('distinguishes a used key from a site that is no longer on sale', () => {
    const used = failureOf(409, 'This Idempotency-Key was already used for another order.', {
      idempotencyKey: 'Used.',
    });
    expect(used).toMatchObject({ kind: 'used', text: expect.stringMatching(/My Orders.*“Pay” places/) });
    const stale = 'shop.example.com is no longer on sale.';
    expect(failureOf(409, stale)).toEqual({ kind: 'stale', text: stale });
  });

  it("uses the screen's own messages when the server sent none", () => {
    expect(failureOf(400, '')).toEqual({ kind: 'refused', text: 'Failed to add to orders' });
    expect(failureOf(404, '')).toMatchObject({ text: 'Orders endpoint not found on the backend.' });
  });
});

const order = (projectId: string, siteIds: number[], shownTotalCents = 500): OrderRequest => ({
  kind: 'custom',
  projectId,
  siteIds,
  shownTotalCents,
});

describe('the response to an order', () => {
  const answering = (status: number, body: BodyInit) =>
    vi.stubGlobal('fetch', async () => new Response(body, { status }));

  it('contains the orders, and may contain a URL to continue at', async () => {
    answering(201, JSON.stringify({ orders: [], url: 'https://pay.example.com/1' }));
    expect(await sendOrder(order('project', [1]), 'key')).toEqual({
      ...{ url: 'https://pay.example.com/1', placed: [], requestId: null },
    });
    const answerDueAt = '2026-11-28T12:00:00.000Z';
    answering(
      201,
      JSON.stringify({
        orders: [
          { id: 7, placement: { answerDueAt } },
          { id: 8, placement: null },
        ],
      }),
    );
    const placed = [
      { id: 7, answerDueAt },
      { id: 8, answerDueAt: null },
    ];
    expect(await sendOrder(order('project', [1]), 'key')).toEqual({ url: null, placed, requestId: null });
    answering(402, JSON.stringify({ error: 'This costs $5.00.', url: '/user/wallet?topup=5.00' }));
    await expect(sendOrder(order('project', [1]), 'key')).rejects.toMatchObject({ url: '/user/wallet?topup=5.00' });
  });

  it('counts as missing when it is truncated', async () => {
    answering(201, new ReadableStream({ start: (stream) => stream.error(new TypeError('network error')) }));
    await expect(apiFetch('/api/orders', { method: 'POST' })).rejects.toMatchObject({ status: 0 });
  });
});

it('adds the return URL for the wallet page, but not for another site', () => {
  const back = '/user/orders?new=package&package=3&quantity=2&checkout=01jd';
  const url = withReturnUrl('/user/wallet?topup=12.50', back);
  expect(new URLSearchParams(url.split('?')[1]).get('back')).toBe(back);
  expect(url.startsWith('/user/wallet?topup=12.50&back=')).toBe(true);
  expect(withReturnUrl('https://pay.example.com/1', back)).toBe('https://pay.example.com/1');
});

describe('the idempotency key of an order', () => {
  it('works without a secure context', () => {
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
    const keys = new Set(Array.from({ length: 100 }, newIdempotencyKey));
    expect(keys.size).toBe(100);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
  });

  it('is kept until the order changes or succeeds', () => {
    const attempts = orderAttemptsOf('user-1');
    const first = attempts.keyFor(order('project', [1, 2]));
    expect(attempts.keyFor(order('project', [1, 2]))).toBe(first);
    // A changed price on screen does not change the order.
    expect(attempts.keyFor(order('project', [1, 2], 700))).toBe(first);
    const others = [order('other', [1, 2]), order('other', [1]), order('project', [1])].map(attempts.keyFor);
    expect(new Set([first, ...others]).size).toBe(4);
    const last = attempts.keyFor(order('project', [1]));
    expect(last).toBe(others[2]);
    attempts.end();
    expect(attempts.keyFor(order('project', [1]))).not.toBe(last);
    expect(orderAttemptsOf('another').keyFor(order('project', [1]))).not.toBe(attempts.keyFor(order('project', [1])));
  });

  it('survives a reload', async () => {
    const kept = new Map<string, string>();
    const sessionStorage = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
      removeItem: (name: string) => void kept.delete(name),
    };
    vi.stubGlobal('window', { sessionStorage });
    const key = orderAttemptsOf('reloading').keyFor(order('project', [7]));
    vi.resetModules();
    const reloaded = await import('@/components/orders/send-order');
    expect(reloaded.orderAttemptsOf('reloading').keyFor(order('project', [7]))).toBe(key);
    const cart = { kind: 'cart', cartId: 'c1', version: 3, projectId: 'project', shownTotalCents: 500 } as const;
    reloaded.orderAttemptsOf('reloading').keyFor({ ...cart, allowDuplicates: true });
    vi.resetModules();
    const attempts = (await import('@/components/orders/send-order')).orderAttemptsOf('reloading');
    expect(attempts.findUnanswered('c2')).toBeNull();
    expect(attempts.findUnanswered('c1')).toEqual({ ...cart, allowDuplicates: true, shownTotalCents: 0 });
    kept.set('order_attempt_reloading', '"nonsense"');
    vi.resetModules();
    const damaged = await import('@/components/orders/send-order');
    expect(damaged.orderAttemptsOf('reloading').keyFor(order('project', [7]))).not.toBe(key);
  });
});
