import type { ParsedPage } from './parse-page';

/** Headers of answers that a protection service gives in place of the page. */
const headerSigns: readonly (readonly [name: string, value: RegExp])[] = [
  ['cf-mitigated', /challenge/i],
  ['x-amzn-waf-action', /challenge|captcha/i],
  ['x-vercel-mitigated', /challenge|deny/i],
  ['sg-captcha', /challenge/i],
];

/** Titles of such pages: Cloudflare, Sucuri, DDoS-Guard, Imperva, DataDome, HUMAN, Akamai. */
const titles =
  /^(just a moment|attention required! \| cloudflare|please wait\.{3}|access denied|sucuri website firewall|ddos-guard|robot challenge screen|human verification|verify you are human|are you a (robot|human)|security check(point)?|one moment, please|checking your browser|bot verification|vercel security checkpoint|pardon our interruption)/i;

/** Code that only the pages of these services contain, unlike the scripts that they add to ordinary pages. */
const codeSigns = [
  '_cf_chl_opt',
  'sucuri_cloudproxy_js',
  'captcha-delivery.com',
  '/_Incapsula_Resource?',
  '/.well-known/sgcaptcha/',
  'px-captcha',
  'awsWafCookieDomainList',
  '/.well-known/ddos-guard/',
] as const;

/** Above this length the page has content of its own. */
const maxWallText = 2_000;

export function isWallByHeaders(headers: Partial<Record<string, string[]>>): boolean {
  return headerSigns.some(([name, value]) => headers[name]?.some((text) => value.test(text)));
}

/** Whether a page asks for a proof that its visitor is human. Ask it only about pages without the link. */
export function isWallPage(page: ParsedPage, body: Uint8Array): boolean {
  if (page.visibleText.length > maxWallText) return false;
  if (titles.test(page.title)) return true;
  const code = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
  return codeSigns.some((sign) => code.includes(sign));
}
