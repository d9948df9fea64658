const tiles = 'grid grid-cols-2 gap-3 max-sm:[&>*]:px-4 max-sm:[&_.tracking-tight]:text-lg sm:gap-4';

/** Four figures. On phones they are two to a row, in a smaller font size that fits long amounts. */
export const tileGrid = `${tiles} xl:grid-cols-4`;

/** Six figures, three to a row. */
export const sixTileGrid = `${tiles} lg:grid-cols-3`;
