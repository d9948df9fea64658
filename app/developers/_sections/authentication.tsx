import { Code } from '@/app/developers/_components/code';
import { CodeBlock } from '@/app/developers/_components/code-block';
import type { Section } from './section';

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
