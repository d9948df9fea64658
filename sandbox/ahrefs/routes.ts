import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type HttpResponse, json, seeOther } from '@/sandbox/http/reply';
import { acceptsHtml, type GatewayRequest, readFields } from '@/sandbox/http/request';
import type { Route } from '@/sandbox/http/router';

/**
 * How the API answers: `denied` accepts no target, `malformed` sends another form than the published one, and `down` closes
 * the connection.
 */
export const ahrefsAnswers = [
  ...(['normal', 'limited', 'unauthorized', 'forbidden', 'denied', 'error', 'malformed', 'down'] as const),
] as const;

const controlsSchema = z.strictObject({
  answer: z.enum(ahrefsAnswers),
  /** The Retry-After of `limited`; none for an empty one. */
  retryAfter: z.coerce.string().max(100),
  /** Delay of every answer. */
  slowMs: z.coerce.number().int().min(0).max(120_000),
  /** Domains that Ahrefs does not know: 404. */
  unknown: z.array(z.string()).max(1_000),
});
export type AhrefsControls = z.infer<typeof controlsSchema>;

/** Ahrefs' free endpoint of the Domain Rating, with the log of its requests and its controls. In memory only. */
export class Ahrefs {
  controls: AhrefsControls = defaultControls();
  /** The targets asked for, oldest first. */
  readonly requests: string[] = [];

  reset(): void {
    this.controls = defaultControls();
    this.requests.length = 0;
  }
}

function defaultControls(): AhrefsControls {
  return { answer: 'normal', retryAfter: '', slowMs: 0, unknown: [] };
}

const maxRequests = 10_000;

/** Declares the endpoint as Ahrefs publishes it, and the controls. */
export function ahrefsRoutes(ahrefs: Ahrefs): Route[] {
  return [
    [
      'GET',
      '/v3/public/domain-rating-free',
      (request) => {
        const { answer, slowMs } = ahrefs.controls;
        if (ahrefs.requests.push(request.url.searchParams.get('target') ?? '') > maxRequests) ahrefs.requests.shift();
        return answer === 'down' ? 'hang-up' : { ...respond(ahrefs.controls, request), delayMs: slowMs };
      },
    ],
    ['GET', '/controls/ahrefs', () => json(200, { ...ahrefs.controls, requests: ahrefs.requests })],
    [
      'POST',
      '/controls/ahrefs',
      (request) => {
        const changes = controlsSchema.partial().safeParse(readFields(request));
        if (!changes.success) return json(400, { error: { message: z.prettifyError(changes.error) } });
        ahrefs.controls = { ...ahrefs.controls, ...changes.data };
        return acceptsHtml(request) ? seeOther('/#ahrefs') : json(200, ahrefs.controls);
      },
    ],
  ];
}

function respond({ answer, retryAfter, unknown }: AhrefsControls, { headers, url }: GatewayRequest): HttpResponse {
  const target = url.searchParams.get('target') ?? '';
  const { authorization } = headers;
  if (answer === 'forbidden' || authorization === undefined) return json(403, { error: 'Forbidden' });
  if (answer === 'unauthorized' || !/^Bearer ahrefs-sandbox-\w+$/.test(authorization))
    return json(401, { error: 'Unauthorized' });
  if (answer === 'limited') {
    return json(429, { error: 'Too many requests' }, retryAfter === '' ? {} : { 'retry-after': retryAfter });
  }
  if (answer === 'error') return json(500, { error: 'Internal server error' });
  if (answer === 'malformed') return json(200, { domain_rating: { domain_rating: 'high' } });
  if (answer === 'denied' || !/^[^\s/]+\.[^\s/]+$/.test(target)) return json(400, { error: 'bad target' });
  if (unknown.includes(target)) return json(404, { error: 'not found' });
  return json(
    200,
    { domain_rating: { domain_rating: rateDomain(target), license: 'http://ahrefs.com/legal/domain-rating-license' } },
    { 'x-api-rows': '1', 'x-api-units-cost-total-actual': '0' },
  );
}

/** Returns an invented rating from 1 to 90 with one decimal, always the same for a domain. */
export function rateDomain(domain: string): number {
  return 1 + (createHash('sha256').update(domain).digest().readUInt32BE() % 891) / 10;
}
