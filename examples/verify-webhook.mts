// Verifies the event on standard input; WEBHOOK_ID, WEBHOOK_TIMESTAMP and WEBHOOK_SIGNATURE are its headers.
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const { WEBHOOK_SECRET = '', WEBHOOK_ID = '', WEBHOOK_TIMESTAMP = '', WEBHOOK_SIGNATURE = '' } = process.env;

// Verify the body as you received it: parsing and printing it again can change its bytes.
const body = await text(process.stdin);

// Throws when the signature does not match, or the timestamp is more than five minutes away.
new Webhook(WEBHOOK_SECRET).verify(body, {
  'webhook-id': WEBHOOK_ID,
  'webhook-timestamp': WEBHOOK_TIMESTAMP,
  'webhook-signature': WEBHOOK_SIGNATURE,
});
console.log('verified');
