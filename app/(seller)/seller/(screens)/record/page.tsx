import { screenTexts } from '@/components/shell/screen-texts';
import { describeRecord, formatShare, recordSource, reliabilityMeaning } from '@/components/sites/record-words';
import { NewBadge, toFact } from '@/components/sites/site-record';
import { readPageParams, type SearchParams } from '@/components/table/url';
import { ButtonLink } from '@/components/ui/button';
import { Card, CardBody, CardHeader, FactList } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { Icon } from '@/components/ui/icon';
import { PageHeader } from '@/components/ui/page-header';
import { requirePage } from '@/lib/auth/page-guard';
import { getPlacementRules } from '@/lib/settings/placement-rules';
import { listRecordCauses } from '@/lib/sites/record/list-causes';
import { listOwnRecords } from '@/lib/sites/record/list-own';
import { getSellerRecord, type SellerRecord } from '@/lib/sites/record/read';
import { CauseList } from './_components/cause-list';
import { ListingRecords } from './_components/listing-records';

const texts = screenTexts('/seller/record');

export const metadata = { title: texts.title };

export default async function RecordPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { userId } = await requirePage('seller', 'seller');
  const params = await searchParams;
  const page = readPageParams(params);
  const [own, causes, rules, listings] = await Promise.all([
    getSellerRecord(userId),
    listRecordCauses(userId),
    getPlacementRules(),
    listOwnRecords(userId, page),
  ]);
  const isEmpty = own.orders === 0 && causes.length === 0 && listings.total === 0;
  return (
    <>
      <PageHeader {...texts} />
      {isEmpty ? (
        <Card>
          <EmptyState
            icon={<Icon name="chart-no-axes-column" />}
            title="No orders in the last 12 months"
            action={<ButtonLink href="/seller/my-sites">View my sites</ButtonLink>}
          >
            Your record begins with your first order. Buyers see it from 5 orders of a site on.
          </EmptyState>
        </Card>
      ) : (
        <>
          <div className="mb-4 grid items-start gap-4 lg:grid-cols-2">
            <OwnRecord own={own} />
            <CauseList causes={causes} accepted={own.accepted} rules={rules} />
          </div>
          <ListingRecords {...listings} page={page} searchParams={params} />
        </>
      )}
    </>
  );
}

/** Shows the record of the seller over all sites. */
function OwnRecord({ own: { record, orders, accepted, reliability } }: { own: SellerRecord }) {
  return (
    <Card>
      <CardHeader title="All your sites" description={recordSource} />
      <CardBody>
        {record && reliability !== null ? (
          <>
            <FactList
              facts={[['Reliability', formatShare(reliability)], ...describeRecord(record, accepted).map(toFact)]}
            />
            <p className="mt-3 text-muted text-xs">{reliabilityMeaning}</p>
          </>
        ) : (
          <p className="flex flex-wrap items-center gap-2 text-ink text-sm">
            <NewBadge />
            {`Your record starts at 5 orders. You have ${orders} so far.`}
          </p>
        )}
      </CardBody>
    </Card>
  );
}
