/** The labels of the tabs by their URL parameter, in tab order. */
export const managerTabs = {
  users: 'Users',
  transactions: 'All transactions',
  refunds: 'Refunds',
  review: 'In review',
  books: 'Check the books',
} as const;
export type ManagerTab = keyof typeof managerTabs;

export const pageSizes = [25, 50, 100] as const;
export const defaultRows = 25;

export function readTab(tab: string): ManagerTab {
  return tab === 'transactions' || tab === 'refunds' || tab === 'review' || tab === 'books' ? tab : 'users';
}
