import type { NextRequest } from 'next/server';
import { z } from 'zod';
import { htmlResponse } from '@/app/reports/[token]/_components/report-html';
import { choiceName, commentName } from '@/components/orders/client-lines';
import { systemActor } from '@/lib/access/actor';
import { systemActors } from '@/lib/access/system-actors';
import { route } from '@/lib/auth/route';
import { AppError } from '@/lib/errors';
import { deliverAfterResponse } from '@/lib/mail/deliver';
import { answerLink } from '@/lib/orders/requests/client-answer';
import { getClientBrand } from '@/lib/orders/requests/client-brand';
import {
  type ClientAnswer,
  clientAnswerBody,
  clientAnswerResponse,
  maxAnswerBytes,
} from '@/lib/orders/requests/client-contract';
import { findLink, readForClient } from '@/lib/orders/requests/client-read';
import { toAppError } from '@/lib/platform/http/error-response';
import { parseInput, readBytes, readJson } from '@/lib/platform/http/parse';
import { consumeLimit } from '@/lib/platform/rate-limits/consume';
import { ApprovalNotice, ApprovalPage } from './_components/approval-page';

const declared = {
  access: 'public',
  ignoresSession: true,
  params: z.object({ token: z.string().describe('The secret of the link.') }),
  errors: ['not_found', 'gone', 'rate_limited'],
} as const;

export const GET = route(
  {
    ...declared,
    summary: 'Shows a request for an order to the client of an agency, for anyone who has its address.',
    description: 'After the answer it shows the answer. Reading the page neither answers nor ends it.',
    response: { mediaTypes: ['text/html'] },
  },
  async ({ params: { token }, ip, requestId }) => showErrors({ token, requestId }, () => showPage(token, ip)),
);

export const POST = route(
  {
    ...declared,
    summary: 'Answers a request as the client of an agency. It works once.',
    description:
      'Takes JSON `{lines: [{id, approved, comment?}]}` with every line of the request, or the form of the page. Orders the approved lines; without any, the request is declined.',
    response: { mediaTypes: ['text/html'], orJson: clientAnswerResponse },
    errors: [...declared.errors, 'conflict', 'unprocessable', 'too_large', 'invalid_input'],
  },
  async ({ params: { token }, request, ip, requestId }) => {
    const actor = systemActor(systemActors.clientLink, 'web', { ip, requestId });
    if (isJson(request)) {
      await limit(token, ip);
      const { lines } = parseInput(clientAnswerBody, await readJson(request, maxAnswerBytes));
      const result = await answerLink(actor, token, lines);
      deliverAfterResponse();
      return result;
    }
    return showErrors({ token, requestId }, async () => {
      await limit(token, ip);
      const sent = await readForm(request);
      try {
        await answerLink(actor, token, toLines(sent));
      } catch (thrown) {
        if (!(thrown instanceof AppError) || !['unprocessable', 'invalid_input'].includes(thrown.code)) throw thrown;
        return renderPage(token, { error: thrown.message, sent }, thrown.status);
      }
      deliverAfterResponse();
      // The address of the page again, so that a reload does not send the form twice.
      return new Response(null, { status: 303, headers: { Location: `/approve/${token}` } });
    });
  },
);

const isJson = (request: NextRequest): boolean =>
  /^application\/json\b/i.test(request.headers.get('content-type') ?? '');

/** Counts a request to a known link, and every request of an address. @throws AppError rate_limited */
async function limit(token: string, ip: string): Promise<void> {
  const link = await findLink(token);
  await consumeLimit('approval', { account: link?.hash ?? '', address: ip });
}

async function showPage(token: string, ip: string): Promise<Response> {
  await limit(token, ip);
  return renderPage(token);
}

async function renderPage(
  token: string,
  refused?: { error: string; sent: ReadonlyMap<string, string> },
  status = 200,
): Promise<Response> {
  const link = await findLink(token);
  if (!link) throw new AppError('not_found', 'This link does not exist.');
  if (!link.request || link.state === 'gone') throw new AppError('gone', 'This link has ended.');
  const [[request], brand] = await Promise.all([readForClient([link.request]), getClientBrand(link.request)]);
  if (!request) throw new AppError('not_found', 'This link does not exist.');
  return htmlResponse(<ApprovalPage request={request} brand={brand} token={token} refused={refused} />, status);
}

/** What a page says instead of the message of an error, by its code. */
const notices: Readonly<Record<string, readonly [heading: string, text: string]>> = {
  not_found: ['This link does not exist', 'Check the address, or ask the sender for a new link.'],
  gone: ['This link has ended', 'Ask the sender for a new link.'],
  conflict: ['This request was answered already', 'Your answer was not counted.'],
  rate_limited: ['Too many requests', 'Please wait a minute, and open the page again.'],
  too_large: ['The form is too large', 'Shorten your comments, and send it again.'],
};

/** Shows an error as a page, without the words of the marketplace: a person opened it. */
async function showErrors(
  { token, requestId }: { token: string; requestId: string },
  show: () => Promise<Response>,
): Promise<Response> {
  try {
    return await show();
  } catch (thrown) {
    const error = toAppError(thrown, requestId);
    const [heading, text] = notices[error.code] ?? ['Something went wrong', 'Please try again in a few minutes.'];
    const { retryAfterSeconds } = error.details;
    // A reload would send the form again.
    const href = error.code === 'conflict' ? `/approve/${token}` : undefined;
    const response = await htmlResponse(<ApprovalNotice heading={heading} text={text} href={href} />, error.status);
    if (retryAfterSeconds) response.headers.set('Retry-After', String(Math.ceil(retryAfterSeconds)));
    return response;
  }
}

/** Reads the form of the page. @throws AppError too_large */
async function readForm(request: NextRequest): Promise<ReadonlyMap<string, string>> {
  const text = (await readBytes(request, maxAnswerBytes)).toString('utf8');
  return new Map(new URLSearchParams(text));
}

/** Reads the lines of a form. A line without a choice is left out, for which the answer is refused. */
function toLines(sent: ReadonlyMap<string, string>): ClientAnswer {
  const prefix = choiceName('');
  const chosen = [...sent].filter(
    ([name, choice]) => name.startsWith(prefix) && (choice === 'approve' || choice === 'decline'),
  );
  const lines = chosen.map(([name, choice]) => {
    const id = name.slice(prefix.length);
    return { id, approved: choice === 'approve', comment: sent.get(commentName(id)) ?? '' };
  });
  return parseInput(clientAnswerBody, { lines }).lines;
}
