import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { z } from 'zod';
import { installedDocument } from '@/app/api/openapi.json/document';
import { MethodBadge } from '@/components/developers/method-badge';
import { OperationDetails } from '@/components/developers/operation-details';
import { OperationList } from '@/components/developers/operation-list';
import { SearchInput } from '@/components/table/search-input';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { requirePage } from '@/lib/auth/page-guard';
import { listOperations } from '@/lib/platform/openapi/document';
import { description, title } from './_components/page-texts';

export const metadata: Metadata = { title };

const home = '/dashboard/features/api-reference';
const query = z.object({
  q: z.string().max(200).optional().catch(undefined),
  operation: z.string().max(200).optional().catch(undefined),
});

type ApiReferenceProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** Renders the OpenAPI document: the list of operations, or the details of one operation. */
export default async function ApiReferencePage({ searchParams }: ApiReferenceProps) {
  await requirePage('admin', 'AdminDashboard');
  const { q, operation: wanted } = query.parse(await searchParams);
  const document = installedDocument();
  if (wanted) {
    const found = listOperations(document).find(({ operation }) => operation.operationId === wanted);
    if (!found) notFound();
    const { method, path, operation } = found;
    return (
      <>
        <PageHeader
          title={
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <MethodBadge method={method} />
              <span className="wrap-anywhere font-mono text-lg">{path}</span>
            </span>
          }
          description={[operation.summary, operation.description].filter(Boolean).join(' ')}
          actions={<ButtonLink href={home}>All endpoints</ButtonLink>}
        />
        <OperationDetails operation={operation} schemas={document.components.schemas} />
      </>
    );
  }
  const operations = listOperations(document, q);
  return (
    <>
      <PageHeader
        title={title}
        description={description}
        actions={
          <span className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
            <a href="/developers" className="text-accent-ink underline">
              API guide
            </a>
            <a href="/api/openapi.json" className="text-accent-ink underline">
              OpenAPI 3.1 document
            </a>
          </span>
        }
      />
      <div className="mb-4">
        <SearchInput placeholder="Search path, text or permission" />
      </div>
      {operations.length > 0 ? (
        <OperationList operations={operations} tags={document.tags} home={home} />
      ) : (
        <EmptyState title="No matching endpoints">Search for part of a path, such as orders.</EmptyState>
      )}
    </>
  );
}
