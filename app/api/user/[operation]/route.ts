import { z } from 'zod';
import { accountResponse, accountView, createAccountBody } from '@/lib/accounts/contract';
import { createAccount } from '@/lib/accounts/create';
import { listAccounts } from '@/lib/accounts/queries';
import { joinRoutes, route } from '@/lib/auth/route';
import { monthDocumentsQuery } from '@/lib/invoices/contract';
import { respondWithMonth } from '@/lib/invoices/respond-with-month';
import { requestResponse, requestsQuery } from '@/lib/orders/requests/contract';
import { listRequests } from '@/lib/orders/requests/queries';
import { packageResponse, packageView } from '@/lib/packages/contract';
import { listOfferedPackages } from '@/lib/packages/packages';
import { cursorHeaders, pageResponse, totalCount } from '@/lib/platform/http/list-response';
import { createProjectBody, listProjectsQuery, projectResponse, projectView } from '@/lib/projects/contract';
import { createProject, listProjects } from '@/lib/projects/projects';
import { billingProfileResponse, saveBillingProfileBody } from '@/lib/tax/billing-contract';
import { getBillingProfile } from '@/lib/tax/billing-profile';
import { saveBillingProfile } from '@/lib/tax/save-billing-profile';

export const { DELETE, GET, OPTIONS, PATCH, POST, PUT } = joinRoutes({
  accounts: {
    GET: route(
      {
        access: 'session',
        summary: "Lists the caller's accounts with their balance, the personal one first.",
        description: 'With an API token, the account of the token only.',
        response: z.array(accountResponse),
      },
      async ({ actor }) => (await listAccounts(actor)).map((account) => accountView(account, actor.accountId)),
    ),
    POST: route(
      {
        access: 'session',
        scope: 'none',
        summary: 'Creates an account for a team, of which the caller is the owner.',
        response: accountResponse,
        status: 201,
        errors: ['conflict', 'rate_limited'],
        body: createAccountBody,
      },
      async ({ actor, body }) => accountView(await createAccount(actor, body), actor.accountId),
    ),
  },
  'billing-profile': {
    GET: route(
      {
        access: 'account:billing',
        summary: "Returns what the caller's documents are addressed to.",
        response: billingProfileResponse,
      },
      async ({ actor }) => getBillingProfile(actor.accountId),
    ),
    PUT: route(
      {
        access: 'account:billing',
        scope: 'none',
        summary: "Sets what the caller's documents are addressed to, and checks the VAT id.",
        response: billingProfileResponse,
        errors: ['conflict'],
        body: saveBillingProfileBody,
      },
      async ({ actor, body }) => saveBillingProfile(actor, body),
    ),
  },
  documents: {
    GET: route(
      {
        access: 'account:documents',
        summary: "Returns the caller's documents of a month as one ZIP archive, or their summary as CSV.",
        description:
          'The archive has every invoice, credit note and receipt as PDF, invoices and credit notes also as UBL 2.1 where the billing details of both parties were complete at the issue, and the summary. In the summary, amounts of credit notes are negative, and receipts have a column of their own.',
        response: { mediaTypes: ['application/zip', 'text/csv'] },
        query: monthDocumentsQuery,
        errors: ['too_large', 'rate_limited'],
      },
      ({ actor, query }) => respondWithMonth(actor, query),
    ),
  },
  packages: {
    /** Lists the packages on sale, cheapest first. */
    GET: route(
      {
        access: 'account:orders',
        summary: 'Lists the packages on sale, cheapest first.',
        response: z.array(packageResponse),
      },
      async () => (await listOfferedPackages()).map(packageView),
    ),
  },
  projects: {
    /** Lists the caller's own projects, newest first. X-Total-Count has the total. */
    GET: route(
      {
        access: 'account:orders',
        summary: "Lists the caller's own projects, newest first.",
        response: z.array(projectResponse),
        responseHeaders: totalCount,
        query: listProjectsQuery,
      },
      async ({ actor, query }) => pageResponse(await listProjects(actor, query), projectView),
    ),
    POST: route(
      {
        access: 'account:orders',
        scope: 'orders:write',
        summary: 'Creates a project.',
        response: projectResponse,
        status: 201,
        body: createProjectBody,
      },
      async ({ actor, body }) => projectView(await createProject(actor, body)),
    ),
  },
  requests: {
    GET: route(
      {
        access: 'account:requests',
        summary: 'Lists the orders of the account that wait for an approval or were answered, newest first.',
        description: 'Only those of projects that the caller sees; for a client those that were sent to the client.',
        response: z.array(requestResponse),
        responseHeaders: cursorHeaders,
        query: requestsQuery,
      },
      async ({ actor, query }) => pageResponse(await listRequests(actor, query), (request) => request),
    ),
  },
});
