import { KeyRound } from 'lucide-react';
import type { Metadata } from 'next';
import { DataTable } from '@/components/table/data-table';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { requirePage } from '@/lib/auth/page-guard';
import { listApiKeys } from '@/lib/settings/api-keys/queries';
import { AddKey } from './_components/add-key';
import { KeyCard } from './_components/key-card';
import { keyColumns } from './_components/key-columns';
import { description, title } from './_components/words';

export const metadata: Metadata = { title };

export default async function ApiManagerPage() {
  await requirePage('admin', 'ManageSettings');
  const keys = await listApiKeys();
  return (
    <>
      <PageHeader
        title={title}
        description={description}
        actions={
          <>
            <ButtonLink href="/dashboard/features/api-reference">API reference</ButtonLink>
            <AddKey />
          </>
        }
      />
      <DataTable
        caption="API keys"
        columns={keyColumns}
        rows={keys}
        rowKey={({ id }) => id}
        card={(apiKey) => <KeyCard apiKey={apiKey} />}
        pathname="/dashboard/features/api-manager"
        searchParams={{}}
        empty={
          <EmptyState icon={<KeyRound />} title="No keys yet">
            With an OpenAI key the SERP preview asks the model for titles and descriptions; without one it makes them by
            rules.
          </EmptyState>
        }
      />
    </>
  );
}
