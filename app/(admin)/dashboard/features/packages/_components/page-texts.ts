export const title = 'Packages';
export const description = 'Bundles of links that buyers order at a fixed price.';
