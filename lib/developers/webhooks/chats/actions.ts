'use server';

import { z } from 'zod';
import { action } from '@/lib/auth/action';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import {
  chatInput,
  connectSlack,
  connectSlackInput,
  createTelegramCode,
  disconnectChat,
  getChats,
  testChat,
} from './connect';
import { readTelegramCodes } from './read-codes';

// Part of the security page of every portal; not part of the public API.

export const connectSlackAction = action(
  { access: 'session', recentAuthentication: true, input: connectSlackInput },
  connectSlack,
);

export const createTelegramCodeAction = action(
  { access: 'session', recentAuthentication: true, input: z.object({}) },
  createTelegramCode,
);

/** Reads the bot's messages at once for a person who has just sent the code. Returns whether a chat is connected. */
export const checkTelegramAction = action({ access: 'session', input: z.object({}) }, async (actor) => {
  await consumeLimit('webhookSend', { account: actor.userId, address: '' });
  await readTelegramCodes();
  const { chats } = await getChats(actor.userId);
  return { isConnected: chats.some(({ channel, isEnabled }) => channel === 'telegram' && isEnabled) };
});

export const disconnectChatAction = action({ access: 'session', input: chatInput }, disconnectChat);
export const testChatAction = action({ access: 'session', input: chatInput }, testChat);
