import type { PaymentProviderName, ProviderMode } from '@/db/schema/topups';

/** Stands in forms and answers for a secret that is stored (spec 001, section 9). Sent back, it changes nothing. */
export const secretMask = '*'.repeat(8);

export type ConfigField = {
  name: string;
  /** Secrets are encrypted, and no answer ever holds one. */
  isSecret: boolean;
  /** Most characters; keys in PEM are long. */
  maxLength: number;
};

type ProviderForm = {
  /** The modes an admin can choose from, the harmless one first: it is what a new installation starts with. */
  modes: readonly ProviderMode[];
  /** What an admin types in (spec 001, sections 3 and 7). WeChat's private key is uploaded instead. */
  fields: readonly ConfigField[];
};

const plain = (name: string, maxLength = 300): ConfigField => ({ name, isSecret: false, maxLength });
const secret = (name: string): ConfigField => ({ name, isSecret: true, maxLength: 1000 });

/** What can be configured for each provider. Field names are the contract's. */
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

/** The name WeChat's uploaded private key is stored under, among the secrets. */
export const privateKeyField = 'private_key';
