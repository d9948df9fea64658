import { type ParamChanges, type SearchParams, withParams } from '@/components/table/url';

export const ordersPagePath = '/user/orders';

/** URL parameters that open a dialog: ?new=package, ?new=custom, ?again=12, ?order=12, ?invoice=12. */
export const newParam = 'new';
export const againParam = 'again';
export const invoiceParam = 'invoice';
/** The number of one of the order's documents. */
export const documentParam = 'document';
export const packageParam = 'package';
export const quantityParam = 'quantity';
/** The project that is selected first. */
export const projectParam = 'projectId';

/** The list's own parameters, without those of dialogs. */
const listParams = ['q', 'status', 'project', 'waiting', 'page', 'rows'];

/**
 * Returns the URL of the filtered list, with at most the given dialog open. The site picker's filters have the same
 * names, so a URL with the picker keeps no filters.
 */
export function listUrl(params: SearchParams, dialog: ParamChanges = {}): string {
  if (params[newParam] === 'custom') return withParams(ordersPagePath, {}, dialog);
  const filters = Object.fromEntries(listParams.map((name) => [name, params[name]]));
  return withParams(ordersPagePath, filters, dialog);
}

/** Returns the URL of New Order with initial values. A top-up returns there. */
export function packageUrl(choice: { packageId: number; quantity: number; projectId: string }): string {
  return withParams(
    ordersPagePath,
    {},
    {
      [newParam]: 'package',
      [packageParam]: choice.packageId,
      [quantityParam]: choice.quantity,
      [projectParam]: choice.projectId,
    },
  );
}

/** Returns the URL of Order Again with its project. */
export function orderAgainUrl(orderId: number, projectId: string): string {
  return withParams(ordersPagePath, {}, { [againParam]: orderId, [projectParam]: projectId });
}
