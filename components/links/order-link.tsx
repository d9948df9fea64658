import { env } from '@/lib/env';
import { readOrderLink } from '@/lib/orders/link-checks/queries';
import { linkCheckView } from '@/lib/orders/link-checks/responses';
import { LinkCard } from './link-card';

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
  const { watch, checks, proofId } = await readOrderLink(orderId);
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
