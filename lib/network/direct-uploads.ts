import { canParseUrl } from './can-parse-url';

/** Up to this size, browsers post their files as a form. Vercel's functions accept bodies up to 4.5 MB. */
export const maxFormBytes = 4_000_000;

/** The maximum size of a file that is sent to the bucket in one request: S3 accepts 5 GiB. */
export const maxDirectBytes = 5_000_000_000;

/** The maximum size of a form that Vercel certainly accepts. */
export const platformFormBytes = 4_400_000;

/**
 * The name of the `meta` element of pages on which browsers send larger files to the bucket directly. Its content is
 * `only` where the platform refuses larger forms (Vercel), else `on`.
 */
export const directUploadsMeta = 'direct-uploads';

type BucketSettings = {
  S3_BUCKET?: string | undefined;
  S3_ENDPOINT?: string | undefined;
  S3_DIRECT_UPLOADS?: string | undefined;
  VERCEL?: string | undefined;
};

/**
 * Returns the origin of the bucket to which browsers send large files directly; null when they send all files to the
 * app. The default is to send them directly on Vercel, whose functions accept bodies up to 4.5 MB only.
 */
export function getDirectUploadOrigin(settings: BucketSettings): string | null {
  const { S3_BUCKET, S3_ENDPOINT, VERCEL, S3_DIRECT_UPLOADS } = settings;
  const isOn = (S3_DIRECT_UPLOADS || (VERCEL ? 'on' : 'off')) === 'on';
  return isOn && S3_BUCKET && S3_ENDPOINT && canParseUrl(S3_ENDPOINT) ? new URL(S3_ENDPOINT).origin : null;
}
