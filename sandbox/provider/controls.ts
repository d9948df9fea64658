import { z } from 'zod';
import { signatures } from '../deliveries/records';

/** JSON carries numbers and booleans, an HTML form texts; an empty field of a form means "not altered". */
const count = (most: number) => z.coerce.number().int().min(0).max(most);
const blankIsNull = (value: unknown) => (value === '' ? null : value);
const yesNo = z.union([z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')]);

/** Everything a person or a test can set about how a provider's port behaves from now on. */
export const controlsSchema = z.strictObject({
  /**
   * When the webhook is sent: `normal` at once, without anybody waiting; `before-return` the browser waits for its
   * answer; `after-return` after the browser has gone back (delayMs, or 1.5 s); `hold` not until `deliver`.
   */
  mode: z.enum(['normal', 'before-return', 'after-return', 'hold']),
  delayMs: count(600_000),
  /** Further deliveries of each event. */
  duplicate: count(20),
  /** So many of the next events are lost on the way; counts down. */
  drop: count(1_000),
  /** `forged` signs with another secret; `old` with a time ten minutes ago. */
  signature: z.enum(signatures),
  /**
   * How the API answers: `down` closes the connection, `garbage` is no JSON, `error` a 500, and `lost` does what was
   * asked but closes the connection instead of answering.
   */
  api: z.enum(['normal', 'down', 'garbage', 'error', 'lost']),
  /** Addresses that the credentials may not call begin with this path: 403, as for a missing permission. */
  forbidden: z.preprocess(blankIsNull, z.union([z.null(), z.string().regex(/^\/v\d\/[a-z_/-]+$/)])),
  /** Wait before every API answer. */
  slowMs: count(120_000),
  /** Falsified in events, and with `alterApi` in answers of the API too; null leaves the truth. Minor units. */
  alterAmount: z.preprocess(blankIsNull, z.union([z.null(), count(99_999_999)])),
  alterCurrency: z.preprocess(blankIsNull, z.union([z.null(), z.string().regex(/^[a-z]{3}$/)])),
  /** True lets it look as if it came from elsewhere: Stripe's live mode, PayPal's other webhook, WeChat's other merchant. */
  alterLivemode: z.preprocess(blankIsNull, z.union([z.null(), yesNo])),
  alterApi: yesNo,
  /**
   * How PayPal's captures name their order and top-up: `all` of supplementary data, link and `custom_id`; the link `up`
   * only; or `custom_id` only. The others have one way only.
   */
  captureNames: z.enum(['all', 'up_link', 'custom_id']),
  /** What WeChat signs with: the newer public key, or the platform certificate. The others have one way only. */
  signedBy: z.enum(['public_key', 'certificate']),
  /**
   * Whether WeChat notifies of refunds that are made on its merchant platform: not unless an address is set there. A
   * refund that is made by the API with a notify_url is always notified.
   */
  refundNotices: z.enum(['none', 'sent']),
  /** WeChat's bills: `creating` has none ready, `corrupt` sends files that do not have the hash announced. */
  bills: z.enum(['normal', 'creating', 'corrupt']),
});

export type Controls = z.infer<typeof controlsSchema>;

/** The behaviour of a healthy provider. */
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
    bills: 'normal',
  };
}
