import { Suspense } from 'react';
import { CardSkeleton, TileSkeletons } from '@/components/dashboard/card-skeleton';
import { tileGrid } from '@/components/dashboard/tile-grid';
import { ButtonLink } from '@/components/ui/button-link';
import { PageHeader } from '@/components/ui/page-header';
import { requirePage } from '@/lib/auth/page-guard';
import { Activity } from './_components/activity';
import { Recommendations } from './_components/recommendations';
import { SiteTiles } from './_components/site-tiles';

export const metadata = { title: 'Dashboard' };

export default async function SellerDashboard() {
  const { userId, email } = await requirePage('seller', 'seller');
  return (
    <>
      <PageHeader
        title={`Hello, ${email.split('@')[0]}`}
        description="How your sites stand, and what would sell them."
        actions={
          <>
            <ButtonLink href="/seller/my-sites">Bulk Upload</ButtonLink>
            <ButtonLink href="/seller/my-sites" variant="primary">
              Add Sites
            </ButtonLink>
          </>
        }
      />
      <div className={tileGrid}>
        <Suspense fallback={<TileSkeletons count={4} />}>
          <SiteTiles ownerId={userId} />
        </Suspense>
      </div>
      <div className="mt-4 grid items-start gap-4 lg:grid-cols-2">
        <Suspense fallback={<CardSkeleton label="Loading recommendations" />}>
          <Recommendations ownerId={userId} />
        </Suspense>
        <Suspense fallback={<CardSkeleton label="Loading recent activity" />}>
          <Activity ownerId={userId} />
        </Suspense>
      </div>
    </>
  );
}
