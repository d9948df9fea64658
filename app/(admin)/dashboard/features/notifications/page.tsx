import { BellRing } from 'lucide-react';
import type { Metadata } from 'next';
import { DataTable } from '@/components/table/data-table';
import { readPageParams } from '@/components/table/page-params';
import type { SearchParams } from '@/components/table/url';
import { EmptyState } from '@/components/ui/empty-state';
import { PageHeader } from '@/components/ui/page-header';
import { requirePage } from '@/lib/auth/page-guard';
import { listAnnouncements } from '@/lib/notifications/announcements/queries';
import { AddAnnouncement } from './_components/add-announcement';
import { AnnouncementCard } from './_components/announcement-card';
import { announcementColumns } from './_components/announcement-columns';
import { description, title } from './_components/words';

export const metadata: Metadata = { title };

const pathname = '/dashboard/features/notifications';
const sizes = [25, 50, 100];
const defaultRows = 25;

export default async function NotificationsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await requirePage('admin', 'ManageSettings');
  const params = await searchParams;
  const page = readPageParams(params, sizes, defaultRows);
  const { rows, total } = await listAnnouncements(page);
  return (
    <>
      <PageHeader title={title} description={description} actions={<AddAnnouncement />} />
      <DataTable
        caption="Notifications"
        columns={announcementColumns}
        rows={rows}
        rowKey={({ id }) => id}
        card={(announcement) => <AnnouncementCard announcement={announcement} />}
        pathname={pathname}
        searchParams={params}
        empty={
          <EmptyState icon={<BellRing />} title="No notifications yet">
            Tell customers, sellers or staff something: it rings their bell.
          </EmptyState>
        }
        paging={{ page, total, sizes, defaultRows }}
      />
    </>
  );
}
