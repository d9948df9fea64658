import { Badge } from '@/components/ui/badge';
import { type Fact, FactList } from '@/components/ui/card';
import type { FulfilmentRecord } from '@/lib/sites/responses';
import { describeRecord, formatShare, newMeaning, recordSource } from './record-words';

type SiteRecordProps = {
  /** Null below five orders. */
  record: FulfilmentRecord | null;
};

/** Shows how the orders of a listing were fulfilled, in words with the numbers that they are of. */
export function SiteRecord({ record }: SiteRecordProps) {
  return (
    <>
      {record ? <FactList facts={describeRecord(record).map(toFact)} /> : <NewRecord />}
      <p className="mt-2 text-muted text-xs">{recordSource}</p>
    </>
  );
}

function NewRecord() {
  return (
    <p className="flex flex-wrap items-center gap-2 text-ink text-sm">
      <NewBadge />
      {newMeaning}
    </p>
  );
}

export const NewBadge = () => <Badge tone="blue">New</Badge>;

/** Renders a reliability; “New” where it is unknown. */
export function Reliability({ value }: { value: number | null }) {
  if (value !== null) return formatShare(value);
  return (
    <span data-tooltip={newMeaning}>
      <NewBadge />
    </span>
  );
}

/** Renders the lines of a figure, one below the other. */
export const toFact = ([name, lines]: ReturnType<typeof describeRecord>[number]): Fact => [
  name,
  lines.map((line) => (
    <span key={line} className="block">
      {line}
    </span>
  )),
];
