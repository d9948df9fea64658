import { sql } from 'drizzle-orm';
import type { Executor } from '@/db/client';
import { insertRows } from '@/db/insert-rows';
import { type EventAudience, events } from '@/db/schema/events';
import type { NoticeKind } from '@/db/schema/notices';
import { webhookEndpoints } from '@/db/schema/webhook-endpoints';
import type { Permission } from '@/lib/access/permissions';
import { newId } from '@/lib/ids';
import { flagKey, isFlagOffIn } from '@/lib/settings/feature-flags';
import { noticeEventType } from './types';

type NoticeEvent = {
  accountId: string;
  audience: EventAudience;
  permission?: Permission;
  kind: NoticeKind;
  subject: string;
  orderId?: number;
  teamId?: string;
};

/** Records the events of notices for recipients who have a chat, in one statement; none while webhooks are turned off. */
export async function recordNoticeEvents(tx: Executor, recorded: readonly NoticeEvent[]): Promise<void> {
  await insertNoticeEvents(
    tx,
    recorded.map(({ accountId, audience, ...data }) => {
      return { id: newId(), type: noticeEventType, audience, accountId, data };
    }),
  );
}

const insertNoticeEvents = insertRows(events, ['id', 'type', 'audience', 'accountId', 'data'], {
  where: sql`not ${isFlagOffIn(flagKey('webhooks'))} and exists (
    select from ${webhookEndpoints} where owner_id = given."accountId" and channel <> 'webhook' and is_enabled)`,
});
