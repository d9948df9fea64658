import { withParams } from '@/components/table/url';

/** The URL parameter of the wallet page that holds the URL to return to after a top-up. */
export const returnParam = 'back';

/**
 * Adds the return URL to a redirect of the server. The wallet page opens it after the top-up.
 * @param back a path of this app
 */
export function withReturnUrl(url: string, back: string): string {
  if (!url.startsWith('/')) return url;
  const [path = '', query] = url.split('?', 2);
  const params = new URLSearchParams(query);
  params.set(returnParam, back);
  return `${path}?${params}`;
}

/** Matches lib/payments/top-ups/contract.ts. */
const maxReturnUrl = 2_000;

/**
 * Builds the URLs of a top-up, which carry the page to return to after the payment.
 * @param wallet the path of the page that starts the top-up
 * @param back a path of this app; '' if none. It is dropped if the return URL exceeds the provider's limit.
 */
export function returnPages(wallet: string, back: string) {
  const returnUrl = withParams(wallet, {}, { [returnParam]: back });
  const returnPath = returnUrl.length <= maxReturnUrl ? back : '';
  return {
    returnUrl: returnPath === back ? returnUrl : wallet,
    /** Returns the provider's URL unchanged. Adds the return path to a URL of this app, which displays a QR code. */
    checkoutUrl: (url: string): string => {
      const { origin, pathname, href, searchParams } = new URL(url, window.location.origin);
      return origin === window.location.origin
        ? withParams(pathname, searchParams, { [returnParam]: returnPath })
        : href;
    },
  };
}

/** The response contains the redirect URL in one of these fields, depending on the provider. */
const names = ['url', 'checkoutUrl', 'h5_url', 'mweb_url', 'approvalUrl', 'approveUrl', 'approval_url'];

/** Returns the redirect URL of a top-up response; null if it has no HTTP URL. */
export function checkoutUrlOf(response: unknown): string | null {
  if (typeof response !== 'object' || response === null) return null;
  const fields = new Map<string, unknown>(Object.entries(response));
  const found = names.map((name) => fields.get(name)).find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' && /^https?:\/\//i.test(found) ? found : null;
}
