import { Code } from '@/app/developers/_components/code';
import { CodeBlock } from '@/app/developers/_components/code-block';
import type { Section } from './section';

export const mcp: Section = {
  id: 'mcp',
  title: 'AI agents (MCP)',
  flag: 'mcp',
  Content: ({ origin }) => {
    const url = `${origin}/api/mcp`;
    const server = { url, headers: { Authorization: 'Bearer lm_...' } };
    const visualStudioCode = {
      inputs: [{ type: 'promptString', id: 'linkmarket-token', description: 'API token', password: true }],
      servers: {
        linkmarket: { type: 'http', url, headers: { Authorization: `Bearer \${input:linkmarket-token}` } },
      },
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
