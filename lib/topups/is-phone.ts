const phones = /\b(?:Mobile|Android|iPhone|iPad|iPod|MicroMessenger|HarmonyOS)\b/i;

/** Does this request come from a device that has the payment apps itself? By what the browser says of itself. */
export function isPhone(headers: Pick<Headers, 'get'>): boolean {
  return headers.get('sec-ch-ua-mobile') === '?1' || phones.test(headers.get('user-agent') ?? '');
}
