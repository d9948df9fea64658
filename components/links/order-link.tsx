import { env } from '@/lib/env';
import { readOrderLink } from '@/lib/orders/link-checks/queries';
import { linkCheckView } from '@/lib/orders/link-checks/responses';
import { isFlagOn } from '@/lib/settings/feature-flags/read-flags';
import { LinkCard } from './link-card';

type OrderLinkProps = {
  orderId: number;
  /** When the guarantee of a placement ends. */
  guaranteeEndsAt: string | null;
  /** The endpoint that checks at once, for the reader's side. */
  checkPath: string;
  checkLabel?: string;
};

/** The checks of an order's link; nothing while links are not checked, or before there is a link. */
export async function OrderLink({ orderId, guaranteeEndsAt, checkPath, checkLabel = 'Check now' }: OrderLinkProps) {
  const [{ watch, checks, proofId }, isOn] = await Promise.all([readOrderLink(orderId), isFlagOn('link-checks')]);
  if (!watch || (!isOn && checks.length === 0)) return null;
  const isWatched = isOn && watch.endedAt === null;
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
