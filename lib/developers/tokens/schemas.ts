import { z } from 'zod';
import { tokenScopes } from '@/lib/access/token-scopes';
import { parseAddress, parseCidr } from '@/lib/network/addresses';
import { nameField } from '@/lib/platform/http/fields';

/** The most IP ranges of a token. */
const maxAllowedIps = 20;
/** One million dollars. */
const maxDailyLimitCents = 100_000_000;

const ipRange = z
  .string()
  .trim()
  .max(64)
  .transform((text, context) => {
    const parsed = parseCidr(text);
    // Callers with an IPv4 address mapped into IPv6 are known by their IPv4 address.
    if (!parsed || (parsed.family === 'ipv6' && !parseAddress(parsed.address).includes(':'))) {
      context.addIssue({
        code: 'custom',
        message: `“${text}” is not an IP address or range. Enter one such as 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32.`,
      });
      return z.NEVER;
    }
    const full = parsed.family === 'ipv6' ? 128 : 32;
    return `${parseAddress(parsed.address)}${parsed.length === full ? '' : `/${parsed.length}`}`;
  });

/** The body of POST /api/tokens. */
export const createTokenBody = z.object({
  name: nameField('Enter a name.', 60, 'Enter at most 60 characters.').regex(/^\P{Cc}*$/u, 'Enter a name of one line.'),
  scopes: z
    .array(z.enum(tokenScopes), 'Select at least one scope.')
    .min(1, 'Select at least one scope.')
    .max(50)
    .describe('`read`, `orders:write`, `wallet:topup`, `seller`, `webhooks`, and for staff their permissions by name.'),
  expiresAt: z.iso
    .datetime({ offset: true, error: 'Enter a date and time in ISO 8601, such as 2027-01-31T00:00:00Z.' })
    .nullish()
    .describe('When the token ends; without it, it is valid until it is revoked.'),
  allowedIps: z
    .array(ipRange)
    .max(maxAllowedIps, `Enter at most ${maxAllowedIps} IP ranges.`)
    .default([])
    .describe('The addresses and CIDR ranges from which the token can be used; all if empty.'),
  dailyLimitCents: z
    .int('Enter a limit in whole cents.')
    .min(0, 'Enter a limit of at least 0 cents.')
    .max(maxDailyLimitCents, 'Enter a limit of at most $1,000,000.00.')
    .nullish()
    .describe('The most that orders of the token may cost in a UTC day, in USD cents.'),
});
export type CreateTokenInput = z.output<typeof createTokenBody>;

export const tokenParams = z.object({ id: z.string().max(64) });

/** An API token, without its secret. */
export const tokenResponse = z
  .object({
    id: z.string(),
    name: z.string(),
    scopes: z.array(z.string()),
    lastFour: z.string().describe('The last four characters of the token.'),
    allowedIps: z.array(z.string()),
    dailyLimitCents: z.int().nullable(),
    spentTodayCents: z.int().describe('What orders of the token cost today (UTC), in USD cents.'),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().nullable(),
    lastUsedAt: z.iso.datetime().nullable().describe('At most a minute late.'),
    lastUsedIp: z.string(),
    member: z
      .object({ userId: z.string(), name: z.string(), email: z.string() })
      .optional()
      .describe('In the list of a team: the member with whose rights the token acts.'),
  })
  .meta({ title: 'ApiToken' });
export type TokenView = z.output<typeof tokenResponse>;

/** The response of POST /api/tokens. */
export const createdTokenResponse = tokenResponse
  .extend({ token: z.string().describe('The token itself. It is not stored, and not returned again.') })
  .meta({ title: 'CreatedApiToken' });
