import { describe, expect, it } from 'vitest';
import { openClient } from '../setup/http-client';

const nonceOf = (policy: string | null) => /'nonce-([^']+)'/.exec(policy ?? '')?.[1] ?? '';

describe('every page', () => {
  it.each(['/user/login', '/register', '/nothing-here', '/logout', '/user/wallet/wechat/a.png'])(
    '%s allows scripts by a nonce of its own, and no inline ones',
    async (path) => {
      const client = openClient('linkmarket.session.0=nobody');
      const [first, second] = [await client.get(path), await client.get(path)];
      const policy = first.headers.get('content-security-policy') ?? '';
      const scripts = /script-src ([^;]+)/.exec(policy)?.[1] ?? '';
      expect(scripts).toContain("'strict-dynamic'");
      expect(scripts).not.toContain("'unsafe-inline'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(nonceOf(policy)).not.toBe('');
      expect(nonceOf(policy)).not.toBe(nonceOf(second.headers.get('content-security-policy')));
    },
  );

  it('carries the usual headers, and asks for https only where it came by https', async () => {
    const client = openClient();
    const plain = await client.get('/user/login');
    expect(plain.headers.get('x-content-type-options')).toBe('nosniff');
    expect(plain.headers.get('x-frame-options')).toBe('DENY');
    expect(plain.headers.get('referrer-policy')).not.toBeNull();
    expect(plain.headers.get('strict-transport-security')).toBeNull();
    const secure = await client.get('/user/login', { 'x-forwarded-proto': 'https' });
    expect(secure.headers.get('strict-transport-security')).toContain('max-age=');
  });
});
