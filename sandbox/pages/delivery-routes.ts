import { deliveryEntry } from '@/sandbox/deliveries/entry';
import type { WebhookQueue } from '@/sandbox/deliveries/webhook-queue';
import { html, json } from '@/sandbox/http/reply';
import { acceptsHtml } from '@/sandbox/http/request';
import type { Route } from '@/sandbox/http/router';
import { deliveriesPage } from './deliveries-page';

/** Answers with the delivery log, newest first: as a page for browsers, as JSON for other clients. */
export function deliveryRoutes(webhookQueue: WebhookQueue): Route[] {
  return [
    [
      'GET',
      '/deliveries',
      (request) => {
        const entries = webhookQueue
          .log()
          .map((delivery) => deliveryEntry(webhookQueue, delivery))
          .reverse();
        return acceptsHtml(request) ? html(200, deliveriesPage(entries)) : json(200, entries);
      },
    ],
  ];
}
