import { afterEach, describe, expect, it, vi } from 'vitest';
import { orderFailure } from '@/components/sites/place-order';
import { selectionStoreOf } from '@/components/sites/selection-store';
import { ApiError, apiFetch } from '@/lib/http/client';
import { newIdempotencyKey } from '@/lib/http/idempotency-key';

afterEach(() => vi.unstubAllGlobals());

describe('what is told about an order that did not go through', () => {
  it.each([0, 500, 502, 504])('%i: it may have been placed, and trying again is safe', (status) => {
    const { kind, text, topUpUrl } = orderFailure(new ApiError(status, ''));
    expect([kind, topUpUrl]).toEqual(['unanswered', null]);
    expect(text).toMatch(/^Failed to add to orders: .*no answer.*may have been placed.*never charged twice/);
  });

  it('keeps the reference of a server that failed', () => {
    const failed = new ApiError(500, 'Something went wrong on our side. Please try again. (Reference ab12)');
    expect(orderFailure(failed)).toMatchObject({ kind: 'unanswered', text: expect.stringContaining('ab12') });
  });

  it('tells a key that was used apart from a site that is no longer on sale', () => {
    const used = new ApiError(409, 'This Idempotency-Key was used for another order.', { idempotencyKey: 'Used.' });
    expect(orderFailure(used)).toMatchObject({ kind: 'used', text: expect.stringContaining('My Orders') });
    const stale = new ApiError(409, 'shop.example.com is no longer on sale.');
    expect(orderFailure(stale)).toMatchObject({ kind: 'stale', text: stale.message });
  });

  it('shows the words of the specification where the server sent none', () => {
    expect(orderFailure(new ApiError(400, ''))).toMatchObject({ kind: 'refused', text: 'Failed to add to orders' });
    expect(orderFailure(new ApiError(404, ''))).toMatchObject({ text: 'Orders endpoint not found on the backend.' });
    const poor = new ApiError(402, 'This costs $5.00.', {}, '/user/wallet?topup=5.00');
    expect(orderFailure(poor)).toMatchObject({ kind: 'refused', topUpUrl: '/user/wallet?topup=5.00' });
  });
});

it('takes an answer that breaks off for none', async () => {
  const body = new ReadableStream({ start: (stream) => stream.error(new TypeError('network error')) });
  vi.stubGlobal('fetch', async () => new Response(body, { status: 201 }));
  await expect(apiFetch('/api/orders', { method: 'POST' })).rejects.toMatchObject({ status: 0 });
});

describe('the key of an order', () => {
  it('needs no secure context', () => {
    vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) });
    const keys = new Set(Array.from({ length: 100 }, newIdempotencyKey));
    expect(keys.size).toBe(100);
    for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/);
  });

  it('stays until something else is ordered or the order is done', () => {
    const store = selectionStoreOf('somebody');
    const first = store.attemptKey('project', [1, 2]);
    expect(store.attemptKey('project', [1, 2])).toBe(first);
    const others = [
      store.attemptKey('other', [1, 2]),
      store.attemptKey('other', [1]),
      store.attemptKey('project', [1]),
    ];
    expect(new Set([first, ...others]).size).toBe(4);
    const last = store.attemptKey('project', [1]);
    expect(last).toBe(others[2]);
    store.endAttempt();
    expect(store.attemptKey('project', [1])).not.toBe(last);
    expect(selectionStoreOf('another').attemptKey('project', [1])).not.toBe(store.attemptKey('project', [1]));
  });

  it('outlives a reload', async () => {
    const kept = new Map<string, string>();
    const sessionStorage = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
      removeItem: (name: string) => void kept.delete(name),
    };
    vi.stubGlobal('window', { sessionStorage });
    const key = selectionStoreOf('reloading').attemptKey('project', [7]);
    vi.resetModules();
    const reloaded = await import('@/components/sites/selection-store');
    expect(reloaded.selectionStoreOf('reloading').attemptKey('project', [7])).toBe(key);
    kept.set('marketplace_attempt_reloading', '"nonsense"');
    vi.resetModules();
    const damaged = await import('@/components/sites/selection-store');
    expect(damaged.selectionStoreOf('reloading').attemptKey('project', [7])).not.toBe(key);
  });
});
