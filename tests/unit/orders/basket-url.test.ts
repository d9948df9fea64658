import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { basketUrl, parseBasketUrl } from '@/components/sites/basket-url';
import { returnPages } from '@/components/wallet/return-url';
import { getReturnPath } from '@/lib/auth/portals';
import { maxSitesPerOrder } from '@/lib/orders/order/schemas';

afterEach(() => vi.unstubAllGlobals());

const query = (address: string) => new URLSearchParams(address.split('?')[1]);
const ids = fc.uniqueArray(fc.integer({ min: 1, max: 999_999_999 }), { minLength: 1, maxLength: maxSitesPerOrder });
const projectId = fc.stringMatching(/^[0-9a-z]{26}$/);

describe('the URL of a basket', () => {
  it('holds any basket that can be ordered, next to the filters', () => {
    fc.assert(
      fc.property(ids, projectId, fc.string({ maxLength: 40 }), (siteIds, project, q) => {
        const params = new URLSearchParams({ new: 'custom', q });
        const address = basketUrl('/user/orders', params, { projectId: project, siteIds });
        expect(parseBasketUrl(query(address))).toEqual({ projectId: project, siteIds });
        expect(query(address).get('q')).toBe(q === '' ? '' : q);
        // Short enough for a payment provider, and accepted by the wallet page.
        expect(encodeURIComponent(address).length).toBeLessThan(2_000);
        expect(getReturnPath(address, '', ['/user'])).not.toBe('');
      }),
    );
  });

  it.each(['', '?checkout=p', '?sites=1.2', '?checkout=p&sites=', '?checkout=p&sites=1,2', '?checkout=p&sites=x'])(
    'is rejected: %s',
    (text) => expect(parseBasketUrl(query(text || '?'))).toBeNull(),
  );
});

describe('the return URL of a top-up', () => {
  const back = '/user/orders?new=package&package=3&quantity=2&checkout=01jd';

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
