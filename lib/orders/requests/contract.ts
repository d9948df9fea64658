import { z } from 'zod';
import { linkRels } from '@/db/enums';
import type { OrderRequestState, orderRequestLines } from '@/db/schema/order-requests';
import { AppError } from '@/lib/errors';
import { choiceParam, idCursorField, pageQuery } from '@/lib/platform/http/fields';

import { clientComments } from './client-contract';

const requestStates = ['open', 'approved', 'declined', 'expired'] as const satisfies readonly OrderRequestState[];
const requestLineStates = ['open', 'approved', 'declined'] as const satisfies readonly LineState[];
type LineState = typeof orderRequestLines.$inferSelect.state;

const usdCents = z.int().min(0).max(1_000_000_000_000);

export const requestIdParams = z.object({ id: z.string().min(1).max(64).describe('The id of a request.') });

/** The query of GET /api/user/requests. */
export const requestsQuery = pageQuery(50, 200).extend({
  state: choiceParam(requestStates).optional(),
  projectId: z.string().trim().min(1).max(64).optional().describe('The requests of a project.'),
  cursor: idCursorField,
});
export type RequestsQuery = z.output<typeof requestsQuery>;

const shownTotalCents = usdCents.describe(
  'The total with tax of the approved lines that the approver saw, in USD cents. Default: the sum of `cents` and `taxCents` of these lines.',
);

const commentsText = 'The comments of a member with the role Client, by the ids of lines; not for other members.';

/** The body of POST /api/user/requests/{id}/approve. */
export const approveRequestBody = z.object({
  lineIds: z
    .array(z.string('Select lines of the request.').min(1).max(64), 'Select lines of the request.')
    .min(1, 'Select at least one line, or decline the request.')
    .max(100, 'A request has at most 100 lines.')
    .transform((ids) => [...new Set(ids)])
    .optional()
    .describe('The lines to order; the others are declined. Default: all, or those that the client approved.'),
  shownTotalCents: shownTotalCents.optional(),
  comments: clientComments.optional().describe(commentsText),
});
export type ApproveRequestInput = z.output<typeof approveRequestBody>;

/** The body of POST /api/user/requests/{id}/decline. */
export const declineRequestBody = z.object({
  reason: z
    .string('Enter a text.')
    .trim()
    .max(1_000, 'Use at most 1,000 characters.')
    .optional()
    .describe('What the requester reads.'),
  comments: clientComments.optional().describe(commentsText),
});
export type DeclineRequestInput = z.output<typeof declineRequestBody>;

const amountMessage = 'Enter an amount from $0 to $10,000,000.';
const limitField = z.int(amountMessage).min(0, amountMessage).max(1_000_000_000, amountMessage);

/** The body of PUT /api/user/projects/{id}/budget. */
export const saveBudgetBody = z.object({
  monthlyCents: limitField
    .nullable()
    .describe(
      'The most that orders of the project may cost in a month (UTC) without an approval, with tax, in USD cents; null for no limit.',
    ),
});
export type SaveBudgetInput = z.output<typeof saveBudgetBody>;

const drMessage = 'Enter a Domain Rating from 0 to 100.';
const trafficMessage = 'Enter a whole number of visits.';
const nicheMessage = 'Enter the names of niches.';

/** The body of PUT /api/user/accounts/{id}/policy: the whole policy. An absent field demands nothing. */
export const savePolicyBody = z.object({
  minDr: z
    .number(drMessage)
    .min(0, drMessage)
    .max(100, drMessage)
    .optional()
    .describe('The lowest Domain Rating of a site. A site without one is refused.'),
  minTraffic: z
    .int(trafficMessage)
    .min(0, trafficMessage)
    .max(1_000_000_000_000, trafficMessage)
    .optional()
    .describe('The lowest monthly organic traffic of a site. A site without a figure is refused.'),
  forbiddenNiches: z
    .array(z.string(nicheMessage).trim().min(1, nicheMessage).max(100, 'Use at most 100 characters.'), nicheMessage)
    .max(100, 'Enter at most 100 niches.')
    .transform((names) => [...new Set(names)])
    .optional()
    .describe('The names of niches whose sites are refused.'),
  rel: z
    .enum(linkRels, { error: `Choose one of ${linkRels.join(', ')}.` })
    .optional()
    .describe('The rel that every brief must ask for; `any` demands nothing.'),
  approvalAboveCents: limitField
    .optional()
    .describe('The highest total of an order without an approval, with tax, in USD cents.'),
});
export type SavePolicyInput = z.output<typeof savePolicyBody>;

export const policyResponse = savePolicyBody.meta({ title: 'AccountPolicy' });

const reasonResponse = z
  .object({
    code: z
      .enum(['member_limit', 'project_budget', 'approval_above'])
      .describe('The monthly limit of the member, the monthly budget of the project, or the amount of the policy.'),
    limitCents: z.int().describe('In USD cents, with tax.'),
    spentCents: z
      .int()
      .optional()
      .describe('What was spent of a monthly limit before the request, in USD cents, with tax.'),
    text: z.string(),
  })
  .meta({ title: 'RequestReason' });

const person = z.object({ id: z.string(), name: z.string() });

const requestLineResponse = z
  .object({
    id: z.string(),
    siteId: z.int().nullable().describe('null for a package.'),
    packageId: z.int().nullable().describe('null for a site.'),
    name: z.string().describe('The address of the site, or the name of the package.'),
    quantity: z.int(),
    cents: z
      .int()
      .nullable()
      .describe(
        'The net price with its options, as it was shown last, in USD cents. For a client the price of the agency, null for none.',
      ),
    taxCents: z.int().nullable().describe('The tax on it, in USD cents; null for a client.'),
    state: z.enum(requestLineStates),
    comment: z.string().describe('The comment of the client.'),
    targetUrl: z
      .string()
      .nullable()
      .describe('The page that the link leads to; null for Finance, who reads no briefs.'),
    anchor: z.string().nullable().describe('null for Finance.'),
    orderId: z.int().nullable().describe('The order of an approved line; null for a client.'),
  })
  .meta({ title: 'OrderRequestLine' });

/** An order that waits for an approval. */
export const requestResponse = z
  .object({
    id: z.string(),
    state: z.enum(requestStates),
    projectId: z.string(),
    projectDomain: z.string(),
    requestedBy: person,
    reasons: z.array(reasonResponse).describe('Why the order needs an approval; empty for a client.'),
    lines: z.array(requestLineResponse),
    totalCents: z
      .int()
      .nullable()
      .describe(
        'What the lines cost with tax, as it was shown last, in USD cents. For a client the sum of the prices of the agency, null for none.',
      ),
    note: z.string().describe('Why it was declined.'),
    decidedBy: person.nullable().describe('The member who answered; null before, after 14 days, and for the client.'),
    decidedAt: z.iso.datetime().nullable(),
    isAnsweredByClient: z.boolean().describe('Whether the client answered behind the link.'),
    mayAnswer: z.boolean().describe('Whether the caller can approve and decline it.'),
    link: z
      .object({
        state: z.enum(['open', 'answered', 'ended', 'revoked']),
        expiresAt: z.iso.datetime(),
      })
      .nullable()
      .describe('The link for the client; null without one, and for a client.'),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
  })
  .meta({ title: 'OrderRequest' });
export type RequestView = z.output<typeof requestResponse>;

/** The answer to an order that needs an approval. */
const heldOrderResponse = z.object({ request: requestResponse });

/** What orders answer with 202, for their declarations. */
export const heldOrder = {
  response: heldOrderResponse,
  description:
    'The order is above a limit of the account: it waits for an approval as a request, and nothing was paid.',
};

export const requestNotFoundError = () => new AppError('not_found', 'This request does not exist.');
