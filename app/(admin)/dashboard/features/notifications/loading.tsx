import { PageHeader } from '@/components/ui/page-header';
import { TableSkeleton } from '@/components/ui/skeleton';
import { description, title } from './_components/page-texts';

export default function NotificationsLoading() {
  return (
    <>
      <PageHeader title={title} description={description} />
      <TableSkeleton rows={6} label="Loading notifications" />
    </>
  );
}
