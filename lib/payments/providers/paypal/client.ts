import { createHash } from 'node:crypto';
import { core } from '@paypal/checkout-server-sdk';
import { z } from 'zod';
import { ProviderError, ProviderRefusal } from '../provider';

/** A buyer waits for these calls: a silent connection is given up first, a dripping one a little later. */
const silenceMs = 8_000;
const callMs = 15_000;
/** Clients of credentials that are no longer used are forgotten. */
const mostClients = 8;

const unreadable = Symbol('unreadable');

/** A HATEOAS link of an answer. */
export const payPalLink = z.object({ rel: z.string(), href: z.url({ protocol: /^https?$/ }) });
export type PayPalLink = z.output<typeof payPalLink>;

/**
 * PayPal's own client, mended where it would leave its caller waiting for ever or end the process: it reads an answer
 * inside an event handler, where nothing catches what is thrown.
 */
class Client extends core.PayPalHttpClient {
  /** Of its own: the SDK shares one a client id, so that a changed secret would go on with the old one's token. */
  readonly _cache = new core.TokenCache();

  constructor(environment: core.PayPalEnvironment) {
    super(environment);
    // After the SDK's own injector: a damaged gzip stream would be an uncaught exception.
    this.addInjector((request) => {
      request.headers['Accept-Encoding'] = 'identity';
    });
  }

  override getTimeout(): number {
    return silenceMs;
  }

  /** Called by the SDK for a 2xx answer; it must not throw. */
  _parseResponse(body: string, response: { statusCode: number; headers: object }): object {
    const { statusCode, headers } = response;
    try {
      return { statusCode, headers, result: body === '' ? null : JSON.parse(body) };
    } catch {
      return { statusCode, headers, result: unreadable };
    }
  }
}

/** PayPal understood the call and refused it. */
export class PayPalRefusal extends ProviderRefusal {
  constructor(
    httpStatus: number,
    /** PayPal's name for the reason, e.g. ORDER_NOT_APPROVED. */
    readonly issue: string,
    /** Under which PayPal's support finds the answer. */
    readonly debugId?: string,
    readonly links: readonly PayPalLink[] = [],
  ) {
    super(`PayPal refused (${httpStatus}): ${issue}${debugId ? ` (debug id ${debugId})` : ''}`, httpStatus);
  }
}

export type PayPalCredentials = { baseUrl: string; clientId: string; clientSecret: string };

/** The SDK changes a request while it sends it: make a new one for every call. */
export type PayPalCall = (request: object) => Promise<unknown>;

const clients = new Map<string, Client>();

/** The way to call PayPal with some credentials; calls with the same ones share their access token. */
export function payPalCalls({ baseUrl, clientId, clientSecret }: PayPalCredentials): PayPalCall {
  const key = createHash('sha256')
    .update(JSON.stringify([baseUrl, clientId, clientSecret]))
    .digest('base64');
  const known = clients.get(key);
  const client = known ?? new Client(new core.PayPalEnvironment(clientId, clientSecret, baseUrl, baseUrl));
  clients.delete(key);
  clients.set(key, client);
  const [oldest] = clients.keys();
  if (clients.size > mostClients && oldest !== undefined) clients.delete(oldest);
  return (request) => call(client, request);
}

async function call(client: Client, request: object): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ProviderError('PayPal did not answer in time')), callMs);
  });
  try {
    const { result }: { result?: unknown } = await Promise.race([client.execute(request), late]);
    if (result === unreadable || result === undefined) throw new ProviderError('PayPal answered what is no JSON');
    return result;
  } catch (thrown) {
    throw failure(thrown);
  } finally {
    clearTimeout(timer);
  }
}

const refusal = z.object({
  name: z.string(),
  details: z.array(z.object({ issue: z.string() })).nullish(),
  debug_id: z
    .string()
    .regex(/^\w{1,64}$/)
    .optional()
    .catch(undefined),
  links: z.array(payPalLink).nullish().catch(null),
});
const oauthRefusal = z.object({ error: z.string() });
const httpError = z.object({ statusCode: z.number(), message: z.string() });

function failure(thrown: unknown): ProviderError {
  if (thrown instanceof ProviderError) return thrown;
  const http = httpError.safeParse(thrown);
  if (!http.success) return new ProviderError(`PayPal: ${String(thrown)}`.slice(0, 300), { cause: thrown });
  const { statusCode, message } = http.data;
  const body = parsedJson(message);
  const said = refusal.safeParse(body);
  if (said.success) {
    const { name, details, debug_id: debugId, links } = said.data;
    return new PayPalRefusal(statusCode, details?.[0]?.issue ?? name, debugId, links ?? []);
  }
  const denied = oauthRefusal.safeParse(body);
  if (denied.success) return new PayPalRefusal(statusCode, denied.data.error);
  return new ProviderError(`PayPal answered ${statusCode}`);
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
