import type { webhookEndpoints } from '@/db/schema/webhook-endpoints';
import { webhookSecretSlot } from '@/lib/developers/webhooks/secrets';
import { openSecret, UnreadableSecret } from '@/lib/platform/secrets';
import type { ChatResult } from './chat-result';
import { sendToSlack } from './slack';
import { sendToTelegram } from './telegram';

type Chat = Pick<typeof webhookEndpoints.$inferSelect, 'id' | 'channel' | 'sealedSecret'>;

/** Sends a text to a chat, outside of a transaction. A failure is a result. */
export async function sendToChat({ id, channel, sealedSecret }: Chat, text: string): Promise<ChatResult> {
  try {
    const target = openSecret(webhookSecretSlot(id, 'secret'), sealedSecret);
    return await (channel === 'slack' ? sendToSlack(target, text) : sendToTelegram(target, text));
  } catch (thrown) {
    if (!(thrown instanceof UnreadableSecret)) throw thrown;
    return { status: null, error: 'The address of the chat cannot be decrypted. Connect it again.', isOurs: true };
  }
}
