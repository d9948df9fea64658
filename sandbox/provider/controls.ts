import { z } from 'zod';
import { signatures } from '@/sandbox/deliveries/records';

/** Accepts numbers and booleans of JSON and strings of an HTML form; an empty form field means "not altered". */
const count = (max: number) => z.coerce.number().int().min(0).max(max);
const blankIsNull = (value: unknown) => (value === '' ? null : value);
const yesNo = z.union([z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')]);

/** What becomes of new payouts to sellers: `wait` leaves them to the controls, `deny` concerns the whole batch. */
export const payoutFates = ['succeed', 'fail', 'unclaimed', 'hold', 'block', 'deny', 'wait'] as const;

/** The settings of a provider's behavior. */
export const controlsSchema = z.strictObject({
  /**
   * When the webhook is sent: `normal` immediately, without waiting; `before-return` the browser waits for its
   * response; `after-return` after the browser returned (delayMs, or 1.5 s); `hold` only by `deliver`.
   */
  mode: z.enum(['normal', 'before-return', 'after-return', 'hold']),
  delayMs: count(600_000),
  /** Additional deliveries of each event. */
  duplicate: count(20),
  /** Number of next events to drop; counts down. */
  drop: count(1_000),
  /** `forged` signs with another secret; `old` with a time ten minutes ago. */
  signature: z.enum(signatures),
  /**
   * How the API responds: `down` closes the connection, `garbage` sends invalid JSON, `error` a 500, and `lost`
   * executes the request but closes the connection without a response.
   */
  api: z.enum(['normal', 'down', 'garbage', 'error', 'lost']),
  /** Path prefix for which the credentials lack the permission: 403. */
  forbidden: z.preprocess(blankIsNull, z.union([z.null(), z.string().regex(/^\/v\d\/[a-z_/-]+$/)])),
  /** Delay of every API response. */
  slowMs: count(120_000),
  /** Changes amounts in events, and with `alterApi` in API responses; null changes nothing. Minor units. */
  alterAmount: z.preprocess(blankIsNull, z.union([z.null(), count(99_999_999)])),
  alterCurrency: z.preprocess(blankIsNull, z.union([z.null(), z.string().regex(/^[a-z]{3}$/)])),
  /**
   * True sends events as if from another source: Stripe's live mode, another PayPal webhook, another WeChat merchant.
   */
  alterLivemode: z.preprocess(blankIsNull, z.union([z.null(), yesNo])),
  alterApi: yesNo,
  /**
   * How PayPal's captures reference their order and top-up: `all` of supplementary data, link and `custom_id`; only the
   * link `up`; or only `custom_id`. Ignored for other providers.
   */
  captureNames: z.enum(['all', 'up_link', 'custom_id']),
  /** WeChat's signing key: the public key, or the platform certificate. Ignored for other providers. */
  signedBy: z.enum(['public_key', 'certificate']),
  /**
   * Whether WeChat sends events for refunds made on its merchant platform, which requires a URL configured there. A
   * refund by the API with a notify_url always has an event.
   */
  refundNotices: z.enum(['none', 'sent']),
  /**
   * What becomes of a refund that the API creates: `pending` until it is decided; `failed` at once (at WeChat: CLOSED);
   * `abnormal` the buyer's account refuses it (WeChat only, otherwise `failed`); `refused` the request is refused.
   */
  refundFate: z.enum(['succeeded', 'pending', 'failed', 'abnormal', 'refused']),
  /** What becomes of payouts to sellers at PayPal. Ignored for other providers. */
  payoutFate: z.enum(payoutFates),
  /** Whether PayPal refuses payouts above the balance of the account, or has enough for all. */
  payoutFunds: z.enum(['unlimited', 'balance']),
  /** WeChat's bills: `creating` has none available, `corrupt` sends files with a wrong hash. */
  bills: z.enum(['normal', 'creating', 'corrupt']),
});

export type Controls = z.infer<typeof controlsSchema>;

/** Returns the default behavior of a provider. */
export function defaultControls(): Controls {
  return {
    mode: 'normal',
    delayMs: 0,
    duplicate: 0,
    drop: 0,
    signature: 'valid',
    api: 'normal',
    forbidden: null,
    slowMs: 0,
    alterAmount: null,
    alterCurrency: null,
    alterLivemode: null,
    alterApi: false,
    captureNames: 'all',
    signedBy: 'public_key',
    refundNotices: 'none',
    refundFate: 'succeeded',
    payoutFate: 'succeed',
    payoutFunds: 'unlimited',
    bills: 'normal',
  };
}
