export type ConsoleParameter = { name: string; place: 'path' | 'query' | 'header'; required: boolean };

type Operation = { method: string; path: string; parameters: readonly ConsoleParameter[] };

/**
 * Builds a request of an operation. Empty parameters are omitted. With a token the request has no cookie, so that it does
 * exactly what a program with that token can do.
 * @param fieldOf the value of a field: "query limit", "body" or "token"
 */
export function buildRequest(
  { method, path, parameters }: Operation,
  fieldOf: (field: string) => string,
): { url: string; init: RequestInit } {
  const given = parameters
    .map(({ name, place }) => ({ name, place, value: fieldOf(`${place} ${name}`).trim() }))
    .filter(({ value }) => value !== '');
  const of = (wanted: ConsoleParameter['place']) =>
    given.filter(({ place }) => place === wanted).map(({ name, value }): [string, string] => [name, value]);
  // A browser resolves dots as folders, which would be another address.
  const inPath = new Map(of('path').filter(([, value]) => !/^\.{1,2}$/.test(value)));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath.get(name) ?? `{${name}}`));
  const query = new URLSearchParams(of('query'));
  const [token, body] = [fieldOf('token').trim(), fieldOf('body')];
  const headers = new Headers(of('header'));
  if (token) headers.set('Authorization', `Bearer ${token}`);
  if (body) headers.set('Content-Type', 'application/json');
  return {
    url: filled + (query.size > 0 ? `?${query}` : ''),
    init: { method, headers, credentials: token ? 'omit' : 'same-origin', ...(body && { body }) },
  };
}
