import { PageHeader } from '@/components/ui/page-header';
import { TableSkeleton } from '@/components/ui/skeleton';
import { description, title } from './_components/page-texts';

export default function RefundsLoading() {
  return (
    <>
      <PageHeader title={title} description={description} />
      <TableSkeleton rows={5} label="Refunds" />
    </>
  );
}
