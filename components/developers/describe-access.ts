import type { Operation } from '@/lib/platform/openapi/operation';

/** Describes who has access to an operation. */
export function describeAccess({ 'x-access': access, 'x-proof': proof }: Operation): string {
  if (proof === 'signature') return 'The provider, authenticated by its signature';
  if (proof === 'cron secret') return 'The cron job, authenticated by its secret';
  if (proof === 'metrics token') return 'Monitoring, authenticated by its token or address';
  if (access === 'public') return 'Everyone';
  if (access === 'session') return 'Any signed-in user';
  if (access === 'seller') return 'Sellers';
  return `Staff: ${typeof access === 'string' ? access : access.join(' or ')}`;
}
