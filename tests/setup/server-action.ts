import { appUrl, type openClient } from './http-client';

type Client = Pick<ReturnType<typeof openClient>, 'get' | 'request'>;

const ids = new Map<string, string>();

/**
 * The id by which the browser calls a server action, read from the scripts of a page that uses it.
 * @param client a client that may open the page
 * @throws Error when no script of the page references the action
 */
export async function findAction(client: Client, page: string, name: string): Promise<string> {
  const known = ids.get(name);
  if (known !== undefined) return known;
  const { body } = await client.get(page);
  const scripts = new Set([...String(body).matchAll(/static\/chunks\/[^"'\\<> ]+?\.js/g)].map(([path]) => path));
  // The last id before the name: one statement can contain several references.
  const named = new RegExp(`"([0-9a-f]{42})"(?:(?!"[0-9a-f]{42}")[^;]){0,800}?"${name}"`);
  for (const script of scripts) {
    const [, id] = named.exec(await (await fetch(`${appUrl}/_next/${script}`)).text()) ?? [];
    if (id !== undefined) {
      ids.set(name, id);
      return id;
    }
  }
  throw new Error(`No script of ${page} calls ${name}.`);
}

/**
 * Calls a server action over HTTP as the browser does.
 * @returns the status of `action()`: 200 for a success; or the status of Next.js itself, e.g. of a redirect
 */
export async function callAction(
  client: Client,
  page: string,
  id: string,
  input: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  const answer = await client.request(page, {
    method: 'POST',
    headers: { accept: 'text/x-component', 'next-action': id, ...headers },
    body: [input],
  });
  const text = String(answer.body);
  if (/"ok":true/.test(text)) return { status: 200, text };
  const [, status] = /"ok":false,"status":(\d{3})/.exec(text) ?? [];
  return { status: status === undefined ? answer.status : Number(status), text };
}
