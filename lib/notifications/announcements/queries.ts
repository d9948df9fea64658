import { count, desc, isNull } from 'drizzle-orm';
import { db } from '@/db/client';
import type { AnnouncementAudience, AnnouncementType } from '@/db/enums';
import { announcements } from '@/db/schema/announcements';
import type { Page } from '@/lib/platform/http/fields';

export type AnnouncementView = {
  id: string;
  title: string;
  message: string;
  type: AnnouncementType;
  audience: AnnouncementAudience;
  version: number;
  /** ISO 8601. */
  createdAt: string;
};

/** Lists the announcements that are not deleted, the newest first. */
export async function listAnnouncements(page: { limit: number; offset: number }): Promise<Page<AnnouncementView>> {
  const { id, title, message, type, audience, version, createdAt } = announcements;
  const isNotDeleted = isNull(announcements.deletedAt);
  const [rows, [counted]] = await Promise.all([
    db()
      .select({ id, title, message, type, audience, version, createdAt })
      .from(announcements)
      .where(isNotDeleted)
      .orderBy(desc(createdAt), desc(id))
      .limit(page.limit)
      .offset(page.offset),
    db().select({ total: count() }).from(announcements).where(isNotDeleted),
  ]);
  return {
    rows: rows.map((row) => ({ ...row, createdAt: row.createdAt.toISOString() })),
    total: counted?.total ?? 0,
  };
}
