import { projectParam } from '@/components/sites/basket-address';
import { type ParamChanges, type SearchParams, withParams } from '@/components/table/url';

export const ordersScreen = '/user/orders';

/** Parameters of the address that open a dialog: ?new=package, ?new=custom, ?again=12, ?order=12, ?invoice=12. */
export const newParam = 'new';
export const againParam = 'again';
export const invoiceParam = 'invoice';
/** Which document of the order, by its number. */
export const documentParam = 'document';
export const packageParam = 'package';
export const quantityParam = 'quantity';

/** The list's own parameters; what belongs to a dialog is left out. */
const listParams = ['q', 'status', 'project', 'page', 'rows'];

/**
 * The list as it is filtered, without any dialog but the one asked for. The picker of sites has filters of the same
 * names, so it keeps none.
 */
export function listAddress(params: SearchParams, dialog: ParamChanges = {}): string {
  if (params[newParam] === 'custom') return withParams(ordersScreen, {}, dialog);
  const kept = Object.fromEntries(listParams.map((name) => [name, params[name]]));
  return withParams(ordersScreen, kept, dialog);
}

/** New Order with a choice made: where the top-up leads back to. */
export function packageAddress(choice: { packageId: number; quantity: number; projectId: string }): string {
  return withParams(
    ordersScreen,
    {},
    {
      [newParam]: 'package',
      [packageParam]: choice.packageId,
      [quantityParam]: choice.quantity,
      [projectParam]: choice.projectId,
    },
  );
}

/** Order again, with its project. */
export function againAddress(orderId: number, projectId: string): string {
  return withParams(ordersScreen, {}, { [againParam]: orderId, [projectParam]: projectId });
}
