import { z } from 'zod';
import { type HttpResponse, json, type Reply } from '@/sandbox/http/reply';
import { type GatewayRequest, readFields } from '@/sandbox/http/request';
import { findRoute, type Route } from '@/sandbox/http/router';

/** The website of the publisher by which the app reaches the access point: it calls public names only. */
export const accessPointHost = 'access-point.example.com';

/**
 * How the provider answers a document: `lost` keeps it but closes the connection without an answer, `down` keeps nothing,
 * `reject` refuses it with `reason`.
 */
const answers = ['normal', 'reject', 'error', 'unauthorized', 'limited', 'malformed', 'down', 'lost'] as const;

const controlsSchema = z.strictObject({
  answer: z.enum(answers),
  /** What the provider says became of the documents that it has. */
  state: z.enum(['sent', 'delivered', 'rejected']),
  /** Why it refuses a document, or its receiver does. */
  reason: z.string().max(2_000),
  /** The id that it gives to the next documents; empty for its own. */
  id: z.string().max(2_000),
  /** Delay of every answer. */
  slowMs: z.coerce.number().int().min(0).max(120_000),
});

const defaultControls = (): z.infer<typeof controlsSchema> => ({
  answer: 'normal',
  state: 'sent',
  reason: '',
  id: '',
  slowMs: 0,
});

type ReceivedInvoice = { id: string; idempotencyKey: string; number: string; receivedAt: string; xml: string };

/**
 * The operator's provider of Peppol and KSeF, with what it received and its controls. In memory only.
 */
export class AccessPoint {
  controls = defaultControls();
  /** Oldest first; one for each Idempotency-Key. */
  readonly received: ReceivedInvoice[] = [];
  /** Requests to receive a document, also repeated and refused ones. */
  requests = 0;
  readonly #routes = documentRoutes(this);

  /** Answers as the website of the provider. */
  async respond(request: GatewayRequest): Promise<Reply | null> {
    const found = findRoute(this.#routes, request.method, request.url.pathname);
    return found ? found.handler({ ...request, params: found.params }) : null;
  }

  reset(): void {
    this.controls = defaultControls();
    this.received.length = 0;
    this.requests = 0;
  }
}

/** Declares the provider's interface and its controls, for the port of the inbox. */
export function accessPointRoutes(accessPoint: AccessPoint): Route[] {
  return [
    ...documentRoutes(accessPoint),
    [
      'GET',
      '/controls/access-point',
      () =>
        json(200, { ...accessPoint.controls, requests: accessPoint.requests, received: accessPoint.received.length }),
    ],
    [
      'POST',
      '/controls/access-point',
      (request) => {
        const changes = controlsSchema.partial().safeParse(readFields(request));
        if (!changes.success) return json(400, { error: { message: z.prettifyError(changes.error) } });
        accessPoint.controls = { ...accessPoint.controls, ...changes.data };
        return json(200, accessPoint.controls);
      },
    ],
  ];
}

function documentRoutes(accessPoint: AccessPoint): Route[] {
  return [
    ['POST', '/invoices', (request) => receive(accessPoint, request)],
    ['GET', '/invoices', () => json(200, accessPoint.received)],
    [
      'GET',
      '/invoices/:id',
      (request) => {
        const { state, reason, slowMs, answer } = accessPoint.controls;
        if (answer === 'down') return 'hang-up';
        if (answer === 'error') return json(500, { error: 'Internal server error' });
        const found = accessPoint.received.find(({ id }) => id === request.params.id);
        if (!found) return json(404, { error: 'Unknown document' });
        return { ...json(200, { id: found.id, state, reason }), delayMs: slowMs };
      },
    ],
  ];
}

/** The number of a UBL invoice or credit note: the first ID below its root. */
const documentForm =
  /^\s*(?:<\?xml[^>]*\?>\s*)?<(?:\w+:)?(?:Invoice|CreditNote)\b[\s\S]*?<cbc:ID>([^<]+)<\/cbc:ID>[\s\S]*<\/(?:\w+:)?(?:Invoice|CreditNote)>\s*$/;

function receive(accessPoint: AccessPoint, request: GatewayRequest): Reply {
  accessPoint.requests += 1;
  const { answer, slowMs } = accessPoint.controls;
  if (answer === 'down') return 'hang-up';
  const reply = answerDocument(accessPoint, request);
  return answer === 'lost' ? 'hang-up' : { ...reply, delayMs: slowMs };
}

function answerDocument({ controls, received }: AccessPoint, { headers, body }: GatewayRequest): HttpResponse {
  const { answer, state, reason } = controls;
  if (answer === 'unauthorized' || !/^Bearer access-point-sandbox\S*$/.test(headers.authorization ?? ''))
    return json(401, { error: 'Unauthorized' });
  if (answer === 'limited') return json(429, { error: 'Too many requests' });
  if (answer === 'error') return json(500, { error: 'Internal server error' });
  if (answer === 'reject') return json(422, { reason });
  const idempotencyKey = String(headers['idempotency-key'] ?? '');
  if (idempotencyKey === '') return json(400, { reason: 'Idempotency-Key is missing' });
  const known = received.find((one) => one.idempotencyKey === idempotencyKey);
  if (known) return json(409, { id: known.id });
  const [, number] = documentForm.exec(body) ?? [];
  if (number === undefined) return json(422, { reason: 'The body is not a UBL invoice with a number' });
  const id = controls.id || `ap_${received.length + 1}`;
  received.push({ id, idempotencyKey, number, receivedAt: new Date().toISOString(), xml: body });
  if (answer === 'malformed') return { ...json(200, ''), body: '<html>OK</html>' };
  return json(202, { id, state: state === 'rejected' ? 'sent' : state });
}
