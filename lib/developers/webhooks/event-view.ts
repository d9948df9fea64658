import type { events } from '@/db/schema/events';

type EventRow = Pick<typeof events.$inferSelect, 'id' | 'type' | 'createdAt' | 'data'>;

/** Returns an event as webhooks and GET /api/events send it. The data was limited to its audience when it was recorded. */
export const eventView = ({ id, type, createdAt, data }: EventRow) => ({
  id,
  type,
  timestamp: createdAt.toISOString(),
  data,
});
