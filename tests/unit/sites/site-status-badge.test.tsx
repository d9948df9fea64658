import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { SiteStatusBadge } from '@/components/sites/site-text';

const textOf = (status: 'Approved' | 'Pending' | 'Rejected' | null, isAwaitingPrice: boolean) =>
  renderToStaticMarkup(<SiteStatusBadge status={status} isAwaitingPrice={isAwaitingPrice} />).replace(/<[^>]*>/g, '');

it('only an approved site can await its price', () => {
  expect(textOf('Approved', true)).toBe('Approved, awaiting price');
  expect(textOf('Approved', false)).toBe('Approved');
  expect(textOf('Rejected', true)).toBe('Rejected');
  expect(textOf('Pending', true)).toBe('Pending');
  expect(textOf(null, false)).toBe('Pending');
});
