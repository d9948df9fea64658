import { documentFor } from '@/app/api/openapi.json/document';
import { CodeBlock } from '@/app/developers/_components/code-block';
import { Code, Definitions, Example, type Section } from '@/app/developers/_components/section';
import { errorStatus } from '@/lib/errors';
import { listOperations } from '@/lib/platform/openapi/document';
import { errorDescriptions } from '@/lib/platform/openapi/operation';

const example = {
  error: 'Your balance is too low. Add $113.00 to continue.',
  url: '/user/wallet?topup=113.00',
  requestId: '01jd8v0c6w3m5n7p9q1r3s5t7v',
};

/** Rows such as "402 insufficient_funds", in the order of the statuses. */
const rows = Object.entries(errorDescriptions).flatMap(([name, description]) => {
  const status = Object.entries(errorStatus).find(([code]) => code === name)?.[1];
  return status === undefined ? [] : [{ status, row: [`${status} ${name}`, description] as const }];
});

export const errors: Section = {
  id: 'errors',
  title: 'Errors',
  Content: () => (
    <>
      <p>
        An error is an object with a message for people in <Code>error</Code>. It can have <Code>fields</Code>, with
        messages by field, <Code>url</Code>, a page where the problem can be resolved, and <Code>code</Code>, for a step
        that the client must take first. Quote <Code>requestId</Code>, also in the <Code>X-Request-Id</Code> header,
        when you ask for help.
      </p>
      <CodeBlock label="an error" text={JSON.stringify(example, null, 2)} />
      <p>
        Repeat a request after 429 and after 503 with a <Code>Retry-After</Code> header, when its seconds have passed,
        and after 502 with a growing delay. A 503 without the header means that a feature is turned off or not set up.
        Repeating the request does not help then, nor after other errors.
      </p>
      <Definitions of={rows.sort((one, other) => one.status - other.status).map(({ row }) => row)} />
    </>
  ),
};

export const pagination: Section = {
  id: 'pagination',
  title: 'Pagination',
  Content: () => (
    <>
      <p>
        A list is a JSON array. What belongs to the page and not to its items is in the headers of the response. Prefer
        cursors where a list has them: a page costs the same at any depth, and new items do not shift it.
      </p>
      <Definitions
        of={[
          ['limit', 'The number of items of a page. Some lists without it return all items as a stream.'],
          ['offset', 'The number of items to skip.'],
          ['cursor', 'The X-Next-Cursor of the previous page, instead of an offset.'],
          ['X-Total-Count', 'The number of items over all pages.'],
          ['X-Total-Capped', 'true if the count stopped at a limit, and there are more items.'],
          ['X-Next-Cursor', 'The cursor of the next page; omitted on the last one.'],
        ]}
      />
      <Example name="paginate" title="Read a whole list" />
    </>
  ),
};

/** Lists rows such as "POST /api/orders" with summaries: requests of buyers and sellers that accept the header. */
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
