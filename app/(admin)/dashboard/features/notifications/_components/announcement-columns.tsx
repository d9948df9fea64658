import type { Column } from '@/components/table/data-table';
import { Badge } from '@/components/ui/badge';
import { TimeAgo } from '@/components/ui/time-ago';
import type { AnnouncementView } from '@/lib/notifications/announcements/queries';
import { AnnouncementActions } from './announcement-actions';
import { audienceLabels, typeLabels, typeTones } from './words';

export const announcementColumns: Column<AnnouncementView>[] = [
  {
    key: 'title',
    header: 'Title',
    cell: ({ title, message }) => (
      <span className="wrap-anywhere block max-w-xl">
        <span className="block font-medium text-ink">{title}</span>
        <span className="line-clamp-2 text-muted">{message}</span>
      </span>
    ),
  },
  { key: 'type', header: 'Type', cell: ({ type }) => <Badge tone={typeTones[type]}>{typeLabels[type]}</Badge> },
  { key: 'audience', header: 'Told to', cell: ({ audience }) => audienceLabels[audience] },
  { key: 'at', header: 'Announced', cell: ({ createdAt }) => <TimeAgo at={createdAt} className="text-muted" /> },
  {
    key: 'actions',
    header: 'Actions',
    headerHidden: true,
    align: 'right',
    cell: (announcement) => <AnnouncementActions announcement={announcement} />,
  },
];
