import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

type Options = {
  headers?: Record<string, string>;
  /** `legacy` speaks the revisions of 2025, `auto` the newest that both know. */
  mode?: 'auto' | 'legacy';
  fetch?: typeof fetch;
};

/** Connects the official client to an MCP server. */
export async function openMcp(
  url: string,
  { headers = {}, mode = 'auto', fetch: send }: Options = {},
): Promise<Client> {
  const client = new Client({ name: 'linkmarket-tests', version: '1.0.0' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    ...(send && { fetch: (input, init) => send(input, init) }),
  });
  await client.connect(transport);
  return client;
}

/** Calls a tool. @returns whether it was refused, its texts, and its structured result */
export async function callMcp(client: Client, name: string, args: Record<string, unknown> = {}) {
  const { isError = false, content, structuredContent } = await client.callTool({ name, arguments: args });
  const text = content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  return { isError, text, result: structuredContent };
}
