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

type LinkCardProps = {
  /** Newest first. */
  checks: readonly LinkCheck[];
  /** When the guarantee ends; null without one. */
  guaranteeEndsAt: string | null;
  /** When a missing link is lost; null without that. */
  repairDueAt: string | null;
  /** The public URL of the newest passport; null without one. */
  proofUrl: string | null;
  /** The endpoint that checks at once; null if the reader cannot request it. */
  checkPath: string | null;
  checkLabel: string;
};

/** What the checks of an order's link found: the newest result, the earlier ones as a strip, and the passport. */
function LinkCard({ checks, guaranteeEndsAt, repairDueAt, proofUrl, checkPath, checkLabel }: LinkCardProps) {
  const [newest] = checks;
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
        actions={checkPath ? <CheckNow path={checkPath} label={checkLabel} /> : null}
      />
      <CardBody className="grid grid-cols-[minmax(0,1fr)] gap-3 text-sm">
        {newest ? (
          <div className="grid justify-items-start gap-1.5">
            <VerdictBadge verdict={newest.verdict} />
            {newest.evidence.reasons.map((reason) => (
              <p key={reason} className="text-ink">
                {describeReason(reason)}
              </p>
            ))}
          </div>
        ) : null}
        {checks.length > 0 ? <Strip checks={checks} /> : null}
        {repairDueAt ? (
          <p className="text-red-ink">
            Repair due <TimeAgo at={repairDueAt} />
          </p>
        ) : null}
        {guaranteeEndsAt ? (
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

/** The checks as marks, oldest first. */
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

type OrderLinkProps = {
  orderId: number;
  /** When the guarantee of a placement ends. */
  guaranteeEndsAt: string | null;
  /** The endpoint that checks at once, for the reader's side. */
  checkPath: string;
  checkLabel?: string;
};

/** The checks of an order's link; nothing before there is a link. */
export async function OrderLink({ orderId, guaranteeEndsAt, checkPath, checkLabel = 'Check now' }: OrderLinkProps) {
  const { watch, checks, proofId } = await getOrderLink(orderId);
  if (!watch) return null;
  const isWatched = watch.endedAt === null;
  return (
    <LinkCard
      checks={checks.map(linkCheckView)}
      guaranteeEndsAt={isWatched ? guaranteeEndsAt : null}
      repairDueAt={watch.repairDueAt?.toISOString() ?? null}
      proofUrl={proofId && `${env().APP_URL}/proof/${proofId}`}
      checkPath={isWatched ? checkPath : null}
      checkLabel={checkLabel}
    />
  );
}
