import { CodeBlock } from '@/app/developers/_components/code-block';
import { Code, Definitions, Example, type Section } from '@/app/developers/_components/section';
import { version } from '@/package.json';

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

export const client: Section = {
  id: 'client',
  title: 'Typed client',
  Content: ({ origin }) => (
    <>
      <p>
        The OpenAPI document works with the generators of most languages. For TypeScript, the source code of this
        installation has a command that writes a client with the types of every request and response:
      </p>
      <CodeBlock
        label="the command for the client"
        text={`npm run client:generate -- --from ${origin}/api/openapi.json --out ../my-program/linkmarket`}
      />
      <p>
        The client needs <Code>openapi-fetch</Code> in your program:
      </p>
      <CodeBlock
        label="a program with the client"
        text={`import { createLinkMarketClient } from './linkmarket/client';

const linkmarket = createLinkMarketClient({ baseUrl: '${origin}', token: '...' });
const { data, error } = await linkmarket.GET('/api/wallet/balance');
if (error) throw new Error(error.error);
console.log(data);`}
      />
    </>
  ),
};

export const mcp: Section = {
  id: 'mcp',
  title: 'AI agents (MCP)',
  flag: 'mcp',
  Content: ({ origin }) => {
    const url = `${origin}/api/mcp`;
    const server = { url, headers: { Authorization: 'Bearer lm_...' } };
    const visualStudioCode = {
      inputs: [{ type: 'promptString', id: 'linkmarket-token', description: 'API token', password: true }],
      servers: { linkmarket: { type: 'http', url, headers: { Authorization: `Bearer \${input:linkmarket-token}` } } },
    };
    return (
      <>
        <p>
          Agents use this installation through the Model Context Protocol at <Code>{url}</Code>, over Streamable HTTP,
          with an API token. Its scopes decide which tools the agent can call: with <Code>read</Code> it can search and
          report, and it can spend money only with the scopes for that.
        </p>
        <p>
          Buying takes two steps that an agent cannot skip: <Code>quote_order</Code> returns the items and the total,
          and <Code>place_order</Code> is refused when anything has changed since.
        </p>
        <CodeBlock
          label="the command for Claude Code"
          text={`claude mcp add --transport http linkmarket ${url} --header "Authorization: Bearer lm_..."`}
        />
        <CodeBlock
          label="the settings of Cursor (~/.cursor/mcp.json)"
          text={JSON.stringify({ mcpServers: { linkmarket: server } }, null, 2)}
        />
        <CodeBlock
          label="the settings of Visual Studio Code (.vscode/mcp.json)"
          text={JSON.stringify(visualStudioCode, null, 2)}
        />
        <CodeBlock
          label="the settings of Codex (~/.codex/config.toml)"
          text={`[mcp_servers.linkmarket]\nurl = "${url}"\nbearer_token_env_var = "LINKMARKET_TOKEN"`}
        />
      </>
    );
  },
};

/** Changes of the API, newest first. */
const changes: readonly (readonly [when: string, what: readonly string[]])[] = [
  [
    `${version}, not yet released`,
    [
      'API tokens with scopes, an end date, ranges of IP addresses and a daily spending limit, at /api/tokens. Responses to them have RateLimit headers.',
      'Quotes: POST /api/quotes prices an order, and POST /api/quotes/{id}/place orders it at that price.',
      'Webhooks at /api/webhooks: signed requests about orders, placements, links, messages, payments, payouts and sites.',
      'GET /api/events lists the events of the last 30 days. The OpenAPI document declares them under webhooks.',
      'An MCP server for AI agents at /api/mcp.',
      'The OpenAPI document is public, and describes what the caller may use.',
      'Operations have a tag of their domain, and ids without "Api": getOrders instead of getApiOrders.',
      'GET /api/guest-posts accepts several niches, countries and languages, by repeating the parameter, and sort=value. GET /api/guest-posts/counts returns the numbers of sites for its filters.',
      'Sellers and staff set samplePosts and rules of a site.',
      'Parameters have descriptions.',
    ],
  ],
];

export const changelog: Section = {
  id: 'changelog',
  title: 'Changelog',
  Content: () => (
    <>
      <p>
        New addresses, optional parameters and response fields can be added at any time: ignore fields that you do not
        know. <Code>info.version</Code> of the OpenAPI document is the version of this installation.
      </p>
      {changes.map(([when, what]) => (
        <div key={when}>
          <h3 className="text-ink">{when}</h3>
          <ul className="list-disc pl-5">
            {what.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        </div>
      ))}
    </>
  ),
};
