import { screenTexts } from '@/components/shell/screen-texts';
import { actionsColumn, type Column } from '@/components/table/data-table';
import { RecordList } from '@/components/table/record-list';
import { readPageParams, type SearchParams } from '@/components/table/url';
import { Badge, type Tone } from '@/components/ui/badge';
import { Icon } from '@/components/ui/icon';
import { TimeAgo } from '@/components/ui/time-ago';
import type { AnnouncementType } from '@/db/enums';
import { requirePage } from '@/lib/auth/page-guard';
import { type AnnouncementView, listAnnouncements } from '@/lib/notifications/announcements';
import { AnnouncementActions } from './_components/announcement-editor';
import { audienceLabels, typeLabels } from './_components/announcement-labels';

const typeTones: Readonly<Record<AnnouncementType, Tone>> = {
  info: 'blue',
  success: 'green',
  warning: 'yellow',
  danger: 'red',
};

const announcementColumns: Column<AnnouncementView>[] = [
  {
    header: 'Title',
    phone: 'title',
    cell: ({ title, message }) => (
      <span className="wrap-anywhere block max-w-xl">
        <span className="line-clamp-2 font-medium text-ink">{title}</span>
        <span className="line-clamp-2 text-muted">{message}</span>
      </span>
    ),
  },
  { header: 'Type', cell: ({ type }) => <Badge tone={typeTones[type]}>{typeLabels[type]}</Badge> },
  { header: 'Audience', cell: ({ audience }) => audienceLabels[audience] },
  { header: 'Announced', cell: ({ createdAt }) => <TimeAgo at={createdAt} className="text-muted" /> },
  actionsColumn((announcement) => <AnnouncementActions announcement={announcement} />, { phone: 'end' }),
];

const pathname = '/dashboard/features/notifications';
const texts = screenTexts(pathname);

export const metadata = { title: texts.title };

export default async function NotificationsPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  await requirePage('admin', 'ManageSettings');
  const params = await searchParams;
  const page = readPageParams(params);
  const found = await listAnnouncements(page);
  return (
    <RecordList
      {...texts}
      {...found}
      {...{ pathname, page }}
      searchParams={params}
      actions={<AnnouncementActions announcement={null} />}
      caption="Notifications"
      columns={announcementColumns}
      rowKey={({ id }) => id}
      empty={{
        icon: <Icon name="bell-ring" />,
        title: 'No notifications yet',
        children: 'Send an announcement to customers, sellers or staff. It appears in their notifications.',
      }}
    />
  );
}
