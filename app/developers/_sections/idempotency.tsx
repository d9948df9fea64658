import { Code } from '../_components/code';
import { Example } from '../_components/example';
import type { Section } from './section';

export const idempotency: Section = {
  id: 'idempotency',
  title: 'Idempotency',
  Content: () => (
    <>
      <p>
        A connection can break after the server did its work. Requests that move money accept an{' '}
        <Code>Idempotency-Key</Code> header of 1 to 200 characters, such as a UUID: a repeated request with the same key
        returns the first response and does nothing else. The same key with another request is answered with 409.
      </p>
      <Example name="place-order" title="Place an order" />
      <p>
        Records that several people edit have a <Code>version</Code>. Send the version that you read; when the record
        has changed since, the request is answered with 409 and changes nothing.
      </p>
    </>
  ),
};
