import { z } from 'zod';
import { noticeKinds } from '@/db/schema/notices';
import { inAccount } from '@/lib/access/account-choice';
import { isSellerRole } from '@/lib/access/permissions';
import { env } from '@/lib/env';
import { describeNews } from '@/lib/notifications/notice-words';

const noticeData = z.object({
  kind: z.enum(noticeKinds),
  subject: z.string(),
  orderId: z.number().nullable().default(null),
  /** The team that the notice is about. */
  teamId: z.string().nullable().default(null),
});

/**
 * Formats the events of notices of one kind as plain text: what an entry of the bell about them says, and the address of its
 * page.
 */
export function formatNotices(
  events: readonly unknown[],
  { siteName, role }: { siteName: string; role: string },
): string {
  const listed = z.tuple([noticeData], noticeData).parse(events);
  const [{ kind, subject, orderId, teamId }] = listed;
  const orderIds = new Set(listed.map((notice) => notice.orderId));
  const isOfTeam = listed.every((notice) => notice.teamId === teamId);
  const entry = {
    kind,
    subject,
    sites: orderId === null ? listed.length : orderIds.size,
    orderId: orderIds.size === 1 ? orderId : null,
  };
  const security = isSellerRole(role) ? '/seller/security' : '/user/security';
  const { name, words, href } = describeNews(entry, '/seller/my-sites', security);
  const page = href ?? '';
  const address = teamId !== null && isOfTeam ? inAccount(page, teamId) : page;
  return `${siteName}: ${name}${words}\n${env().APP_URL}${address}`;
}
