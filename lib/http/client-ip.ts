/**
 * The caller's address as the nearest proxy reports it: the last hop of X-Forwarded-For, which a caller cannot forge
 * when a proxy (nginx, Vercel) appends to it. An IPv4 address in IPv6's dress is undressed. Empty when nobody said.
 */
export function clientIp(headers: Pick<Headers, 'get'>): string {
  const last = headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() ?? '';
  return last.replace(/^::ffff:(?=\d+\.)/i, '').slice(0, 64);
}
