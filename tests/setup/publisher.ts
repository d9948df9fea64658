import { z } from 'zod';

/** A page as PUT /control/pages of the sandbox's publisher expects it. */
type Page = { url: string; html?: string; status?: number; redirect?: string; change?: string; delayMs?: number };

/** Calls a control of a publisher, by default that of the test run. @throws Error with the text of a refusal */
export async function controlPublisher(
  method: 'GET' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
  publisher = process.env.PUBLISHER_BASE_URL,
): Promise<unknown> {
  if (!publisher) throw new Error('PUBLISHER_BASE_URL is not set: run these tests with npm test');
  const response = await fetch(new URL(path, publisher), {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`The publisher returned ${response.status}: ${await response.text()}`);
  return response.json();
}

/** Publishes a page in the sandbox, or replaces the one at its URL. */
export const publishPage = (page: Page) => controlPublisher('PUT', '/control/pages', page);

/** Deletes a page of the sandbox: its URL answers 404. */
export const deletePage = (url: string) => controlPublisher('DELETE', `/control/pages?url=${encodeURIComponent(url)}`);

const requests = z.array(
  z.object({
    method: z.string(),
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.string().optional(),
  }),
);

/** The requests that a host of the sandbox received, oldest first. */
export const requestsOf = async (host: string) =>
  requests.parse(await controlPublisher('GET', `/control/requests?host=${encodeURIComponent(host)}`));
