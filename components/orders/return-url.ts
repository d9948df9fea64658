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
