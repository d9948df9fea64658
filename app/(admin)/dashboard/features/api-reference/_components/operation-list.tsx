import Link from 'next/link';
import { Card, CardHeader } from '@/components/ui/card';
import type { ListedOperation } from '@/lib/platform/openapi/document';
import { accessInWords } from './access-in-words';
import { MethodBadge } from './method-badge';

/** Operations under what they are about; each group can be linked to by its name. */
export function OperationList({ operations }: { operations: ListedOperation[] }) {
  const tags = [...new Set(operations.flatMap(({ operation }) => operation.tags))];
  return (
    <div className="grid gap-4">
      {tags.map((tag) => (
        <Card key={tag} id={tag}>
          <CardHeader title={tag} />
          <ul className="divide-y divide-line">
            {operations
              .filter(({ operation }) => operation.tags.includes(tag))
              .map(({ method, path, operation }) => (
                <li key={operation.operationId}>
                  <Link
                    prefetch={false}
                    href={`/dashboard/features/api-reference?operation=${operation.operationId}`}
                    className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-3 px-4 py-2.5 hover:bg-sunken sm:px-5 lg:grid-cols-[auto_minmax(0,2fr)_minmax(0,3fr)_minmax(0,2fr)]"
                  >
                    <MethodBadge method={method} />
                    <span className="wrap-anywhere font-mono text-ink text-xs leading-6">{path}</span>
                    <span className="col-start-2 text-muted text-sm lg:col-start-3">{operation.summary}</span>
                    <span className="wrap-anywhere col-start-2 text-subtle text-xs lg:col-start-4 lg:leading-5">
                      {accessInWords(operation)}
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
