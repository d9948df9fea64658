import { redirect } from 'next/navigation';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { trendPercent } from '@/lib/dashboard/admin';
import { loadOrEmpty } from '@/lib/dashboard/load-or-empty';
import { mergeNewest } from '@/lib/dashboard/seller';

afterEach(() => vi.restoreAllMocks());

describe('loadOrEmpty', () => {
  it('returns the loaded value', async () => {
    await expect(loadOrEmpty('orders', Promise.resolve([1]), [])).resolves.toEqual([1]);
  });

  it("returns the empty value on failure and logs the section's name", async () => {
    const log = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    await expect(loadOrEmpty('orders', Promise.reject(new Error('no database')), [])).resolves.toEqual([]);
    expect(log).toHaveBeenCalledOnce();
    expect(String(log.mock.calls[0]?.[0])).toMatch(/no database.*orders could not be loaded/);
  });

  it('rethrows redirects', async () => {
    const leaving = (async () => redirect('/user/login'))();
    await expect(loadOrEmpty('orders', leaving, null)).rejects.toThrow('NEXT_REDIRECT');
  });
});

describe('mergeNewest', () => {
  it('merges the lists and keeps the newest entries', () => {
    const at = (day: number) => ({ at: new Date(Date.UTC(2026, 0, day)) });
    expect(mergeNewest([[at(1), at(5)], [at(3)], []], 2)).toEqual([at(5), at(3)]);
  });
});

describe('trendPercent', () => {
  it('compares with the previous period, and is null for a base below 10', () => {
    expect(trendPercent(15, 10)).toBe(50);
    expect(trendPercent(0, 10)).toBe(-100);
    expect(trendPercent(7, 0)).toBeNull();
    expect(trendPercent(1_603.72, 4.75)).toBeNull();
    expect(trendPercent(9, 9)).toBeNull();
  });
});
