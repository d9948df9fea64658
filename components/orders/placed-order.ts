/** An order that was just placed. */
export type PlacedOrder = {
  id: number;
  /** Until when the seller answers, ISO 8601; null if staff fulfill the order. */
  answerDueAt: string | null;
};

/** The numbers that are listed one by one. */
const maxListed = 4;

/** "Orders #101, #102 and 3 more are placed. The sellers answer by Nov 28." The day is that of the reader's time zone. */
export function describePlaced(placed: readonly PlacedOrder[]): string {
  const numbers = placed.slice(0, maxListed).map(({ id }) => `#${id}`);
  const more = placed.length > maxListed ? ` and ${placed.length - maxListed} more` : '';
  const what =
    placed.length === 1 ? `Order ${numbers[0]} is placed.` : `Orders ${numbers.join(', ')}${more} are placed.`;
  const dueAt = placed.flatMap(({ answerDueAt }) => answerDueAt ?? []).sort();
  const last = dueAt.at(-1);
  if (last === undefined) return what;
  const day = new Date(last).toLocaleDateString('en-US', { month: 'short', day: 'numeric' });
  return `${what} ${dueAt.length === 1 ? 'The seller answers' : 'The sellers answer'} by ${day}.`;
}
