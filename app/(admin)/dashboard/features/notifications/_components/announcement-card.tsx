import { Badge } from '@/components/ui/badge';
import { TimeAgo } from '@/components/ui/time-ago';
import type { AnnouncementView } from '@/lib/notifications/announcements/queries';
import { AnnouncementActions } from './announcement-actions';
import { audienceLabels, typeLabels, typeTones } from './words';

export function AnnouncementCard({ announcement }: { announcement: AnnouncementView }) {
  const { title, message, type, audience, createdAt } = announcement;
  return (
    <div className="flex items-start justify-between gap-3">
      <div className="wrap-anywhere grid min-w-0 gap-1 text-sm">
        <p className="font-medium text-ink">{title}</p>
        <p className="line-clamp-3 text-muted">{message}</p>
        <p className="flex flex-wrap items-center gap-2 text-subtle text-xs">
          <Badge tone={typeTones[type]}>{typeLabels[type]}</Badge>
          {audienceLabels[audience]} · <TimeAgo at={createdAt} />
        </p>
      </div>
      <AnnouncementActions announcement={announcement} />
    </div>
  );
}
