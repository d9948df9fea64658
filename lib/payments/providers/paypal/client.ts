import { createHash } from 'node:crypto';
import { core } from '@paypal/checkout-server-sdk';
import { z } from 'zod';
import { currencyDecimals, toDecimalString } from '@/lib/money';
import { ProviderError, ProviderRefusal } from '@/lib/payments/providers/provider';
import { cacheNewest, measureCall, parseJson } from '@/lib/payments/providers/provider-calls';

/** Timeouts for calls during checkout: without any data, and in total. */
const idleTimeoutMs = 8_000;
const callTimeoutMs = 15_000;
/** Limits the cache, so that clients of replaced credentials are dropped. */
const maxClients = 8;

const unreadable = Symbol('unreadable');

/** A HATEOAS link of a response. */
export const payPalLink = z.object({ rel: z.string(), href: z.url({ protocol: /^https?$/ }) });
export type PayPalLink = z.output<typeof payPalLink>;

/**
 * PayPal's SDK client with two fixes: a timeout, and a JSON parser that does not throw. The SDK parses responses in an
 * event handler, where an exception would end the process.
 */
class Client extends core.PayPalHttpClient {
  /**
   * The SDK shares one token cache per client id. With an own cache, a changed secret does not use the old secret's
   * token.
   */
  readonly _cache = new core.TokenCache();

  constructor(environment: core.PayPalEnvironment) {
    super(environment);
    // Runs after the SDK's injector: a corrupt gzip stream would be an uncaught exception.
    this.addInjector((request) => {
      request.headers['Accept-Encoding'] = 'identity';
    });
  }

  override getTimeout(): number {
    return idleTimeoutMs;
  }

  /** Parses the body of a 2xx response. The SDK calls it; it must not throw. */
  _parseResponse(body: string, response: { statusCode: number; headers: object }): object {
    const { statusCode, headers } = response;
    try {
      return { statusCode, headers, result: body === '' ? null : JSON.parse(body) };
    } catch {
      return { statusCode, headers, result: unreadable };
    }
  }
}

/** PayPal rejected the request. */
export class PayPalRefusal extends ProviderRefusal {
  constructor(
    httpStatus: number,
    /** PayPal's error code, e.g. ORDER_NOT_APPROVED. */
    readonly issue: string,
    /** The id by which PayPal's support finds the response. */
    readonly debugId?: string,
    /** The links of the response and of its details. */
    readonly links: readonly PayPalLink[] = [],
    /** The name of the error, e.g. UNPROCESSABLE_ENTITY. */
    readonly errorName = issue,
    /** The fields of the request that PayPal did not accept, e.g. items[3].receiver. */
    readonly fields: readonly string[] = [],
  ) {
    const where = fields[0] === undefined ? '' : ` in ${fields[0]}`;
    super(`PayPal refused (${httpStatus}): ${issue}${where}${debugId ? ` (debug id ${debugId})` : ''}`, httpStatus);
  }
}

type PayPalCredentials = { baseUrl: string; clientId: string; clientSecret: string };

/** Sends a request. The SDK mutates the request, so each call needs a new one. */
export type PayPalCall = (request: object) => Promise<unknown>;

const clients = new Map<string, Client>();

/**
 * Returns a function that sends requests with the given credentials. Calls with the same credentials share an access
 * token.
 */
export function createPayPalCall({ baseUrl, clientId, clientSecret }: PayPalCredentials): PayPalCall {
  const key = createHash('sha256')
    .update(JSON.stringify([baseUrl, clientId, clientSecret]))
    .digest('base64');
  const cached = clients.get(key);
  const client = cached ?? new Client(new core.PayPalEnvironment(clientId, clientSecret, baseUrl, baseUrl));
  cacheNewest(clients, key, client, maxClients);
  return (request) => measureCall('paypal', () => call(client, request));
}

async function call(client: Client, request: object): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ProviderError('PayPal did not respond in time')), callTimeoutMs);
  });
  try {
    const { result }: { result?: unknown } = await Promise.race([client.execute(request), timeout]);
    if (result === unreadable || result === undefined) throw new ProviderError('PayPal did not return JSON');
    return result;
  } catch (thrown) {
    throw toProviderError(thrown);
  } finally {
    clearTimeout(timer);
  }
}

const linkList = z.array(payPalLink).nullish().catch(null);
const refusal = z.object({
  name: z.string(),
  // Payouts names the earlier batch of a repeated request in `link` of a detail.
  details: z
    .array(
      z.object({
        issue: z.string().optional(),
        field: z
          .string()
          .regex(/^[\w./[\]#-]{1,100}$/)
          .optional()
          .catch(undefined),
        link: linkList,
        links: linkList,
      }),
    )
    .nullish(),
  debug_id: z
    .string()
    .regex(/^\w{1,64}$/)
    .optional()
    .catch(undefined),
  links: linkList,
});
const oauthRefusal = z.object({ error: z.string() });
const httpError = z.object({ statusCode: z.number(), message: z.string() });

function toProviderError(thrown: unknown): ProviderError {
  if (thrown instanceof ProviderError) return thrown;
  const http = httpError.safeParse(thrown);
  if (!http.success) return new ProviderError(`PayPal: ${String(thrown)}`.slice(0, 300), { cause: thrown });
  const { statusCode, message } = http.data;
  const body = parseJson(message);
  const parsed = refusal.safeParse(body);
  if (parsed.success) {
    const { name, details, debug_id: debugId, links } = parsed.data;
    const all = [...(links ?? []), ...(details ?? []).flatMap((one) => [...(one.link ?? []), ...(one.links ?? [])])];
    const fields = (details ?? []).flatMap(({ field }) => field ?? []);
    return new PayPalRefusal(statusCode, details?.[0]?.issue ?? name, debugId, all, name, fields);
  }
  const denied = oauthRefusal.safeParse(body);
  if (denied.success) return new PayPalRefusal(statusCode, denied.data.error);
  return new ProviderError(`PayPal returned ${statusCode}`);
}

type PayPalMoney = { currency_code: string; value: string };

/**
 * Parses PayPal's `money` object into integer minor units. A value with more decimals than its currency has is
 * rejected: PayPal cannot charge it, and rounding would change the amount. HUF, JPY and TWD have no decimals
 * (https://developer.paypal.com/api/rest/reference/currency-codes/).
 */
export const payPalMoney = z
  .object({
    currency_code: z.string().regex(/^[A-Z]{3}$/),
    value: z
      .string()
      .max(32)
      .regex(/^(\d+(\.\d+)?|\.\d+)$/),
  })
  .transform(({ currency_code: currency, value }, context) => {
    const amountMinor = toMinorUnits(value, currencyDecimals(currency));
    if (amountMinor !== null) return { amountMinor, currency };
    context.addIssue({ code: 'custom', path: ['value'], message: 'The value is not an amount in its currency.' });
    return z.NEVER;
  });

/** Parses the older `currency` object of the Payouts API. */
export const payPalCurrency = z
  .object({ currency: z.string(), value: z.string() })
  .transform(({ currency, value }) => ({ currency_code: currency, value }))
  .pipe(payPalMoney);

/** Formats an amount as PayPal's `money` object. @param amountMinor integer minor units */
export function toPayPalMoney(amountMinor: number, currency: string): PayPalMoney {
  return { currency_code: currency, value: toDecimalString(amountMinor, currencyDecimals(currency)) };
}

function toMinorUnits(value: string, decimals: number): number | null {
  const [whole = '', fraction = ''] = value.split('.');
  const digits = fraction.replace(/0+$/, '');
  if (digits.length > decimals) return null;
  const amount = Number(whole + digits.padEnd(decimals, '0'));
  return Number.isSafeInteger(amount) ? amount : null;
}
