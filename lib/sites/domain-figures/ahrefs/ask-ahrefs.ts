import { z } from 'zod';
import { env } from '@/lib/env';
import { normalizeLine } from '@/lib/network/visible-text';
import { cutText } from '@/lib/platform/cut-text';
import { log } from '@/lib/platform/log/log';

/**
 * What Ahrefs answered about a domain. `unknown`: it has no rating of it. `refused`: it does not accept the key. `limited`:
 * it received too many requests. `failed`: no usable answer; `isDenied` if it denied this request, because it does not
 * know the domain or because its API was changed. `retryAfterSeconds` is the time to wait if it named one, and `message`
 * one sentence for staff.
 */
export type RatingAnswer =
  | { outcome: 'rated'; value: number; message: string }
  | { outcome: 'unknown'; message: string }
  | { outcome: 'refused'; message: string }
  | { outcome: 'limited'; message: string; retryAfterSeconds: number | null }
  | { outcome: 'failed'; message: string; retryAfterSeconds: number | null; isDenied: boolean };

const timeoutMs = 10_000;
/** An answer has about 100 bytes. */
const maxBytes = 20_000;
/** A longer pause than a day is cut: the budget of the next day begins then. */
const maxRetrySeconds = 24 * 60 * 60;

const ratingBody = z.object({ domain_rating: z.object({ domain_rating: z.number().min(0).max(100).nullable() }) });
const errorBody = z.object({ error: z.string() });

/**
 * Asks for the Domain Rating of a domain by Ahrefs' free endpoint, which charges no units but needs a key
 * (https://docs.ahrefs.com/en/api/reference/public/get-domain-rating-free). A failure is an answer, not an error.
 */
export async function askAhrefs(key: string, domain: string): Promise<RatingAnswer> {
  const url = new URL('/v3/public/domain-rating-free', env().AHREFS_BASE_URL ?? 'https://api.ahrefs.com');
  url.search = new URLSearchParams({ target: domain, output: 'json' }).toString();
  try {
    const response = await fetch(url, {
      headers: { Authorization: `Bearer ${key}`, Accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const body = parseJson(await readText(response));
    return response.status === 200 ? readRating(body) : readRefusal(response, body, key);
  } catch (thrown) {
    log().warn({ err: thrown, domain }, 'Ahrefs did not answer.');
    return failed('Ahrefs could not be reached, or did not answer in time.');
  }
}

/** Of every answer about a domain. */
const message = 'Ahrefs accepts the key.';

/** The answer about a domain that Ahrefs has no rating of. */
export const unknownRating: RatingAnswer = { outcome: 'unknown', message };

const failed = (problem: string): RatingAnswer => {
  return { outcome: 'failed', message: problem, retryAfterSeconds: null, isDenied: false };
};

function readRating(body: unknown): RatingAnswer {
  const parsed = ratingBody.safeParse(body);
  if (!parsed.success) return failed('Ahrefs answered in an unexpected form, and no rating was taken.');
  const value = parsed.data.domain_rating.domain_rating;
  return value === null ? unknownRating : { outcome: 'rated', value, message };
}

function readRefusal({ status, headers }: Response, body: unknown, key: string): RatingAnswer {
  const parsed = errorBody.safeParse(body);
  const said = parsed.success ? cutText(normalizeLine(parsed.data.error.replaceAll(key, '…')), 150) : '';
  const reason = said ? `: ${said}` : '.';
  if (status === 401 || status === 403)
    return { outcome: 'refused', message: `Ahrefs refuses the key (${status})${reason}` };
  const retryAfterSeconds = parseRetryAfter(headers.get('retry-after'));
  if (status === 429)
    return { outcome: 'limited', message: `Ahrefs received too many requests (429)${reason}`, retryAfterSeconds };
  const isDenied = status === 400 || status === 404;
  return { outcome: 'failed', message: `Ahrefs answered with status ${status}${reason}`, retryAfterSeconds, isDenied };
}

/** Parses Retry-After (RFC 9110, 10.2.3): seconds, or a date. */
function parseRetryAfter(header: string | null): number | null {
  if (!header) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? null : Math.min(Math.max(Math.ceil(seconds), 1), maxRetrySeconds);
}

/** @throws Error for a longer body */
async function readText({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.byteLength;
    if (bytes > maxBytes) throw new Error('The answer of Ahrefs is too long.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
