import { expect, it } from 'vitest';
import { checkPostPolicy } from '@/tests/setup/post-policy';

/** The example of Amazon's documentation, with its credentials, policy and signature. */
const policy = [
  '{ "expiration": "2015-12-30T12:00:00.000Z",',
  '  "conditions": [',
  '    {"bucket": "sigv4examplebucket"},',
  '    ["starts-with", "$key", "user/user1/"],',
  '    {"acl": "public-read"},',
  '    {"success_action_redirect": "http://sigv4examplebucket.s3.amazonaws.com/successful_upload.html"},',
  '    ["starts-with", "$Content-Type", "image/"],',
  '    {"x-amz-meta-uuid": "14365123651274"},',
  '    {"x-amz-server-side-encryption": "AES256"},',
  '    ["starts-with", "$x-amz-meta-tag", ""],',
  '',
  '    {"x-amz-credential": "AKIAIOSFODNN7EXAMPLE/20151229/us-east-1/s3/aws4_request"},',
  '    {"x-amz-algorithm": "AWS4-HMAC-SHA256"},',
  '    {"x-amz-date": "20151229T000000Z" }',
  '  ]',
  '}',
].join('\r\n');
const fields = {
  key: 'user/user1/photo.jpg',
  acl: 'public-read',
  success_action_redirect: 'http://sigv4examplebucket.s3.amazonaws.com/successful_upload.html',
  'Content-Type': 'image/jpeg',
  'x-amz-meta-uuid': '14365123651274',
  'x-amz-server-side-encryption': 'AES256',
  'X-Amz-Credential': 'AKIAIOSFODNN7EXAMPLE/20151229/us-east-1/s3/aws4_request',
  'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
  'X-Amz-Date': '20151229T000000Z',
  'x-amz-meta-tag': '',
  Policy: Buffer.from(policy).toString('base64'),
  'X-Amz-Signature': '8afdbf4008c03f22c2cd3cdb72e4afbb1f6a588f3255ac628749a66d7f09699e',
};
const check = (changed: Record<string, string> = {}, options: { now?: string; bucket?: string } = {}) =>
  checkPostPolicy({
    bucket: options.bucket ?? 'sigv4examplebucket',
    fields: Object.entries({ ...fields, ...changed }),
    fileBytes: 4,
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    now: new Date(options.now ?? '2015-12-29T12:00:00Z'),
  });

it("the bucket of the tests accepts the form of Amazon's documentation", () => {
  expect(check()).toEqual({ key: 'user/user1/photo.jpg' });
});

it.each([
  ['another signature', { 'X-Amz-Signature': '0'.repeat(64) }, {}],
  ['another policy', { Policy: Buffer.from(policy.replace('user1', 'user2')).toString('base64') }, {}],
  ['another key', { key: 'user/user2/photo.jpg' }, {}],
  ['another value', { acl: 'private' }, {}],
  ['a field without a condition', { 'x-amz-storage-class': 'GLACIER' }, {}],
  ['another credential', { 'X-Amz-Credential': 'AKIDOTHER/20151229/us-east-1/s3/aws4_request' }, {}],
  ['the day after it expired', {}, { now: '2015-12-31T00:00:00Z' }],
  ['another bucket', {}, { bucket: 'elsewhere' }],
])('and refuses it with %s', (_, changed, options) => {
  expect(check(changed, options)).toEqual({ status: 403, code: 'AccessDenied' });
});
