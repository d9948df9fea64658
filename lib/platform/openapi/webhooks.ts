import { z } from 'zod';
import { type JsonSchema, jsonSchema } from './json-schema';

/** An event that the server sends: what happened, and the data by audience. */
export type WebhookDeclaration = {
  summary: string;
  views: readonly { audience: string; schema: z.ZodObject; example: Record<string, unknown> }[];
};

type Content = { schema: JsonSchema; examples: Record<string, { summary: string; value: unknown }> };
export type WebhookItem = {
  post: {
    operationId: string;
    summary: string;
    tags: string[];
    security: Record<string, string[]>[];
    /** Who receives the event. */
    'x-audiences': string[];
    parameters: { name: string; in: 'header'; required: true; description: string; schema: JsonSchema }[];
    requestBody: { required: true; content: Record<string, Content> };
    responses: Record<string, { description: string }>;
  };
};

const headers = {
  'webhook-id': 'The id of the event: the same for every attempt and replay.',
  'webhook-timestamp': 'The time of the attempt, in seconds since 1970.',
  'webhook-signature': 'One or two signatures by the Standard Webhooks scheme, separated by spaces.',
};

const example = { id: '01kay3m8c1e2v4e6n8t0w2x4y6', timestamp: '2026-03-02T09:00:00.000Z' };

/** Describes an event as a webhook of the document. @param schemas receives titled schemas */
export function describeWebhook(
  type: string,
  { summary, views }: WebhookDeclaration,
  schemas: Record<string, JsonSchema>,
): WebhookItem {
  const bodies = views.map(({ schema }) =>
    jsonSchema(
      z.object({ id: z.string(), type: z.literal(type), timestamp: z.iso.datetime(), data: schema }),
      'output',
      schemas,
    ),
  );
  const distinct = [...new Map(bodies.map((body) => [JSON.stringify(body), body])).values()];
  const [only] = distinct;
  return {
    post: {
      operationId: `webhook${type.replace(/(^|[._])(\w)/g, (_, _before, letter) => letter.toUpperCase())}`,
      summary,
      tags: ['Webhooks'],
      security: [],
      'x-audiences': views.map(({ audience }) => audience),
      parameters: Object.entries(headers).map(([name, description]) => ({
        name,
        in: 'header',
        required: true,
        description,
        schema: { type: 'string' },
      })),
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: distinct.length === 1 && only ? only : { anyOf: distinct },
            examples: Object.fromEntries(
              views.map((view) => [
                view.audience,
                { summary: `For the ${view.audience}`, value: { ...example, type, data: view.example } },
              ]),
            ),
          },
        },
      },
      responses: { '2XX': { description: 'The event was received. Any other answer is a failure, and is retried.' } },
    },
  };
}
