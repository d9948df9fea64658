import { ListChecks } from 'lucide-react';
import type { Metadata } from 'next';
import { DataTable } from '@/components/table/data-table';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { requirePage } from '@/lib/auth/page-guard';
import { listHighlights } from '@/lib/settings/signup-highlights/queries';
import { AddFeature } from './_components/add-feature';
import { FeatureCard } from './_components/feature-card';
import { featureColumns } from './_components/feature-columns';
import { description, title } from './_components/words';

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
              See it on the page
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
            Without any, the registration shows no list.
          </EmptyState>
        }
      />
    </>
  );
}
