import { afterEach, expect, it, vi } from 'vitest';
import { addressForLog } from '@/lib/log/address-for-log';

const settings = vi.hoisted(() => ({ LOG_ADDRESSES: 'full', TRUSTED_PROXY_HOPS: 1 }));
vi.mock('@/lib/env', () => ({ env: () => settings }));

afterEach(() => {
  settings.LOG_ADDRESSES = 'full';
});

it.each([
  ['full', '203.0.113.9', '203.0.113.9'],
  ['full', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2:3:4:5:6'],
  ['network', '203.0.113.9', '203.0.113.0'],
  ['network', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['off', '203.0.113.9', undefined],
  ['full', 'made up', undefined],
])('LOG_ADDRESSES=%s logs %s as %s', (setting, caller, logged) => {
  settings.LOG_ADDRESSES = setting;
  expect(addressForLog({ headers: { 'x-forwarded-for': `198.51.100.1, ${caller}` } })).toBe(logged);
});
