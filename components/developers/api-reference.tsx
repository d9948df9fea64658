import Link from 'next/link';
import { notFound } from 'next/navigation';
import type { ReactNode } from 'react';
import { z } from 'zod';
import { SearchInput } from '@/components/table/search-input';
import { Badge, type Tone } from '@/components/ui/badge';
import { ButtonLink } from '@/components/ui/button';
import { Card, CardBody, CardHeader } from '@/components/ui/card';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import {
  type ListedOperation,
  listOperations,
  type Method,
  type OpenApiDocument,
} from '@/lib/platform/openapi/document';
import { formatType, type JsonSchema, type SchemaField, schemaFields } from '@/lib/platform/openapi/json-schema';
import type { Operation } from '@/lib/platform/openapi/operation';
import type { Tag } from '@/lib/platform/openapi/tags';

/** Describes who has access to an operation. */
function describeAccess({ 'x-access': access, 'x-proof': proof }: Operation): string {
  if (proof === 'signature') return 'The provider, authenticated by its signature';
  if (proof === 'cron secret') return 'The cron job, authenticated by its secret';
  if (proof === 'metrics token') return 'Monitoring, authenticated by its token or address';
  if (access === 'public') return 'Everyone';
  if (access === 'session') return 'Any signed-in user';
  if (access === 'seller') return 'Sellers';
  return `Staff: ${typeof access === 'string' ? access : access.join(' or ')}`;
}

const tones: Record<Method, Tone> = { GET: 'blue', POST: 'green', PUT: 'yellow', PATCH: 'yellow', DELETE: 'red' };

function MethodBadge({ method }: { method: Method }) {
  return (
    <Badge tone={tones[method]} className="w-16 justify-center font-mono">
      {method}
    </Badge>
  );
}

type OperationListProps = {
  operations: ListedOperation[];
  /** The tags in the order of the page. */
  tags: readonly Tag[];
  /** The page of the reference; an operation is its query parameter. */
  home: string;
};

/** Lists operations grouped by tag. Each group has an anchor. */
function OperationList({ operations, tags, home }: OperationListProps) {
  const shown = tags.filter(({ name }) => operations.some(({ operation }) => operation.tags.includes(name)));
  return (
    <div className="grid gap-4">
      {shown.map(({ name, description }) => (
        <Card key={name} id={getTagAnchor(name)}>
          <CardHeader title={name} description={description} />
          <ul className="divide-y divide-line">
            {operations
              .filter(({ operation }) => operation.tags.includes(name))
              .map(({ method, path, operation }) => (
                <li key={operation.operationId}>
                  <Link
                    prefetch={false}
                    href={`${home}?operation=${operation.operationId}`}
                    className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-3 px-4 py-2.5 hover:bg-sunken sm:px-5 lg:grid-cols-[auto_minmax(0,3fr)_minmax(0,3fr)_minmax(0,2fr)]"
                  >
                    <MethodBadge method={method} />
                    <span className="wrap-anywhere font-mono text-ink text-xs leading-6">{path}</span>
                    <span className="col-start-2 text-muted text-sm lg:col-start-3">{operation.summary}</span>
                    <span className="wrap-anywhere col-start-2 text-subtle text-xs lg:col-start-4 lg:leading-5">
                      {describeAccess(operation)}
                    </span>
                  </Link>
                </li>
              ))}
          </ul>
        </Card>
      ))}
    </div>
  );
}

/** Returns the anchor of a group of operations. */
const getTagAnchor = (name: string) => name.toLowerCase().replace(/\W+/g, '-');

type OperationDetailsProps = { operation: Operation; schemas: Record<string, JsonSchema> };

/** Lists an operation's parameters, request body and responses. */
function OperationDetails({ operation, schemas }: OperationDetailsProps) {
  const { parameters, requestBody, responses } = operation;
  const parameterFields = parameters.map(({ name, in: place, required, description = '', schema }) => ({
    key: `${place} ${name}`,
    name,
    type: `${place}, ${formatType(schema, schemas)}`,
    isRequired: required,
    description,
  }));
  return (
    <div className="grid gap-4">
      <Card>
        <CardHeader title="Access" />
        <CardBody className="text-sm">{describeAccess(operation)}</CardBody>
      </Card>
      {parameters.length > 0 ? (
        <Card>
          <CardHeader title="Parameters" />
          <CardBody>
            <FieldTable caption="Parameters" fields={parameterFields} />
          </CardBody>
        </Card>
      ) : null}
      {Object.entries(requestBody?.content ?? {}).map(([mediaType, { schema }]) => (
        <Card key={mediaType}>
          <CardHeader title="Body" description={mediaType} />
          <CardBody>
            <FieldTable caption="Body" fields={schemaFields(schema, schemas)} />
          </CardBody>
        </Card>
      ))}
      <Card>
        <CardHeader title="Responses" />
        {Object.entries(responses).map(([status, response]) => (
          <details
            key={status}
            open={status < '300'}
            className="border-line border-t px-4 py-3 first-of-type:border-t-0 sm:px-5"
          >
            <summary className="cursor-pointer text-sm">
              <span className="font-mono text-ink">{status}</span>{' '}
              <span className="text-muted">{response.description}</span>
            </summary>
            <dl className="mt-2 text-sm">
              {Object.entries(response.headers ?? {}).map(([name, { description }]) => (
                <div key={name} className="py-1">
                  <dt className="inline font-mono text-ink text-xs">{name}: </dt>
                  <dd className="inline text-muted">{description}</dd>
                </div>
              ))}
            </dl>
            {Object.entries(response.content ?? {}).map(([mediaType, { schema }]) => (
              <div key={mediaType} className="mt-2">
                <p className="text-muted text-sm">
                  <span className="font-mono text-xs">{mediaType}</span>, {formatType(schema, schemas)}
                </p>
                <FieldTable caption={`Response ${status}`} fields={schemaFields(schema, schemas)} />
              </div>
            ))}
          </details>
        ))}
      </Card>
    </div>
  );
}

/** Lists the fields of a body, a response or a query. Names and types wrap on narrow screens. */
function FieldTable({ caption, fields }: { caption: string; fields: SchemaField[] }) {
  return (
    <dl aria-label={caption} className="divide-y divide-line text-sm">
      {fields.map(({ key, name, type, isRequired, description }) => (
        <div key={key} className="grid gap-x-4 gap-y-0.5 py-2 sm:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
          <dt className="wrap-anywhere font-mono text-ink text-xs leading-5">
            {name}
            {isRequired ? null : <span className="font-sans text-subtle"> (optional)</span>}
          </dt>
          <dd className="wrap-anywhere text-muted">
            <span className="font-mono text-xs">{type}</span>
            {description ? <span className="block">{description}</span> : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}

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
export async function ApiReference(props: {
  document: OpenApiDocument;
  searchParams: ReferenceSearchParams;
  home: string;
  header: { title: ReactNode; description: ReactNode; actions: ReactNode };
  searchPlaceholder: string;
  renderConsole?: (operation: ListedOperation) => ReactNode;
}) {
  const { document, home, header, searchPlaceholder, renderConsole } = props;
  const { q, operation: requested } = query.parse(await props.searchParams);
  if (requested) {
    const found = listOperations(document).find(({ operation }) => operation.operationId === requested);
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
