import { env } from '../env';
import { AppError } from '../errors';

/** What a URL parser silently drops or turns into a slash, and so could hide another host. */
const misleading = /[\s\\\p{Cc}]/u;

/** What we or a provider put into the address of somebody who comes back. */
const marks = ['success', 'cancelled', 'topup', 'session_id', 'token', 'PayerID'];

/**
 * The addresses a provider sends the buyer back to: the given pages of ours, marked with what happened.
 * @param pages paths of ours ("/user/wallet") or absolute addresses with our own origin; without `cancelUrl` both are one
 * @throws AppError invalid_input for any other origin, and for what is no plain address
 */
export function topupReturnUrls(
  { returnUrl, cancelUrl }: { returnUrl: string; cancelUrl?: string | undefined },
  topupId: string,
  appUrl = env().APP_URL,
): { successUrl: string; cancelUrl: string } {
  const { origin } = new URL(appUrl);
  const marked = (page: string, mark: string) => {
    const url = ownPage(page, origin);
    for (const name of marks) url.searchParams.delete(name);
    url.searchParams.set(mark, '1');
    url.searchParams.set('topup', topupId);
    return url.href;
  };
  return { successUrl: marked(returnUrl, 'success'), cancelUrl: marked(cancelUrl ?? returnUrl, 'cancelled') };
}

function ownPage(returnUrl: string, origin: string): URL {
  const isPath = returnUrl.startsWith('/') && !returnUrl.startsWith('//');
  const isAbsolute = /^https?:\/\//i.test(returnUrl);
  if (misleading.test(returnUrl) || !(isPath || isAbsolute) || !URL.canParse(returnUrl, origin)) throw foreign();
  const url = new URL(returnUrl, origin);
  if (url.origin !== origin || url.username !== '' || url.password !== '') throw foreign();
  url.hash = '';
  return url;
}

const foreign = () =>
  new AppError('invalid_input', 'The return address must be a page of this site.', {
    fields: { returnUrl: 'The return address must be a page of this site.' },
  });
