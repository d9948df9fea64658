import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { SearchInput } from '@/components/table/search-input';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { type ListedOperation, listOperations, type OpenApiDocument } from '@/lib/platform/openapi/document';
import { MethodBadge } from './method-badge';
import { OperationDetails } from './operation-details';
import { getTagAnchor, OperationList } from './operation-list';

const query = z.object({
  q: z.string().max(200).optional().catch(undefined),
  operation: z.string().max(200).optional().catch(undefined),
});

export type ReferenceSearchParams = Promise<Record<string, string | string[] | undefined>>;

/**
 * Renders an OpenAPI document: the list of its operations, or the one that the address names. Shows the 404 page for an
 * operation that the document does not have.
 * @param props.home the path of the page
 * @param props.header the title, description and actions of the list
 * @param props.renderConsole shown beside the details of an operation
 */
export async function ApiReference({
  document,
  searchParams,
  home,
  header,
  searchPlaceholder,
  renderConsole,
}: {
  document: OpenApiDocument;
  searchParams: ReferenceSearchParams;
  home: string;
  header: { title: ReactNode; description: ReactNode; actions: ReactNode };
  searchPlaceholder: string;
  renderConsole?: (operation: ListedOperation) => ReactNode;
}) {
  const { q, operation: wanted } = query.parse(await searchParams);
  if (wanted) {
    const found = listOperations(document).find(({ operation }) => operation.operationId === wanted);
    if (!found) notFound();
    const { method, path, operation } = found;
    const details = <OperationDetails operation={operation} schemas={document.components.schemas} />;
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
          actions={<ButtonLink href={`${home}#${getTagAnchor(operation.tags[0] ?? '')}`}>All endpoints</ButtonLink>}
        />
        {renderConsole ? (
          <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
            <div className="min-w-0 lg:order-last">{renderConsole(found)}</div>
            {details}
          </div>
        ) : (
          details
        )}
      </>
    );
  }
  const operations = listOperations(document, q);
  return (
    <>
      <PageHeader {...header} />
      <div className="mb-4">
        <SearchInput placeholder={searchPlaceholder} />
      </div>
      {operations.length > 0 ? (
        <OperationList operations={operations} tags={document.tags} home={home} />
      ) : (
        <EmptyState title="No matching endpoints">Search for part of a path, such as orders.</EmptyState>
      )}
    </>
  );
}
