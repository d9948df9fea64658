/** The parts of the wallet manager, by their names in the address, in the order of the tabs. */
export const managerTabs = {
  users: 'Users',
  transactions: 'All transactions',
  review: 'In review',
  books: 'Prove the books',
} as const;
export type ManagerTab = keyof typeof managerTabs;

export const pageSizes = [25, 50, 100] as const;
export const defaultRows = 25;

export function readTab(asked: string): ManagerTab {
  return asked === 'transactions' || asked === 'review' || asked === 'books' ? asked : 'users';
}
