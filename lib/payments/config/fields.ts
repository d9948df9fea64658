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
