import { SearchX } from 'lucide-react';
import { Card } from '../ui/card';
import { EmptyState } from '../ui/empty-state';
import { PageHeader } from '../ui/page-header';

/** The page for a record that does not exist or belongs to another user, inside the portal's frame. */
export function NotFoundPage() {
  return (
    <>
      <PageHeader title="This page does not exist" />
      <Card>
        <EmptyState icon={<SearchX />} title="404">
          The address may be mistyped, or the page was deleted.
        </EmptyState>
      </Card>
    </>
  );
}
