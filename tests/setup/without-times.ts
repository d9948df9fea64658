/** Removes the ISO times of a text: "12:00:12.370Z" contains the amount 12.37 by chance. */
export const withoutTimes = (text: string): string => text.replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[\d.]*Z?/g, '');
