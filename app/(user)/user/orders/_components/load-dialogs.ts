/** The dialogs' code, fetched when a button that opens one is neared, or when the address opens it. */
export const loadDialog = {
  package: () => import('./new-order-form'),
  custom: () => import('./build-custom-form'),
  again: () => import('./order-again-form'),
};
