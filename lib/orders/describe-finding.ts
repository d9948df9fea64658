import { describeReason } from '@/lib/links/describe-reason';
import { hasRelConflict } from './briefs/rel-conflict';
import type { NewestCheck } from './link-checks/queries';

/** A problem that the newest check found, and the code of its first reason. */
export type Finding = { text: string; reason: string };

type Ordered = { brief?: { rel: string } | null | undefined };

/**
 * Describes what the newest check found in place of the ordered link; null for nothing to complain about. The `rel` of a
 * site that publishes no other is none, because the buyer ordered the site although.
 */
export function describeFinding(
  check: Pick<NewestCheck, 'verdict' | 'reasons'> | undefined,
  { brief }: Ordered,
  site: { follow: boolean },
): Finding | null {
  if (check?.verdict !== 'broken' && check?.verdict !== 'changed') return null;
  const { verdict, reasons } = check;
  const found = hasRelConflict(brief?.rel ?? '', site) ? reasons.filter((reason) => reason !== 'rel_changed') : reasons;
  if (found.length === 0 && verdict === 'changed') return null;
  const text = found.map(describeReason).join(' ') || 'The check did not find the link.';
  return { text, reason: verdict === 'broken' ? 'link_missing' : (found[0] ?? '') };
}
