import { Badge } from '@/components/ui/badge';
import type { Tone } from '@/components/ui/tone';
import type { LinkStanding } from '@/db/schema/links';
import { verdictNames } from '@/lib/links/describe-reason';

export const verdictTones: Record<LinkStanding, Tone> = {
  ok: 'green',
  changed: 'yellow',
  broken: 'red',
  unknown: 'grey',
  lost: 'red',
};

/** The result of a link's newest check, or that the link was lost. */
export function VerdictBadge({ verdict }: { verdict: LinkStanding }) {
  return (
    <Badge tone={verdictTones[verdict]} dot>
      {verdictNames[verdict]}
    </Badge>
  );
}
