import type { PaymentProviderName, ProviderMode } from '@/db/schema/topups';
import type { ProviderSettings } from '@/lib/payments/config/admin-config';
import { privateKeyField, providerForms, secretMask } from '@/lib/payments/config/fields';
import { payPalEventTypes, stripeEventTypes } from '@/lib/payments/providers/event-types';

export type ProviderField = {
  /** The field name in the API. */
  name: string;
  label: string;
  kind: 'text' | 'secret' | 'area';
  placeholder?: string;
  hint?: string;
};

type ProviderScreen = {
  /** The tab's label. */
  tab: string;
  fields: readonly ProviderField[];
  /** The page of the provider where the credentials are found. */
  source: string;
  /** The webhook events to enable at the provider. */
  events: readonly string[];
  /** The page of the provider that lists undelivered webhook events. */
  eventList: string;
};

/** The static content of each provider's screen, in tab order. */
export const providerScreens: Readonly<Record<PaymentProviderName, ProviderScreen>> = {
  stripe: {
    tab: 'Stripe',
    source:
      'Find the keys in the Stripe Dashboard under Developers, API keys, and the webhook secret with its endpoint.',
    fields: [
      { name: 'publishable_key', label: 'Publishable key', kind: 'text', placeholder: 'pk_…' },
      { name: 'secret_key', label: 'Secret key', kind: 'secret', placeholder: 'sk_…' },
      { name: 'webhook_secret', label: 'Webhook secret', kind: 'secret', placeholder: 'whsec_…' },
    ],
    events: stripeEventTypes,
    eventList: 'Stripe’s list of events',
  },
  paypal: {
    tab: 'PayPal',
    source: 'Find all three in the PayPal Developer Dashboard under Apps & Credentials, with the app and its webhook.',
    fields: [
      { name: 'client_id', label: 'Client ID', kind: 'text' },
      { name: 'client_secret', label: 'Client secret', kind: 'secret' },
      {
        name: 'webhook_id',
        label: 'Webhook ID',
        kind: 'text',
        hint: 'Assigned by PayPal to the URL below and used to verify notifications.',
      },
    ],
    events: payPalEventTypes,
    eventList: 'PayPal’s list of events',
  },
  wechat: {
    tab: 'WeChat',
    source:
      'Payment gateway credentials: find them in WeChat Pay’s merchant platform under Account Center, API Security. Buyers are charged in CNY only, at the rate set on this page.',
    fields: [
      { name: 'mchid', label: 'Merchant ID', kind: 'text', placeholder: '1900000001' },
      { name: 'appid', label: 'AppID', kind: 'text', placeholder: 'wx…' },
      { name: 'api_v3_key', label: 'API v3 key', kind: 'secret', hint: '32 letters and digits.' },
      {
        name: 'serial_no',
        label: 'Certificate serial',
        kind: 'text',
        hint: 'The serial number of your merchant certificate.',
      },
      {
        name: 'public_key_id',
        label: 'WeChat public key ID',
        kind: 'text',
        placeholder: 'PUB_KEY_ID_…',
        hint: 'For newer merchants only. If empty, WeChat’s platform certificates are used.',
      },
      {
        name: 'public_key',
        label: 'WeChat public key',
        kind: 'area',
        placeholder: '-----BEGIN PUBLIC KEY-----',
        hint: 'The content of the pub_key.pem file for this ID.',
      },
    ],
    events: [],
    eventList: 'WeChat’s daily bills',
  },
};

export const modeNames = { live: 'Live', test: 'Test', sandbox: 'Sandbox' } as const;

export type ConfigValues = Readonly<Record<string, string>>;

/** The stored settings of one mode as form values. A stored secret is a mask. */
export type ModeForm = { mode: ProviderMode; values: ConfigValues; hasPrivateKey: boolean };

export function modeForms({ provider, modes }: ProviderSettings): ModeForm[] {
  return modes.map(({ mode, fields, stored }) => ({
    mode,
    values: Object.fromEntries(
      providerForms[provider].fields.map(({ name, isSecret }) => {
        const masked = stored.includes(name) ? secretMask : '';
        return [name, isSecret ? masked : (fields[name] ?? '')];
      }),
    ),
    hasPrivateKey: stored.includes(privateKeyField),
  }));
}

/**
 * Returns the fields that differ from the stored values. Unchanged fields are not sent, so a mask never replaces a
 * secret.
 */
export function changedValues(stored: ConfigValues, edited: ConfigValues): Record<string, string> {
  return Object.fromEntries(
    Object.entries(edited).filter(([name, value]) => value !== stored[name] && value !== secretMask),
  );
}

export const configPath = (provider: PaymentProviderName, mode: ProviderMode) =>
  `/api/admin/payments/${provider}/config?mode=${mode}`;
