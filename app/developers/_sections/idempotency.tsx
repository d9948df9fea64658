import { documentFor } from '@/app/api/openapi.json/document';
import { Code } from '@/app/developers/_components/code';
import { Definitions } from '@/app/developers/_components/definitions';
import { Example } from '@/app/developers/_components/example';
import { listOperations } from '@/lib/platform/openapi/document';
import type { Section } from './section';

/** Rows such as "POST /api/orders" with the summary: the requests of buyers and sellers that accept the header. */
const listRows = () =>
  listOperations(documentFor(null))
    .filter(({ operation }) => operation.parameters.some(({ name }) => name === 'Idempotency-Key'))
    .map(({ method, path, operation }) => [`${method} ${path}`, operation.summary] as const);

export const idempotency: Section = {
  id: 'idempotency',
  title: 'Idempotency',
  Content: ({ on }) => (
    <>
      <p>
        A connection can break after the server did its work. These requests accept an <Code>Idempotency-Key</Code>{' '}
        header of 1 to 200 characters, such as a UUID: a repeated request with the same key returns the first response
        and does nothing else. The same key with another request is answered with 409.
      </p>
      <Definitions of={listRows()} />
      {on.has('mcp') ? (
        <p>
          <Code>{'POST /api/quotes/{id}/place'}</Code> needs no key, because a quote is placed only once: a repeat
          returns the same orders.
        </p>
      ) : null}
      <Example name="place-order" title="Place an order" />
      <p>
        Records that several people edit have a <Code>version</Code>. Send the version that you read; when the record
        has changed since, the request is answered with 409 and changes nothing.
      </p>
    </>
  ),
};
