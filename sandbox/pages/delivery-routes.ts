import { deliveryEntry } from '../deliveries/entry';
import type { WebhookQueue } from '../deliveries/webhook-queue';
import { html, json } from '../http/reply';
import { acceptsHtml } from '../http/request';
import type { Route } from '../http/router';
import { deliveriesPage } from './deliveries-page';

/** The delivery log, newest first: as a page for browsers, as JSON for other clients. */
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
