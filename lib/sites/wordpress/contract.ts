import { z } from 'zod';
import { publishSettings, wordpressStates } from '@/db/schema/wordpress';

/** The response of POST /api/seller/sites/{id}/wordpress/connect. */
export const connectResponse = z.object({
  url: z.string().describe('The screen of WordPress on which its user approves the connection, to open in a browser.'),
});

/** GET and PUT /api/seller/sites/{id}/wordpress. */
export const wordpressResponse = z
  .object({
    state: z
      .enum(['none', ...wordpressStates])
      .describe('`revoked` if WordPress no longer accepts the password: the site must be connected again.'),
    isProved: z.boolean().describe('Whether the seller proved the domain, without which no site can be connected.'),
    host: z.string().nullable(),
    username: z.string().nullable().describe('The WordPress user that publishes.'),
    roles: z.array(z.string()),
    publish: z.enum(publishSettings).nullable().describe('How articles are published.'),
    connectedAt: z.iso.datetime().nullable(),
    lastUsedAt: z.iso.datetime().nullable(),
    lastError: z.string().describe('Why the last request failed; empty after a success.'),
  })
  .meta({ title: 'SiteWordPress' });
export type WordPressView = z.output<typeof wordpressResponse>;

/** The body of PUT /api/seller/sites/{id}/wordpress. */
export const publishSettingBody = z.object({
  publish: z.enum(publishSettings, 'Choose draft, schedule or live.'),
});

/** The response of DELETE /api/seller/sites/{id}/wordpress. */
export const disconnectResponse = z.object({
  isRevoked: z.boolean().describe('Whether WordPress revoked the password.'),
  message: z.string(),
});

/** The outcomes of the way through the screen of WordPress, as `result` in the address of My Sites. */
export const connectResults = [
  'connected',
  'declined',
  'expired',
  'other_site',
  'administrator',
  'contributor',
  'refused',
  'unavailable',
  'limited',
] as const;
export type ConnectResult = (typeof connectResults)[number];

/**
 * Parses a text of the query. A longer one counts as absent: an error page would stay at an address with a password.
 */
const returned = (max: number) => z.string().max(max).catch('').default('');

/** The address to which WordPress returns: the token of the request, and what WordPress adds. */
export const callbackQuery = z.object({
  state: returned(100).describe('The token of the request, which is valid once.'),
  success: returned(10).describe('`false` if the user did not approve.'),
  site_url: returned(2_048).describe('The address of the WordPress site.'),
  user_login: returned(200).describe('The WordPress user.'),
  password: returned(200).describe('The new application password.'),
});
export type CallbackQuery = z.output<typeof callbackQuery>;
