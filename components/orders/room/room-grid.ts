/** The columns of a page with a room: the room first, and the facts of its order beside it or below. */
export const roomGrid = 'grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]';
