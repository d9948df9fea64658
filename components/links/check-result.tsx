import type { ReactNode } from 'react';
import { Badge, type Tone } from '@/components/ui/badge';
import type { LinkStanding } from '@/db/schema/links';
import { describeReason, verdictNames } from '@/lib/links/describe-reason';

export const verdictTones: Record<LinkStanding, Tone> = {
  ok: 'green',
  changed: 'yellow',
  broken: 'red',
  unknown: 'grey',
  lost: 'red',
};

/** Renders the result of a link's newest check, or that the link was lost. */
export function VerdictBadge({ verdict }: { verdict: LinkStanding }) {
  return (
    <Badge tone={verdictTones[verdict]} dot>
      {verdictNames[verdict]}
    </Badge>
  );
}

type CheckResultProps = {
  verdict: LinkStanding | null;
  reasons: readonly string[] | null;
  /** A line below the reasons. */
  children?: ReactNode;
};

/** Renders the result of a link's newest check, with what explains it. */
export function CheckResult({ verdict, reasons, children }: CheckResultProps) {
  return (
    <span className="grid justify-items-start gap-1">
      {verdict ? <VerdictBadge verdict={verdict} /> : null}
      {(reasons ?? []).map((reason) => (
        <span key={reason} className="text-muted text-xs">
          {describeReason(reason)}
        </span>
      ))}
      {children}
    </span>
  );
}
