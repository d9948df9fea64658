import { z } from 'zod';
import { noticeKinds } from '@/db/schema/notices';
import { isSellerRole } from '@/lib/access/permissions';
import { env } from '@/lib/env';
import { describeNews } from '@/lib/notifications/notice-words';

const noticeData = z.object({
  kind: z.enum(noticeKinds),
  subject: z.string(),
  orderId: z.number().nullable().default(null),
});

/** Formats the event of a notice as plain text: what the bell says, and the address of its page. */
export function formatNotice(data: unknown, { siteName, role }: { siteName: string; role: string }): string {
  const notice = noticeData.parse(data);
  const security = isSellerRole(role) ? '/seller/security' : '/user/security';
  const { name, words, href } = describeNews({ ...notice, sites: 1 }, '/seller/my-sites', security);
  return `${siteName}: ${name}${words}\n${env().APP_URL}${href ?? ''}`;
}
