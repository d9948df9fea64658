import { ListChecks } from 'lucide-react';
import type { Metadata } from 'next';
import { actionsColumn, type Column, DataTable } from '@/components/table/data-table';
import { ButtonLink } from '@/components/ui/button';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { requirePage } from '@/lib/auth/page-guard';
import { type HighlightView, listHighlights } from '@/lib/settings/signup-highlights';
import { AddFeature, FeatureActions } from './_components/feature-editor';

const featureColumns: Column<HighlightView>[] = [
  {
    key: 'name',
    header: 'Name',
    cell: ({ name }) => <span className="wrap-anywhere line-clamp-2 font-medium text-ink">{name}</span>,
  },
  {
    key: 'description',
    header: 'Description',
    cell: ({ description }) => <span className="wrap-anywhere block max-w-2xl text-muted">{description || '–'}</span>,
  },
  actionsColumn((feature) => <FeatureActions feature={feature} />),
];

const title = 'Feature Manager';

const description = 'What your marketplace offers, in your words. Shown next to the registration form.';

export const metadata: Metadata = { title };

export default async function FeatureManagerPage() {
  await requirePage('admin', 'ManageSettings');
  const features = await listHighlights();
  return (
    <>
      <PageHeader
        title={title}
        description={description}
        actions={
          <>
            <ButtonLink href="/register" target="_blank">
              View on the page
            </ButtonLink>
            <AddFeature />
          </>
        }
      />
      <DataTable
        caption="Features"
        columns={featureColumns}
        rows={features}
        rowKey={({ id }) => id}
        card={(feature) => <FeatureCard feature={feature} />}
        pathname="/dashboard/features"
        searchParams={{}}
        empty={
          <EmptyState icon={<ListChecks />} title="No features yet">
            Add features to show a list on the registration page.
          </EmptyState>
        }
      />
    </>
  );
}

function FeatureCard({ feature }: { feature: HighlightView }) {
  return (
    <div className="flex items-start justify-between gap-3">
      <div className="wrap-anywhere min-w-0 text-sm">
        <p className="line-clamp-2 font-medium text-ink">{feature.name}</p>
        {feature.description ? <p className="mt-0.5 text-muted">{feature.description}</p> : null}
      </div>
      <FeatureActions feature={feature} />
    </div>
  );
}
