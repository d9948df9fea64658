/** The awaited `searchParams` of a Next.js page. */
export type SearchParams = Record<string, string | string[] | undefined>;

/** Null, undefined, '' and an empty list remove a parameter; a list repeats it. */
export type ParamChanges = Record<string, string | number | readonly string[] | null | undefined>;

/** The URL of the same list with some parameters changed. The others stay, in their order. */
export function withParams(
  pathname: string,
  searchParams: SearchParams | URLSearchParams,
  changes: ParamChanges,
): string {
  const next = searchParams instanceof URLSearchParams ? new URLSearchParams(searchParams) : fromRecord(searchParams);
  for (const [name, value] of Object.entries(changes)) {
    if (typeof value === 'object' && value !== null) {
      next.delete(name);
      for (const item of value) next.append(name, item);
    } else if (value === null || value === undefined || value === '') next.delete(name);
    else next.set(name, String(value));
  }
  const query = next.toString();
  return query ? `${pathname}?${query}` : pathname;
}

function fromRecord(params: SearchParams): URLSearchParams {
  const next = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) {
    for (const item of Array.isArray(value) ? value : [value]) if (item !== undefined) next.append(name, item);
  }
  return next;
}

/**
 * The first value of a parameter that may be repeated; '' when it is absent. Removes NUL, which PostgreSQL does not
 * accept in text.
 */
export function oneParam(searchParams: SearchParams, name: string): string {
  return allParams(searchParams, name)[0] ?? '';
}

/** The values of a parameter that may be repeated, without NUL. */
export function allParams(searchParams: SearchParams, name: string): string[] {
  return [searchParams[name] ?? []].flat().map((value) => value.replaceAll('\u0000', ''));
}
