import { Code } from '@/app/developers/_components/code';
import { CodeBlock } from '@/app/developers/_components/code-block';
import { Definitions } from '@/app/developers/_components/definitions';
import { errorStatus } from '@/lib/errors';
import { errorDescriptions } from '@/lib/platform/openapi/operation';
import type { Section } from './section';

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
