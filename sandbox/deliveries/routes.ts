import { html, json } from '../http/reply';
import { wantsPage } from '../http/request';
import type { Route } from '../http/router';
import { deliveriesPage } from '../pages/deliveries-page';
import { deliveryEntry } from './entry';
import type { PostOffice } from './post-office';

/** The delivery log, newest first: as a page in a browser, as JSON for a program. */
export function deliveryRoutes(postOffice: PostOffice): Route[] {
  return [
    [
      'GET',
      '/deliveries',
      (request) => {
        const entries = postOffice
          .log()
          .map((delivery) => deliveryEntry(postOffice, delivery))
          .reverse();
        return wantsPage(request) ? html(200, deliveriesPage(entries)) : json(200, entries);
      },
    ],
  ];
}
