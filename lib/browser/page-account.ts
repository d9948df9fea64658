/**
 * The `name` of the meta element with the account of a page: in the customer area the chosen one, with the name of a team in
 * `data-team`; elsewhere the personal one.
 */
export const pageAccountMeta = 'linkmarket-account';

/** Finds the element; null also outside a browser. */
const find = () =>
  typeof document === 'undefined' ? null : document.querySelector<HTMLMetaElement>(`meta[name="${pageAccountMeta}"]`);

/** Returns the account that the page was rendered for, which its requests name; undefined on pages without one. */
export const pageAccount = (): string | undefined => find()?.content;

/** Returns the name of the page's account, if it is not the personal account of the user. */
export const pageTeam = (): string | undefined => find()?.dataset.team;

/** The headers of a request for the account of the page, whichever account another tab has chosen. */
export function accountHeaders(): Record<string, string> {
  const accountId = pageAccount();
  return accountId === undefined ? {} : { 'X-Account': accountId };
}
