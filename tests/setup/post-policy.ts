import { createHmac } from 'node:crypto';
import { z } from 'zod';

type PostedForm = {
  /** The bucket of the URL. */
  bucket: string;
  /** The fields before the file, in any case. */
  fields: readonly (readonly [name: string, value: string])[];
  fileBytes: number;
  accessKeyId: string;
  secretAccessKey: string;
  now: Date;
};

/** A refusal as S3 answers it. */
type Refusal = { status: number; code: string };

const condition = z.union([
  z.tuple([z.literal('content-length-range'), z.number(), z.number()]),
  z.tuple([z.enum(['eq', 'starts-with']), z.string().startsWith('$'), z.string()]),
  z.record(z.string(), z.string()),
]);
const policySchema = z.object({ expiration: z.iso.datetime(), conditions: z.array(condition) });

/** Fields that need no condition ("POST Policy", Conditions). */
const isExempt = (name: string) =>
  ['x-amz-signature', 'file', 'policy', 'bucket'].includes(name) || name.startsWith('x-ignore-');

/**
 * Checks a form as S3 does ("Authenticating Requests: Browser-Based Uploads Using POST (AWS Signature Version 4)"): the
 * signature of the policy, its expiration, that every field meets its conditions, and that every field has one.
 * @returns the key of the object, or a refusal
 */
export function checkPostPolicy(form: PostedForm): { key: string } | Refusal {
  const { bucket, fileBytes, now } = form;
  const fields = new Map(form.fields.map(([name, value]) => [name.toLowerCase(), value]));
  const encoded = fields.get('policy');
  if (encoded === undefined) return denied;
  if (fields.get('x-amz-signature') !== sign(encoded, fields, form)) return denied;

  const policy = policySchema.safeParse(JSON.parse(Buffer.from(encoded, 'base64').toString()));
  if (!policy.success) return { status: 400, code: 'InvalidPolicyDocument' };
  const { expiration, conditions } = policy.data;
  if (now >= new Date(expiration)) return denied;
  const covered = new Set<string>();
  for (const one of conditions) {
    if (!Array.isArray(one)) {
      for (const [name, value] of Object.entries(one)) {
        covered.add(name.toLowerCase());
        if ((name === 'bucket' ? bucket : fields.get(name.toLowerCase())) !== value) return denied;
      }
    } else if (one[0] === 'content-length-range') {
      if (fileBytes > one[2]) return { status: 400, code: 'EntityTooLarge' };
      if (fileBytes < one[1]) return { status: 400, code: 'EntityTooSmall' };
    } else {
      const [operator, variable, wanted] = one;
      const name = variable.slice(1).toLowerCase();
      const value = fields.get(name);
      covered.add(name);
      if (operator === 'eq' ? value !== wanted : !value?.startsWith(wanted)) return denied;
    }
  }
  if ([...fields.keys()].some((name) => !covered.has(name) && !isExempt(name))) return denied;
  const key = fields.get('key');
  return key ? { key } : { status: 400, code: 'InvalidArgument' };
}

const denied: Refusal = { status: 403, code: 'AccessDenied' };

function sign(
  policy: string,
  fields: ReadonlyMap<string, string>,
  { accessKeyId, secretAccessKey }: PostedForm,
): string | null {
  const [id, date = '', region = '', service = '', end = ''] = fields.get('x-amz-credential')?.split('/') ?? [];
  const isUsable =
    id === accessKeyId &&
    service === 's3' &&
    end === 'aws4_request' &&
    fields.get('x-amz-algorithm') === 'AWS4-HMAC-SHA256' &&
    fields.get('x-amz-date')?.startsWith(date);
  if (!isUsable) return null;
  const key = [date, region, service, end].reduce<string | Buffer>(
    (previous, part) => createHmac('sha256', previous).update(part).digest(),
    `AWS4${secretAccessKey}`,
  );
  return createHmac('sha256', key).update(policy).digest('hex');
}
