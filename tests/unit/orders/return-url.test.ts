import { afterEach, describe, expect, it, vi } from 'vitest';
import { returnPages } from '@/components/wallet/return-url';

afterEach(() => vi.unstubAllGlobals());

const query = (address: string) => new URLSearchParams(address.split('?')[1]);

describe('the return URL of a top-up', () => {
  const back = '/user/orders?new=package&package=3&quantity=2&projectId=01jd';

  it("keeps the page to return to on the app's own result pages", () => {
    vi.stubGlobal('window', { location: { origin: 'https://shop.example.com' } });
    const { returnUrl, checkoutUrl } = returnPages('/user/wallet', back);
    expect(query(returnUrl).get('back')).toBe(back);
    expect(checkoutUrl('https://pay.example.com/c/1?x=2')).toBe('https://pay.example.com/c/1?x=2');
    expect(query(checkoutUrl('https://shop.example.com/user/wallet/wechat/01jd')).get('back')).toBe(back);
  });

  it('is unchanged without one, or when it would be too long', () => {
    expect(returnPages('/user/wallet', '').returnUrl).toBe('/user/wallet');
    expect(returnPages('/user/wallet', `/user/orders?q=${'я'.repeat(600)}`).returnUrl).toBe('/user/wallet');
  });
});
