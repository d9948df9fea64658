const tiles = 'grid grid-cols-2 gap-3 max-sm:[&>*]:px-4 max-sm:[&_.tracking-tight]:text-lg sm:gap-4';

/** Four figures. On phones they are two to a row, in a smaller font size that fits long amounts. */
export const tileGrid = `${tiles} xl:grid-cols-4`;

/** Six figures, three to a row. */
export const sixTileGrid = `${tiles} lg:grid-cols-3`;

/** Two figures in a row. */
export const twoTileGrid = tiles;

/** Three figures in a row; on phones, the third one is as wide as the two above it. */
export const threeTileGrid = `${tiles} sm:grid-cols-3 max-sm:[&>:nth-child(3)]:col-span-2`;
