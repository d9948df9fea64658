import Link from 'next/link';
import { Card, CardHeader } from '@/components/ui/card';
import type { ListedOperation } from '@/lib/platform/openapi/document';
import type { Tag } from '@/lib/platform/openapi/tags';
import { describeAccess } from './describe-access';
import { MethodBadge } from './method-badge';

type OperationListProps = {
  operations: ListedOperation[];
  /** The tags in the order of the page. */
  tags: readonly Tag[];
  /** The page of the reference; an operation is its query parameter. */
  home: string;
};

/** Lists operations grouped by tag. Each group has an anchor. */
export function OperationList({ operations, tags, home }: OperationListProps) {
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

/** The anchor of a group of operations. */
export const getTagAnchor = (name: string) => name.toLowerCase().replace(/\W+/g, '-');
