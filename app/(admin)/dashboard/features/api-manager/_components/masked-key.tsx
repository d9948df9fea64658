/** All that is shown of a key: its last four characters. */
export function MaskedKey({ lastFour }: { lastFour: string }) {
  return (
    <span className="whitespace-nowrap font-mono text-xs">
      <span aria-hidden="true">••••••••</span>
      <span className="sr-only">Ends in </span>
      {lastFour}
    </span>
  );
}
