import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { z } from 'zod';
import { documentFor } from '@/app/api/openapi.json/document';
import { MethodBadge } from '@/components/developers/method-badge';
import { OperationDetails } from '@/components/developers/operation-details';
import { getTagAnchor, OperationList } from '@/components/developers/operation-list';
import { SearchInput } from '@/components/table/search-input';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { currentActor } from '@/lib/auth/current-actor';
import { listOperations } from '@/lib/platform/openapi/document';
import { createSample } from '@/lib/platform/openapi/sample';
import { TryIt } from '../_components/try-it';

export const metadata: Metadata = { title: 'API reference', description: 'Every address of the API.' };

const home = '/developers/reference';
const query = z.object({
  q: z.string().max(200).optional().catch(undefined),
  operation: z.string().max(200).optional().catch(undefined),
});

type ReferenceProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

/** The reference of the API: the list of the operations that the caller may use, or one of them with a console. */
export default async function ReferencePage({ searchParams }: ReferenceProps) {
  const { q, operation: wanted } = query.parse(await searchParams);
  const actor = await currentActor();
  const document = documentFor(actor);
  const { schemas } = document.components;
  if (wanted) {
    const found = listOperations(document).find(({ operation }) => operation.operationId === wanted);
    if (!found) notFound();
    const { method, path, operation } = found;
    const body = operation.requestBody?.content['application/json'];
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
        <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
          <div className="min-w-0 lg:order-last">
            <TryIt
              // A console keeps no value of the previous operation.
              key={operation.operationId}
              method={method}
              path={path}
              parameters={operation.parameters.map(({ name, in: place, required }) => ({ name, place, required }))}
              body={body ? JSON.stringify(createSample(body.schema, schemas), null, 2) : null}
              needsFile={operation.requestBody !== undefined && !body}
              caller={actor?.email ?? null}
              isPublic={operation['x-access'] === 'public'}
            />
          </div>
          <OperationDetails operation={operation} schemas={schemas} />
        </div>
      </>
    );
  }
  const operations = listOperations(document, q);
  return (
    <>
      <PageHeader
        title="API reference"
        description={
          actor
            ? `What you may use as ${actor.email}. Open an endpoint to send a request.`
            : 'What buyers and sellers may use. Sign in to send requests from this page.'
        }
        actions={
          <a href="/api/openapi.json" className="text-accent-ink text-sm underline">
            OpenAPI 3.1 document
          </a>
        }
      />
      <div className="mb-4">
        <SearchInput placeholder="Search path or text" />
      </div>
      {operations.length > 0 ? (
        <OperationList operations={operations} tags={document.tags} home={home} />
      ) : (
        <EmptyState title="No matching endpoints">Search for part of a path, such as orders.</EmptyState>
      )}
    </>
  );
}
