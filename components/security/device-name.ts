import type { UserAgentFacts } from '@/lib/auth/describe-user-agent';

/** "Chrome on Windows", or as much of it as is known. */
export function deviceName({ browser, system }: UserAgentFacts): string {
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? 'Unknown device';
}
