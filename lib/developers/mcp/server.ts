import { type Tool as ListedTool, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { NextRequest } from 'next/server';
import { ZodError } from 'zod';
import type { Actor } from '@/lib/access/actor';
import { type Access, mayAccess } from '@/lib/access/authorize';
import { env } from '@/lib/env';
import { toAppError } from '@/lib/platform/http/error-response';
import type { AccessRule } from '@/lib/platform/http/route';
import { getTokenScopes } from '@/lib/platform/http/token-scope';
import type { RouteModules } from '@/lib/platform/openapi/document';
import { readFlags } from '@/lib/settings/feature-flags/read-flags';
import { version } from '@/package.json';
import { callTool } from './call-tool';
import { describeTool, type Tool } from './describe-tool';
import { campaignPrompt, instructions, planCampaign } from './prompts';
import { listResources, readResource, resourceTemplates } from './resources';
import { tools as declaredTools } from './tools';

type McpCaller = { actor: Actor; request: NextRequest; requestId: string; modules: RouteModules };

/**
 * Creates the MCP server of one request. It uses the package's protocol class and not its tool registry, because routes
 * parse the input and explain refusals themselves, and because the list of tools differs by caller.
 */
export function createMcpServer(caller: McpCaller): Server {
  const { actor, request, modules } = caller;
  const server = new Server(
    { name: 'linkmarket', title: 'LinkMarket', version, websiteUrl: env().APP_URL },
    { capabilities: { tools: {}, resources: {}, prompts: {} }, instructions },
  );
  const guard = <T>(work: () => T | Promise<T>): Promise<T> => explainErrors(caller.requestId, work);
  server.setRequestHandler('tools/list', () => guard(async () => ({ tools: await listTools(actor, modules) })));
  server.setRequestHandler('tools/call', ({ params }) =>
    guard(() => callTool(findTool(params.name, modules), request, params.arguments ?? {})),
  );
  server.setRequestHandler('resources/list', () =>
    guard(async () => ({ resources: await listResources(modules, request) })),
  );
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates }));
  server.setRequestHandler('resources/read', ({ params }) =>
    guard(async () => ({ contents: [await readResource(modules, request, params.uri)] })),
  );
  server.setRequestHandler('prompts/list', () => ({ prompts: [campaignPrompt] }));
  server.setRequestHandler('prompts/get', ({ params }) =>
    guard(() => {
      if (params.name !== campaignPrompt.name) throw invalidParams(`There is no prompt ${params.name}.`);
      return { description: campaignPrompt.description, messages: planCampaign(params.arguments) };
    }),
  );
  return server;
}

/** The tools, described once: they depend on the routes only. */
let described: ReadonlyMap<string, Tool> | undefined;

/** @throws ProtocolError for an unknown name */
function findTool(name: string, modules: RouteModules): Tool {
  const tool = getTools(modules).get(name);
  if (!tool) throw invalidParams(`There is no tool ${name}.`);
  return tool;
}

function getTools(modules: RouteModules): ReadonlyMap<string, Tool> {
  described ??= new Map(declaredTools.map((declared) => [declared.name, describeTool(declared, modules)]));
  return described;
}

/** Lists the tools whose routes admit the caller's role and scopes, while their flags are on. */
async function listTools(actor: Actor, modules: RouteModules): Promise<ListedTool[]> {
  const flags = await readFlags();
  const isOn = new Set(flags.filter((flag) => flag.isOn).map(({ name }) => name));
  return [...getTools(modules).values()]
    .filter((tool) => isAdmitted(actor, tool) && (!tool.declared.flag || isOn.has(tool.declared.flag)))
    .map(listedTool);
}

function isAdmitted(actor: Actor, { method, handler: { declaration } }: Tool): boolean {
  if (!mayAccess(actor, asAccess(declaration.access))) return false;
  const scopes = getTokenScopes(method, declaration) ?? [];
  return !actor.token || scopes.some((scope) => actor.token?.scopes.includes(scope));
}

/** Declarations lose the type of their access rule (lib/platform/http/route.ts); `route()` of lib/auth accepts no other. */
const asAccess = (access: AccessRule) => access as Access;

function listedTool({ declared, method, description, inputSchema, outputSchema }: Tool): ListedTool {
  const isReadOnly = method === 'GET';
  const { name, title, isDestructive = false, isIdempotent = isReadOnly, isOpenWorld = false } = declared;
  return {
    name,
    title,
    description,
    inputSchema: asJson(inputSchema),
    outputSchema: asJson(outputSchema),
    annotations: {
      title,
      readOnlyHint: isReadOnly,
      destructiveHint: isDestructive,
      idempotentHint: isIdempotent,
      openWorldHint: isOpenWorld,
    },
  };
}

/** A JSON Schema is JSON; the package's type of JSON has an index signature, which ours lacks. */
const asJson = (schema: Tool['inputSchema'] | Tool['outputSchema']) => schema as unknown as ListedTool['inputSchema'];

const invalidParams = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);

/** Turns errors into those of the protocol, without internals. */
async function explainErrors<T>(requestId: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof ProtocolError) throw thrown;
    if (thrown instanceof ZodError)
      throw invalidParams(thrown.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join(' '));
    const error = toAppError(thrown, requestId);
    throw new ProtocolError(ProtocolErrorCode.InternalError, error.message);
  }
}
