import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createVersionedCache } from '@/lib/sites/catalogue/versioned-cache';

describe('the response cache', () => {
  it('never returns a value of another version, for any sequence of requests', async () => {
    const ask = fc.record({
      version: fc.constantFrom('a', 'b', 'c'),
      key: fc.constantFrom('x', 'y', 'z', 'a x'),
      length: fc.integer({ min: 0, max: 400 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(ask, { maxLength: 60 }), async (asks) => {
        const memory = createVersionedCache<{ made: string; length: number }>(800, ({ length }) => length);
        for (const { version, key, length } of asks) {
          const made = `${version}/${key}`;
          expect((await memory.read(version, key, async () => ({ made, length }))).made).toBe(made);
          expect(memory.bytes()).toBeLessThanOrEqual(800);
        }
      }),
    );
  });

  it('computes a value once for concurrent requests, and again after a write', async () => {
    const memory = createVersionedCache<number>(1_000, () => 8);
    let made = 0;
    const make = async () => {
      made += 1;
      return made;
    };
    const ask = (version: string) => memory.read(version, 'key', make);
    expect(await Promise.all([ask('1'), ask('1'), ask('1')])).toEqual([1, 1, 1]);
    expect(await ask('1')).toBe(1);
    expect(await ask('2')).toBe(2);
  });

  it('passes an error to all waiting requests, and does not cache it', async () => {
    const memory = createVersionedCache<string>(1_000, () => 8);
    const fail = async () => {
      throw new Error('no connection');
    };
    const answers = await Promise.allSettled([memory.read('1', 'key', fail), memory.read('1', 'key', fail)]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await memory.read('1', 'key', async () => 'there')).toBe('there');
  });

  it('evicts the least recently used entry, and stores nothing with a size of zero', async () => {
    const memory = createVersionedCache<string>(850, () => 90);
    const make = async () => 'new';
    for (let index = 0; index < 8; index++) await memory.read('1', `k${index}`, async () => 'old');
    expect(await memory.read('1', 'k0', make)).toBe('old');
    await memory.read('1', 'k8', async () => 'old');
    expect(await memory.read('1', 'k0', make)).toBe('old');
    expect(await memory.read('1', 'k1', make)).toBe('new');
    const none = createVersionedCache<string>(0, () => 1);
    await none.read('1', 'key', async () => 'old');
    expect(await none.read('1', 'key', make)).toBe('new');
    expect(none.bytes()).toBe(0);
  });
});
