/** Ordered, because later browsers are also named in the user agents of earlier ones. */
const browsers: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrome\/|\bCriOS\/|\bHeadlessChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
  [/^curl\//, 'curl'],
];

const systems: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

export type UserAgentInfo = { browser: string | null; system: string | null; isPhone: boolean };

/** Recognizes the browser and system for display. The user agent is not proof of either. */
export function describeUserAgent(userAgent: string): UserAgentInfo {
  const findName = (list: [RegExp, string][]) => list.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;
  const system = findName(systems);
  return {
    browser: findName(browsers),
    system,
    isPhone: system !== null && ['iPhone', 'iPad', 'Android'].includes(system),
  };
}

/** Returns e.g. "Chrome on Windows", or the part that is known. */
export function formatDevice({ browser, system }: Pick<UserAgentInfo, 'browser' | 'system'>): string {
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? 'Unknown device';
}
