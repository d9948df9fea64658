import { env } from '../env';
import { AppError } from '../errors';

/** What a URL parser silently drops or turns into a slash, and so could hide another host. */
const misleading = /[\s\\\p{Cc}]/u;

/**
 * The addresses a provider sends the buyer back to: the given page of ours, marked with what happened.
 * @param returnUrl a path of ours ("/user/wallet") or an absolute address with our own origin
 * @throws AppError invalid_input for any other origin, and for what is no plain address
 */
export function topupReturnUrls(
  returnUrl: string,
  topupId: string,
  appUrl = env().APP_URL,
): { successUrl: string; cancelUrl: string } {
  const page = ownPage(returnUrl, new URL(appUrl).origin);
  for (const name of ['success', 'cancelled', 'topup', 'session_id']) page.searchParams.delete(name);
  const marked = (mark: string) => {
    const url = new URL(page);
    url.searchParams.set(mark, '1');
    url.searchParams.set('topup', topupId);
    return url.href;
  };
  return { successUrl: marked('success'), cancelUrl: marked('cancelled') };
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
