import { PageHeader } from '@/components/ui/page-header';
import { Skeleton, TableSkeleton } from '@/components/ui/skeleton';
import { backupIntro } from './_components/page-texts';

export default function BackupLoading() {
  return (
    <>
      <PageHeader {...backupIntro} />
      <div className="mb-6 grid gap-4 lg:grid-cols-2">
        <Skeleton className="h-56" />
        <Skeleton className="h-56" />
      </div>
      <TableSkeleton rows={4} label="Loading backups" />
    </>
  );
}
