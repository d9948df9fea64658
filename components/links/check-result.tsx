import type { ReactNode } from 'react';
import type { LinkStanding } from '@/db/schema/links';
import { describeReason } from '@/lib/links/describe-reason';
import { VerdictBadge } from './verdict-badge';

type CheckResultProps = {
  verdict: LinkStanding | null;
  reasons: readonly string[] | null;
  /** A line below the reasons. */
  children?: ReactNode;
};

/** The result of a link's newest check, with what explains it. */
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
