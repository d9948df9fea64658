type RequestHeaders = Pick<Headers, 'get'>;

const phones = /\b(?:Mobile|Android|iPhone|iPad|iPod|HarmonyOS)\b/i;

/** Does this request come from a phone or tablet? By what the browser says of itself. */
export function isPhone(headers: RequestHeaders): boolean {
  return headers.get('sec-ch-ua-mobile') === '?1' || phones.test(headers.get('user-agent') ?? '');
}

/** Does this request come from the browser inside of WeChat's app, on a phone or a computer? */
export function isWeChatBrowser(headers: RequestHeaders): boolean {
  return /\bMicroMessenger\b/i.test(headers.get('user-agent') ?? '');
}

/**
 * Can a page here open WeChat's app to pay (H5)? Only in the browser of a phone: WeChat Pay refuses H5 payments in the
 * browser inside of its app.
 */
export function canOpenWeChat(headers: RequestHeaders): boolean {
  return isPhone(headers) && !isWeChatBrowser(headers);
}
