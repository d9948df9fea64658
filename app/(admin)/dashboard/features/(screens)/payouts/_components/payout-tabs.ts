import type { TabLink } from '@/components/ui/tabs';

const queuePath = '/dashboard/features/payouts';
export const batchesPath = `${queuePath}/batches`;

/** Returns the tabs of the payout screens. */
export const payoutTabs = (current: 'queue' | 'batches' | 'statements' | 'reports'): TabLink[] => [
  { href: queuePath, label: 'Payouts', current: current === 'queue' },
  { href: batchesPath, label: 'Batches', current: current === 'batches' },
  { href: `${queuePath}/statements`, label: 'Self-billing', current: current === 'statements' },
  { href: `${queuePath}/tax-reports`, label: 'Tax reports', current: current === 'reports' },
];
