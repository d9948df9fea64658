import { Code } from '../_components/code';
import { Definitions } from '../_components/definitions';
import type { Section } from './section';

export const tokens: Section = {
  id: 'tokens',
  title: 'API tokens',
  flag: 'api-tokens',
  Content: () => (
    <>
      <p>
        Create a token on the Security page of your portal, under API tokens. It begins with <Code>lm_</Code>, is shown
        once, and works wherever a session does, except for security settings, payout methods, backups and the tokens
        themselves. Give each program a token of its own, with the fewest scopes that it needs:
      </p>
      <Definitions
        of={[
          ['read', 'Read what you can see: sites, projects, orders, wallet.'],
          ['orders:write', 'Place orders, and approve, cancel and discuss them. This spends your balance.'],
          ['wallet:topup', 'Start top-ups.'],
          ['seller', 'Act as a seller: sites, offers, deliveries, earnings.'],
          ['webhooks', 'Manage webhook endpoints.'],
        ]}
      />
      <p>
        Tokens of staff can also have permissions of their owner, and never more than the owner has at the time of the
        request. A token can end on a day, be limited to ranges of IP addresses, and have a limit of spending a day.
        Revoke it on the same page; the next request with it is answered with 401.
      </p>
      <p>
        Requests are limited per token. <Code>RateLimit-Policy</Code> describes the limit, <Code>RateLimit</Code> what
        is left of it. Above the limit a request is answered with 429, and <Code>Retry-After</Code> contains the seconds
        to wait.
      </p>
    </>
  ),
};
