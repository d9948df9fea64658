import type { z } from 'zod';
import { toneSolid } from '@/components/ui/badge';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { CopyButton } from '@/components/ui/copy-button';
import { TimeAgo } from '@/components/ui/time-ago';
import { env } from '@/lib/env';
import { describeReason, verdictNames } from '@/lib/links/describe-reason';
import { getOrderLink, type linkCheckResponse, linkCheckView } from '@/lib/orders/link-checks/queries';
import { CheckNow } from './check-now';
import { VerdictBadge, verdictTones } from './check-result';

type LinkCheck = z.output<typeof linkCheckResponse>;

type OrderLinkProps = {
  orderId: number;
  /** When the guarantee of a placement ends. */
  guaranteeEndsAt: string | null;
  /** The endpoint that checks at once, for the reader's side. */
  checkPath: string;
  checkLabel?: string;
};

/**
 * Shows what the checks of an order's link found: the newest result, the earlier ones as a strip, and the passport.
 * Renders nothing before there is a link.
 */
export async function OrderLink({ orderId, guaranteeEndsAt, checkPath, checkLabel = 'Check now' }: OrderLinkProps) {
  const { watch, checks: rows, proofId } = await getOrderLink(orderId);
  if (!watch) return null;
  const isWatched = watch.endedAt === null;
  const checks = rows.map(linkCheckView);
  // The checks of an earlier delivery are not about this link.
  const newest = watch.verdict === null ? undefined : checks[0];
  const standing = watch.endReason === 'lost' ? 'lost' : watch.verdict;
  const proofUrl = proofId && `${env().APP_URL}/proof/${proofId}`;
  return (
    <Card aria-label="Link checks">
      <CardHeader
        title="Link checks"
        description={
          newest ? (
            <>
              Checked <TimeAgo at={newest.checkedAt} />
            </>
          ) : (
            'The first check follows within seconds.'
          )
        }
        actions={isWatched ? <CheckNow path={checkPath} label={checkLabel} /> : null}
      />
      <CardBody className="grid grid-cols-[minmax(0,1fr)] gap-3 text-sm">
        {newest ? (
          <div className="grid justify-items-start gap-1.5">
            {standing ? <VerdictBadge verdict={standing} /> : null}
            {newest.evidence.reasons.map((reason) => (
              <p key={reason} className="text-ink">
                {describeReason(reason)}
              </p>
            ))}
          </div>
        ) : null}
        {checks.length > 0 ? <Strip checks={checks} /> : null}
        {watch.repairDueAt ? (
          <p className="text-red-ink">
            Repair due <TimeAgo at={watch.repairDueAt} />
          </p>
        ) : null}
        {isWatched && guaranteeEndsAt ? (
          <p className="text-muted">
            The guarantee {Date.parse(guaranteeEndsAt) < Date.now() ? 'ended' : 'ends'} <TimeAgo at={guaranteeEndsAt} />
          </p>
        ) : null}
        {proofUrl ? (
          <p className="flex items-center justify-between gap-2">
            <a href={proofUrl} target="_blank" rel="noopener" className="truncate text-accent-ink hover:underline">
              Link passport
            </a>
            <CopyButton text={proofUrl} label="Copy the address of the passport" variant="ghost" />
          </p>
        ) : null}
      </CardBody>
    </Card>
  );
}

/** Renders the checks as marks, oldest first. */
function Strip({ checks }: { checks: readonly LinkCheck[] }) {
  return (
    <ol aria-label="Results of the checks, oldest first" className="flex flex-wrap gap-1">
      {[...checks].reverse().map(({ verdict, checkedAt }) => (
        <li
          key={checkedAt}
          data-tooltip={`${verdictNames[verdict]}, ${checkedAt.slice(0, 16).replace('T', ' ')} UTC`}
          className={`h-5 w-2 rounded-sm ${toneSolid[verdictTones[verdict]]}`}
        >
          <span className="sr-only">{`${verdictNames[verdict]}, ${checkedAt.slice(0, 10)}`}</span>
        </li>
      ))}
    </ol>
  );
}
