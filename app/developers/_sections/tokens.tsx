import { Code } from '@/app/developers/_components/code';
import { Definitions } from '@/app/developers/_components/definitions';
import { describeScope } from '@/lib/access/token-scopes';
import { baseScopes } from '@/lib/platform/http/token-scope';
import type { Section } from './section';

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
