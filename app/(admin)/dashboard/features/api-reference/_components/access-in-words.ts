import type { Operation } from '@/lib/platform/openapi/operation';

/** Who may call an operation, in a few words. */
export function accessInWords({ 'x-access': access, 'x-proof': proof }: Operation): string {
  if (proof === 'signature') return 'The provider, by its signature';
  if (proof === 'cron secret') return 'The cron, by its secret';
  if (access === 'public') return 'Everybody';
  if (access === 'session') return 'Anybody signed in';
  if (access === 'seller') return 'Sellers';
  return `Staff: ${typeof access === 'string' ? access : access.join(' or ')}`;
}
