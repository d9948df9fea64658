import { Code } from '@/app/developers/_components/code';
import { version } from '@/package.json';
import type { Section } from './section';

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
