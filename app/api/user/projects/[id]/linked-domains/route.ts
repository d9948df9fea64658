import { route } from '@/lib/auth/route';
import { pageResponse, totalCount } from '@/lib/platform/http/list-response';
import { receiveFile } from '@/lib/platform/http/receive-file';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { projectIdParams } from '@/lib/projects/contract';
import { clearLinkedDomains } from '@/lib/projects/linked-domains/clear-linked';
import {
  clearLinkedDomainsQuery,
  clearLinkedDomainsResponse,
  importLinkedDomainsQuery,
  importLinkedDomainsResponse,
  linkedDomainResponse,
  listLinkedDomainsQuery,
  maxLinkFileBytes,
} from '@/lib/projects/linked-domains/contract';
import { importLinkedDomains } from '@/lib/projects/linked-domains/import-linked';
import { listLinkedDomains } from '@/lib/projects/linked-domains/list-linked';
import { getProject } from '@/lib/projects/projects';

const one = { access: 'account:orders', params: projectIdParams } as const;
const change = { ...one, scope: 'orders:write', errors: ['not_found', 'conflict'] } as const;
const upload = { field: 'file', maxBytes: maxLinkFileBytes } as const;

export const GET = route(
  {
    ...one,
    summary: 'Lists the domains that link to an own project according to the imported files.',
    query: listLinkedDomainsQuery,
    response: linkedDomainResponse.array(),
    responseHeaders: totalCount,
    errors: ['not_found'],
  },
  async ({ actor, params, query }) => {
    const { id } = await getProject(actor, params.id);
    return pageResponse(await listLinkedDomains(id, query), (row) => ({
      ...row,
      importedAt: row.importedAt.toISOString(),
    }));
  },
);

export const POST = route(
  {
    ...change,
    summary: 'Imports an export of links: of Search Console, Ahrefs, Semrush, Majestic, Moz, or a list of domains.',
    description:
      'The format is recognized by the content. Domains are added and updated, and the newest day wins; anchors replace those of the same tool.',
    query: importLinkedDomainsQuery,
    response: importLinkedDomainsResponse,
    upload,
  },
  async ({ actor, params, query, request }) => {
    await consumeLimit('import', { account: actor.userId, address: '' });
    return receiveFile(request, { ...upload, userId: actor.userId }, (file, name) =>
      importLinkedDomains(actor, params.id, {
        file,
        name,
        isDryRun: query.dryRun === '1',
        signal: request.signal,
      }),
    );
  },
);

export const DELETE = route(
  {
    ...change,
    summary: 'Removes what was imported about the links of an own project, of one tool or of all.',
    query: clearLinkedDomainsQuery,
    response: clearLinkedDomainsResponse,
  },
  ({ actor, params, query }) => clearLinkedDomains(actor, params.id, query.source),
);
