import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { z } from 'zod';
import { db, type Executor } from '@/db/client';
import { settings } from '@/db/schema/settings';
import type { Actor } from '@/lib/access/actor';
import { AppError } from '@/lib/errors';
import { recordAudit } from '@/lib/platform/audit/record';
import { versionField } from '@/lib/platform/http/fields';
import { getSettings, parseSetting, readSettings, type SettingRows, saveSetting, selectSettings } from './settings';

type Flag = {
  label: string;
  /** What the flag turns off, for the admin. */
  description: string;
  /** The message for users while the flag is off. */
  off: string;
  /** Whether the flag is on in an installation that never changed it. */
  startsOn: boolean;
};

/** The feature flags. */
export const flags = {
  registration: {
    label: 'Customer registration',
    description:
      'New customer accounts, on the sign-in page, at /register and through the API. Existing accounts can still sign in.',
    off: 'New accounts cannot be created right now.',
    startsOn: true,
  },
  'seller-registration': {
    label: 'Seller registration',
    description: 'New seller accounts from the Seller Lounge. Existing accounts can still sign in.',
    off: 'New seller accounts cannot be created right now.',
    startsOn: true,
  },
  marketplace: {
    label: 'Marketplace',
    description:
      'The list of sites for buyers, its API, and orders for chosen sites. Existing orders continue, and staff see every site.',
    off: 'The marketplace is closed right now. Your orders continue.',
    startsOn: true,
  },
  packages: {
    label: 'Packages',
    description: 'The packages a buyer can choose, and orders for them. Existing orders continue.',
    off: 'Packages cannot be ordered right now.',
    startsOn: true,
  },
  'topup-stripe': {
    label: 'Top-ups by Stripe',
    description: 'New card payments. Payments in progress are still credited.',
    off: 'Stripe top-ups are turned off right now. Choose another payment method.',
    startsOn: true,
  },
  'topup-paypal': {
    label: 'Top-ups by PayPal',
    description: 'New PayPal payments. Payments in progress are still credited.',
    off: 'PayPal top-ups are turned off right now. Choose another payment method.',
    startsOn: true,
  },
  'topup-wechat': {
    label: 'Top-ups by WeChat Pay',
    description: 'New WeChat payments. Payments in progress are still credited.',
    off: 'WeChat Pay top-ups are turned off right now. Choose another payment method.',
    startsOn: true,
  },
  'site-uploads': {
    label: 'Sites from sellers',
    description: 'New sites from sellers, by form and by CSV. Existing sites stay listed and can be edited.',
    off: 'New sites cannot be added right now.',
    startsOn: true,
  },
  'serp-preview': {
    label: 'SERP preview',
    description: 'The title and description tool for staff, and its suggestions.',
    off: 'The SERP preview is turned off right now.',
    startsOn: true,
  },
  payouts: {
    label: 'Payouts',
    description:
      'Payout methods and payout requests of sellers. Existing requests can still be approved, paid and returned.',
    off: 'Payouts are turned off right now. Your balance stays as it is.',
    startsOn: true,
  },
  'refunds-to-source': {
    label: 'Refunds to the payment method',
    description:
      'Requests of buyers for a refund of wallet money to the card or account that paid, and refunds by staff. Existing requests can still be approved or declined, and refunds in progress continue.',
    off: 'Refunds to the payment method are turned off right now. Your balance stays as it is.',
    startsOn: true,
  },
  webhooks: {
    label: 'Outgoing webhooks',
    description:
      'Events, and their delivery to the addresses that users and admins enter. While turned off, no event is recorded, and the server opens no connection to these addresses.',
    off: 'Webhooks are turned off right now.',
    startsOn: true,
  },
  'api-tokens': {
    label: 'API tokens',
    description:
      'Tokens that users create for their programs. While turned off, every request with a token is refused. Existing tokens are kept and can still be revoked.',
    off: 'API tokens are turned off right now.',
    startsOn: true,
  },
  mcp: {
    label: 'MCP server',
    description:
      'The Model Context Protocol server at /api/mcp, with which AI assistants of buyers and sellers work on their behalf, and quotes of orders. Orders that were placed continue.',
    off: 'The MCP server is turned off right now.',
    startsOn: true,
  },
  'public-catalogue': {
    label: 'Public catalog',
    description:
      'What is on sale, at /explore, for visitors without an account and for search engines: figures, niches and prices, without addresses. Adds a sitemap.',
    off: 'This marketplace has no public catalog.',
    startsOn: false,
  },
  'public-addresses': {
    label: 'Addresses in the public catalog',
    description: 'Names and addresses of the sites shown at /explore. Visitors can then contact the sites directly.',
    off: 'The public catalog shows no addresses.',
    startsOn: false,
  },
} as const satisfies Record<string, Flag>;

export type FlagName = keyof typeof flags;

/** `Object.keys` returns string[]; the keys are exactly the names above. */
export const flagNames = Object.keys(flags) as FlagName[];

/** Returns the key of a flag in the settings table. */
export const flagKey = (name: FlagName) => `flag.${name}`;

const stored = z.boolean();

export type FlagState = {
  name: FlagName;
  isOn: boolean;
  /** The version for an edit; 0 when the flag was never changed. */
  version: number;
  /** ISO 8601; null when the flag was never changed. */
  changedAt: string | null;
};

/** Reads the state of all flags. */
export async function getFlags(): Promise<FlagState[]> {
  const rows = await getSettings();
  return flagNames.map((name) => parseFlag(rows, name));
}

/** Checks whether a flag is on. @param tx the caller's, because a second connection could deadlock the pool */
export async function isFlagOn(name: FlagName, tx?: Executor): Promise<boolean> {
  return parseFlag(await readSettings(tx), name).isOn;
}

/** Requires that a flag is on. @throws AppError not_configured with the flag's message when it is off */
export async function requireFlag(name: FlagName, tx?: Executor): Promise<void> {
  if (!(await isFlagOn(name, tx))) throw new AppError('not_configured', flags[name].off);
}

/** Returns the state of a flag from settings that were already read. */
function parseFlag(rows: SettingRows, name: FlagName): FlagState {
  const { value, version, row } = parseSetting(rows, flagKey(name), stored, flags[name].startsOn);
  return { name, isOn: value, version, changedAt: row?.updatedAt.toISOString() ?? null };
}

/** The result of `selectIfFlagOn` while the flag is off. */
export const flagOffMarker = 'turned off';

/** Builds SQL that returns `text`, or `flagOffMarker`: reads both in one round trip. */
export function selectIfFlagOn(name: FlagName, text: SQL<string>): SQL<string> {
  return sql<string>`case when ${isFlagOffIn(flagKey(name))} then ${flagOffMarker} else ${text} end`;
}

/** Builds SQL that is true while a flag is off, to read it with other values in one statement. @param key `flagKey` */
export const isFlagOffIn = (key: string | Placeholder): SQL<boolean> =>
  sql<boolean>`exists (select 1 from ${settings} where ${settings.key} = ${key} and ${settings.value} = 'false'::jsonb)`;

export const setFlagInput = z.object({
  name: z.enum(flagNames),
  isOn: z.boolean(),
  version: versionField,
});
type SetFlagInput = z.output<typeof setFlagInput>;

/**
 * Turns a feature flag on or off for all users, from the next request.
 * @throws AppError conflict for a stale `version`
 */
export async function setFlag(actor: Actor, { name, isOn, version }: SetFlagInput): Promise<void> {
  const { label } = flags[name];
  await db().transaction(async (tx) => {
    const before = parseFlag(await selectSettings(tx), name);
    await saveSetting(tx, actor, { key: flagKey(name), value: isOn, version, name: label });
    await recordAudit(tx, actor, {
      action: isOn ? 'flag.turned_on' : 'flag.turned_off',
      details: `${label} turned ${isOn ? 'on' : 'off'}.`,
      entityType: 'flag',
      entityId: name,
      before: { isOn: before.isOn },
      after: { isOn },
    });
  });
}
