/**
 * The caller's address as the nearest proxy reports it: the last hop of X-Forwarded-For, which a caller cannot forge
 * when a proxy (nginx, Vercel) appends to it. Empty when nobody said.
 */
export function clientIp(headers: Pick<Headers, 'get'>): string {
  return headers.get('x-forwarded-for')?.split(',').at(-1)?.trim().slice(0, 64) ?? '';
}
