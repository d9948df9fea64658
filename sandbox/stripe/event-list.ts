import { z } from 'zod';
import { invalidParam } from './errors';
import type { StripeGateway } from './gateway';

const seconds = z.coerce.number().int().min(0);
const querySchema = z.strictObject({
  'created[gte]': seconds.optional(),
  'created[gt]': seconds.optional(),
  'created[lte]': seconds.optional(),
  'created[lt]': seconds.optional(),
  type: z.string().optional(),
  types: z.array(z.string()).max(20).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(10),
  starting_after: z.string().optional(),
});

/** Answers GET /v1/events: newest first, delivered or not. @throws StripeError 400 */
export function listEvents(gateway: StripeGateway, params: URLSearchParams) {
  const query = parseQuery(params);
  const { type, types, limit, starting_after: after } = query;
  const matching = gateway.webhookQueue
    .events()
    .filter((event) => event.provider === 'stripe')
    .filter((event) => isWithin(query, Math.floor(event.createdAt / 1_000)))
    .filter((event) => (type ?? event.type) === event.type && (types?.includes(event.type) ?? true))
    .reverse();
  const start = after === undefined ? 0 : matching.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) throw invalidParam(`No such event: ${after}`, 'starting_after');
  const page = matching.slice(start, start + limit);
  const data: unknown[] = page.map(({ body }) => JSON.parse(body));
  return { object: 'list', data, has_more: start + limit < matching.length, url: '/v1/events' };
}

function isWithin(query: z.output<typeof querySchema>, at: number): boolean {
  return (
    at >= (query['created[gte]'] ?? 0) &&
    at > (query['created[gt]'] ?? -1) &&
    at <= (query['created[lte]'] ?? Number.POSITIVE_INFINITY) &&
    at < (query['created[lt]'] ?? Number.POSITIVE_INFINITY)
  );
}

/** Parses the query; a list is encoded as types[0], types[1]… or types[]. */
function parseQuery(params: URLSearchParams): z.output<typeof querySchema> {
  const input: Record<string, unknown> = {};
  const types: string[] = [];
  for (const [name, value] of params) {
    if (/^types\[\d*\]$/.test(name)) types.push(value);
    else input[name] = value;
  }
  const parsed = querySchema.safeParse({ ...input, ...(types.length > 0 && { types }) });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw invalidParam(`${issue?.path.join('.')}: ${issue?.message}`, issue?.path.join('.') ?? '');
}
