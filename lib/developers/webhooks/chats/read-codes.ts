import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import { db } from '@/db/client';
import { emailTokens } from '@/db/schema/email-tokens';
import { users } from '@/db/schema/users';
import { webhookEndpoints } from '@/db/schema/webhook-endpoints';
import { systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { consumeEmailToken } from '@/lib/auth/email-token';
import { webhookSecretSlot } from '@/lib/developers/webhooks/secrets';
import { cutText } from '@/lib/platform/cut-text';
import { openSecret } from '@/lib/platform/secrets';
import { getBranding } from '@/lib/settings/branding/get-branding';
import { isFlagOn } from '@/lib/settings/feature-flags';
import { saveChat } from './connect';
import { readTelegramUpdates, sendToTelegram, type TelegramUpdate } from './telegram';

/** The message of a link https://t.me/<bot>?start=<code>. */
const startMessage = /^\/start(?:@\w+)?(?:\s+([\w-]{43}))?\s*$/;

/**
 * Connects the chats that sent a code to the bot. Asks Telegram only while a code is open. The messages are confirmed
 * before they are handled: after a crash the code is still open, and the person sends it again.
 * @returns the number of connected chats
 */
export async function readTelegramCodes(): Promise<{ connected: number }> {
  let connected = 0;
  if (!(await isFlagOn('webhooks')) || !(await hasOpenCode())) return { connected };
  const updates = await readTelegramUpdates();
  const last = updates.at(-1);
  if (last) await readTelegramUpdates(last.update_id);
  for (const update of updates) if (await handleUpdate(update)) connected += 1;
  return { connected };
}

/** Checks whether a person may send a code at this moment. */
export async function hasOpenCode(): Promise<boolean> {
  const [open] = await db()
    .select({ id: emailTokens.id })
    .from(emailTokens)
    .where(and(eq(emailTokens.purpose, 'telegram'), isNull(emailTokens.usedAt), gt(emailTokens.expiresAt, sql`now()`)))
    .limit(1);
  return open !== undefined;
}

/** Handles a message to the bot. A group cannot be connected: others would read it. @returns whether a chat was connected */
async function handleUpdate({ message }: TelegramUpdate): Promise<boolean> {
  const code = startMessage.exec(message?.text ?? '')?.[1];
  if (!message || code === undefined || message.chat.type !== 'private') return false;
  const { id, first_name, username } = message.chat;
  const chatId = String(id);
  const name = cutText(`${first_name}${username ? ` @${username}` : ''}`.trim(), 100);
  const isConnected = await db().transaction(async (tx) => {
    const userId = await consumeEmailToken(tx, code, 'telegram');
    if (userId === null) return false;
    const [owner] = await tx
      .select({ userId: users.id, email: users.email })
      .from(users)
      .where(and(eq(users.id, userId), eq(users.status, 'Active'), isNull(users.deletedAt)));
    if (!owner) return false;
    const actor = systemActor(systemActors.telegram, 'job');
    await saveChat(tx, actor, owner, { channel: 'telegram', secret: chatId, name });
    return true;
  });
  if (!isConnected && (await isJustConnected(chatId))) return false;
  const { siteName } = await getBranding();
  const text = isConnected
    ? `${siteName}: your notifications are sent to this chat.`
    : `${siteName}: this code is not valid any more. Create another one on your Security page.`;
  await sendToTelegram(chatId, text);
  return isConnected;
}

/** Checks whether another instance connected the chat by the same message. */
async function isJustConnected(chatId: string): Promise<boolean> {
  const { id, sealedSecret, channel, createdAt } = webhookEndpoints;
  const rows = await db()
    .select({ id, sealedSecret })
    .from(webhookEndpoints)
    .where(and(eq(channel, 'telegram'), gt(createdAt, sql`now() - interval '1 minute'`)));
  return rows.some((row) => openSecret(webhookSecretSlot(row.id, 'secret'), row.sealedSecret) === chatId);
}
