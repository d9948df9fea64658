import { describe, expect, it } from 'vitest';
import { checkoutUrlOf } from '@/components/wallet/return-url';

const url = 'https://checkout.example.com/c/1';

describe('the checkout URL of a top-up', () => {
  it.each(['url', 'checkoutUrl', 'h5_url', 'mweb_url', 'approvalUrl', 'approveUrl', 'approval_url'])(
    'is read from %s',
    (name) => {
      expect(checkoutUrlOf({ [name]: url, other: 1 })).toBe(url);
    },
  );

  it.each([null, undefined, 'text', [], {}, { url: '' }, { url: 7 }, { url: 'javascript:alert(1)' }, { url: '/pay' }])(
    'is missing in %j',
    (answer) => {
      expect(checkoutUrlOf(answer)).toBeNull();
    },
  );
});
