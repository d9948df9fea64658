/** The primitive that every dialog stands on, beside the dialog's own code and not after it. */
const loadPanel = () => import('@/components/ui/dialog-panel');

async function withPanel<Module>(loading: Promise<Module>): Promise<Module> {
  const [module] = await Promise.all([loading, loadPanel()]);
  return module;
}

/** The dialogs' code, fetched when a button that opens one is neared, or when the address opens it. */
export const loadDialog = {
  package: () => withPanel(import('./new-order-dialog')),
  custom: () => withPanel(import('./build-custom-dialog')),
  again: () => withPanel(import('./order-again-dialog')),
};
