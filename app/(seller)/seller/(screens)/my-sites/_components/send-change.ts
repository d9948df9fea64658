import { toast } from 'sonner';
import type { z } from 'zod';
import { countOf } from '@/components/ui/format';
import { apiFetch, redirectIfSignedOut } from '@/lib/browser/api-client';
import type { OwnBulkOutcome, ownBulkBody } from '@/lib/sites/own-bulk/schemas';

export type SentChange = z.input<typeof ownBulkBody>['change'];

/** Changes sites of the seller. @throws ApiError */
export const changeSites = (
  ids: readonly number[],
  change: SentChange,
  options: { dryRun?: boolean; preview?: string | undefined } = {},
): Promise<OwnBulkOutcome> =>
  apiFetch<OwnBulkOutcome>('/api/seller/sites/bulk', { method: 'POST', body: { ids, change, ...options } }).catch(
    redirectIfSignedOut,
  );

/** Describes the outcome of a change. @param verb in the past tense: "paused" */
export function describeOutcome({ count, changed, review, rejected }: OwnBulkOutcome, verb: string): void {
  const unchanged = count - changed - rejected.length;
  const rest = [
    review > 0 ? `${countOf(review, 'site')} returned to review` : '',
    unchanged > 0 ? `${countOf(unchanged, 'site')} needed no change` : '',
    ...listReasons(rejected).map(({ reason, sites }) => `${countOf(sites, 'site')}: ${reason}`),
  ].filter(Boolean);
  const show = changed > 0 ? toast.success : toast.warning;
  show(`${countOf(changed, 'site')} ${verb}.`, { description: rest.join('; ') || undefined });
}

/** Counts the rejected sites by their reason. */
export function listReasons(rejected: OwnBulkOutcome['rejected']): { reason: string; sites: number }[] {
  const counts = new Map<string, number>();
  for (const { reason } of rejected) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].map(([reason, sites]) => ({ reason, sites }));
}

export const removalConsequence =
  'Buyers can no longer order them, and they’re removed from your list. Existing orders won’t change.';
