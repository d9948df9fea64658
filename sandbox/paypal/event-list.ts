import { z } from 'zod';
import { invalidRequest } from './errors';
import type { PayPalGateway } from './gateway';

const path = '/v1/notifications/webhooks-events';
const querySchema = z.strictObject({
  page_size: z.coerce.number().int().min(1).max(300).default(10),
  start_time: z.iso.datetime({ offset: true }).optional(),
  end_time: z.iso.datetime({ offset: true }).optional(),
  event_type: z.string().optional(),
  // Used only by links to other pages.
  move_to: z.enum(['next', 'previous']).optional(),
  index_time: z.iso.datetime({ offset: true }).optional(),
  /** Start of the page. */
  index_id: z.coerce.number().int().min(0).default(0),
});

/** Answers GET /v1/notifications/webhooks-events: newest first, delivered or not. @throws PayPalError 400 */
export function listEvents(gateway: PayPalGateway, params: URLSearchParams) {
  const parsed = querySchema.safeParse(Object.fromEntries(params));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    throw invalidRequest(issue?.path.join('.') ?? '', 'INVALID_PARAMETER_VALUE', issue?.message ?? 'is not valid');
  }
  const { page_size: size, start_time: from, end_time: until, event_type: type, index_id: start } = parsed.data;
  const matching = gateway.webhookQueue
    .events()
    .filter((event) => event.provider === 'paypal' && (type ?? event.type) === event.type)
    .filter(({ createdAt }) => from === undefined || createdAt >= Date.parse(from))
    // Includes the whole second of `until`.
    .filter(({ createdAt }) => until === undefined || createdAt < Date.parse(until) + 1_000)
    .reverse();
  const shown = matching.slice(start, start + size);
  // In PayPal's examples the path of these links ends with a slash.
  const link = (rel: 'next' | 'previous', index: number) => {
    const query = new URLSearchParams(params);
    query.set('move_to', rel);
    query.set('index_time', new Date(shown.at(-1)?.createdAt ?? 0).toISOString());
    query.set('index_id', String(index));
    return { href: `${gateway.origin}${path}/?${query}`, rel, method: 'GET' };
  };
  const events: unknown[] = shown.map(({ body }) => JSON.parse(body));
  return {
    events,
    count: events.length,
    links: [
      ...(start + size < matching.length ? [link('next', start + size)] : []),
      ...(start > 0 ? [link('previous', Math.max(0, start - size))] : []),
    ],
  };
}
