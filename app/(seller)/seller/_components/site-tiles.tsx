import { CircleCheck, CircleX, Clock, Tag } from 'lucide-react';
import { Money } from '@/components/ui/money';
import { StatTile } from '@/components/ui/stat-tile';
import { getSellerStats } from '@/lib/sites/seller-queries';

/** The seller's figures; each tile of a status opens the sites behind it. */
export async function SiteTiles({ ownerId }: { ownerId: string }) {
  const { approved, pending, rejected, averagePriceCents } = await getSellerStats(ownerId);
  return (
    <>
      <StatTile
        label="Active Sites"
        value={approved.toLocaleString('en-US')}
        hint="approved"
        icon={CircleCheck}
        href="/seller/my-sites?status=Approved"
      />
      <StatTile
        label="Pending Review"
        value={pending.toLocaleString('en-US')}
        hint="waiting for our review"
        icon={Clock}
        href="/seller/my-sites?status=Pending"
      />
      <StatTile
        label="Rejected"
        value={rejected.toLocaleString('en-US')}
        hint="not accepted"
        icon={CircleX}
        href="/seller/my-sites?status=Rejected"
      />
      <StatTile
        label="Average Price"
        value={averagePriceCents === null ? '–' : <Money amountMinor={averagePriceCents} />}
        hint="based on approved sites"
        icon={Tag}
      />
    </>
  );
}
