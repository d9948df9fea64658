import { Code } from '@/app/developers/_components/code';
import { CodeBlock } from '@/app/developers/_components/code-block';
import { Definitions } from '@/app/developers/_components/definitions';
import { Example } from '@/app/developers/_components/example';
import type { Section } from './section';

const request = `POST /your/endpoint HTTP/1.1
content-type: application/json
webhook-id: 01kax3v0c6w3m5n7p9q1r3s5t7
webhook-timestamp: 1764074400
webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=`;

export const webhooks: Section = {
  id: 'webhooks',
  title: 'Webhooks',
  flag: 'webhooks',
  Content: () => (
    <>
      <p>
        An endpoint of yours receives events as they happen, instead of asking for them. Create one on the page Webhooks
        of your portal, or with <Code>POST /api/webhooks</Code>: it must be reachable from the internet over HTTPS on
        port 443. The secret for its signatures is shown once. Requests are signed as described by Standard Webhooks,
        for which there are libraries in most languages.
      </p>
      <CodeBlock label="the headers of an event" text={request} />
      <p>
        Verify the signature before you use an event. The signed text is the id, the timestamp and the body, joined by
        dots; the key is the secret without <Code>whsec_</Code>, decoded from base64; the signature is HMAC-SHA256.
        While a secret is rotated, each event has a signature of both secrets.
      </p>
      <Example name="verify-webhook" title="Verify a signature" />
      <Definitions
        of={[
          ['Delivery', 'At least once, and not in order. Use webhook-id to recognize a repeated event.'],
          [
            'Response',
            'Answer 2xx within 10 seconds, and do the work afterwards. After any other response, a redirect or none, the delivery is repeated for 24 hours.',
          ],
          [
            'Failing endpoint',
            'It is turned off after the response 410, or after three days without a success and at least ten attempts, and you receive an email.',
          ],
          ['Missed events', 'GET /api/events lists the events of the last 30 days; a delivery can be retried.'],
        ]}
      />
    </>
  ),
};
