/** The redirect address may stand in any of these (spec 001, section 4). */
const names = ['url', 'checkoutUrl', 'h5_url', 'mweb_url', 'approvalUrl', 'approveUrl', 'approval_url'];

/** Where the answer of a top-up sends the browser; null when it names no web address. */
export function checkoutUrlOf(answer: unknown): string | null {
  if (typeof answer !== 'object' || answer === null) return null;
  const fields = new Map<string, unknown>(Object.entries(answer));
  const found = names.map((name) => fields.get(name)).find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' && /^https?:\/\//i.test(found) ? found : null;
}
