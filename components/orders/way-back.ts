/** The parameter of the wallet's address that holds where to go once the money is there. */
export const backParam = 'back';

/**
 * The address a server sent the browser to, told where to lead back to: the wallet goes there after the top-up.
 * @param back a path of ours
 */
export function withWayBack(url: string, back: string): string {
  if (!url.startsWith('/')) return url;
  const [path = '', query] = url.split('?', 2);
  const params = new URLSearchParams(query);
  params.set(backParam, back);
  return `${path}?${params}`;
}
