/** Four figures: two in a row on phones, where long amounts get a smaller size. */
export const tileGrid =
  'grid grid-cols-2 gap-3 max-sm:[&>*]:px-4 max-sm:[&_.tracking-tight]:text-lg sm:gap-4 xl:grid-cols-4';
