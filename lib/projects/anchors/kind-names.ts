import type { AnchorKind } from '@/db/enums';

export const anchorKindNames: Readonly<Record<AnchorKind, string>> = {
  brand: 'Brand',
  address: 'Address',
  generic: 'Generic',
  partial: 'Partial',
  exact: 'Exact',
  image: 'Image',
  none: 'No text',
};
