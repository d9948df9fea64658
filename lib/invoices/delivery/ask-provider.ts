import { z } from 'zod';
import type { DeliveryChannel } from '@/db/enums';
import type { deliveryProviders } from '@/db/schema/invoice-deliveries';
import { env } from '@/lib/env';
import { describeReason } from '@/lib/links/describe-reason';
import { callAddress } from '@/lib/links/fetch-page';
import type { PageFetch } from '@/lib/links/page-fetch';
import { normalizeLine } from '@/lib/network/visible-text';
import { cutText } from '@/lib/platform/cut-text';
import { openSecret, UnreadableSecret } from '@/lib/platform/secrets';
import { deliveryKeySlot } from './providers';

type Provider = Pick<typeof deliveryProviders.$inferSelect, 'channel' | 'url' | 'sealedKey'>;

/**
 * What a provider said of a document. `accepted`: it has the document; `state` is what became of it so far, and `id` is null
 * if it gave none. `rejected`: it refuses the document for good. `unanswered`: nothing is known, so it is asked again.
 */
export type ProviderAnswer =
  | { outcome: 'accepted'; id: string | null; state: ReportedState; reason: string }
  | { outcome: 'rejected'; reason: string }
  | { outcome: 'unanswered'; reason: string };

const reportedStates = ['sent', 'delivered', 'rejected'] as const;
type ReportedState = (typeof reportedStates)[number];

/** For names, connection and answer together; much shorter than the lease of a delivery. */
const timeoutMs = 20_000;
const maxAnswerBytes = 64 * 1024;
const reasonLength = 300;

/** An id that PostgreSQL stores, and that stays one part of a path. */
const documentId = z
  .string()
  .trim()
  .max(200)
  .regex(/^(?!\.{1,2}$)[^\p{Cc}\p{Cs}]+$/u);

/** Fields of another form count as absent: what matters is that the provider has the document. */
const answerBody = z.object({
  id: z
    .union([documentId, z.int().transform(String)])
    .nullish()
    .catch(null),
  /** A state of the provider's own is on its way. */
  state: z.enum(reportedStates).catch('sent'),
  reason: z.string().nullish().catch(null),
  error: z
    .union([z.string(), z.object({ message: z.string() }).transform(({ message }) => message)])
    .nullish()
    .catch(null),
});

/**
 * Sends a document: `POST {url}` with the XML. The provider recognizes a repeated request by its Idempotency-Key, and
 * answers 2xx with `{id, state}`, or 409 for a document that it has. Other errors of the request reject the document,
 * except those about the settings, the time and the rate (401, 403, 404, 405, 408, 425, 429).
 */
export async function sendToProvider(provider: Provider, deliveryId: string, xml: string): Promise<ProviderAnswer> {
  return ask(provider, {
    url: provider.url,
    method: 'POST',
    headers: { 'content-type': 'application/xml; charset=utf-8', 'idempotency-key': deliveryId },
    body: xml,
  });
}

/** Asks what became of a document that the provider accepted: `GET {url}/{id}` answers 2xx with `{id, state, reason}`. */
export async function readFromProvider(provider: Provider, providerId: string): Promise<ProviderAnswer> {
  const answer = await ask(provider, {
    url: `${provider.url}/${encodeURIComponent(providerId)}`,
    method: 'GET',
    headers: {},
  });
  // A refused question rejects no document.
  return answer.outcome === 'rejected' ? { ...answer, outcome: 'unanswered' } : answer;
}

type Question = { url: string; method: 'GET' | 'POST'; headers: Record<string, string>; body?: string };

async function ask(provider: Provider, { url, method, headers, body }: Question): Promise<ProviderAnswer> {
  const key = openKey(provider.channel, provider.sealedKey);
  if (key === null)
    return { outcome: 'unanswered', reason: 'The stored key cannot be decrypted. Enter it again under Providers.' };
  const response = await callAddress(
    url,
    {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'user-agent': `LinkMarket/1.0 (+${new URL(env().APP_URL).origin})`,
        accept: 'application/json',
        ...headers,
      },
      ...(body !== undefined && { body }),
    },
    { timeoutMs, maxBytes: maxAnswerBytes, whenLonger: 'cut' },
  );
  return readAnswer(response, key);
}

function openKey(channel: DeliveryChannel, sealedKey: string): string | null {
  try {
    return openSecret(deliveryKeySlot(channel), sealedKey);
  } catch (thrown) {
    if (!(thrown instanceof UnreadableSecret)) throw thrown;
    return null;
  }
}

const settingStatuses = new Set([401, 403, 404, 405, 408, 425, 429]);

function readAnswer(response: PageFetch, key: string): ProviderAnswer {
  if (!response.ok) {
    const isPrivate = response.refusal === 'private_address' || response.refusal === 'local_name';
    const reason = isPrivate ? 'The address belongs to a private network.' : describeReason(response.failure);
    return { outcome: 'unanswered', reason };
  }
  const { status } = response;
  const parsed = answerBody.safeParse(parseJson(response.body.toString('utf8')));
  const said = quote(parsed.data?.reason ?? parsed.data?.error ?? '', key);
  const reason = `The provider answered ${status}${said === '' ? '.' : `: ${said}`}`;
  if ((status >= 200 && status <= 299) || status === 409) {
    // Without a readable answer it is not known whether the document was accepted; the next attempt is answered by 409.
    if (status !== 409 && !parsed.success)
      return { outcome: 'unanswered', reason: `${reason} Its body is not a JSON object.` };
    const { id = null, state = 'sent' } = parsed.data ?? {};
    return { outcome: 'accepted', id, state, reason: said };
  }
  const isRefusal = status >= 400 && status <= 499 && !settingStatuses.has(status);
  return { outcome: isRefusal ? 'rejected' : 'unanswered', reason };
}

/** Returns the words of a provider on one line, without the key and without characters that PostgreSQL cannot store. */
const quote = (text: string, key: string): string =>
  cutText(normalizeLine(text.replaceAll('\0', '').replaceAll(key, '…')), reasonLength);

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
