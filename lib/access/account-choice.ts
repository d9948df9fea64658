/** The account chosen in the switcher. Scripts of a page read it, to notice that another tab has switched. */
export const accountCookie = 'linkmarket.account';

/** The parameter of a link that opens a page of the customer area under an account; the middleware removes it. */
export const accountParam = 'account';

/** Adds the account to the path of a page of the customer area, with or without a query and a fragment. */
export function inAccount(path: string, accountId: string): string {
  const [address = '', fragment] = path.split('#');
  const separator = address.includes('?') ? '&' : '?';
  return `${address}${separator}${accountParam}=${accountId}${fragment === undefined ? '' : `#${fragment}`}`;
}
