import { and, asc, eq, ne } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { endpointChannels, webhookEndpoints } from '@/db/schema/webhook-endpoints';
import type { Actor, AnyActor } from '@/lib/access/actor';
import { createEmailToken } from '@/lib/auth/email-token';
import { isTwoStepOverdue } from '@/lib/auth/two-step';
import { webhookSecretSlot } from '@/lib/developers/webhooks/secrets';
import { AppError } from '@/lib/errors';
import { noticeEventType } from '@/lib/events/types';
import { newId } from '@/lib/ids';
import { queueAccountNotice } from '@/lib/mail/security-notices';
import { recordAudit } from '@/lib/platform/audit/record';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { sealSecret } from '@/lib/platform/secrets';
import { findKeyService } from '@/lib/settings/api-keys';
import { getBranding } from '@/lib/settings/branding/get-branding';
import { isFlagOn, requireFlag } from '@/lib/settings/feature-flags';
import { type ChatChannel, chatNames } from './chat-result';
import { sendToChat } from './send';
import { sendToSlack, slackOrigin, slackUrl } from './slack';
import { findTelegramBot } from './telegram';

const chatChannels = endpointChannels.filter((channel) => channel !== 'webhook');

/** A chat of a person, without what identifies it to its service. */
export type ChatView = {
  channel: ChatChannel;
  /** The person's name at Telegram; empty for Slack. */
  name: string;
  isEnabled: boolean;
  connectedAt: string;
  /** Why the last message failed; empty after a success. */
  lastError: string;
};

/** Reads the chats of a person, and whether each service can be connected. */
export async function getChats(userId: string): Promise<{ chats: ChatView[]; isOn: boolean; hasTelegram: boolean }> {
  const rows = await db()
    .select()
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.ownerId, userId), ne(webhookEndpoints.channel, 'webhook')))
    .orderBy(asc(webhookEndpoints.channel));
  const [isOn, service] = await Promise.all([isFlagOn('webhooks'), findKeyService('Telegram')]);
  const chats = rows.flatMap(({ channel, description, isEnabled, createdAt, lastError }) =>
    channel === 'webhook'
      ? []
      : [{ channel, name: description, isEnabled, connectedAt: createdAt.toISOString(), lastError }],
  );
  return { chats, isOn, hasTelegram: service !== null };
}
export type ChatOverview = Awaited<ReturnType<typeof getChats>>;

/** Reads the chats for the Security page; null for a user who must set up a second factor first. */
export const getChatOverview = async (actor: Actor): Promise<ChatOverview | null> =>
  isTwoStepOverdue(actor) ? null : getChats(actor.userId);

/**
 * Stores the chat of a person in place of an earlier one, and mails the person, because a stolen session could do it.
 * @param owner `email` as it is now
 */
export async function saveChat(
  tx: Executor,
  actor: AnyActor,
  owner: { userId: string; email: string },
  chat: { channel: ChatChannel; secret: string; name: string },
): Promise<void> {
  const { channel, secret, name } = chat;
  const service = chatNames[channel];
  const id = newId();
  await tx
    .delete(webhookEndpoints)
    .where(and(eq(webhookEndpoints.ownerId, owner.userId), eq(webhookEndpoints.channel, channel)));
  await tx.insert(webhookEndpoints).values({
    id,
    ownerId: owner.userId,
    channel,
    url: channel === 'slack' ? slackOrigin : 'https://api.telegram.org',
    events: [noticeEventType],
    description: name,
    sealedSecret: sealSecret(webhookSecretSlot(id, 'secret'), secret),
  });
  await recordAudit(tx, actor, {
    action: 'chat.connected',
    details: `The notices of ${owner.email} are also sent to ${service}${name ? ` (${name})` : ''}.`,
    entityType: 'user',
    entityId: owner.userId,
  });
  await queueAccountNotice(tx, owner.email, {
    subject: `${service} was connected to your account`,
    text: `Your notifications are also sent to ${service}${name ? `, to ${name}` : ''}.`,
    from: actor.ip,
  });
}

export const connectSlackInput = z.object({ url: slackUrl });

/**
 * Connects the actor's Slack by the address of an incoming webhook, after a test message has reached it.
 * @throws AppError not_configured while webhooks are turned off, unprocessable if Slack refuses the message,
 * rate_limited
 */
export async function connectSlack(actor: Actor, { url }: z.output<typeof connectSlackInput>): Promise<void> {
  await requireFlag('webhooks');
  await consumeLimit('webhookChange', { account: actor.userId, address: '' });
  const { siteName } = await getBranding();
  const { error } = await sendToSlack(url, `${siteName}: your notifications are sent to this channel.`);
  if (error) {
    const message = `The test message did not arrive. ${error}`;
    throw new AppError('unprocessable', message, { fields: { url: message } });
  }
  await db().transaction((tx) => saveChat(tx, actor, actor, { channel: 'slack', secret: url, name: '' }));
}

/**
 * Creates a code that connects a Telegram chat to the actor: the chat that sends it to the bot first, within 15
 * minutes.
 * @throws AppError conflict without a bot that works, not_configured while webhooks are turned off, rate_limited
 */
export async function createTelegramCode(actor: Actor): Promise<{ bot: string; code: string; url: string }> {
  await requireFlag('webhooks');
  await consumeLimit('webhookChange', { account: actor.userId, address: '' });
  const bot = await findTelegramBot();
  if (!bot)
    throw new AppError(
      'conflict',
      'Telegram cannot be connected right now: the bot does not work. Try again later or contact us.',
    );
  const code = await db().transaction(async (tx) => {
    await recordAudit(tx, actor, {
      action: 'chat.code_created',
      details: `${actor.email} asked for a code to connect Telegram.`,
      entityType: 'user',
      entityId: actor.userId,
    });
    return createEmailToken(tx, actor.userId, 'telegram');
  });
  return { bot: bot.username, code, url: `https://t.me/${bot.username}?start=${code}` };
}

export const chatInput = z.object({ channel: z.enum(chatChannels) });
type ChatInput = z.output<typeof chatInput>;

/** Disconnects a chat of the actor, also while webhooks are turned off. @throws AppError not_found */
export async function disconnectChat(actor: Actor, { channel }: ChatInput): Promise<void> {
  await db().transaction(async (tx) => {
    const deleted = await tx
      .delete(webhookEndpoints)
      .where(ofActor(actor, channel))
      .returning({ id: webhookEndpoints.id });
    if (deleted.length === 0) throw new AppError('not_found', `${chatNames[channel]} is not connected.`);
    await recordAudit(tx, actor, {
      action: 'chat.disconnected',
      details: `${actor.email} disconnected ${chatNames[channel]}.`,
      entityType: 'user',
      entityId: actor.userId,
    });
  });
}

/**
 * Sends a test message to a chat of the actor. A failure is a result.
 * @throws AppError not_found, not_configured, rate_limited
 */
export async function testChat(actor: Actor, { channel }: ChatInput): Promise<{ ok: boolean; message: string }> {
  await requireFlag('webhooks');
  await consumeLimit('webhookSend', { account: actor.userId, address: '' });
  const [chat] = await db().select().from(webhookEndpoints).where(ofActor(actor, channel));
  if (!chat) throw new AppError('not_found', `${chatNames[channel]} is not connected.`);
  const { siteName } = await getBranding();
  const { error } = await sendToChat(chat, `${siteName}: this is a test.`);
  return error ? { ok: false, message: error } : { ok: true, message: `${chatNames[channel]} accepted the message.` };
}

const ofActor = ({ userId }: Actor, channel: ChatChannel) =>
  and(eq(webhookEndpoints.ownerId, userId), eq(webhookEndpoints.channel, channel));
