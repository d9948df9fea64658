import Link from 'next/link';
import { CodeBlock } from '@/app/developers/_components/code-block';
import { Code, Definitions, Example, type Section } from '@/app/developers/_components/section';
import { describeScope } from '@/lib/access/token-scopes';
import { baseScopes } from '@/lib/platform/http/route-metadata';

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

export const authentication: Section = {
  id: 'authentication',
  title: 'Authentication',
  Content: ({ origin, on }) => {
    const hasTokens = on.has('api-tokens');
    return (
      <>
        <p>
          Requests carry a credential in the <Code>Authorization</Code> header. Without one, or with one that is no
          longer valid, a request that needs it is answered with 401.
          {hasTokens ? (
            <>
              {' '}
              Programs send an{' '}
              <a href="#tokens" className="text-accent-ink underline">
                API token
              </a>
              , which begins with <Code>lm_</Code> and can do what its scopes allow.
            </>
          ) : null}
        </p>
        <CodeBlock
          label="a request with a credential"
          text={`curl --header "Authorization: Bearer $LINKMARKET_TOKEN" ${origin}/api/wallet/balance`}
        />
        <p>
          The value of the session cookie that <Code>POST /api/user/auth/login</Code> sets is{' '}
          {hasTokens ? 'accepted in place of a token' : 'a credential'} until the session ends. It can do everything
          that you can, so use it for trials and not in programs that run unattended.
        </p>
        <p>
          Pages of {origin} use the session cookie instead. A change with the cookie is accepted only from a page of
          this site: its <Code>Sec-Fetch-Site</Code> or <Code>Origin</Code> header must say so. A change with a bearer
          credential needs neither.
        </p>
        <p>
          Records of other users are answered with 404, and what your role{hasTokens ? ' or the token' : ''} does not
          permit with 403. With a session, some requests ask for the password again: they answer 403 with the code{' '}
          <Code>reauthentication_required</Code>.
        </p>
      </>
    );
  },
};

export const tokens: Section = {
  id: 'tokens',
  title: 'API tokens',
  flag: 'api-tokens',
  Content: () => (
    <>
      <p>
        Create a token on the Security page of your portal, under API tokens. It begins with <Code>lm_</Code>, is shown
        once, and works in most places where a session does. It is refused for security settings, the profile picture,
        payout methods, requests for refunds to the payment method, backups, the tokens themselves, and everything that
        asks for the password. The reference names the scope of each request. Give each program a token of its own, with
        the fewest scopes that it needs:
      </p>
      <Definitions of={baseScopes.map((scope) => [scope, describeScope(scope)] as const)} />
      <p>
        Tokens of staff can also have permissions of their owner, and never more than the owner has at the time of the
        request. A token can end on a day, be limited to ranges of IP addresses, and have a daily spending limit. Revoke
        it on the same page; the next request with it is answered with 401.
      </p>
      <p>
        Requests are limited per token. <Code>RateLimit-Policy</Code> describes the limit, <Code>RateLimit</Code> what
        is left of it. Above the limit a request is answered with 429, and <Code>Retry-After</Code> contains the seconds
        to wait.
      </p>
    </>
  ),
};
