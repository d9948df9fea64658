/** The response contains the redirect URL in one of these fields, depending on the provider. */
const names = ['url', 'checkoutUrl', 'h5_url', 'mweb_url', 'approvalUrl', 'approveUrl', 'approval_url'];

/** Returns the redirect URL of a top-up response; null if it has no HTTP URL. */
export function checkoutUrlOf(response: unknown): string | null {
  if (typeof response !== 'object' || response === null) return null;
  const fields = new Map<string, unknown>(Object.entries(response));
  const found = names.map((name) => fields.get(name)).find((value) => typeof value === 'string' && value !== '');
  return typeof found === 'string' && /^https?:\/\//i.test(found) ? found : null;
}
