import { html, json } from '@/sandbox/http/reply';
import type { Route } from '@/sandbox/http/router';
import { findMails } from '@/sandbox/inbox/find-mails';
import { receiveMail } from '@/sandbox/inbox/receive-mail';
import type { Mail } from '@/sandbox/inbox/records';
import type { StateStore } from '@/sandbox/state';
import { inboxPage, mailPage } from './inbox-page';
import { notFoundPage } from './not-found-page';

/** Declares Resend's endpoint for sending, and the inbox where demo and tests read the mails. */
export function inboxRoutes(store: StateStore): Route[] {
  const { mails } = store.state;
  return [
    ['POST', '/emails', (request) => receiveMail(store, request)],
    ['GET', '/emails', ({ url }) => json(200, findMails(mails, url.searchParams.get('to')).map(mailEntry))],
    [
      'GET',
      '/inbox',
      ({ url }) => {
        const to = url.searchParams.get('to') ?? '';
        return html(200, inboxPage(findMails(mails, to), to));
      },
    ],
    [
      'GET',
      '/inbox/:id',
      ({ params }) => {
        const mail = mails.find((one) => one.id === params.id);
        return mail ? html(200, mailPage(mail)) : html(404, notFoundPage('Email not found'));
      },
    ],
  ];
}

/** Returns a mail in `GET /emails`: `to` has the recipients separated by commas. */
function mailEntry({ id, date, from, to, subject, html: htmlBody, text }: Mail) {
  return { id, date, from, to: to.join(', '), subject, html: htmlBody, text };
}
