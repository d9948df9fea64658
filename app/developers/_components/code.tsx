/** A name or value within a sentence. */
export function Code({ children }: { children: string }) {
  return <code className="wrap-anywhere rounded-sm bg-sunken px-1 py-0.5 font-mono text-ink text-xs">{children}</code>;
}
