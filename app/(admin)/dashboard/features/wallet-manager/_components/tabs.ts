/** The labels of the tabs by their URL parameter, in tab order. */
export const managerTabs = {
  users: 'Users',
  transactions: 'All transactions',
  review: 'In review',
  books: 'Check the books',
} as const;
export type ManagerTab = keyof typeof managerTabs;

export const pageSizes = [25, 50, 100] as const;
export const defaultRows = 25;

export function readTab(asked: string): ManagerTab {
  return asked === 'transactions' || asked === 'review' || asked === 'books' ? asked : 'users';
}
