import { afterEach, expect, it, vi } from 'vitest';
import { setClientIp } from '@/lib/platform/http/client-ip';
import { getLoggedAddress } from '@/lib/platform/http/log-requests';

const settings = vi.hoisted(() => ({ LOG_ADDRESSES: 'full', TRUSTED_PROXIES: { has: () => false } }));
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
  ['full', undefined, undefined],
])('LOG_ADDRESSES=%s logs %s as %s', (setting, caller, logged) => {
  settings.LOG_ADDRESSES = setting;
  const headers = {};
  setClientIp(headers, caller);
  expect(getLoggedAddress({ headers })).toBe(logged);
});
