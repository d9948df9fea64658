type Preset = { label: string; params: Readonly<Record<string, string>>; title?: string };

/** Combinations of filters, or a sort order, as one link. */
export const presets: readonly Preset[] = [
  { label: 'DR 40+, under $100', params: { minDr: '40', maxPrice: '99.99' } },
  { label: 'Traffic 10,000+, spam up to 5%', params: { minTraffic: '10000', maxSpam: '5' } },
  { label: 'DoFollow in 3 days', params: { followType: 'DoFollow', maxTat: '3' } },
  { label: 'Best value first', params: { sort: 'value', order: 'desc' }, title: 'DR and traffic for the price' },
  {
    label: 'Reliable publishers',
    params: { sort: 'reliability', order: 'desc' },
    title: 'Delivered in time, and links that stay',
  },
];
