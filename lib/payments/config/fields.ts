import type { PaymentProviderName, ProviderMode } from '@/db/schema/topups';

/** Replaces a stored secret in forms and responses. A request that contains it leaves the secret unchanged. */
export const secretMask = '*'.repeat(8);

export type ConfigField = {
  name: string;
  /** Secrets are stored encrypted and are never part of a response. */
  isSecret: boolean;
  /** Maximum number of characters; PEM keys are long. */
  maxLength: number;
};

type ProviderForm = {
  /** The available modes, with the test mode first: a new installation starts with it. */
  modes: readonly ProviderMode[];
  /** The fields that an admin enters. WeChat's private key is uploaded instead. */
  fields: readonly ConfigField[];
};

const plain = (name: string, maxLength = 300): ConfigField => ({ name, isSecret: false, maxLength });
const secret = (name: string): ConfigField => ({ name, isSecret: true, maxLength: 1000 });

/** The configurable fields of each provider. The names are those of the API. */
export const providerForms: Readonly<Record<PaymentProviderName, ProviderForm>> = {
  stripe: {
    modes: ['test', 'live'],
    fields: [plain('publishable_key'), secret('secret_key'), secret('webhook_secret')],
  },
  paypal: {
    modes: ['sandbox', 'live'],
    fields: [plain('client_id'), secret('client_secret'), plain('webhook_id')],
  },
  wechat: {
    modes: ['test', 'live'],
    fields: [
      plain('mchid'),
      plain('appid'),
      secret('api_v3_key'),
      plain('serial_no'),
      // Newer merchants verify WeChat's signatures with a public key that has an id (PUB_KEY_ID_…).
      plain('public_key_id'),
      plain('public_key', 5000),
    ],
  },
};

/** The name of WeChat's uploaded private key among the secrets. */
export const privateKeyField = 'private_key';

type Check = (value: string, mode: ProviderMode) => string | null;

/** Returns a check that warns unless the value matches the pattern. */
const matchPattern =
  (pattern: RegExp, warning: string): Check =>
  (value) =>
    pattern.test(value) ? null : warning;

/** Warns about a malformed key, and about a key of the other mode, which Stripe would reject. */
const stripeKey =
  (kind: 'pk' | 'sk', warning: string): Check =>
  (value, mode) => {
    const keyMode = new RegExp(`^${kind}_(live|test)_`).exec(value)?.[1];
    if (keyMode === undefined) return warning;
    return keyMode === mode ? null : `This is a ${keyMode} mode key, but the mode is ${mode}.`;
  };

const checks: Readonly<Record<PaymentProviderName, Readonly<Record<string, Check>>>> = {
  stripe: {
    publishable_key: stripeKey('pk', 'Publishable key should start with pk_live_ or pk_test_.'),
    secret_key: stripeKey('sk', 'Secret key should start with sk_live_ or sk_test_.'),
    webhook_secret: matchPattern(/^whsec_/, 'Webhook secret should start with whsec_.'),
  },
  paypal: {
    client_id: matchPattern(/^.{10,}$/s, 'Client ID looks unusual.'),
    webhook_id: matchPattern(/^.{6,}$/s, 'Webhook ID looks unusual.'),
  },
  wechat: {
    mchid: (value) => {
      if (!/^\d+$/.test(value)) return 'Merchant ID should be numeric.';
      return /^\d{8,20}$/.test(value) ? null : 'Merchant ID should have 8 to 20 digits.';
    },
    appid: matchPattern(/^[\w-]{6,}$/, 'AppID looks unusual.'),
    api_v3_key: (value) => {
      if (value.length !== 32) return 'API key must be exactly 32 characters.';
      return /^[A-Za-z0-9]{32}$/.test(value) ? null : 'API key should contain letters and digits only.';
    },
    serial_no: matchPattern(/^[0-9a-f]{12,}$/i, 'Certificate serial should be at least 12 hexadecimal characters.'),
    public_key_id: matchPattern(/^PUB_KEY_ID_/, 'Public key ID should start with PUB_KEY_ID_.'),
    public_key: matchPattern(
      /^-----BEGIN PUBLIC KEY-----\s/,
      'Public key should begin with -----BEGIN PUBLIC KEY-----.',
    ),
  },
};

/**
 * Returns warnings about unusual values. A warning does not prevent saving. Empty values and the mask of a stored
 * secret are not checked.
 * @returns warning texts by field name
 */
export function configWarnings(
  provider: PaymentProviderName,
  mode: ProviderMode,
  values: Readonly<Record<string, string>>,
): Record<string, string> {
  const warnings: Record<string, string> = {};
  for (const [name, check] of Object.entries(checks[provider])) {
    const value = values[name]?.trim() ?? '';
    const warning = value === '' || value === secretMask ? null : check(value, mode);
    if (warning !== null) warnings[name] = warning;
  }
  return warnings;
}
