import { type AnchorKind, anchorKinds } from '@/db/enums';
import type { AnchorPlan } from '@/db/schema/anchor-plans';
import { toTextKey } from './fold-text';

type AnchorCounts = Readonly<Record<AnchorKind, number>>;

/** A text for a brief. The text of `image` and `none` is empty. */
export type ProposedAnchor = { text: string; kind: AnchorKind };

type AnchorNeeds = {
  plan: AnchorPlan;
  /** The anchors that count, by kind. */
  counts: AnchorCounts;
  /** Briefs without a text that are not ordered yet. They count against the kinds without a text only. */
  emptyBriefs?: number;
  /** The texts to choose from, by kind; none for `image` and `none`. */
  texts: Readonly<Partial<Record<AnchorKind, readonly string[]>>>;
  /** The uses of texts, by `toTextKey`. */
  uses: ReadonlyMap<string, number>;
};

/** `image` and `none` are one need: until a link is found, a brief without a text can become either. */
const emptyKinds: readonly AnchorKind[] = ['image', 'none'];
const needs: readonly (readonly AnchorKind[])[] = [
  ...anchorKinds.filter((kind) => !emptyKinds.includes(kind)).map((kind) => [kind]),
  emptyKinds,
];

/**
 * Chooses anchors, each of the kind that is furthest below the plan over all anchors, including those chosen before it, and
 * of that kind the text that is used least; of equal ones the first. Kinds without texts are left out; when no other is
 * below the plan, the others are chosen in their proportion.
 * @returns fewer than `count` only if no kind of the plan has a text
 */
export function chooseAnchors({ plan, emptyBriefs = 0, texts, ...before }: AnchorNeeds, count: number) {
  const counts = { ...before.counts };
  const uses = new Map(before.uses);
  const available = needs
    .map((kinds) => ({ kinds, share: sum(kinds.map((kind) => plan[kind])), isEmpty: kinds === emptyKinds }))
    .filter(({ kinds: [kind], share, isEmpty }) => share > 0 && (isEmpty || (kind && texts[kind]?.length)));
  const chosen: ProposedAnchor[] = [];
  while (chosen.length < count) {
    const open = available.map(({ kinds, share, isEmpty }) => ({
      kinds,
      share,
      taken: sum(kinds.map((kind) => counts[kind])) + (isEmpty ? emptyBriefs : 0),
    }));
    const need =
      findFurthest(open, 100, sum(Object.values(counts)), 0) ??
      findFurthest(open, sum(open.map(({ share }) => share)), sum(open.map(({ taken }) => taken)), -Infinity);
    if (!need) break;
    const total = sum(Object.values(counts)) + 1;
    const kind = findHighest(need.kinds, (one) => (plan[one] > 0 ? plan[one] * total - 100 * counts[one] : -Infinity));
    if (kind === undefined) break;
    const text = findHighest(texts[kind] ?? [], (one) => -(uses.get(toTextKey(one)) ?? 0)) ?? '';
    uses.set(toTextKey(text), (uses.get(toTextKey(text)) ?? 0) + 1);
    counts[kind] += 1;
    chosen.push({ text, kind });
  }
  return chosen;
}

/** Finds what would be furthest below its share of all after one more. @param over the need must be above it */
function findFurthest<Need extends { share: number; taken: number }>(
  open: readonly Need[],
  shares: number,
  total: number,
  over: number,
): Need | undefined {
  const rate = ({ share, taken }: Need) => share * (total + 1) - shares * taken;
  const furthest = findHighest(open, rate);
  return furthest && rate(furthest) > over ? furthest : undefined;
}

/** Finds the first item with the highest rating. */
function findHighest<Item>(items: readonly Item[], rate: (item: Item) => number): Item | undefined {
  const rated = items.map((item) => ({ item, rating: rate(item) }));
  return rated.reduce<(typeof rated)[number] | undefined>(
    (best, one) => (best && best.rating >= one.rating ? best : one),
    undefined,
  )?.item;
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
