// Creates S3_BUCKET at S3_ENDPOINT unless it exists. Compose starts it again while the server does not answer.
import { CreateBucketCommand, HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';

const { S3_BUCKET, S3_ENDPOINT, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = process.env;
const client = new S3Client({
  endpoint: S3_ENDPOINT,
  region: S3_REGION,
  forcePathStyle: true,
  credentials: { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY },
});
const exists = await client.send(new HeadBucketCommand({ Bucket: S3_BUCKET })).then(
  () => true,
  (error) => {
    if (error.$metadata?.httpStatusCode === 404) return false;
    throw error;
  },
);
if (!exists) await client.send(new CreateBucketCommand({ Bucket: S3_BUCKET }));
console.log(`The bucket ${S3_BUCKET} ${exists ? 'exists' : 'was created'}.`);
