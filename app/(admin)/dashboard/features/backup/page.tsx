import { DatabaseBackup } from 'lucide-react';
import type { Metadata } from 'next';
import { DataTable } from '@/components/table/data-table';
import { oneParam, type SearchParams } from '@/components/table/url';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { requirePage } from '@/lib/auth/page-guard';
import { listBackups } from '@/lib/backup/queries';
import { backupView } from '@/lib/backup/views';
import { BackupCard } from './_components/backup-card';
import { BackupLine, backupColumns } from './_components/backup-columns';
import { RestoreDialog } from './_components/restore-dialog';
import { UploadCard } from './_components/upload-card';
import { backupIntro, backupPath } from './_components/words';

export const metadata: Metadata = { title: backupIntro.title };

export default async function BackupPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const actor = await requirePage('admin', 'ManageBackups');
  const params = await searchParams;
  const backups = (await listBackups()).map(backupView);
  return (
    <>
      <PageHeader {...backupIntro} />
      <div className="mb-6 grid gap-4 lg:grid-cols-2">
        <BackupCard running={backups.find(({ status }) => status === 'running') ?? null} />
        <UploadCard />
      </div>
      <h2 className="mb-3 text-base text-ink">Past backups</h2>
      <DataTable
        caption="Past backups"
        columns={backupColumns}
        rows={backups}
        rowKey={(backup) => backup.id}
        card={(backup) => <BackupLine backup={backup} />}
        isSelected={(backup) => backup.id === oneParam(params, 'restore')}
        pathname={backupPath}
        searchParams={params}
        empty={
          <EmptyState icon={<DatabaseBackup />} title="No backup yet">
            The first one appears here once it is complete. Keep a copy somewhere else as well.
          </EmptyState>
        }
      />
      <RestoreDialog actor={actor} id={oneParam(params, 'restore')} backups={backups} />
    </>
  );
}
