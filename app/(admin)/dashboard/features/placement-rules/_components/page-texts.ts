export const title = 'Placement Rules';
export const description = 'The deadlines and limits of orders that sellers fulfill.';
