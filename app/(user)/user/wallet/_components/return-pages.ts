import { backParam } from '@/components/orders/way-back';
import { withParams } from '@/components/table/url';

/** As lib/payments/top-ups/schemas.ts has it. */
const maxReturnUrl = 2_000;

/**
 * Where a top-up leads, with the page that waits for the money kept on the way.
 * @param wallet the path of the page that starts it
 * @param back a path of ours; '' for none. One that is too long for a provider's return address is let go.
 */
export function returnPages(wallet: string, back: string) {
  const returnUrl = withParams(wallet, {}, { [backParam]: back });
  const kept = returnUrl.length <= maxReturnUrl ? back : '';
  return {
    returnUrl: kept === back ? returnUrl : wallet,
    /** The provider's page as it is; a page of ours (a code to scan) is told the way back itself. */
    checkoutUrl: (url: string): string => {
      const { origin, pathname, href, searchParams } = new URL(url, window.location.origin);
      return origin === window.location.origin ? withParams(pathname, searchParams, { [backParam]: kept }) : href;
    },
  };
}
