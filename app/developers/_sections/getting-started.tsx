import Link from 'next/link';
import { Code } from '@/app/developers/_components/code';
import { CodeBlock } from '@/app/developers/_components/code-block';
import { Example } from '@/app/developers/_components/example';
import type { Section } from './section';

export const gettingStarted: Section = {
  id: 'getting-started',
  title: 'Getting started',
  Content: ({ origin }) => (
    <>
      <p>
        The API answers JSON over HTTPS at <Code>{`${origin}/api`}</Code>. Amounts are in USD; a name that ends in{' '}
        <Code>Cents</Code> is an integer of cents, and every other amount is in major units. Times are ISO 8601 in UTC.
      </p>
      <ol className="list-decimal space-y-1 pl-5">
        <li>
          <Link prefetch={false} href="/register" className="text-accent-ink underline">
            Create an account
          </Link>{' '}
          and a project: the website that you order links for.
        </li>
        <li>Get a credential, as described below, and keep it out of your code:</li>
      </ol>
      <CodeBlock
        label="the environment of the examples"
        text={`export LINKMARKET_URL=${origin}\nexport LINKMARKET_TOKEN=...`}
      />
      <p>Then search the catalog, place an order, and pay for it from your wallet:</p>
      <Example name="list-sites" title="List sites" />
      <Example name="top-up" title="Top up the wallet" />
      <p>
        Every address, with its parameters and responses, is in the{' '}
        <Link prefetch={false} href="/developers/reference" className="text-accent-ink underline">
          reference
        </Link>
        , where you can also send requests. It is generated from the{' '}
        <a href="/api/openapi.json" className="text-accent-ink underline">
          OpenAPI 3.1 document
        </a>
        , which describes what you may use: signed-in staff see more than buyers and sellers.
      </p>
    </>
  ),
};
