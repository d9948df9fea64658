import type { FigureSource } from '@/db/enums';
import { noteFigure } from '@/lib/sites/domain-figures/describe-figure';

type FigureValueProps = {
  /** The formatted figure. */
  text: string;
  origin: { source: FigureSource; asOf: string } | undefined;
  /** Whether the reader is the seller. */
  isOwn?: boolean;
};

/** Renders a figure with its source and day as tooltip, a mark if it was typed, and in grey if it is old. */
export const FigureValue = ({ text, origin, isOwn }: FigureValueProps) => (
  <span {...(origin && noteFigure(origin, isOwn))}>{text}</span>
);
