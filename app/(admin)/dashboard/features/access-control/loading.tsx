import { PageHeader } from '@/components/ui/page-header';
import { AccessSkeleton } from './_components/access-skeleton';
import { description, title } from './_components/words';

export default function AccessControlLoading() {
  return (
    <>
      <PageHeader title={title} description={description} />
      <AccessSkeleton />
    </>
  );
}
